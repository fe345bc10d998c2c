//! The request of a pull: address, limits, observer, and the validators by which a server identifies a version of a file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::PullError;

/// Limits of a download.
#[derive(Debug, Clone, Copy)]
pub struct PullLimits {
    /// Maximum file size in bytes.
    pub bytes: u64,
    /// Maximum time without data from the server.
    pub silence: Duration,
    /// Maximum time of the whole download.
    pub time: Duration,
}

/// What to pull.
#[derive(Debug)]
pub struct PullRequest<'r> {
    /// The address; `None` means the last one used, else `default`.
    pub address: Option<Address>,
    /// The project's own address, if it has one.
    pub default: Option<Address>,
    /// The user's data folder.
    pub data: &'r Path,
    /// The built-in snapshot, if there is one.
    pub built_in: Option<&'r [u8]>,
    /// Whether an older knowledge base may replace the active one.
    pub force: bool,
    /// Limits of the download.
    pub limits: PullLimits,
}

/// Receives the progress of a pull.
pub trait PullObserver {
    /// Another process is pulling; this one waits for it.
    fn waits(&mut self);
    /// The download starts at byte `have` of `total`, if the total is known.
    fn begins(&mut self, from: &Address, have: u64, total: Option<u64>);
    /// This number of bytes has been received.
    fn received(&mut self, bytes: u64);
    /// The connection broke; the download resumes if the server supports that.
    fn interrupted(&mut self, have: u64);
    /// The download is complete and is being verified.
    fn checks(&mut self, bytes: u64);
    /// The resumed download is damaged; the whole file is fetched again.
    fn starts_over(&mut self);
}

/// The address of a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// An HTTP or HTTPS URL.
    Url(String),
    /// An absolute path of a file or folder on this machine.
    Path(PathBuf),
}

impl Address {
    /// Parses an address: a text with `://` is a URL, any other is a path.
    ///
    /// # Errors
    ///
    /// When the URL has another protocol, or includes a user name or password.
    pub fn meant_by(text: &Path) -> Result<Self, PullError> {
        let Some((scheme, rest)) = text.to_str().and_then(|text| text.split_once("://")) else {
            let absolute = std::path::absolute(text);
            return Ok(Self::Path(absolute.map_err(|error| PullError::Unread { path: text.to_owned(), error })?));
        };
        let scheme = scheme.to_ascii_lowercase();
        if !matches!(scheme.as_str(), "http" | "https") {
            return Err(PullError::Protocol { scheme });
        }
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if host.contains('@') {
            return Err(PullError::Password);
        }
        let url = format!("{scheme}://{rest}");
        Ok(Self::of_repository(&url).unwrap_or(Self::Url(url)))
    }

    /// The archive of a repository, from the repository's address, for hosts whose archive URLs are known. On GitHub:
    /// `<repository>/archive/refs/heads/<branch>.tar.gz`
    /// (<https://docs.github.com/repositories/working-with-files/using-files/downloading-source-code-archives>).
    pub fn of_repository(repository: &str) -> Option<Self> {
        let path = repository.strip_prefix("https://github.com/")?;
        let path = path.trim_end_matches('/').trim_end_matches(".git");
        let (owner, name) = path.split_once('/')?;
        let is_name = |name: &str| !name.is_empty() && !name.contains(['/', '?', '#']);
        let url = || format!("https://github.com/{owner}/{name}/archive/refs/heads/{BRANCH}.tar.gz");
        (is_name(owner) && is_name(name)).then(url).map(Self::Url)
    }

    /// Whether the connection is unencrypted, so that somebody could modify the data on the way.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Url(url) if url.starts_with("http://"))
    }
}

/// The branch with the accepted content.
const BRANCH: &str = "main";

impl From<String> for Address {
    /// Parses the output of [`Display`](fmt::Display).
    fn from(text: String) -> Self {
        if text.contains("://") { Self::Url(text) } else { Self::Path(text.into()) }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => f.write_str(url),
            Self::Path(path) => path.display().fmt(f),
        }
    }
}

