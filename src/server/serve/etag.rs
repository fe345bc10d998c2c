//! Entity tags: whether a browser already has an answer.

use axum::http::header::{CONTENT_ENCODING, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

/// The tag of an answer: the content of the knowledge base and the program's version.
pub(super) fn tag(content: &str, version: &str) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{content}-{version}\"")).unwrap_or(HeaderValue::from_static("\"unknown\""))
}

/// Whether the browser already has the answer with this tag.
pub(super) fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let Ok(tag) = tag.to_str() else { return false };
    let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    known
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|value| value.strip_prefix("W/").unwrap_or(value) == tag)
}

/// A compressed answer differs byte for byte from the plain one, so its tag must be weak (RFC 9110, 8.8.1).
pub(super) async fn weakened(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let strong = headers.get(ETAG).filter(|_| headers.contains_key(CONTENT_ENCODING)).and_then(|tag| tag.to_str().ok());
    if let Some(weak) = strong.and_then(|tag| HeaderValue::from_str(&format!("W/{tag}")).ok()) {
        headers.insert(ETAG, weak);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_as_browsers_send_them() {
        let tag = tag("abc", "1.0");
        let known = |value: &'static str| {
            let headers = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(value))]);
            is_known(&headers, &tag)
        };
        assert!(known("\"abc-1.0\"") && known("\"x\", W/\"abc-1.0\"") && !known("\"abc-1.1\"") && !known("abc"));
    }
}
