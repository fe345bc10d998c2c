//! Requests many URLs politely: one at a time from each server, with a pause between; statuses are cached until they are old.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::contribute::rule_interface::{LinkStatus, LinkStatuses};
use crate::reading::{create_folder, write_whole};

/// Requests one URL.
pub(super) trait RequestUrl: Sync {
    /// The status of the URL; `None` when its server asks for fewer requests (HTTP 429, 503).
    fn request(&self, url: &str) -> Option<LinkStatus>;
}

/// How much is asked of a server, and of how many at once.
#[derive(Debug, Clone)]
pub(super) struct RequestLimits {
    /// Servers that get requests at the same time.
    pub servers: usize,
    /// Between two requests to one server.
    pub pause: Duration,
    /// After so many requests in a row without an answer, a server gets no further ones.
    pub failures: usize,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self { servers: 4, pause: Duration::from_secs(1), failures: 3 }
    }
}

/// The statuses of all URLs.
#[derive(Debug, Default)]
pub(super) struct RequestedLinks {
    /// By URL; those of busy servers are missing.
    pub statuses: LinkStatuses,
    /// How many had no answer.
    pub unreachable: usize,
}

/// Requests each URL; `progress` gets every status and how many there are so far.
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
    // The longest queue first, because it takes the longest.
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

/// Requests the URLs of one server, one after another.
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

/// The server of a URL: scheme, host and port.
fn server(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?']).map_or(url.len(), |at| host + at);
    &url[..end]
}

/// A page that was there is asked again after 30 days, one that was not after a day.
const GOOD_FOR_S: i64 = 30 * 24 * 3600;

const BAD_FOR_S: i64 = 24 * 3600;

/// The cached statuses.
#[derive(Debug)]
pub(super) struct LinkCache {
    file: PathBuf,
    now_s: i64,
    statuses: Mutex<BTreeMap<String, CachedStatus>>,
}

/// A status and when it was requested, in seconds since 1970.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct CachedStatus {
    heard: i64,
    status: LinkStatus,
}

impl LinkCache {
    /// The cache in a folder; a file that cannot be read counts as empty.
    pub fn open(cache: &Path) -> Self {
        Self::at(cache, jiff::Timestamp::now().as_second())
    }

    fn at(cache: &Path, now_s: i64) -> Self {
        let file = cache.join("addresses.json");
        let text = std::fs::read(&file).unwrap_or_default();
        let statuses = serde_json::from_slice(&text).unwrap_or_default();
        Self { file, now_s, statuses: Mutex::new(statuses) }
    }

    /// The status of a URL, unless it is old or was never requested.
    pub fn status(&self, url: &str) -> Option<LinkStatus> {
        let statuses = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
        let CachedStatus { heard, status } = statuses.get(url)?;
        let good_for =
            if matches!(status, LinkStatus::Answers | LinkStatus::Moved(_)) { GOOD_FOR_S } else { BAD_FOR_S };
        (0..good_for).contains(&(self.now_s - heard)).then(|| status.clone())
    }

    /// Keeps a status, except where no server answered or was asked: the fault may be ours. A cache that cannot be written costs one
    /// more request, nothing else.
    pub fn keep(&self, url: &str, status: &LinkStatus) {
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
        write_whole(&self.file, serde_json::to_vec(statuses)?).map_err(|failed| failed.error)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// Answers what the URL says, and keeps when each was requested.
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
        kept.keep("https://a.org", &LinkStatus::Answers);
        kept.keep("https://b.org", &LinkStatus::HttpError(404));
        kept.keep("https://c.org", &LinkStatus::Unreachable("timeout".to_owned()));
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
