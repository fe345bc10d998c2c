//! The routes of the server.

use std::sync::Arc;

use axum::Router;
use axum::http::Uri;
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::get;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

use super::etag::weakened;
use super::middleware::guarded;
use super::respond::{JSON, ResponseForm, content, refused};
use super::shared::Shared;
use super::{api, openapi, page_routes};
use crate::refusal::Refusal;

/// All routes with their middleware.
pub(super) fn router(shared: &Arc<Shared>) -> Router {
    let endpoints = api::endpoints();
    let document: Arc<str> = openapi::document(&endpoints, shared.options.version).to_string().into();
    let mut router = Router::new();
    for endpoint in endpoints {
        router = router.route(endpoint.path, endpoint.handler);
    }
    for (path, handler) in page_routes::all() {
        router = router.route(path, handler);
    }
    router
        .route("/api/openapi.json", get(move || async move { content(JSON, document.to_string()) }))
        .fallback(nothing)
        .layer(from_fn_with_state(Arc::clone(shared), guarded))
        // Outermost layer: compresses answers that are not cached in compressed form.
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(map_response(weakened))
        .with_state(Arc::clone(shared))
}

async fn nothing(uri: Uri) -> Response {
    let refusal = Refusal::not_found(uri.path(), Vec::new());
    let wanted = ResponseForm::of(uri.path());
    let help = match wanted {
        ResponseForm::Json => "/api/openapi.json lists the endpoints",
        ResponseForm::Page => "ask in the box",
    };
    refused(&refusal.help(help), wanted)
}
