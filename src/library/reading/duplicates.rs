//! Entities and measurements that are defined twice.

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::catalog_files::CatalogEntry;
use super::codes;
use super::findings::ReadFindings;
use super::located::Located;
use crate::model::{Diagnostic, Measurement};

/// An entity is defined once: in a file of its own, or in a row of a collection.
pub(super) fn report_duplicate_entries(entries: &[Located<CatalogEntry>], findings: &mut ReadFindings) {
    let mut by_key: Vec<_> = entries.iter().filter_map(|entry| Some((entry.get().key()?, entry))).collect();
    by_key.sort_by(|a, b| a.0.cmp(&b.0));
    for pair in by_key.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let ((kind, id), second) = &pair[1];
        let message = format!("the {} `{id}` stands twice", kind.noun());
        findings.report(
            Diagnostic::error(codes::DUPLICATE_ENTITY, second.file(), Some(second.span()), message, "here")
                .related(pair[0].1.annotation("and here"))
                .help("keep one of them"),
        );
    }
}

/// Rows with one id are the same measurement twice, or different ones whose hashes collide.
pub(super) fn report_duplicate_measurements(rows: &[Located<Measurement>], findings: &mut ReadFindings) {
    // Hashes sort faster than texts; equal texts have equal hashes.
    let mut hashed: Vec<(u64, usize)> =
        rows.par_iter().enumerate().map(|(at, row)| (xxh3_64(row.get().id().as_bytes()), at)).collect();
    hashed.par_sort_unstable();
    let mut by_id: Vec<&Located<Measurement>> = Vec::new();
    for alike in hashed.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        by_id.extend(alike.iter().map(|(_, at)| &rows[*at]));
    }
    by_id.sort_by_key(|row| row.get().id());
    for pair in by_id.windows(2).filter(|pair| pair[0].get().id() == pair[1].get().id()) {
        let (first, second) = (pair[0], pair[1]);
        let id = second.get().id();
        let same = first.get().identity() == second.get().identity();
        let (message, help) = if same {
            (
                format!("the measurement {id} stands twice"),
                "remove one of the rows, or state in `label` (or another field) what tells them apart",
            )
        } else {
            (format!("two different measurements share the id {id} by chance"), "give one of the rows a `label`")
        };
        findings.report(
            Diagnostic::error(codes::DUPLICATE_MEASUREMENT, second.file(), Some(second.span()), message, "this row")
                .related(first.annotation("the other row"))
                .help(help),
        );
    }
}
