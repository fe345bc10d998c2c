//! Checks whether the URLs cited in the catalog still work: limits the request rate and caches the results.

#[cfg(feature = "online")]
mod http_client;
#[cfg(not(feature = "online"))]
mod no_http_client;
mod requests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::contribute::rule_interface::{LinkStatuses, cited_urls, without_fragment};
use crate::reading::{self, FileKind, KbFile, ReadError};
#[cfg(feature = "online")]
use http_client::HttpClient;
#[cfg(not(feature = "online"))]
use no_http_client::HttpClient;
use requests::LinkCache;
use requests::RequestLimits;

/// Which URLs to request, and how.
#[derive(Debug, Clone)]
pub struct LinkCheck<'i> {
    /// Root of the knowledge base.
    pub root: &'i Path,
    /// Only URLs in these files and folders, relative to the root; empty means all.
    pub paths: &'i [PathBuf],
    /// Folder of the cache: the user's cache folder.
    pub cache: &'i Path,
    /// Timeout of one request.
    pub timeout: Duration,
    /// Hosts of this machine or its network that may be contacted nevertheless.
    pub ask_local: &'i [String],
}

/// Why no URL was requested.
#[derive(Debug, thiserror::Error)]
pub enum LinkCheckError {
    /// The knowledge base could not be listed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The HTTP client could not be created.
    #[error("the network cannot be used: {0}")]
    Client(String),
    /// No server answered, so this machine probably has no network.
    #[error("none of {0} addresses could be reached: is there a network?")]
    NoNetwork(usize),
}

/// The statuses of the cited URLs, from the cache or requested now; URLs of busy servers are missing. `progress` is
/// called with the number of requests made and the total.
///
/// # Errors
///
/// When the catalog cannot be listed or there is no network.
pub fn link_statuses(
    check: &LinkCheck<'_>,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<LinkStatuses, LinkCheckError> {
    let cache = LinkCache::open(check.cache);
    let mut statuses = LinkStatuses::new();
    let mut open: Vec<String> = Vec::new();
    for url in urls(check)? {
        match cache.status(&url) {
            Some(status) => drop(statuses.insert(url, status)),
            None => open.push(url),
        }
    }
    if open.is_empty() {
        return Ok(statuses);
    }
    let client =
        HttpClient::new(check.timeout, check.ask_local).map_err(|error| LinkCheckError::Client(error.to_string()))?;
    let all = open.len();
    progress(0, all);
    let requested = requests::request_all(&client, open, &RequestLimits::default(), &|url, status, done| {
        cache.store(url, status);
        progress(done, all);
    });
    if requested.unreachable == all && all > 1 {
        return Err(LinkCheckError::NoNetwork(all));
    }
    statuses.extend(requested.statuses);
    Ok(statuses)
}

/// The URLs cited in the checked files, without those that `catalog/kb.toml` excludes from requests.
fn urls(check: &LinkCheck<'_>) -> Result<BTreeSet<String>, LinkCheckError> {
    let catalog: Vec<KbFile> = reading::list(check.root)?
        .into_iter()
        .filter(|file| !matches!(file.kind, FileKind::Measurements(_) | FileKind::Recipe))
        .collect();
    let loaded = reading::load(check.root, &catalog);
    let unasked: Vec<&str> =
        loaded.info.iter().flat_map(|info| &info.unasked).map(|unasked| unasked.address.as_str()).collect();
    let cited = cited_urls(&loaded).into_iter().filter(|cited| {
        let file = &cited.place.file().path;
        check.paths.is_empty() || check.paths.iter().any(|path| file.starts_with(path))
    });
    let urls = cited.map(|cited| without_fragment(&cited.url).to_owned());
    Ok(urls.filter(|url| !unasked.iter().any(|beginning| url.starts_with(beginning))).collect())
}
