//! Which knowledge base answers: the one that is named, the nearest one above, the one that was pulled, or the one that a
//! program carries.

use std::path::Path;

use super::{KnowledgeBase, Opening, SnapshotError, default_data};
use crate::reading::LocateError;
use crate::stores::OpenError;
use crate::values::text::printable;

/// A knowledge base that a program carries, for folders where there is none.
#[derive(Debug, Clone, Copy)]
pub struct Carried {
    /// The file.
    pub snapshot: &'static [u8],
    /// The day and the commit, in words: `of 2026-11-22 (commit c0f74a5bb1)`.
    pub origin: &'static str,
    /// The day, `YYYY-MM-DD`, if it is known.
    pub date: Option<&'static str>,
}

impl Carried {
    /// Whether it is of a later day than what is of this one; days that are not known are not.
    pub fn is_newer_than(self, day: Option<&str>) -> bool {
        matches!((self.date, day), (Some(own), Some(day)) if own > day)
    }
}

/// The knowledge base that was found, and what must be said of how.
#[derive(Debug)]
pub struct FoundKnowledgeBase {
    /// It, open.
    pub kb: KnowledgeBase,
    /// Where there is none here or above: which one answers, as in `the built-in one of 2026-11-22 (commit c0f74a5bb1)`.
    pub elsewhere: Option<String>,
    /// Why what was pulled could not be used, and what to do.
    pub warning: Option<String>,
}

/// No knowledge base could be opened.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// There is none.
    #[error(transparent)]
    Locate(#[from] LocateError),
    /// Its files cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// What is carried cannot be unpacked or opened.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

impl KnowledgeBase {
    /// Opens the folder that is named, else the one that [`locate`](Self::locate) finds, else what was pulled, else what is
    /// carried. Derived stores are kept in `cache`.
    ///
    /// # Errors
    ///
    /// When the folder that is named is none, there is none at all, or it cannot be opened.
    pub fn find(
        named: Option<&Path>,
        carried: Option<Carried>,
        opening: Opening,
        cache: &Path,
    ) -> Result<FoundKnowledgeBase, FindError> {
        let none = match Self::locate(named) {
            Ok(root) => {
                let kb = Self::open_as(opening, &root, cache)?;
                return Ok(FoundKnowledgeBase { kb, elsewhere: None, warning: None });
            }
            Err(none @ LocateError::NoneAbove { .. }) => none,
            Err(error) => return Err(error.into()),
        };
        let warning = match default_data().map(|data| Self::open_pulled(opening, &data, cache)) {
            Some(Ok(Some((kb, pulled)))) => {
                let newer = carried.filter(|carried| carried.is_newer_than(pulled.origin.date.as_deref()));
                let newer =
                    newer.map(|carried| format!("; the built-in one {} is newer: `dlbench pull`", carried.origin));
                let elsewhere = format!("the pulled one {}{}", pulled.origin, newer.unwrap_or_default());
                return Ok(FoundKnowledgeBase { kb, elsewhere: Some(elsewhere), warning: None });
            }
            Some(Err(error)) => Some(format!(
                "what was pulled cannot be used: {}\nhelp: `dlbench pull` fetches it again",
                printable(&error.to_string())
            )),
            Some(Ok(None)) | None => None,
        };
        let carried = carried.ok_or(none)?;
        let kb = Self::open_snapshot(opening, carried.snapshot, cache)?;
        Ok(FoundKnowledgeBase { kb, elsewhere: Some(format!("the built-in one {}", carried.origin)), warning })
    }
}
