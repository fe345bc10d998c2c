//! The way out of the answers: stdout, which remembers why it failed. The protocol's library ends a conversation whose answers
//! cannot be written as it ends one that is over.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use tokio::io::{AsyncWrite, Stdout};

/// Why answers could not be written, once that has happened.
pub(super) type OutputFailure = Arc<OnceLock<io::Error>>;

/// Stdout that keeps its first failure.
pub(super) struct Output {
    stdout: Stdout,
    failure: OutputFailure,
}

impl Output {
    /// Stdout, and where its failure will be found.
    pub fn new() -> (Self, OutputFailure) {
        let failure = OutputFailure::default();
        (Self { stdout: tokio::io::stdout(), failure: failure.clone() }, failure)
    }

    fn remembered<T>(&self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        polled.map_err(|error| {
            let kind = error.kind();
            match self.failure.set(error) {
                Ok(()) => kind.into(),
                Err(error) => error,
            }
        })
    }
}

impl AsyncWrite for Output {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stdout).poll_write(context, bytes);
        self.remembered(polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stdout).poll_flush(context);
        self.remembered(polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stdout).poll_shutdown(context);
        self.remembered(polled)
    }
}
