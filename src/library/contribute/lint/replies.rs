//! What the addresses answered that the catalog cites, where somebody asked them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What came of asking an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// It answers.
    Fine,
    /// It has moved for good, to this address.
    Moved(String),
    /// It answers with an HTTP status that is no success.
    Refused(u16),
    /// It does not answer, and why.
    Silent(String),
}

/// By the address as it is asked: without its fragment.
pub type Replies = BTreeMap<String, Reply>;

/// An address as it is asked: what follows a `#` is the reader's business, not the server's.
pub fn asked(url: &str) -> &str {
    url.split_once('#').map_or(url, |(url, _)| url)
}
