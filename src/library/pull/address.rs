//! Where a knowledge base is fetched from.

use std::fmt;
use std::path::{Path, PathBuf};

use super::PullError;

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
}
