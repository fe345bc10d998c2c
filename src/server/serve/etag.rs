//! Whether a browser has an answer already.

use axum::http::header::{CONTENT_ENCODING, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

/// What tells one state of the answers from another: the content, and the program that writes them.
pub(super) fn tag(content: &str, version: &str) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{content}-{version}\"")).unwrap_or(HeaderValue::from_static("\"unknown\""))
}

/// Whether a browser has the answer already.
pub(super) fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let Ok(tag) = tag.to_str() else { return false };
    let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    known
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|value| value.strip_prefix("W/").unwrap_or(value) == tag)
}

/// A packed answer is not the plain one byte for byte, so that its tag is a weak one (RFC 9110, 8.8.1).
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
