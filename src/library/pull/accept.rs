//! What came is compared with what it says of itself, and read by the strict reader, before it is believed.

use std::path::Path;

use dlbench_snapshot::{Manifest, Origin, RepositoryArchive, is_snapshot, manifest, pack, unpack, unpack_repository};

use serde::{Deserialize, Serialize};

use super::PullError;
use crate::reading::{self, WriteError};

/// How much time is spent on compressing what came as the archive of a repository: it is packed once and read often.
pub(super) const LEVEL: u32 = 6;

/// By what it can be told that the files are those that were published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Integrity {
    /// Each file was compared with its SHA-256 in the manifest.
    Manifest,
    /// The archive of a repository states no digest of its files, and its commit proves nothing: it was whole, and no more can
    /// be told.
    Archive,
}

/// What was accepted.
pub(super) struct Accepted {
    /// The snapshot, as it is kept.
    pub snapshot: Vec<u8>,
    /// What it says of itself.
    pub manifest: Manifest,
    /// By what it could be compared.
    pub integrity: Integrity,
}

/// The snapshot that a file from elsewhere holds or comes to, if it passes every check of what is pulled: digests, names of
/// files, the strict reader, a day that has come.
///
/// # Errors
///
/// When it is neither a snapshot nor the archive of a repository, is damaged, or has mistakes.
pub fn accepted_snapshot(archive: Vec<u8>) -> Result<Vec<u8>, PullError> {
    Ok(accept(archive, &std::env::temp_dir())?.snapshot)
}

/// Unpacks what came beside what answers, compares and reads it.
///
/// # Errors
///
/// When it is neither a snapshot nor the archive of a repository, is damaged, or has mistakes.
pub(super) fn accept(archive: Vec<u8>, beside: &Path) -> Result<Accepted, PullError> {
    let folder = tempfile::Builder::new().prefix("accepting-").tempdir_in(beside).map_err(WriteError::at(beside))?;
    let root = folder.path().join("kb");
    if is_snapshot(&archive)? {
        let manifest = unpack(&archive, &root)?;
        has_come(&manifest.origin)?;
        reading::read(&root).map_err(PullError::Refused)?;
        return Ok(Accepted { snapshot: archive, manifest, integrity: Integrity::Manifest });
    }
    let origin = origin(unpack_repository(&archive, &root)?);
    has_come(&origin)?;
    reading::read(&root).map_err(PullError::Refused)?;
    let snapshot = pack(&root, origin, LEVEL)?;
    let manifest = manifest(&snapshot)?;
    Ok(Accepted { snapshot, manifest, integrity: Integrity::Archive })
}

/// Refuses a day in the future, beyond the day that clocks and time zones may be apart: every later snapshot would be older.
fn has_come(origin: &Origin) -> Result<(), PullError> {
    let tomorrow = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24);
    let tomorrow = tomorrow.to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
    match &origin.date {
        Some(date) if *date > tomorrow => Err(PullError::Future { date: date.clone() }),
        _ => Ok(()),
    }
}

/// The day and the commit of an archive, as a snapshot of the same commit states them.
fn origin(stated: RepositoryArchive) -> Origin {
    const ABBREVIATED: usize = 10;
    let day = |second: u64| {
        let time = jiff::Timestamp::from_second(i64::try_from(second).ok()?).ok()?;
        let date = time.to_zoned(jiff::tz::TimeZone::UTC).date();
        (date.year() > 0).then(|| date.to_string())
    };
    Origin {
        date: stated.committed_s.filter(|second| *second > 0).and_then(day),
        commit: stated.commit.map(|commit| commit.chars().take(ABBREVIATED).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_has_not_come_is_refused() {
        let of = |date: &str| has_come(&Origin { date: Some(date.to_owned()), commit: None });
        assert!(of("2026-11-22").is_ok());
        for date in ["9999-12-31", "2999-01-01"] {
            assert!(matches!(of(date), Err(PullError::Future { .. })), "{date}");
        }
        assert!(has_come(&Origin::default()).is_ok());
    }
}
