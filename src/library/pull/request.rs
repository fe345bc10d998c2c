//! What is fetched, within which limits, and who hears of it.

use std::path::Path;
use std::time::Duration;

use super::Address;

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
