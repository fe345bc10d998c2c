//! The middleware around every answer: admission, revalidation, the cache, and response headers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::ETAG;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::admission::admitted;
use super::answer_cache::takes_gzip;
use super::api::EXPORT;
use super::etag::{is_known, tag};
use super::respond::ResponseForm;
use super::response_headers::{self, allowed_origin};
use super::shared::Shared;

/// Checks a request, answers it, and sets the response headers.
pub(super) async fn guarded(State(shared): State<Arc<Shared>>, mut request: Request, next: Next) -> Response {
    let wanted = ResponseForm::of(request.uri().path());
    let allowed = allowed_origin(request.headers(), &shared.options.origins);
    let mut response = match admitted(&shared, &request) {
        Err(denied) => denied.into_response(wanted),
        Ok(()) if request.method() == Method::OPTIONS => StatusCode::NO_CONTENT.into_response(),
        Ok(()) => {
            // The whole request uses this state, including the tag of its answer.
            let state = shared.live.now();
            let tag = tag(&state.content, shared.options.version);
            if is_known(request.headers(), &tag) {
                let mut response = StatusCode::NOT_MODIFIED.into_response();
                response.headers_mut().insert(ETAG, tag);
                response
            } else {
                request.extensions_mut().insert(state);
                let mut response = kept_or_made(&shared, &tag, request, next).await;
                if matches!(response.status(), StatusCode::OK | StatusCode::PARTIAL_CONTENT) {
                    response.headers_mut().insert(ETAG, tag);
                }
                response
            }
        }
    };
    response_headers::set(response.headers_mut(), allowed.filter(|_| wanted == ResponseForm::Json));
    response
}

/// The cached answer of this state, else a new one.
async fn kept_or_made(shared: &Shared, tag: &HeaderValue, request: Request, next: Next) -> Response {
    // Cached answers have a body and are complete in memory.
    let is_kept = request.method() == Method::GET && request.uri().path() != EXPORT;
    match request.uri().path_and_query().filter(|_| is_kept).map(ToString::to_string) {
        Some(address) => {
            let as_gzip = takes_gzip(request.headers());
            shared.answer_cache.get_or_compute(tag.clone(), address, as_gzip, next.run(request)).await
        }
        None => next.run(request).await,
    }
}
