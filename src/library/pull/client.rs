//! Requests an address over the network, and follows redirects that can be trusted.

use std::io;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use reqwest::blocking::{Client as Blocking, Response};
use reqwest::header::HeaderName;
use reqwest::{Url, header};

use super::{PullError, Validators};
use crate::http;
use crate::http::PublicHosts;

/// The purpose of the requests, which is sent with them.
const PURPOSE: &str = "dlbench pull: is there a newer knowledge base?";

/// An HTTP client for one address.
pub(super) struct HttpClient {
    /// For addresses on this machine or its network, which the user gave.
    client: Blocking,
    /// For public addresses: it must not connect to this machine or its network.
    outside: Blocking,
    hosts: PublicHosts,
    silence: Duration,
}

impl HttpClient {
    /// A client with this timeout for a silent server.
    pub fn new(silence: Duration) -> Result<Self, PullError> {
        Self::with(PublicHosts::and(&[], silence), silence)
    }

    fn with(hosts: PublicHosts, silence: Duration) -> Result<Self, PullError> {
        let failed = |error: reqwest::Error| PullError::Client(http::in_words(&error));
        let client = http::client(PURPOSE, silence).map_err(failed)?;
        let outside = http::builder(PURPOSE, silence).dns_resolver(Arc::new(hosts.clone()));
        Ok(Self { client, outside: outside.build().map_err(failed)?, hosts, silence })
    }

    fn request(&self, client: &Blocking, url: &Url, headers: &[Header]) -> Result<Response, PullError> {
        // An archive is compressed already, and byte ranges can be joined only without a content encoding.
        let mut request = client.get(url.clone()).header(header::ACCEPT_ENCODING, "identity");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        request.send().map_err(|error| match error.is_timeout() {
            true => PullError::Silent { url: url.to_string(), silence: self.silence },
            false => PullError::Unreachable { url: url.to_string(), why: http::in_words(&error) },
        })
    }
}

impl Client for HttpClient {
    fn get(&self, url: &str, headers: &[Header]) -> Result<Reply, PullError> {
        let no_address =
            |why: &dyn std::fmt::Display| PullError::Unreachable { url: url.to_owned(), why: why.to_string() };
        let mut at = Url::parse(url).map_err(|error| no_address(&error))?;
        let mut seen = vec![at.clone()];
        let is_outside = self.hosts.refusal(&at).is_none();
        let client = if is_outside { &self.outside } else { &self.client };
        loop {
            let response = self.request(client, &at, headers)?;
            let to = text(&response, header::LOCATION).and_then(|to| at.join(&to).ok());
            let next = match (response.status().as_u16(), to) {
                (301 | 302 | 303 | 307 | 308, Some(next)) => next,
                (status, _) => return Ok(reply(status, response)),
            };
            // Never redirect from HTTPS to HTTP, or to local files.
            if next.scheme() != at.scheme() {
                return Err(PullError::OtherProtocol { from: at.to_string(), to: next.to_string() });
            }
            if seen.contains(&next) || seen.len() > http::MOST_REDIRECTIONS {
                return Err(PullError::Circle { url: url.to_owned(), most: http::MOST_REDIRECTIONS });
            }
            if is_outside && self.hosts.refusal(&next).is_some() {
                return Err(PullError::LeadsInside { from: at.to_string(), to: next.to_string() });
            }
            seen.push(next.clone());
            at = next;
        }
    }
}

fn reply(status: u16, response: Response) -> Reply {
    Reply {
        status,
        length: text(&response, header::CONTENT_LENGTH).and_then(|length| length.parse().ok()),
        range: text(&response, header::CONTENT_RANGE).and_then(|range| ContentRange::parse(&range)),
        validators: Validators {
            etag: text(&response, header::ETAG),
            last_modified: text(&response, header::LAST_MODIFIED),
        },
        date: text(&response, header::DATE),
        body: Box::new(Body(response)),
    }
}

fn text(response: &Response, name: HeaderName) -> Option<String> {
    response.headers().get(name)?.to_str().ok().map(str::to_owned)
}

