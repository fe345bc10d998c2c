//! What is fetched from where, within which limits, and by what a server tells states of a file apart.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::PullError;

/// How much is waited for and taken.
#[derive(Debug, Clone, Copy)]
pub struct PullLimits {
    /// The longest file, in bytes.
    pub bytes: u64,
    /// How long a server may say nothing.
    pub silence: Duration,
    /// How long the whole download may take.
    pub time: Duration,
}

/// What is fetched.
#[derive(Debug)]
pub struct PullRequest<'r> {
    /// From where; `None` is where the last one came from, else `default`.
    pub address: Option<Address>,
    /// Where the project is, if it says so.
    pub default: Option<Address>,
    /// The user's data folder.
    pub data: &'r Path,
    /// The snapshot that the program carries, if it carries one.
    pub built_in: Option<&'r [u8]>,
    /// Whether what is older than what answers now may take its place.
    pub force: bool,
    /// How much is waited for and taken.
    pub limits: PullLimits,
}

/// Hears how far it is.
pub trait PullObserver {
    /// Another process pulls; this one waits until it is done.
    fn waits(&mut self);
    /// The download begins at the byte `have` of `total`, if that is stated.
    fn begins(&mut self, from: &Address, have: u64, total: Option<u64>);
    /// So many bytes are here.
    fn received(&mut self, bytes: u64);
    /// The connection broke; it goes on where it broke off, if the server can do that.
    fn interrupted(&mut self, have: u64);
    /// All of it is here and is looked at.
    fn checks(&mut self, bytes: u64);
    /// What was put together from parts is damaged, so that it is fetched whole.
    fn starts_over(&mut self);
}

/// Where a knowledge base is fetched from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// By HTTP or HTTPS.
    Url(String),
    /// A file or folder of this computer, from its root.
    Path(PathBuf),
}

impl Address {
    /// What a person means: with `://` in it a URL, else a path.
    ///
    /// # Errors
    ///
    /// When the URL is for another protocol, or has a name or a password in it.
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

    /// The archive of a repository by the repository's own address, where it is known how its host calls that: on GitHub
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

    /// Whether somebody on the way may have changed what comes from there, whatever it says of itself.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Url(url) if url.starts_with("http://"))
    }
}

/// The branch of a repository that holds what was accepted.
const BRANCH: &str = "main";

impl From<String> for Address {
    /// As [`Display`](fmt::Display) wrote it.
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

/// By what a server tells one state of a file from another.
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
    /// The header that asks for the file only if it is another one.
    pub fn if_changed(&self) -> Option<(&'static str, String)> {
        match (&self.etag, &self.last_modified) {
            (Some(etag), _) => Some(("If-None-Match", etag.clone())),
            (None, Some(time)) => Some(("If-Modified-Since", time.clone())),
            (None, None) => None,
        }
    }

    /// What tells every change of the file, so that parts of it can be joined: an entity tag that is not weak, or a time that
    /// was a minute ago when the server answered (RFC 9110, sections 8.8.2.2 and 13.1.5).
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
