//! Answers that were given lately, kept in memory for whoever asks the same once more.
//!
//! What is kept is of one state of the knowledge base and of one program, whose tag says so: as soon as another state answers,
//! nothing of the old one is left. An answer that was begun on the old state and comes too late is not kept. They are packed: three
//! times as many find room, and unpacking takes a hundredth of the time of answering.

use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use lru::LruCache;

/// What an entry takes besides its address and its body: the maps, the headers. Estimated generously.
const OVERHEAD: usize = 512;
/// No answer takes more than this part of the memory, so that one large figure does not push out a thousand small answers.
const LARGEST_PART: usize = 16;

/// Answers by their addresses.
#[derive(Debug)]
pub(super) struct KeptAnswers {
    /// Bytes, at most.
    most: usize,
    kept: Mutex<Kept>,
}

/// What there is no room for goes one by one, beginning with what nobody has asked for the longest: what is held in memory stays
/// the same once it is full, where a part that goes at once would be taken from the system again and again.
#[derive(Debug)]
struct Kept {
    tag: Option<HeaderValue>,
    answers: LruCache<String, KeptAnswer>,
    /// That the answers take.
    bytes: usize,
}

#[derive(Debug, Clone)]
struct KeptAnswer {
    headers: HeaderMap,
    /// The body, packed, with its length in front.
    packed: Bytes,
}

impl KeptAnswer {
    fn pack(headers: HeaderMap, body: &[u8]) -> Self {
        // What packs has room for what cannot be packed; what is kept has none to spare.
        Self { headers, packed: Bytes::copy_from_slice(&lz4_flex::compress_prepend_size(body)) }
    }

    /// `None` where memory is not what was written.
    fn response(self) -> Option<Response> {
        let body = lz4_flex::decompress_size_prepended(&self.packed).ok()?;
        Some((self.headers, body).into_response())
    }
}

impl KeptAnswers {
    /// Keeps at most so many bytes; 0 keeps nothing.
    pub fn new(most: usize) -> Self {
        Self { most, kept: Mutex::new(Kept::of(None)) }
    }

    /// The answer of the state with this tag that was given for an address before.
    pub fn of(&self, tag: &HeaderValue, address: &str) -> Option<Response> {
        let mut kept = self.locked();
        if kept.tag.as_ref() != Some(tag) {
            *kept = Kept::of(Some(tag.clone()));
            return None;
        }
        let found = kept.answers.get(address)?.clone();
        drop(kept);
        found.response()
    }

    /// Keeps an answer of the state with this tag, where it is one that can be kept, and gives it back.
    pub async fn keep(&self, tag: &HeaderValue, address: &str, response: Response) -> Response {
        let length = response.body().size_hint().exact().and_then(|length| usize::try_from(length).ok());
        let is_kept = |length: usize| size_of(address, length) <= self.most / LARGEST_PART;
        let Some(length) = length.filter(|length| response.status() == StatusCode::OK && is_kept(*length)) else {
            return response;
        };
        let (head, body) = response.into_parts();
        // It is whole in memory, or in a file that is: this neither waits for anybody nor fails.
        let Ok(body) = to_bytes(body, length).await else {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        let answer = KeptAnswer::pack(head.headers.clone(), &body);
        let mut kept = self.locked();
        if kept.tag.as_ref() == Some(tag) {
            kept.add(address.to_owned(), answer, self.most);
        }
        drop(kept);
        Response::from_parts(head, Body::from(body))
    }

    fn locked(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Nothing yet of the state with this tag.
    fn of(tag: Option<HeaderValue>) -> Self {
        Self { tag, answers: LruCache::unbounded(), bytes: 0 }
    }

    fn add(&mut self, address: String, answer: KeptAnswer, most: usize) {
        self.bytes += size_of(&address, answer.packed.len());
        // The same may have been asked for by two at a time.
        let replaced = self.answers.push(address, answer);
        self.has_gone(replaced);
        while self.bytes > most {
            let oldest = self.answers.pop_lru();
            self.has_gone(oldest);
        }
    }

    fn has_gone(&mut self, entry: Option<(String, KeptAnswer)>) {
        self.bytes -= entry.map_or(0, |(address, answer)| size_of(&address, answer.packed.len()));
    }
}

fn size_of(address: &str, length: usize) -> usize {
    address.len() + length + OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(name: &'static str) -> HeaderValue {
        HeaderValue::from_static(name)
    }

    #[test]
    fn what_is_kept_takes_no_more_memory_than_it_is_reckoned_at() {
        let answer = KeptAnswer::pack(HeaderMap::new(), "an answer ".repeat(2_000).as_bytes());
        let reckoned = answer.packed.len();
        assert_eq!(answer.packed.try_into_mut().unwrap().capacity(), reckoned);
    }

    /// Asks as the server does: whether it was kept, and what came back.
    fn asked(kept: &KeptAnswers, state: &'static str, address: &str, body: &str) -> (bool, String) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let found = kept.of(&tag(state), address);
            let was_kept = found.is_some();
            let response = match found {
                Some(response) => response,
                None => kept.keep(&tag(state), address, body.to_owned().into_response()).await,
            };
            let text = to_bytes(response.into_body(), usize::MAX).await.unwrap();
            (was_kept, String::from_utf8(text.to_vec()).unwrap())
        })
    }

