//! What the servers of cited URLs answer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a server answers for a URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkStatus {
    /// The page is there.
    Answers,
    /// It has moved permanently, to this URL.
    Moved(String),
    /// An HTTP status that is no success.
    HttpError(u16),
    /// No answer, and why.
    Unreachable(String),
    /// Nobody was asked, and why: it, or what it leads to, is not public.
    NotAsked(String),
}

/// Statuses by URL without its fragment.
pub type LinkStatuses = BTreeMap<String, LinkStatus>;

/// The URL that is requested: a fragment (`#…`) is never sent to the server.
pub fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(url, _)| url)
}
