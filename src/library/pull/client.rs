//! Requests one address over the network, and follows redirections as far as they can be trusted.

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

/// What the requests are for.
const PURPOSE: &str = "dlbench pull: is there a newer knowledge base?";

/// A client for one address.
pub(super) struct HttpClient {
    /// For an address that the user named, wherever it lies.
    client: Blocking,
    /// For one of the Internet, which must not lead to this machine or its network.
    outside: Blocking,
    hosts: PublicHosts,
    silence: Duration,
}

impl HttpClient {
    /// One that waits so long for a server that says nothing.
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
        // An archive is compressed already, and its parts can be joined only as they are.
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
            // What was asked for encrypted does not come unencrypted, and nothing leads to the files of this computer.
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

/// A body whose silence is told from its end.
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

/// A header of a request: its name and its value.
pub(super) type Header = (&'static str, String);

/// Requests one address.
pub(super) trait Client {
    /// The answer, after redirections.
    ///
    /// # Errors
    ///
    /// When there is none, or the way leads astray.
    fn get(&self, url: &str, headers: &[Header]) -> Result<Reply, PullError>;
}

/// What of an answer matters.
pub(super) struct Reply {
    /// The HTTP status, behind all redirections.
    pub status: u16,
    /// `Content-Length`.
    pub length: Option<u64>,
    /// `Content-Range`, of a part.
    pub range: Option<ContentRange>,
    /// What a later request can ask by.
    pub validators: Validators,
    /// `Date`: when the server answered.
    pub date: Option<String>,
    /// The body. An error of the kind `TimedOut` means that the server was silent; any other one that the connection broke.
    pub body: Box<dyn Read>,
}

/// Which part of a file an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContentRange {
    /// The first byte.
    pub start: u64,
    /// How long the whole is, if that is stated.
    pub total: Option<u64>,
}

impl ContentRange {
    /// Reads `bytes 100-199/200`.
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

    /// A server on this machine that leads everybody on to `to`.
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
        // What the resolver of the test says is public, and asked on this machine all the same.
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
        // Who names a server of this machine may be led on in it.
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
