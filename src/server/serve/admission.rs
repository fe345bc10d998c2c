//! Admission of requests: those for this server's name, with a safe method and without a body, within the rate limit.

use std::net::IpAddr;
use std::time::Instant;

use axum::extract::Request;
use axum::http::header::{ALLOW, CONNECTION, CONTENT_LENGTH, HOST, RETRY_AFTER, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::Response;

use super::respond::{ResponseForm, refused_with};
use super::shared::Shared;
use super::visitors::Visitor;
use crate::refusal::{Refusal, RefusalKind};

/// The accepted methods.
pub(super) const METHODS: &str = "GET, HEAD, OPTIONS";

/// A rejected request.
pub(super) struct Denied {
    status: StatusCode,
    refusal: Refusal,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Denied {
    fn new(status: StatusCode, kind: RefusalKind, message: &str, help: &str) -> Self {
        Self { status, refusal: Refusal::new(kind, message).help(help), headers: Vec::new() }
    }

    fn with(mut self, name: HeaderName, value: &str) -> Self {
        self.headers.extend(HeaderValue::from_str(value).ok().map(|value| (name, value)));
        self
    }

    /// The response for the rejected request.
    pub(super) fn into_response(self, wanted: ResponseForm) -> Response {
        let mut response = refused_with(self.status, &self.refusal, wanted);
        response.headers_mut().extend(self.headers.into_iter().map(|(name, value)| (Some(name), value)));
        response
    }
}

/// Checks whether a request is answered at all.
pub(super) fn admitted(shared: &Shared, request: &Request) -> Result<(), Denied> {
    if !is_host_of_ours(request.uri(), request.headers(), &shared.options.hosts) {
        return Err(Denied::new(
            StatusCode::MISDIRECTED_REQUEST,
            RefusalKind::Mistake,
            "this server is not known by that name",
            "`dlbench serve --host NAME` lets it be asked by a name",
        ));
    }
    if ![Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method()) {
        let denied = Denied::new(
            StatusCode::METHOD_NOT_ALLOWED,
            RefusalKind::Mistake,
            "nothing can be changed here",
            "everything is asked for with GET",
        );
        return Err(denied.with(ALLOW, METHODS).with(CONNECTION, "close"));
    }
    let has_length = request.headers().get(CONTENT_LENGTH).is_some_and(|length| length.as_bytes() != b"0");
    if has_length || request.headers().contains_key(TRANSFER_ENCODING) {
        // The body may never end, so it is not read.
        let denied = Denied::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            RefusalKind::TooMuch,
            "requests have no body",
            "put everything into the address",
        );
        return Err(denied.with(CONNECTION, "close"));
    }
    let visitor = request.extensions().get::<Visitor>();
    if let Some(Err(wait)) = visitor.map(|visitor| shared.visitors.ask(visitor.0, Instant::now())) {
        let denied = Denied::new(
            StatusCode::TOO_MANY_REQUESTS,
            RefusalKind::Busy,
            "too many requests from this address",
            "ask again after the time in Retry-After; `dlbench serve --rate` sets the limit",
        );
        return Err(denied.with(RETRY_AFTER, &wait.as_secs_f64().ceil().max(1.0).to_string()));
    }
    Ok(())
}

/// Whether a request names this server: by an IP address, which nobody can redirect, or by one of its names.
fn is_host_of_ours(uri: &Uri, headers: &HeaderMap, hosts: &[String]) -> bool {
    let mut named = headers.get_all(HOST).iter();
    let named = match (uri.authority(), named.next(), named.next()) {
        (Some(authority), ..) => Some(authority.as_str()),
        (None, Some(host), None) => host.to_str().ok(),
        _ => None,
    };
    let Some(named) = named else { return false };
    let name = match named.rsplit_once(':') {
        Some((name, port)) if !name.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => named,
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    bare.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || hosts.iter().any(|host| host.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_strangers_are_refused() {
        let asked = |host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_str(host).unwrap());
            is_host_of_ours(&Uri::from_static("/"), &headers, &["bench.example.org".to_owned()])
        };
        for host in ["localhost", "LOCALHOST:8017", "127.0.0.1:1", "[::1]:8017", "192.0.2.7", "bench.example.org:443"] {
            assert!(asked(host), "{host}");
        }
        for host in
            ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "bench.example.org.", "a:b:c"]
        {
            assert!(!asked(host), "{host}");
        }
        let mut twice = HeaderMap::new();
        assert!(!is_host_of_ours(&Uri::from_static("/"), &twice, &[]));
        twice.append(HOST, HeaderValue::from_static("localhost"));
        twice.append(HOST, HeaderValue::from_static("evil.example"));
        assert!(!is_host_of_ours(&Uri::from_static("/"), &twice, &[]));
        assert!(!is_host_of_ours(&Uri::from_static("http://evil.example/"), &HeaderMap::new(), &[]));
    }
}
