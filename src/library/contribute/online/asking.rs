//! Asking many addresses without being a burden to anyone: one question at a time to each server, with a pause between.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::contribute::lint::{Replies, Reply};

/// Who asks one address.
pub(super) trait Asks: Sync {
    /// Asks it.
    fn ask(&self, url: &str) -> Heard;
}

/// What was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// An answer, or that there is none.
    Reply(Reply),
    /// The server wants to be left alone for now.
    #[cfg_attr(not(feature = "online"), expect(dead_code, reason = "nobody is asked without the feature"))]
    Busy,
}

/// How to behave.
#[derive(Debug, Clone)]
pub(super) struct Manners {
    /// Servers that are asked at the same time.
    pub servers: usize,
    /// Between two questions to one server.
    pub pause: Duration,
    /// After so many silences in a row a server is not asked further.
    pub silences: usize,
}

impl Default for Manners {
    fn default() -> Self {
        Self { servers: 4, pause: Duration::from_secs(1), silences: 3 }
    }
}

/// All that was heard.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// By address; those of busy servers are missing.
    pub replies: Replies,
    /// How many were silent.
    pub unreachable: usize,
}

/// Asks each address; `told` hears of every answer with the number of those before it.
pub(super) fn ask(
    asks: &impl Asks,
    urls: Vec<String>,
    manners: &Manners,
    told: &(dyn Fn(&str, &Reply, usize) + Sync),
) -> Outcome {
    let mut servers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for url in urls {
        servers.entry(server(&url).to_owned()).or_default().push(url);
    }
    // The longest queue first, because it takes the longest.
    let mut queues: Vec<Vec<String>> = servers.into_values().collect();
    queues.sort_by_key(|queue| std::cmp::Reverse(queue.len()));
    let queues = Mutex::new(VecDeque::from(queues));
    let outcome = Mutex::new(Outcome::default());
    let next = || queues.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    std::thread::scope(|scope| {
        for _ in 0..manners.servers {
            scope.spawn(|| {
                while let Some(queue) = next() {
                    ask_server(asks, queue, manners, &outcome, told);
                }
            });
        }
    });
    outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Asks one server for all of its addresses.
fn ask_server(
    asks: &impl Asks,
    urls: Vec<String>,
    manners: &Manners,
    outcome: &Mutex<Outcome>,
    told: &(dyn Fn(&str, &Reply, usize) + Sync),
) {
    let mut silent = 0;
    for (at, url) in urls.into_iter().enumerate() {
        let given_up = silent >= manners.silences;
        if at > 0 && !given_up {
            std::thread::sleep(manners.pause);
        }
        let reply = match given_up {
            true => Reply::Silent(format!("its server was silent {silent} times before")),
            false => match asks.ask(&url) {
                Heard::Reply(reply) => reply,
                Heard::Busy => return,
            },
        };
        let is_silent = matches!(reply, Reply::Silent(_));
        if !given_up {
            silent = if is_silent { silent + 1 } else { 0 };
        }
        let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
        outcome.unreachable += usize::from(is_silent);
        told(&url, &reply, outcome.replies.len() + 1);
        outcome.replies.insert(url, reply);
    }
}

/// The server of an address: scheme, host and port.
fn server(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?']).map_or(url.len(), |at| host + at);
    &url[..end]
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// Answers by what the address says, and keeps when each was asked.
    #[derive(Default)]
    struct Pretended(Mutex<Vec<(String, Instant)>>);

    impl Asks for Pretended {
        fn ask(&self, url: &str) -> Heard {
            self.0.lock().unwrap().push((url.to_owned(), Instant::now()));
            match url.rsplit_once('/').unwrap().1 {
                "busy" => Heard::Busy,
                page if page.starts_with("silent") => Heard::Reply(Reply::Silent("timeout".to_owned())),
                page => page.parse().map_or(Heard::Reply(Reply::Fine), |status| Heard::Reply(Reply::Refused(status))),
            }
        }
    }

    fn ask_all(urls: &[&str], pause: u64) -> (Replies, Vec<(String, Instant)>) {
        let pretended = Pretended::default();
        let manners = Manners { pause: Duration::from_millis(pause), ..Manners::default() };
        let urls = urls.iter().map(|url| (*url).to_owned()).collect();
        let outcome = ask(&pretended, urls, &manners, &|_, _, _| ());
        (outcome.replies, pretended.0.into_inner().unwrap())
    }

    #[test]
    fn a_server_is_asked_one_thing_at_a_time_with_a_pause() {
        let (replies, asked) = ask_all(&["https://a.org/1x", "https://a.org/2x", "https://b.org/404"], 30);
        assert_eq!(replies["https://b.org/404"], Reply::Refused(404));
        let of_a: Vec<Instant> = asked.iter().filter(|(url, _)| url.contains("a.org")).map(|(_, at)| *at).collect();
        assert!(of_a[1] - of_a[0] >= Duration::from_millis(30));
    }

    #[test]
    fn a_silent_server_is_given_up_and_a_busy_one_left_alone() {
        let urls =
            ["a.org/silent1", "a.org/silent2", "a.org/silent3", "a.org/silent4", "b.org/1x", "b.org/busy", "b.org/x"];
        let urls: Vec<String> = urls.iter().map(|url| format!("https://{url}")).collect();
        let (replies, asked) = ask_all(&urls.iter().map(String::as_str).collect::<Vec<_>>(), 0);
        assert_eq!(asked.iter().filter(|(url, _)| url.contains("a.org")).count(), 3);
        let said = "its server was silent 3 times before".to_owned();
        assert_eq!(replies["https://a.org/silent4"], Reply::Silent(said));
        assert_eq!(replies.get("https://b.org/x"), None, "nothing is known of it");
        assert_eq!(replies["https://b.org/1x"], Reply::Fine);
    }

    #[test]
    fn a_server_is_a_host_with_its_port() {
        assert_eq!(server("https://a.org/x?y"), "https://a.org");
        assert_eq!(server("http://a.org:8080?y=/"), "http://a.org:8080");
        assert_eq!(server("http://a.org"), "http://a.org");
    }
}
