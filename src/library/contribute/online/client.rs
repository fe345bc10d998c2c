//! One address asked over the network.

use std::time::Duration;

use reqwest::blocking::{Client, Response};
use reqwest::header::LOCATION;
use reqwest::redirect::Policy;
use reqwest::{Method, StatusCode, Url};

use super::asking::{Asks, Heard};
use crate::contribute::lint::Reply;

/// Who asks, so that a server's owner can tell.
const USER_AGENT: &str =
    concat!("dlbench/", env!("CARGO_PKG_VERSION"), " (dlbench check --online: do cited pages exist?)");

/// As many redirections as browsers follow, about.
const MOST_REDIRECTIONS: usize = 10;

/// A client for all addresses.
pub(super) struct Web(Client);

impl Web {
    pub fn new(timeout: Duration) -> reqwest::Result<Self> {
        // ring is built by a C compiler alone; that somebody has chosen another provider before is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().user_agent(USER_AGENT).timeout(timeout).redirect(Policy::none());
        Ok(Self(client.build()?))
    }

    /// Follows redirections. Where those at the beginning are for good, the address has moved to where they lead.
    fn follow(&self, url: &str) -> Result<Heard, reqwest::Error> {
        let Ok(mut at) = Url::parse(url) else {
            return Ok(Heard::Reply(Reply::Silent("it is no address".to_owned())));
        };
        let first = at.clone();
        let mut moved = first.clone();
        let mut for_good = true;
        for _ in 0..=MOST_REDIRECTIONS {
            let response = self.page(&at)?;
            let status = response.status();
            let next = response.headers().get(LOCATION).and_then(|to| at.join(to.to_str().ok()?).ok());
            match next.filter(|_| status.is_redirection()) {
                Some(next) => {
                    for_good &= matches!(status, StatusCode::MOVED_PERMANENTLY | StatusCode::PERMANENT_REDIRECT);
                    if for_good {
                        moved.clone_from(&next);
                    }
                    at = next;
                }
                None if status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::SERVICE_UNAVAILABLE => {
                    return Ok(Heard::Busy);
                }
                None if !status.is_success() => return Ok(Heard::Reply(Reply::Refused(status.as_u16()))),
                None if moved != first => return Ok(Heard::Reply(Reply::Moved(moved.into()))),
                None => return Ok(Heard::Reply(Reply::Fine)),
            }
        }
        Ok(Heard::Reply(Reply::Silent(format!("more than {MOST_REDIRECTIONS} redirections"))))
    }

    /// The head of a page. Some servers know no HEAD, or answer it as they would answer nothing else: they are asked for
    /// the page, whose body is left unread.
    fn page(&self, url: &Url) -> Result<Response, reqwest::Error> {
        let head = self.0.request(Method::HEAD, url.clone()).send()?;
        let status = head.status();
        let busy = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        if busy || !(status.is_client_error() || status.is_server_error()) {
            return Ok(head);
        }
        self.0.get(url.clone()).send()
    }
}

impl Asks for Web {
    fn ask(&self, url: &str) -> Heard {
        self.follow(url).unwrap_or_else(|error| Heard::Reply(Reply::Silent(in_words(&error))))
    }
}

/// Why there is no answer: the innermost cause says it best.
fn in_words(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it took too long".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
