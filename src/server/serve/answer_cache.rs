//! A cache of recent answers in memory. Concurrent requests for the same answer compute it once.
//!
//! Entries belong to one state of the knowledge base and one program version, both in the tag: another state finds none
//! of them, and unused entries are evicted.

use std::cell::RefCell;
use std::future::Future;
use std::io::{self, Read as _, Write as _};

use axum::body::{Body, Bytes, to_bytes};
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use flate2::read::GzDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use moka::future::Cache;
use moka::policy::EvictionPolicy;

/// Estimated size of an entry besides its address and body (maps and headers), generously.
const OVERHEAD: usize = 512;
/// An answer larger than the capacity divided by this is not cached, so that a large figure does not evict a thousand small answers.
const LARGEST_PART: u64 = 16;

/// Answers by tag of their state and by address.
#[derive(Debug)]
pub(super) struct AnswerCache {
    cache: Cache<(HeaderValue, String), WholeAnswer>,
    /// Capacity in bytes.
    most: u64,
}

/// A complete answer in memory, compressed: five times as many fit, and browsers accept it as it is.
#[derive(Debug, Clone)]
struct WholeAnswer {
    status: StatusCode,
    headers: HeaderMap,
    packed: Bytes,
}

impl WholeAnswer {
    async fn of(response: Response) -> Self {
        let (head, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.ok();
        match body.and_then(|body| packed(&body).ok()) {
            Some(packed) => Self { status: head.status, headers: head.headers, packed },
            None => Self { status: StatusCode::INTERNAL_SERVER_ERROR, headers: HeaderMap::new(), packed: Bytes::new() },
        }
    }

    /// The response, compressed or decompressed as the client accepts it.
    fn response(mut self, as_gzip: bool) -> Response {
        self.headers.remove(CONTENT_LENGTH);
        if as_gzip {
            self.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            self.headers.append(VARY, HeaderValue::from_static("accept-encoding"));
            return (self.status, self.headers, Body::from(self.packed)).into_response();
        }
        let mut body = Vec::with_capacity(self.packed.len() * 6);
        match GzDecoder::new(self.packed.as_ref()).read_to_end(&mut body) {
            Ok(_) => (self.status, self.headers, Body::from(body)).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}

/// The header of a gzip file without name and date.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

thread_local! {
    /// Reused: allocated anew for each answer, its 300 kB would leave gaps of 200 kB between cached answers that nothing fills.
    static PACKER: RefCell<DeflateEncoder<Vec<u8>>> = RefCell::new(DeflateEncoder::new(Vec::new(), Compression::fast()));
}

fn packed(body: &[u8]) -> io::Result<Bytes> {
    let mut packed = PACKER.with_borrow_mut(|packer| {
        packer.get_mut().extend(GZIP_HEAD);
        packer.write_all(body)?;
        packer.reset(Vec::new())
    })?;
    let mut check = Crc::new();
    check.update(body);
    packed.extend(check.sum().to_le_bytes());
    packed.extend(check.amount().to_le_bytes());
    packed.shrink_to_fit();
    Ok(packed.into())
}

/// Whether the client accepts gzip.
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight != Some(0.0)
    })
}

impl AnswerCache {
    /// A cache of at most `most` bytes; 0 disables it.
    pub fn new(most: usize) -> Self {
        let most = most as u64;
        let cache = Cache::builder()
            .max_capacity(most)
            .weigher(|(_, address): &(HeaderValue, String), answer: &WholeAnswer| size_of(address, answer))
            .eviction_policy(EvictionPolicy::lru())
            .build();
        Self { cache, most }
    }

    /// The answer for an address in the state with this tag: cached, else computed by `made`. Errors and answers that
    /// are too large go to all waiting requests, but are not cached.
    pub async fn get_or_compute(
        &self,
        tag: HeaderValue,
        address: String,
        as_gzip: bool,
        made: impl Future<Output = Response>,
    ) -> Response {
        let largest = self.most / LARGEST_PART;
        let made = async {
            let answer = WholeAnswer::of(made.await).await;
            let is_cacheable = answer.status == StatusCode::OK && u64::from(size_of("", &answer)) <= largest;
            if is_cacheable { Ok(answer) } else { Err(answer) }
        };
        match self.cache.try_get_with((tag, address), made).await {
            Ok(answer) => answer.response(as_gzip),
            Err(answer) => answer.as_ref().clone().response(as_gzip),
        }
    }
}

