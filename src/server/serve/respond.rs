//! Responses: JSON, text, and errors in the requested form.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Query};
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::documents::{Problem, status_of};
use crate::live::KbState;
use crate::pages::layout;
use crate::refusal::{Refusal, RefusalKind};
use crate::requests::misread;
use dlbench::KnowledgeBase;

pub(super) const JSON: &str = "application/json";
/// The media type of errors for programs (RFC 9457).
pub(super) const PROBLEM: &str = "application/problem+json";
pub(super) const PLAIN: &str = "text/plain; charset=utf-8";
pub(super) const CSV: &str = "text/csv; charset=utf-8";
pub(super) const SVG: &str = "image/svg+xml";
pub(super) const SCRIPT: &str = "text/javascript; charset=utf-8";
pub(super) const HTML: &str = "text/html; charset=utf-8";

/// The form of a response, by its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseForm {
    /// For a program.
    Json,
    /// For a person.
    Page,
}

impl ResponseForm {
    /// JSON for paths below `/api`, else a page.
    pub fn of(path: &str) -> Self {
        if path == "/api" || path.starts_with("/api/") { Self::Json } else { Self::Page }
    }
}

/// The query arguments of a request.
pub(super) struct RequestArguments<A>(pub A);

impl<A: DeserializeOwned, S: Sync> FromRequestParts<S> for RequestArguments<A> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        match Query::<A>::try_from_uri(&parts.uri) {
            Ok(Query(arguments)) => Ok(Self(arguments)),
            Err(error) => {
                let given = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
                    .map_or_else(|_| Vec::new(), |Query(given)| given);
                let refusal = misread::<A>(given.iter().map(|(name, _)| name.as_str()), error.body_text());
                let refusal = match refusal.help {
                    Some(_) => refusal,
                    None => refusal.help("/api/openapi.json describes the endpoints and their arguments"),
                };
                Err(refused(&refusal, ResponseForm::of(parts.uri.path())))
            }
        }
    }
}

/// The response that `done` computes from the knowledge base, or the error response.
pub(super) async fn answered(
    state: Arc<KbState>,
    wanted: ResponseForm,
    done: impl FnOnce(&KnowledgeBase) -> Result<Response, Refusal> + Send + 'static,
) -> Response {
    state.ask(done).await.unwrap_or_else(|refusal| refused(&refusal, wanted))
}

/// A JSON response.
///
/// # Errors
///
/// When the value cannot be serialised.
pub(super) fn json(value: &impl Serialize) -> Result<Response, Refusal> {
    Ok(content(JSON, serde_json::to_string(value)?))
}

/// A response with this content type.
pub(super) fn content(content_type: &'static str, text: impl Into<axum::body::Body>) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static(content_type))], text.into()).into_response()
}

/// The error response for a refusal.
pub(super) fn refused(refusal: &Refusal, wanted: ResponseForm) -> Response {
    refused_with(status_of(refusal.kind), refusal, wanted)
}

/// The error response for a refusal, with another status code.
pub(super) fn refused_with(status: StatusCode, refusal: &Refusal, wanted: ResponseForm) -> Response {
    let mut response = match wanted {
        ResponseForm::Json => match serde_json::to_string(&Problem::of(refusal, status)) {
            Ok(problem) => content(PROBLEM, problem),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        },
        ResponseForm::Page => content(HTML, layout::refusal(refusal)),
    };
    *response.status_mut() = status;
    if refusal.kind == RefusalKind::Busy {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}
