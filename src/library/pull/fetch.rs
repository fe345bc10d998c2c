//! Fetches a knowledge base and makes it the active one.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use dlbench_snapshot::{Manifest, Origin, pack};

use super::installed::{Installed, PulledFolder};
use super::installed::{LEVEL, accept};
#[cfg(not(feature = "online"))]
use super::no_server::fetched_from_server;
#[cfg(feature = "online")]
use super::server::fetched_from_server;
use super::{Address, PullError, PullObserver, PullRequest, Validators};

/// The result of a pull.
#[derive(Debug, Clone)]
pub enum Pulled {
    /// The fetched knowledge base is now active.
    Installed {
        /// The one that is active now.
        now: Installed,
        /// The one that was active before, if that was pulled as well.
        before: Option<Installed>,
    },
    /// The fetched one equals the active one; `None` is the built-in one.
    Same(Option<Installed>),
    /// The fetched one is older than the active one, and was not installed.
    Older {
        /// The fetched one.
        there: Origin,
        /// The active one.
        here: Origin,
    },
}

/// Fetches a newer knowledge base and makes it active: it is used if neither the folder nor one above it is a knowledge base.
///
/// # Errors
///
/// When it cannot be fetched, is damaged, or the strict reader rejects it: the active one then stays active.
pub fn pull(request: PullRequest<'_>, observer: &mut dyn PullObserver) -> Result<Pulled, PullError> {
    let folder = PulledFolder::at(request.data);
    let _alone = folder.lock(&mut || observer.waits())?;
    // An unreadable state does not prevent a pull.
    let mut state = folder.state().unwrap_or_default();
    folder.sweep(&state);
    let last = || [&state.active, &state.previous].into_iter().flatten().find_map(|one| one.address.clone());
    let address = request.address.or_else(|| last().map(Address::from)).or(request.default);
    let address = address.ok_or(PullError::NoAddress)?;
    let here = match state.active.as_ref().map(|active| folder.compared(active)) {
        Some(Ok(snapshot)) => dlbench_snapshot::manifest(&snapshot).ok(),
        // A damaged snapshot is dropped, so that its validators are not sent and it is fetched again.
        Some(Err(_)) => {
            state.active = None;
            folder.write(&state)?;
            None
        }
        None => request.built_in.and_then(|built_in| dlbench_snapshot::manifest(built_in).ok()),
    };
    let known = state.active.as_ref().filter(|active| active.address.as_deref() == Some(&address.to_string()));
    let known = known.map(|active| active.validators.clone()).unwrap_or_default();

    let fetched = match &address {
        Address::Path(path) => {
            let archive = read(path, request.limits.bytes)?;
            observer.checks(archive.len() as u64);
            Some((accept(archive, folder.path())?, Validators::default()))
        }
        Address::Url(url) => fetched_from_server((&address, url), &known, &request.limits, folder.path(), observer)?,
    };
    let Some((accepted, validators)) = fetched else { return Ok(Pulled::Same(state.active)) };
    match here {
        Some(here) if here.files == accepted.manifest.files => {
            // Same content with other validators: store them for the next request.
            if let Some(active) = &mut state.active {
                (active.validators, active.address) = (validators, Some(address.to_string()));
                folder.write(&state)?;
            }
            return Ok(Pulled::Same(state.active));
        }
        Some(Manifest { origin: here, .. }) if !request.force && is_older(&accepted.manifest.origin, &here) => {
            return Ok(Pulled::Older { there: accepted.manifest.origin, here });
        }
        _ => {}
    }
    let now = Installed::of(&accepted, &address, validators);
    let before = state.active.clone();
    folder.install(now.clone(), &accepted.snapshot, state)?;
    Ok(Pulled::Installed { now, before })
}

/// Reads a file of at most `most` bytes, or packs the knowledge base in a folder.
fn read(path: &Path, most: u64) -> Result<Vec<u8>, PullError> {
    let unread = |error| PullError::Unread { path: path.to_owned(), error };
    if path.is_dir() {
        return Ok(pack(path, Origin::of(path), LEVEL)?);
    }
    let mut content = Vec::new();
    fs::File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut content)).map_err(unread)?;
    if content.len() as u64 > most { Err(PullError::TooLarge { most }) } else { Ok(content) }
}

/// Whether `there` has an earlier date than `here`; false if either date is not known.
fn is_older(there: &Origin, here: &Origin) -> bool {
    matches!((&there.date, &here.date), (Some(there), Some(here)) if there < here)
}
