//! Answers of addresses, kept in the user's cache folder until they are old.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::contribute::lint::Reply;

/// A page that was there is asked again after 30 days, one that was not after a day.
const GOOD_FOR_S: i64 = 30 * 24 * 3600;
const BAD_FOR_S: i64 = 24 * 3600;

/// The answers that are kept.
#[derive(Debug)]
pub(super) struct Kept {
    file: PathBuf,
    now_s: i64,
    replies: Mutex<BTreeMap<String, Dated>>,
}

/// An answer and when it was heard, in seconds since 1970.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Dated {
    heard: i64,
    reply: Reply,
}

impl Kept {
    /// The answers below a cache folder; what cannot be read counts for nothing.
    pub fn open(cache: &Path) -> Self {
        Self::at(cache, jiff::Timestamp::now().as_second())
    }

    fn at(cache: &Path, now_s: i64) -> Self {
        let file = cache.join("addresses.json");
        let text = std::fs::read(&file).unwrap_or_default();
        let replies = serde_json::from_slice(&text).unwrap_or_default();
        Self { file, now_s, replies: Mutex::new(replies) }
    }

    /// The answer of an address, unless it is old or was never heard.
    pub fn reply(&self, url: &str) -> Option<Reply> {
        let replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        let Dated { heard, reply } = replies.get(url)?;
        let good_for = if matches!(reply, Reply::Fine | Reply::Moved(_)) { GOOD_FOR_S } else { BAD_FOR_S };
        (0..good_for).contains(&(self.now_s - heard)).then(|| reply.clone())
    }

    /// Keeps an answer. A silence may be ours and is not kept; what cannot be written is asked again, nothing else.
    pub fn keep(&self, url: &str, reply: &Reply) {
        if matches!(reply, Reply::Silent(_)) {
            return;
        }
        let mut replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        replies.insert(url.to_owned(), Dated { heard: self.now_s, reply: reply.clone() });
        let _ = self.write(&replies);
    }

    fn write(&self, replies: &BTreeMap<String, Dated>) -> std::io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let file = tempfile::NamedTempFile::new_in(folder)?;
        std::fs::write(file.path(), serde_json::to_vec(replies)?)?;
        file.persist(&self.file).map_err(|error| error.error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_until_it_is_old() {
        let folder = tempfile::TempDir::new().unwrap();
        let day = 24 * 3600;
        let kept = Kept::at(folder.path(), 100 * day);
        kept.keep("https://a.org", &Reply::Fine);
        kept.keep("https://b.org", &Reply::Refused(404));
        kept.keep("https://c.org", &Reply::Silent("timeout".to_owned()));
        let at = |days: i64, url: &str| Kept::at(folder.path(), (100 + days) * day).reply(url);
        assert_eq!(at(29, "https://a.org"), Some(Reply::Fine));
        assert_eq!(at(31, "https://a.org"), None);
        assert_eq!(at(0, "https://b.org"), Some(Reply::Refused(404)));
        assert_eq!(at(1, "https://b.org"), None);
        assert_eq!(at(0, "https://c.org"), None);
        assert_eq!(at(-1, "https://a.org"), None, "a clock that went back");
        std::fs::write(folder.path().join("addresses.json"), "{").unwrap();
        assert_eq!(at(0, "https://a.org"), None);
    }
}
