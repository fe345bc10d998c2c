//! Connections: limits on their number, duration and slowness.

use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

use super::shared::Shared;
use super::visitors::Visitor;

/// Timeout for the request header, which also closes connections without a request.
const LONGEST_HEAD: Duration = Duration::from_secs(10);
/// Maximum size of the request header, in bytes.
const MOST_HEAD: usize = 16 * 1024;
/// Maximum duration of a connection, so that slow readers cannot keep it open.
const LONGEST_CONNECTION: Duration = Duration::from_secs(600);
/// Pause after the system refused a connection (no more open files).
const PAUSE: Duration = Duration::from_millis(50);

/// Accepts and serves connections for ever.
pub(super) async fn serve(listener: TcpListener, router: Router, shared: Arc<Shared>) {
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Drops connections over the limit, so that other clients are served.
        let Some(place) = shared.visitors.enter(peer.ip()) else { continue };
        let place = Arc::new(place);
        let asking = Arc::clone(&place);
        let answer = TowerToHyperService::new(router.clone());
        let visitor = Visitor(peer.ip());
        let service = service_fn(move |mut request: Request<Incoming>| {
            asking.asks();
            request.extensions_mut().insert(visitor);
            answer.call(request)
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(LONGEST_HEAD).max_buf_size(MOST_HEAD);
        let connection = http.serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            // Ends on completion, timeout or eviction; then the connection is closed and its place is free.
            let mut connection = pin!(tokio::time::timeout(LONGEST_CONNECTION, connection));
            let mut lost = pin!(place.is_lost());
            poll_fn(|context| match connection.as_mut().poll(context).is_ready() {
                true => Poll::Ready(()),
                false => lost.as_mut().poll(context),
            })
            .await;
        });
    }
}
