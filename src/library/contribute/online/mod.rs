//! Whether the addresses that the catalog cites answer: asked politely, and not again before the answer is old.

mod asking;
#[cfg(feature = "online")]
mod client;
mod kept;
#[cfg(not(feature = "online"))]
mod no_client;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::contribute::lint::{Replies, addresses, asked};
use crate::reading::{self, FileKind, KbFile, ReadError};
use asking::Manners;
#[cfg(feature = "online")]
use client::Web;
use kept::Kept;
#[cfg(not(feature = "online"))]
use no_client::Web;

/// Which addresses are asked, and how.
#[derive(Debug, Clone)]
pub struct Inquiry<'i> {
    /// The knowledge base.
    pub root: &'i Path,
    /// Only addresses in these files and folders, relative to the root; empty means all.
    pub paths: &'i [PathBuf],
    /// Where answers are kept: the user's cache folder.
    pub cache: &'i Path,
    /// When an address is given up.
    pub timeout: Duration,
}

/// Why no address was asked.
#[derive(Debug, thiserror::Error)]
pub enum InquiryError {
    /// The knowledge base could not be listed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The client could not be set up.
    #[error("the network cannot be used: {0}")]
    Client(String),
    /// Nobody answered: it is this machine that has no network.
    #[error("none of {0} addresses could be reached: is there a network?")]
    NoNetwork(usize),
}

/// What the cited addresses answer, now or not long ago. `progress` is told how many of how many have been asked.
///
/// # Errors
///
/// When the catalog cannot be listed or there is no network.
pub fn replies(inquiry: &Inquiry<'_>, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Replies, InquiryError> {
    let catalog: Vec<KbFile> = reading::list(inquiry.root)?
        .into_iter()
        .filter(|file| !matches!(file.kind, FileKind::Measurements(_) | FileKind::Recipe))
        .collect();
    let loaded = reading::load(inquiry.root, &catalog);
    let unasked: Vec<&str> =
        loaded.info.iter().flat_map(|info| &info.unasked).map(|unasked| unasked.address.as_str()).collect();
    let wanted: BTreeSet<String> = addresses(&loaded)
        .into_iter()
        .filter(|address| {
            let file = &address.place.file().path;
            inquiry.paths.is_empty() || inquiry.paths.iter().any(|path| file.starts_with(path))
        })
        .map(|address| asked(&address.url).to_owned())
        .filter(|url| !unasked.iter().any(|beginning| url.starts_with(beginning)))
        .collect();
    let kept = Kept::open(inquiry.cache);
    let mut replies: Replies = Replies::new();
    let mut open: Vec<String> = Vec::new();
    for url in wanted {
        match kept.reply(&url) {
            Some(reply) => drop(replies.insert(url, reply)),
            None => open.push(url),
        }
    }
    if open.is_empty() {
        return Ok(replies);
    }
    let web = Web::new(inquiry.timeout).map_err(|error| InquiryError::Client(error.to_string()))?;
    let all = open.len();
    progress(0, all);
    let heard = asking::ask(&web, open, &Manners::default(), &|url, reply, done| {
        kept.keep(url, reply);
        progress(done, all);
    });
    if heard.unreachable == all && all > 1 {
        return Err(InquiryError::NoNetwork(all));
    }
    replies.extend(heard.replies);
    Ok(replies)
}
