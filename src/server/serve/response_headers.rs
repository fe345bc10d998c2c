//! The headers of every answer, which restrict what a browser may do with it.

use axum::http::header::{
    ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, ORIGIN, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

use super::admission::METHODS;

/// No requests to other hosts, no inline scripts, no framing: styles, images and the script that completes names come
/// from this server, and forms are sent to it.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Headers of every answer.
const FIXED: [(HeaderName, &str); 4] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    // Browsers may cache it but must revalidate: an unchanged answer costs only a 304.
    (CACHE_CONTROL, "no-cache"),
];

/// Sets the headers of an answer; pages of the origin `readable_by` may read it.
pub(super) fn set(headers: &mut HeaderMap, readable_by: Option<HeaderValue>) {
    for (name, value) in FIXED {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Some(origin) = readable_by {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.append(VARY, HeaderValue::from_static("Origin"));
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("ETag, Link, Retry-After"));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    }
}

/// The origin whose pages the browser allows to read the answer.
pub(super) fn allowed_origin(headers: &HeaderMap, origins: &[String]) -> Option<HeaderValue> {
    if origins.iter().any(|origin| origin == "*") {
        return Some(HeaderValue::from_static("*"));
    }
    let asking = headers.get(ORIGIN)?;
    origins.iter().any(|origin| origin.as_bytes().eq_ignore_ascii_case(asking.as_bytes())).then(|| asking.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_strangers_read_nothing() {
        let asking = |origin: &str, allowed: &[&str]| {
            let headers = HeaderMap::from_iter([(ORIGIN, HeaderValue::from_str(origin).unwrap())]);
            let allowed: Vec<String> = allowed.iter().map(|origin| (*origin).to_owned()).collect();
            allowed_origin(&headers, &allowed).map(|origin| origin.to_str().unwrap().to_owned())
        };
        let lab = "https://lab.example";
        assert_eq!(asking(lab, &[]), None);
        assert_eq!(asking("https://lab.example.evil", &[lab]), None);
        assert_eq!(asking("null", &[lab]), None);
        assert_eq!(asking("https://LAB.example", &["http://other", lab]).as_deref(), Some("https://LAB.example"));
        assert_eq!(asking("https://evil.example", &["*"]).as_deref(), Some("*"));
        assert_eq!(allowed_origin(&HeaderMap::new(), &[lab.to_owned()]), None);
    }
}
