//! Replaces `server` in builds without an HTTP client.

use std::path::Path;

use super::installed::Accepted;
use super::{Address, PullError, PullLimits, PullObserver, Validators};

/// Always fails with [`PullError::Offline`].
pub(super) fn fetched_from_server(
    _: (&Address, &str),
    _: &Validators,
    _: &PullLimits,
    _: &Path,
    _: &mut dyn PullObserver,
) -> Result<Option<(Accepted, Validators)>, PullError> {
    Err(PullError::Offline)
}