/// The validators by which a server identifies a version of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// `ETag`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// `Last-Modified`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Validators {
    /// The header for a conditional request: send the file only if it has changed.
    pub fn if_changed(&self) -> Option<(&'static str, String)> {
        match (&self.etag, &self.last_modified) {
            (Some(etag), _) => Some(("If-None-Match", etag.clone())),
            (None, Some(time)) => Some(("If-Modified-Since", time.clone())),
            (None, None) => None,
        }
    }

    /// The strong validator, which changes with every change of the file, so that parts can be joined: an entity tag that is not
    /// weak, or a time at least a minute before the response (RFC 9110, sections 8.8.2.2 and 13.1.5).
    pub fn strong(&self, answered: Option<&str>) -> Option<String> {
        if let Some(etag) = &self.etag {
            return (etag.starts_with('"')).then(|| etag.clone());
        }
        let second = |text: &str| jiff::fmt::rfc2822::parse(text).ok().map(|time| time.timestamp().as_second());
        let modified = self.last_modified.as_ref()?;
        (second(answered?)? - second(modified)? >= 60).then(|| modified.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(text: &str) -> Result<Address, PullError> {
        Address::meant_by(Path::new(text))
    }

    #[test]
    fn an_address_is_a_url_or_a_path() {
        let url = "https://example.org/kb.tar.gz";
        assert_eq!(meant(url).unwrap(), Address::Url(url.to_owned()));
        assert_eq!(meant("HTTP://example.org/a@b").unwrap(), Address::Url("http://example.org/a@b".to_owned()));
        assert!(meant("http://example.org").unwrap().is_open() && !meant(url).unwrap().is_open());
        assert!(matches!(meant("kb.tar.gz").unwrap(), Address::Path(path) if path.is_absolute()));
        for wrong in ["ftp://example.org/a", "file:///a", "https://me:secret@example.org/a"] {
            let told = meant(wrong).unwrap_err().to_string();
            assert!(!told.contains("secret"), "{told}");
        }
    }

    #[test]
    fn a_repository_is_its_archive() {
        let archive = "https://github.com/owner/name/archive/refs/heads/main.tar.gz";
        for repository in
            ["https://github.com/owner/name", "https://github.com/owner/name.git", "https://github.com/owner/name/"]
        {
            assert_eq!(meant(repository).unwrap(), Address::Url(archive.to_owned()));
        }
        assert_eq!(meant(archive).unwrap(), Address::Url(archive.to_owned()));
        for other in
            ["", "https://example.org/owner/name", "https://github.com/owner", "https://github.com/owner/name?tab=1"]
        {
            assert_eq!(Address::of_repository(other), None, "{other}");
        }
    }

    #[test]
    fn an_address_that_was_noted_is_the_same_one() {
        for address in [Address::Url("https://example.org/a".to_owned()), Address::Path("/a/b".into())] {
            assert_eq!(Address::from(address.to_string()), address);
        }
    }

    #[test]
    fn only_what_tells_every_change_joins_parts() {
        let of = |etag: Option<&str>, time: Option<&str>| Validators {
            etag: etag.map(str::to_owned),
            last_modified: time.map(str::to_owned),
        };
        let (time, later) = ("Sun, 22 Nov 2026 16:00:00 GMT", "Sun, 22 Nov 2026 16:01:00 GMT");
        assert_eq!(of(Some("\"a\""), None).strong(None).as_deref(), Some("\"a\""));
        assert_eq!(of(Some("W/\"a\""), Some(time)).strong(Some(later)), None);
        assert_eq!(of(None, Some(time)).strong(Some(later)).as_deref(), Some(time));
        assert_eq!(of(None, Some(time)).strong(Some("Sun, 22 Nov 2026 16:00:59 GMT")), None);
        assert_eq!(of(None, Some("yesterday")).strong(Some(later)), None);
        assert_eq!(of(None, Some(time)).strong(None), None);
        assert_eq!(of(None, Some(time)).if_changed(), Some(("If-Modified-Since", time.to_owned())));
        assert_eq!(of(Some("W/\"a\""), Some(time)).if_changed(), Some(("If-None-Match", "W/\"a\"".to_owned())));
    }
}
