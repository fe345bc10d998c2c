//! What became of every record of an import (read = written + left out, by reason), and which measurements changed.

use std::collections::BTreeMap;
use std::path::Path;

use super::unresolved_name::UnresolvedName;
use crate::model::Measurement;
use crate::reading::check_measurements;
use crate::values::{EntityId, Standing};

/// Records read, written and left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportReport {
    /// Records in the files.
    pub read: usize,
    /// Rows written.
    pub written: usize,
    /// Records left out, by reason.
    pub left_out: BTreeMap<String, LeftOut>,
    /// Texts that could not be read, of rows that were written without them.
    pub unknown: BTreeMap<String, LeftOut>,
    /// The names that the catalog does not have, most frequent first.
    pub unresolved: Vec<UnresolvedName>,
    /// Files that could not be read, beside others that could.
    pub unread: Vec<UnreadFile>,
}

/// A file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadFile {
    /// Its place, as `file:line`.
    pub place: String,
    /// What was expected of it.
    pub message: String,
}

/// Records left out for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// How many.
    pub count: usize,
    /// The place of the first one, as `file:line`.
    pub first: String,
}

impl ImportReport {
    /// Counts a file that could not be read; each part of a recipe that reads it says so.
    pub(super) fn leave_unread(&mut self, file: UnreadFile) {
        if !self.unread.contains(&file) {
            self.unread.push(file);
        }
    }

    pub(super) fn leave_out(&mut self, reason: String, place: &str) {
        count_at(&mut self.left_out, reason, place);
    }
}

/// Counts one more of `what`; the place of the first one is kept.
pub(super) fn count_at(counts: &mut BTreeMap<String, LeftOut>, what: String, place: &str) {
    counts.entry(what).or_insert_with(|| LeftOut { count: 0, first: place.to_owned() }).count += 1;
}

/// What an import changed in the files that were there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportChanges {
    /// Measurements that were not there.
    pub added: usize,
    /// The ids of measurements whose values or context differ: what a person had corrected in them is undone.
    pub changed: Vec<String>,
    /// Measurements that are gone.
    pub removed: usize,
    /// Measurements that are as they were.
    pub unchanged: usize,
    /// Rows whose label the source corrected, and that stay as superseded ones.
    pub superseded: usize,
    /// Remarks, exceptions and comments that people had added, and that are there still.
    pub kept: usize,
}

impl ImportChanges {
    pub(super) fn add(&mut self, before: &str, after: &str, source: &EntityId) {
        let read = |text: &str| -> BTreeMap<String, Measurement> {
            let rows = check_measurements(Path::new("before.toml"), text, source).unwrap_or_default();
            rows.into_iter().map(|row| (row.id().to_owned(), row)).collect()
        };
        let (before, after) = (read(before), read(after));
        for (id, row) in &after {
            match before.get(id) {
                None => self.added += 1,
                Some(old) if old == row => self.unchanged += 1,
                // It is counted as one whose label was corrected.
                Some(old) if old.standing().is_none() && row.standing() == Some(Standing::Superseded) => {}
                Some(_) => self.changed.push(id.clone()),
            }
        }
        self.removed += before.keys().filter(|id| !after.contains_key(*id)).count();
    }
}
