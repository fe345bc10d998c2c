//! What is asked of a server, and what of its answer matters.

use std::io::Read;

use super::{PullError, Validators};

/// A header of a request: its name and its value.
pub(super) type Header = (&'static str, String);

/// Requests one address.
pub(super) trait Client {
    /// The answer, after redirections.
    ///
    /// # Errors
    ///
    /// When there is none, or the way leads astray.
    fn get(&self, url: &str, headers: &[Header]) -> Result<Reply, PullError>;
}

/// What of an answer matters.
pub(super) struct Reply {
    /// The HTTP status, behind all redirections.
    pub status: u16,
    /// `Content-Length`.
    pub length: Option<u64>,
    /// `Content-Range`, of a part.
    pub range: Option<ContentRange>,
    /// What a later request can ask by.
    pub validators: Validators,
    /// `Date`: when the server answered.
    pub date: Option<String>,
    /// The body. An error of the kind `TimedOut` means that the server was silent; any other one that the connection broke.
    pub body: Box<dyn Read>,
}

/// Which part of a file an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContentRange {
    /// The first byte.
    pub start: u64,
    /// How long the whole is, if that is stated.
    pub total: Option<u64>,
}

impl ContentRange {
    /// Reads `bytes 100-199/200`.
    pub fn parse(text: &str) -> Option<Self> {
        let (range, total) = text.trim().strip_prefix("bytes ")?.split_once('/')?;
        let start = range.split_once('-')?.0.trim().parse().ok()?;
        let total = if total == "*" { None } else { Some(total.parse().ok()?) };
        Some(Self { start, total })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_read_or_is_none() {
        assert_eq!(ContentRange::parse("bytes 100-199/200"), Some(ContentRange { start: 100, total: Some(200) }));
        assert_eq!(ContentRange::parse("bytes 0-9/*"), Some(ContentRange { start: 0, total: None }));
        for wrong in ["", "bytes */200", "bytes 1/2", "bytes -1-2/3", "lines 1-2/3", "bytes 1-2/x"] {
            assert_eq!(ContentRange::parse(wrong), None, "{wrong}");
        }
    }
}
