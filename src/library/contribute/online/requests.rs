//! Requests many URLs politely: one at a time per server, with pauses; caches statuses until they expire.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::contribute::rule_interface::{LinkStatus, LinkStatuses};
use crate::reading::{create_folder, write_atomically};

/// Requests a single URL; tests replace the implementation.
pub(super) trait RequestUrl: Sync {
    /// The status of the URL; `None` when its server is busy (HTTP 429, 503).
    fn request(&self, url: &str) -> Option<LinkStatus>;
}

/// Limits on the requests to each server, and on the number of servers at once.
#[derive(Debug, Clone)]
pub(super) struct RequestLimits {
    /// Number of servers contacted concurrently.
    pub servers: usize,
    /// Pause between two requests to one server.
    pub pause: Duration,
    /// Stop requesting from a server after this many consecutive requests without an answer.
    pub failures: usize,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self { servers: 4, pause: Duration::from_secs(1), failures: 3 }
    }
}

/// The result of requesting all URLs.
#[derive(Debug, Default)]
pub(super) struct RequestedLinks {
    /// Status by URL; URLs of busy servers are missing.
    pub statuses: LinkStatuses,
    /// Number of URLs without an answer.
    pub unreachable: usize,
}

/// Requests each URL; calls `progress` with each URL, its status and the number of requests so far.
pub(super) fn request_all(
    client: &impl RequestUrl,
    urls: Vec<String>,
    limits: &RequestLimits,
    progress: &(dyn Fn(&str, &LinkStatus, usize) + Sync),
) -> RequestedLinks {
    let mut servers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for url in urls {
        servers.entry(server(&url).to_owned()).or_default().push(url);
    }
    // Start with the longest queue, because it takes the longest.
    let mut queues: Vec<Vec<String>> = servers.into_values().collect();
    queues.sort_by_key(|queue| std::cmp::Reverse(queue.len()));
    let queues = Mutex::new(VecDeque::from(queues));
    let outcome = Mutex::new(RequestedLinks::default());
    let next = || queues.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    std::thread::scope(|scope| {
        for _ in 0..limits.servers {
            scope.spawn(|| {
                while let Some(queue) = next() {
                    request_from_server(client, queue, limits, &outcome, progress);
                }
            });
        }
    });
    outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Requests the URLs of one server sequentially.
fn request_from_server(
    client: &impl RequestUrl,
    urls: Vec<String>,
    limits: &RequestLimits,
    outcome: &Mutex<RequestedLinks>,
    progress: &(dyn Fn(&str, &LinkStatus, usize) + Sync),
) {
    let mut silent = 0;
    for (at, url) in urls.into_iter().enumerate() {
        let given_up = silent >= limits.failures;
        if at > 0 && !given_up {
            std::thread::sleep(limits.pause);
        }
        let status = match given_up {
            true => LinkStatus::Unreachable(format!("its server was silent {silent} times before")),
            false => match client.request(&url) {
                Some(status) => status,
                None => return,
            },
        };
        let is_silent = matches!(status, LinkStatus::Unreachable(_));
        if !given_up {
            silent = if is_silent { silent + 1 } else { 0 };
        }
        let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
        outcome.unreachable += usize::from(is_silent);
        progress(&url, &status, outcome.statuses.len() + 1);
        outcome.statuses.insert(url, status);
    }
}

/// The server part of a URL: scheme, host and port.
fn server(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?']).map_or(url.len(), |at| host + at);
    &url[..end]
}

/// Cache lifetimes: 30 days for a page that exists, one day for any other status.
const GOOD_FOR_S: i64 = 30 * 24 * 3600;

const BAD_FOR_S: i64 = 24 * 3600;

/// The cache of statuses.
#[derive(Debug)]
pub(super) struct LinkCache {
    file: PathBuf,
    now_s: i64,
    statuses: Mutex<BTreeMap<String, CachedStatus>>,
}

/// A status and the time of its request, in seconds since 1970.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct CachedStatus {
    heard: i64,
    status: LinkStatus,
}

impl LinkCache {
    /// Opens the cache in a folder; an unreadable file counts as empty.
    pub fn open(cache: &Path) -> Self {
        Self::at(cache, jiff::Timestamp::now().as_second())
    }

    fn at(cache: &Path, now_s: i64) -> Self {
        let file = cache.join("addresses.json");
        let text = std::fs::read(&file).unwrap_or_default();
        let statuses = serde_json::from_slice(&text).unwrap_or_default();
        Self { file, now_s, statuses: Mutex::new(statuses) }
    }

    /// The cached status of a URL, unless it has expired or is missing.
    pub fn status(&self, url: &str) -> Option<LinkStatus> {
        let statuses = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
        let CachedStatus { heard, status } = statuses.get(url)?;
        let good_for =
            if matches!(status, LinkStatus::Answers | LinkStatus::Moved(_)) { GOOD_FOR_S } else { BAD_FOR_S };
        (0..good_for).contains(&(self.now_s - heard)).then(|| status.clone())
    }

