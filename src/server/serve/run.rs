//! Starting a server.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;

use super::export::Exports;
use super::kept_answers::KeptAnswers;
use super::shared::{ServeOptions, Shared};
use super::sockets;
use super::visitors::Visitors;
use crate::held::HeldKnowledgeBase;

/// The server could not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The system has no room for it.
    #[error("cannot start: {0}")]
    Start(std::io::Error),
    /// Nobody can listen there.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        #[source]
        error: std::io::Error,
    },
}

const MIB: usize = 1024 * 1024;

/// How many requests are answered at a time: one for each processor.
pub fn answers_at_a_time() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

/// Listens and answers until the process ends; `ready` is told where.
///
/// # Errors
///
/// When it cannot listen there.
pub fn run(
    held: Arc<HeldKnowledgeBase>,
    options: ServeOptions,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    // One thread is enough to read and write; answers are made on others.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Start)?;
    let address = options.address;
    let failed = |error| ServeError::Listen { address, error };
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        ready(listener.local_addr().map_err(failed)?);
        let visitors = Visitors::new(options.rate);
        let kept = KeptAnswers::new(options.keep_mib as usize * MIB);
        let shared = Arc::new(Shared { held, options, visitors, exports: Exports::default(), kept });
        sockets::serve(listener, shared).await;
        Ok(())
    })
}
