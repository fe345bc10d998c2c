//! Requests one URL over the network.

use std::sync::Arc;
use std::time::Duration;

use reqwest::blocking::{Client, Response};
use reqwest::header::LOCATION;
use reqwest::{Method, StatusCode, Url};

use super::requests::RequestUrl;
use crate::contribute::rule_interface::LinkStatus;
use crate::http;
use crate::http::{HostRefusal, PublicHosts};

/// The purpose that the requests state.
const PURPOSE: &str = "dlbench check --online: do cited pages exist?";

/// A client for the URLs of public hosts.
pub(super) struct HttpClient {
    client: Client,
    hosts: PublicHosts,
}

impl HttpClient {
    /// Creates a client that also contacts the `allowed` hosts, which are not public.
    pub fn new(timeout: Duration, allowed: &[String]) -> reqwest::Result<Self> {
        let hosts = PublicHosts::and(allowed, timeout);
        let client = http::builder(PURPOSE, timeout).dns_resolver(Arc::new(hosts.clone())).build()?;
        Ok(Self { client, hosts })
    }

    /// Requests a URL and follows redirects. Reports a URL as moved to the end of its leading permanent redirects.
    /// `None` when the server is busy.
    fn follow(&self, url: &str) -> Result<Option<LinkStatus>, reqwest::Error> {
        let Ok(mut at) = Url::parse(url) else {
            return Ok(Some(LinkStatus::Unreachable("it is not an address".to_owned())));
        };
        let first = at.clone();
        let mut moved = first.clone();
        let mut for_good = true;
        for _ in 0..=http::MOST_REDIRECTIONS {
            if let Some(refusal) = self.hosts.refusal(&at) {
                return Ok(Some(LinkStatus::NotAsked(in_words(&refusal))));
            }
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
                    return Ok(None);
                }
                None if !status.is_success() => return Ok(Some(LinkStatus::HttpError(status.as_u16()))),
                None if moved != first => return Ok(Some(LinkStatus::Moved(moved.into()))),
                None => return Ok(Some(LinkStatus::Answers)),
            }
        }
        Ok(Some(LinkStatus::Unreachable(format!("more than {} redirections", http::MOST_REDIRECTIONS))))
    }

    /// The response to HEAD, or to GET (without reading the body) if the server rejects HEAD.
    fn page(&self, url: &Url) -> Result<Response, reqwest::Error> {
        let head = self.client.request(Method::HEAD, url.clone()).send()?;
        let status = head.status();
        let busy = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        if busy || !(status.is_client_error() || status.is_server_error()) {
            return Ok(head);
        }
        self.client.get(url.clone()).send()
    }
}

impl RequestUrl for HttpClient {
    fn request(&self, url: &str) -> Option<LinkStatus> {
        self.follow(url).unwrap_or_else(|error| Some(LinkStatus::Unreachable(http::in_words(&error))))
    }
}

/// Why a host is not contacted, with the option that permits it.
fn in_words(refusal: &HostRefusal) -> String {
    match refusal {
        HostRefusal::Local(name) => format!("{refusal} (--ask-local {name} asks it all the same)"),
        other => other.to_string(),
    }
}