    /// Stores a status, unless no server answered or was contacted, because the fault may be local. If the cache cannot
    /// be written, the only cost is one more request.
    pub fn store(&self, url: &str, status: &LinkStatus) {
        if matches!(status, LinkStatus::Unreachable(_) | LinkStatus::NotAsked(_)) {
            return;
        }
        let mut statuses = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
        statuses.insert(url.to_owned(), CachedStatus { heard: self.now_s, status: status.clone() });
        let _ = self.write(&statuses);
    }

    fn write(&self, statuses: &BTreeMap<String, CachedStatus>) -> std::io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        create_folder(folder).map_err(|failed| failed.error)?;
        write_atomically(&self.file, serde_json::to_vec(statuses)?).map_err(|failed| failed.error)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// Answers with the status that the URL asks for, and records the time of each request.
    #[derive(Default)]
    struct MockServers(Mutex<Vec<(String, Instant)>>);

    impl RequestUrl for MockServers {
        fn request(&self, url: &str) -> Option<LinkStatus> {
            self.0.lock().unwrap().push((url.to_owned(), Instant::now()));
            match url.rsplit_once('/').unwrap().1 {
                "busy" => None,
                page if page.starts_with("silent") => Some(LinkStatus::Unreachable("timeout".to_owned())),
                page => page.parse().map_or(Some(LinkStatus::Answers), |status| Some(LinkStatus::HttpError(status))),
            }
        }
    }

    fn request_urls(urls: &[&str], pause: u64) -> (LinkStatuses, Vec<(String, Instant)>) {
        let servers = MockServers::default();
        let limits = RequestLimits { pause: Duration::from_millis(pause), ..RequestLimits::default() };
        let urls = urls.iter().map(|url| (*url).to_owned()).collect();
        let outcome = request_all(&servers, urls, &limits, &|_, _, _| ());
        (outcome.statuses, servers.0.into_inner().unwrap())
    }

    #[test]
    fn a_server_is_asked_one_thing_at_a_time_with_a_pause() {
        let (replies, asked) = request_urls(&["https://a.org/1x", "https://a.org/2x", "https://b.org/404"], 30);
        assert_eq!(replies["https://b.org/404"], LinkStatus::HttpError(404));
        let of_a: Vec<Instant> = asked.iter().filter(|(url, _)| url.contains("a.org")).map(|(_, at)| *at).collect();
        assert!(of_a[1] - of_a[0] >= Duration::from_millis(30));
    }

    #[test]
    fn a_silent_server_is_given_up_and_a_busy_one_left_alone() {
        let urls =
            ["a.org/silent1", "a.org/silent2", "a.org/silent3", "a.org/silent4", "b.org/1x", "b.org/busy", "b.org/x"];
        let urls: Vec<String> = urls.iter().map(|url| format!("https://{url}")).collect();
        let (replies, asked) = request_urls(&urls.iter().map(String::as_str).collect::<Vec<_>>(), 0);
        assert_eq!(asked.iter().filter(|(url, _)| url.contains("a.org")).count(), 3);
        let said = "its server was silent 3 times before".to_owned();
        assert_eq!(replies["https://a.org/silent4"], LinkStatus::Unreachable(said));
        assert_eq!(replies.get("https://b.org/x"), None, "nothing is known of it");
        assert_eq!(replies["https://b.org/1x"], LinkStatus::Answers);
    }

    #[test]
    fn a_server_is_a_host_with_its_port() {
        assert_eq!(server("https://a.org/x?y"), "https://a.org");
        assert_eq!(server("http://a.org:8080?y=/"), "http://a.org:8080");
        assert_eq!(server("http://a.org"), "http://a.org");
    }

    #[test]
    fn an_answer_is_kept_until_it_is_old() {
        let folder = tempfile::TempDir::new().unwrap();
        let day = 24 * 3600;
        let kept = LinkCache::at(folder.path(), 100 * day);
        kept.store("https://a.org", &LinkStatus::Answers);
        kept.store("https://b.org", &LinkStatus::HttpError(404));
        kept.store("https://c.org", &LinkStatus::Unreachable("timeout".to_owned()));
        let at = |days: i64, url: &str| LinkCache::at(folder.path(), (100 + days) * day).status(url);
        assert_eq!(at(29, "https://a.org"), Some(LinkStatus::Answers));
        assert_eq!(at(31, "https://a.org"), None);
        assert_eq!(at(0, "https://b.org"), Some(LinkStatus::HttpError(404)));
        assert_eq!(at(1, "https://b.org"), None);
        assert_eq!(at(0, "https://c.org"), None);
        assert_eq!(at(-1, "https://a.org"), None, "a clock that went back");
        std::fs::write(folder.path().join("addresses.json"), "{").unwrap();
        assert_eq!(at(0, "https://a.org"), None);
    }
}
