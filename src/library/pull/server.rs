//! Fetches a knowledge base from a server.

use std::path::Path;

use super::client::HttpClient;
use super::download::Partial;
use super::download::{Download, Fetched};
use super::installed::{Accepted, accept};
use super::{Address, PullError, PullLimits, PullObserver, Validators};

/// Downloads into `folder` and verifies; `None` if the server says that nothing changed. A download that was resumed and is
/// damaged may mix two versions of the file, so it is fetched again from the start.
pub(super) fn fetched_from_server(
    (address, url): (&Address, &str),
    known: &Validators,
    limits: &PullLimits,
    folder: &Path,
    observer: &mut dyn PullObserver,
) -> Result<Option<(Accepted, Validators)>, PullError> {
    let client = HttpClient::new(limits.silence)?;
    let partial = Partial::in_folder(folder);
    let download = Download { client: &client, address, url, known, partial: &partial, limits };
    loop {
        let Fetched::Whole { validators, pieced_together } = download.run(observer)? else { return Ok(None) };
        let archive = partial.take()?;
        observer.checks(archive.len() as u64);
        match accept(archive, folder) {
            Err(PullError::Unpack(_)) if pieced_together => observer.starts_over(),
            accepted => return Ok(Some((accepted?, validators))),
        }
    }
}
