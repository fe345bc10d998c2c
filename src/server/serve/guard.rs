//! What stands around every answer: who may ask, what a browser may do with the response, and whether it has it already.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, ETAG, HOST, IF_NONE_MATCH, ORIGIN,
    REFERRER_POLICY, RETRY_AFTER, TRANSFER_ENCODING, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::respond::{Wanted, refused};
use super::shared::Shared;
use super::visitors::Visitor;
use crate::refusal::{Refusal, RefusalKind};

/// Nothing is asked of another host, nothing runs that stands in a page, nobody frames one: styles, pictures and the script that
/// completes names come from here, forms lead here.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const METHODS: &str = "GET, HEAD, OPTIONS";

/// Checks a request, answers it, and says what may be done with the answer.
pub(super) async fn guarded(State(shared): State<Arc<Shared>>, mut request: Request, next: Next) -> Response {
    let wanted = Wanted::of(request.uri().path());
    let allowed = allowed_origin(request.headers(), &shared.options.origins);
    let mut response = match admitted(&shared, &request) {
        Err(denied) => denied.into_response(wanted),
        Ok(()) if request.method() == Method::OPTIONS => StatusCode::NO_CONTENT.into_response(),
        Ok(()) => {
            // All of the request sees this state, the tag of its answer, too.
            let state = shared.held.now();
            let tag = tag(&state.content, shared.options.version);
            if is_known(request.headers(), &tag) {
                let mut response = StatusCode::NOT_MODIFIED.into_response();
                response.headers_mut().insert(ETAG, tag);
                response
            } else {
                request.extensions_mut().insert(state);
                let mut response = next.run(request).await;
                if response.status() == StatusCode::OK {
                    response.headers_mut().insert(ETAG, tag);
                }
                response
            }
        }
    };
    let headers = response.headers_mut();
    let fixed: [(HeaderName, &'static str); 4] = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        // It may be kept, but is asked for again: an unchanged answer costs 304 and nothing else.
        (CACHE_CONTROL, "no-cache"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if wanted == Wanted::Json
        && let Some(origin) = allowed
    {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(VARY, HeaderValue::from_static("Origin"));
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("ETag, Retry-After"));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    }
    response
}

/// A request that is not answered.
struct Denied {
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

    fn into_response(self, wanted: Wanted) -> Response {
        let mut response = refused(&self.refusal, wanted);
        *response.status_mut() = self.status;
        response.headers_mut().extend(self.headers.into_iter().map(|(name, value)| (Some(name), value)));
        response
    }
}

/// Whether a request is answered at all.
fn admitted(shared: &Shared, request: &Request) -> Result<(), Denied> {
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
        // It may never end: it is not read.
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

/// Whether a request names this server: by an address, which nobody can lead elsewhere, or by a name that it has.
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

/// The origin that is told to the browser as one whose pages may read the answer.
fn allowed_origin(headers: &HeaderMap, origins: &[String]) -> Option<HeaderValue> {
    if origins.iter().any(|origin| origin == "*") {
        return Some(HeaderValue::from_static("*"));
    }
    let asking = headers.get(ORIGIN)?;
    origins.iter().any(|origin| origin.as_bytes().eq_ignore_ascii_case(asking.as_bytes())).then(|| asking.clone())
}

/// What tells one state of the answers from another: the content, and the program that writes them.
fn tag(content: &str, version: &str) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{content}-{version}\"")).unwrap_or(HeaderValue::from_static("\"unknown\""))
}

/// Whether a browser has the answer already.
fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let Ok(tag) = tag.to_str() else { return false };
    let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    known
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|value| value.strip_prefix("W/").unwrap_or(value) == tag)
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
