//! Runs a reader on an empty table to learn which keys it reads.

use std::path::PathBuf;
use std::sync::Arc;

use super::findings::ReadFindings;
use super::strict::{self, StrictTable};
use super::table_keys::TableKeys;
use crate::model::SourceFile;

/// The keys that a reader of a table asks for.
pub(super) fn keys_read_by<T>(read: impl FnOnce(StrictTable<'_, '_>) -> T) -> TableKeys {
    let file = Arc::new(SourceFile::new(PathBuf::new(), ""));
    let mut findings = ReadFindings::recording();
    strict::parse(&file, &mut findings, read);
    findings.record()
}
