//! Starting a server.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::http::header::HOST;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

use super::answer_cache::AnswerCache;
use super::export::Exports;
use super::router::router;
use super::shared::{ServeOptions, Shared};
use super::sockets;
use super::visitors::Visitors;
use crate::limits::LOOK_EVERY;
use crate::live::LiveKnowledgeBase;

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The system lacks resources.
    #[error("cannot start: {0}")]
    Start(std::io::Error),
    /// The address is not available.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        #[source]
        error: std::io::Error,
    },
}

const MIB: usize = 1024 * 1024;

/// Number of requests that are answered concurrently: one per processor.
pub fn answers_at_a_time() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

/// Listens and answers until the process ends; `ready` receives the actual address.
///
/// # Errors
///
/// When it cannot listen on the address.
pub fn run(
    live: Arc<LiveKnowledgeBase>,
    options: ServeOptions,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    // One thread suffices for input and output; answers are computed on others.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Start)?;
    let address = options.address;
    let failed = |error| ServeError::Listen { address, error };
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        ready(listener.local_addr().map_err(failed)?);
        let visitors = Visitors::new(options.rate);
        let answer_cache = AnswerCache::new(options.keep_mib as usize * MIB);
        let keeps = options.keep_mib > 0;
        let shared = Arc::new(Shared { live, options, visitors, exports: Exports::default(), answer_cache });
        let router = router(&shared);
        if keeps {
            tokio::spawn(first_page_ready(router.clone(), Arc::clone(&shared)));
        }
        sockets::serve(listener, router, shared).await;
        Ok(())
    })
}

/// Computes the first page of each state of the knowledge base in advance: its rankings take a second or two.
async fn first_page_ready(router: Router, shared: Arc<Shared>) {
    let mut ready = String::new();
    loop {
        let now = shared.live.now().content.clone();
        if now != ready {
            if let Ok(request) = Request::get("/").header(HOST, "localhost").body(Body::empty()) {
                let Ok(_) = TowerToHyperService::new(router.clone()).call(request).await;
            }
            ready = now;
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
