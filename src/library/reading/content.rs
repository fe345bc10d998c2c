//! The content of each kind of file, and the reader for it.

use super::catalog_files::{self, CatalogEntry};
use super::files::FileKind;
use super::located::Located;
use super::reader_keys::keys_read_by;
use super::strict::StrictTable;
use super::table_keys::TableKeys;
use super::{collections, measurement_files, suite_files};
use crate::model::{KbInfo, Measurement, Suite};

/// What one file held.
#[derive(Debug, Clone)]
pub(super) enum FileContent {
    Info(KbInfo),
    Entries(Vec<Located<CatalogEntry>>),
    Rows(Vec<Located<Measurement>>),
    Suite(Suite),
}

/// Reads a file of a kind.
pub(super) fn content_of(kind: &FileKind, table: StrictTable<'_, '_>) -> Option<FileContent> {
    match kind {
        FileKind::Info => catalog_files::read_info(table).map(FileContent::Info),
        FileKind::Measurements(source) => Some(FileContent::Rows(measurement_files::read(table, source))),
        FileKind::Recipe => None,
        FileKind::Suite(id) => suite_files::read(id, table).map(FileContent::Suite),
        FileKind::Collection => Some(FileContent::Entries(collections::read(table))),
        kind => {
            let place = Located::new((), table.file(), 0..0);
            let entry = catalog_files::read_entry(kind, table)?;
            Some(FileContent::Entries(vec![place.with(entry)]))
        }
    }
}

/// The keys that a file of this kind may have at its top, in canonical order.
pub fn keys_of(kind: &FileKind) -> Vec<&'static str> {
    record_of(kind).keys.into_iter().map(|(key, _)| key).collect()
}

/// What reading a file of this kind asks for.
pub(super) fn record_of(kind: &FileKind) -> TableKeys {
    keys_read_by(|table| content_of(kind, table))
}