    #[test]
    fn what_was_answered_is_kept_until_another_state_answers() {
        let kept = KeptAnswers::new(1 << 20);
        assert_eq!(asked(&kept, "one", "/a", "first"), (false, "first".to_owned()));
        assert_eq!(asked(&kept, "one", "/a", "never made"), (true, "first".to_owned()));
        assert_eq!(asked(&kept, "two", "/a", "second"), (false, "second".to_owned()));
        assert_eq!(asked(&kept, "one", "/a", "third"), (false, "third".to_owned()), "what was before is not believed");
    }

    #[test]
    fn an_answer_that_comes_after_its_state_is_not_kept() {
        let kept = KeptAnswers::new(1 << 20);
        assert!(kept.of(&tag("old"), "/a").is_none());
        assert!(kept.of(&tag("new"), "/a").is_none());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(kept.keep(&tag("old"), "/a", "late".into_response()));
        assert!(kept.of(&tag("new"), "/a").is_none());
    }

    #[test]
    fn it_never_takes_more_memory_than_it_may_and_keeps_what_is_asked_for() {
        let most = 100 * 1024;
        let kept = KeptAnswers::new(most);
        let body = "x".repeat(1024);
        for at in 0..1_000 {
            asked(&kept, "one", &format!("/{at}"), &body);
            assert!(at == 0 || asked(&kept, "one", "/0", &body).0, "{at}: what is asked for again and again goes");
            let held = kept.locked();
            let bytes: usize = held.answers.iter().map(|(k, a)| size_of(k, a.packed.len())).sum();
            assert_eq!(bytes, held.bytes);
            assert!(bytes <= most && (at < 200 || bytes > most - 2_000), "{bytes}");
        }
        assert!(!asked(&kept, "one", "/1", &body).0);
        let large = "x".repeat(most / LARGEST_PART);
        asked(&kept, "one", "/large", &large);
        assert!(!asked(&kept, "one", "/large", &large).0);
        let none = KeptAnswers::new(0);
        asked(&none, "one", "/a", "a");
        assert!(!asked(&none, "one", "/a", "a").0);
    }

    #[test]
    fn refusals_are_not_kept() {
        let kept = KeptAnswers::new(1 << 20);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        assert!(kept.of(&tag("one"), "/a").is_none());
        let refused = runtime.block_on(kept.keep(&tag("one"), "/a", StatusCode::SERVICE_UNAVAILABLE.into_response()));
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(kept.of(&tag("one"), "/a").is_none());
    }
}
