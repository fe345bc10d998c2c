//! An output that remembers why it failed: the protocol's library ends a conversation in the same way whether its
//! answers cannot be written or it is over.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;

use super::drain::InFlight;

/// The first failure to write answers, if any.
pub(super) type OutputFailure = Arc<OnceLock<io::Error>>;

/// An output that stores its first failure.
pub(super) struct Output<W> {
    out: W,
    failure: OutputFailure,
    in_flight: Arc<InFlight>,
}

impl<W> Output<W> {
    /// Wraps an output; returns it with the place of its failure.
    pub fn over(out: W, in_flight: Arc<InFlight>) -> (Self, OutputFailure) {
        let failure = OutputFailure::default();
        (Self { out, failure: failure.clone(), in_flight }, failure)
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

impl<W: AsyncWrite + Unpin> AsyncWrite for Output<W> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.out).poll_write(context, bytes);
        self.in_flight.wrote(&polled);
        self.remembered(polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.out).poll_flush(context);
        self.in_flight.wrote(&polled);
        self.remembered(polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.out).poll_shutdown(context);
        self.remembered(polled)
    }
}