/// A response body that reports a timeout as an error of its own kind.
struct Body(Response);

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<reqwest::Error>());
            let kind = match cause {
                Some(cause) if cause.is_timeout() => io::ErrorKind::TimedOut,
                _ => error.kind(),
            };
            io::Error::new(kind, error)
        })
    }
}

/// A request header: name and value.
pub(super) type Header = (&'static str, String);

/// An HTTP client.
pub(super) trait Client {
    /// Gets the response after redirects.
    ///
    /// # Errors
    ///
    /// When there is no response, or a redirect is refused.
    fn get(&self, url: &str, headers: &[Header]) -> Result<Reply, PullError>;
}

/// The parts of a response that are used.
pub(super) struct Reply {
    /// The HTTP status after all redirects.
    pub status: u16,
    /// `Content-Length`.
    pub length: Option<u64>,
    /// `Content-Range` of a partial response.
    pub range: Option<ContentRange>,
    /// Validators for later requests.
    pub validators: Validators,
    /// `Date`: when the server answered.
    pub date: Option<String>,
    /// The body. An error of kind `TimedOut` means that the server was silent, any other error that the connection broke.
    pub body: Box<dyn Read>,
}

/// The range of a partial response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContentRange {
    /// Offset of the first byte.
    pub start: u64,
    /// Length of the whole file in bytes, if stated.
    pub total: Option<u64>,
}

impl ContentRange {
    /// Parses `bytes 100-199/200`.
    pub fn parse(text: &str) -> Option<Self> {
        let (range, total) = text.trim().strip_prefix("bytes ")?.split_once('/')?;
        let start = range.split_once('-')?.0.trim().parse().ok()?;
        let total = if total == "*" { None } else { Some(total.parse().ok()?) };
        Some(Self { start, total })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{SocketAddr, TcpListener};
    use std::thread;

    use super::*;

    /// Starts a local server that redirects every request to `to`.
    fn leading_to(to: &str) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answer = format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut head = [0; 1024];
                let _ = stream.read(&mut head);
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        address
    }

    #[test]
    fn no_server_of_the_internet_leads_to_this_machine() {
        const SILENCE: Duration = Duration::from_secs(5);
        // The test resolver gives public addresses, and requests to them are sent to this machine.
        let hosts = PublicHosts::and(&[], SILENCE).looked_up_by(|name, port, _| match name {
            "inside.example.org" => vec![SocketAddr::from(([127, 0, 0, 1], port))],
            _ => vec![SocketAddr::from(([8, 8, 8, 8], port))],
        });
        for to in
            ["http://127.0.0.1:1/kb", "http://169.254.169.254/latest", "http://inside.example.org/", "http://[::1]/"]
        {
            let server = leading_to(to);
            let client = HttpClient::with(hosts.clone(), SILENCE).unwrap();
            let outside = http::builder(PURPOSE, SILENCE).resolve("kb.example.org", server).build().unwrap();
            let client = HttpClient { outside, ..client };
            let told = client.get(&format!("http://kb.example.org:{}/kb.tar.gz", server.port()), &[]).err();
            assert!(matches!(told, Some(PullError::LeadsInside { .. })), "{to}: {told:?}");
        }
        // A server on this machine that the user gave may redirect within this machine.
        let last = leading_to("http://127.0.0.1:1/");
        let first = leading_to(&format!("http://{last}/"));
        let client = HttpClient::with(hosts, SILENCE).unwrap();
        let told = client.get(&format!("http://{first}/"), &[]).err();
        assert!(matches!(told, Some(PullError::Unreachable { .. })), "{told:?}");
    }

    #[test]
    fn a_range_is_read_or_is_none() {
        assert_eq!(ContentRange::parse("bytes 100-199/200"), Some(ContentRange { start: 100, total: Some(200) }));
        assert_eq!(ContentRange::parse("bytes 0-9/*"), Some(ContentRange { start: 0, total: None }));
        for wrong in ["", "bytes */200", "bytes 1/2", "bytes -1-2/3", "lines 1-2/3", "bytes 1-2/x"] {
            assert_eq!(ContentRange::parse(wrong), None, "{wrong}");
        }
    }
}
