//! Requests one address over the network, and follows redirections as far as they can be trusted.

use std::io::{self, Read};
use std::time::Duration;

use reqwest::Url;
use reqwest::blocking::{Client as Blocking, Response};
use reqwest::header::{self, HeaderName};

use super::reply::{Client, ContentRange, Header, Reply};
use super::{PullError, Validators};
use crate::http;

/// What the requests are for.
const PURPOSE: &str = "dlbench pull: is there a newer knowledge base?";

/// A client for one address.
pub(super) struct HttpClient {
    client: Blocking,
    silence: Duration,
}

impl HttpClient {
    /// One that waits so long for a server that says nothing.
    pub fn new(silence: Duration) -> Result<Self, PullError> {
        let client = http::client(PURPOSE, silence).map_err(|error| PullError::Client(http::in_words(&error)))?;
        Ok(Self { client, silence })
    }

    fn request(&self, url: &Url, headers: &[Header]) -> Result<Response, PullError> {
        // An archive is compressed already, and its parts can be joined only as they are.
        let mut request = self.client.get(url.clone()).header(header::ACCEPT_ENCODING, "identity");
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
        loop {
            let response = self.request(&at, headers)?;
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
