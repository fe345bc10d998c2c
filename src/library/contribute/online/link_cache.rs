//! The statuses of URLs, cached in the user's cache folder until they are old.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::contribute::rule_interface::LinkStatus;
use crate::reading::{create_folder, write_whole};

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
    use super::*;

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