fn size_of(address: &str, answer: &WholeAnswer) -> u32 {
    u32::try_from(address.len() + answer.packed.len() + OVERHEAD).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn run<T>(done: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(done)
    }

    async fn asked(cache: &AnswerCache, state: &'static str, address: &str, body: impl Into<String>) -> String {
        let made = async { body.into().into_response() };
        let response = cache.get_or_compute(HeaderValue::from_static(state), address.to_owned(), false, made).await;
        String::from_utf8(to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec()).unwrap()
    }

    /// Incompressible text.
    fn noise(length: usize) -> String {
        let mut state = 1_u32;
        let next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(33 + (state >> 24) as u8 % 94)
        };
        std::iter::repeat_with(next).take(2 * length).collect()
    }

    #[test]
    fn whoever_takes_gzip_is_known() {
        let takes = |value: &'static str| {
            takes_gzip(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))]))
        };
        assert!(
            takes("gzip, deflate, br")
                && takes("br;q=1.0, GZIP;q=0.5")
                && !takes("br")
                && !takes("gzip;q=0")
                && !takes("x-gzip")
        );
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn what_was_answered_is_kept_for_its_state() {
        run(async {
            let cache = AnswerCache::new(1 << 20);
            assert_eq!(asked(&cache, "one", "/a", "first").await, "first");
            assert_eq!(asked(&cache, "one", "/a", "never made").await, "first");
            assert_eq!(asked(&cache, "two", "/a", "second").await, "second");
        });
    }

    #[test]
    fn what_many_ask_for_at_a_time_is_made_once() {
        run(async {
            let (cache, made) = (AnswerCache::new(1 << 20), AtomicUsize::new(0));
            let one = || async {
                let make = async {
                    made.fetch_add(1, Ordering::Relaxed);
                    tokio::task::yield_now().await;
                    "slow".into_response()
                };
                cache.get_or_compute(HeaderValue::from_static("one"), "/".to_owned(), false, make).await.status()
            };
            let all = tokio::join!(one(), one(), one(), one());
            assert_eq!((all.0, all.3, made.into_inner()), (StatusCode::OK, StatusCode::OK, 1));
        });
    }

    #[test]
    fn it_takes_no_more_memory_than_it_may_and_keeps_what_is_asked_for() {
        run(async {
            let most = 100 * 1024;
            let cache = AnswerCache::new(most);
            let (begin, large) = ("x".repeat(1024), noise(most / 16));
            for at in 0..1_000 {
                asked(&cache, "one", &format!("/{at}"), begin.as_str()).await;
                cache.cache.run_pending_tasks().await;
                assert_eq!(asked(&cache, "one", "/0", "again").await, begin, "{at}: what is asked for again goes");
                assert!(cache.cache.weighted_size() <= most as u64);
            }
            assert_eq!(asked(&cache, "one", "/1", "again").await, "again");
            asked(&cache, "one", "/large", large).await;
            assert_eq!(asked(&cache, "one", "/large", "again").await, "again");
            let none = AnswerCache::new(0);
            asked(&none, "one", "/a", "a").await;
            assert_eq!(asked(&none, "one", "/a", "again").await, "again");
        });
    }

    #[test]
    fn refusals_are_not_kept() {
        run(async {
            let cache = AnswerCache::new(1 << 20);
            let busy = async { StatusCode::SERVICE_UNAVAILABLE.into_response() };
            let refused = cache.get_or_compute(HeaderValue::from_static("one"), "/a".to_owned(), false, busy).await;
            assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
            assert_eq!(asked(&cache, "one", "/a", "now").await, "now");
        });
    }
}
