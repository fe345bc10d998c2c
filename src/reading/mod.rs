//! Floor 2: from TOML files to the model, strictly: every mistake is found at once and told with its place.

mod catalog_files;
mod collections;
mod files;
mod locate;
mod measurement_files;
mod order;
mod placed;
mod references;
mod strict;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::model::{Catalog, Diagnostic, KbInfo, Knowledge, Measurement, SourceFile};
use crate::values::EntityId;
use catalog_files::Entry;
use files::FileFault;
pub use files::{FileKind, KbFile, list};
pub use locate::{LocateError, locate};
use placed::Placed;
use strict::Findings;

/// A file larger than this is refused unread: it is a mistake or an attack, and nobody could review it.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// Why a knowledge base could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The folders are not those of a knowledge base.
    #[error("{} is not a knowledge base: {why}", path.display())]
    NotAKnowledgeBase {
        /// The folder that was tried.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// A folder could not be listed.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The files have mistakes.
    #[error("the knowledge base has mistakes")]
    Findings(Vec<Diagnostic>),
}

/// Reads the knowledge base at `root` whole.
///
/// # Errors
///
/// Every mistake of every file in [`ReadError::Findings`], in the order of path and place; a broken file hides nothing
/// in the others.
pub fn read(root: &Path) -> Result<Knowledge, ReadError> {
    read_files(root, &list(root)?)
}

/// The same for files that were listed before.
pub fn read_files(root: &Path, files: &[KbFile]) -> Result<Knowledge, ReadError> {
    let parts: Vec<FileReading> = files.par_iter().map(|file| read_file(root, file)).collect();

    let mut catalog = Catalog::default();
    let mut info = None;
    let mut rows: Vec<Placed<Measurement>> = Vec::new();
    let mut entries: Vec<Placed<Entry>> = Vec::new();
    let mut findings = Findings::default();
    for part in parts {
        findings.append(part.findings);
        match part.content {
            Some(Content::Info(read)) => info = Some(read),
            Some(Content::Entries(read)) => entries.extend(read),
            Some(Content::Rows(read)) => rows.extend(read),
            None => {}
        }
    }
    report_duplicate_entries(&entries, &mut findings);
    for entry in entries {
        entry.into_inner().insert_into(&mut catalog);
    }
    references::check(&catalog, files, &mut findings);
    report_duplicate_measurements(&rows, &mut findings);
    let diagnostics = findings.into_sorted();
    if !diagnostics.is_empty() {
        return Err(ReadError::Findings(diagnostics));
    }
    let info = info.ok_or_else(|| ReadError::NotAKnowledgeBase {
        path: root.to_owned(),
        why: "catalog/kb.toml is missing".to_owned(),
    })?;
    let measurements = order::canonical(rows.into_iter().map(Placed::into_inner).collect());
    Ok(Knowledge { info, catalog, measurements })
}

/// Reads the text of one file of measurements strictly, but for its references to the catalog.
///
/// # Errors
///
/// Every mistake in [`ReadError::Findings`].
pub fn check_measurements(path: &Path, text: &str, source: &EntityId) -> Result<Vec<Measurement>, ReadError> {
    let file = Arc::new(SourceFile { path: path.to_owned(), text: text.to_owned() });
    let mut findings = Findings::default();
    let rows = strict::parse(&file, &mut findings, |table| measurement_files::read(table, source));
    let rows = rows.unwrap_or_default();
    report_duplicate_measurements(&rows, &mut findings);
    let diagnostics = findings.into_sorted();
    if !diagnostics.is_empty() {
        return Err(ReadError::Findings(diagnostics));
    }
    Ok(rows.into_iter().map(Placed::into_inner).collect())
}

/// What one file held.
enum Content {
    Info(KbInfo),
    Entries(Vec<Placed<Entry>>),
    Rows(Vec<Placed<Measurement>>),
}

struct FileReading {
    content: Option<Content>,
    findings: Findings,
}

fn read_file(root: &Path, listed: &KbFile) -> FileReading {
    let mut findings = Findings::default();
    let source = |text| Arc::new(SourceFile { path: listed.path.clone(), text });
    let content = match load(root, listed) {
        Err(fault) => {
            let finding = Diagnostic::error(&source(String::new()), None, fault.message, "here");
            findings.report(finding.help(fault.help));
            None
        }
        Ok(text) => strict::parse(&source(text), &mut findings, |table| match &listed.kind {
            FileKind::Info => catalog_files::read_info(table).map(Content::Info),
            FileKind::Measurements(source) => Some(Content::Rows(measurement_files::read(table, source))),
            FileKind::Recipe => None,
            FileKind::Collection => Some(Content::Entries(collections::read(table))),
            kind => {
                let place = Placed::new((), table.file(), 0..0);
                let entry = catalog_files::read_entry(kind, table)?;
                Some(Content::Entries(vec![place.with(entry)]))
            }
        })
        .flatten(),
    };
    FileReading { content, findings }
}

/// The file's text, or what is wrong with the file as a file.
fn load(root: &Path, listed: &KbFile) -> Result<String, FileFault> {
    if let FileKind::Misplaced(fault) = &listed.kind {
        return Err(fault.clone());
    }
    if listed.len > MAX_FILE_BYTES {
        return Err(FileFault {
            message: format!("the file has {} MiB, the limit is {} MiB", listed.len >> 20, MAX_FILE_BYTES >> 20),
            help: "split it into one file per coherent batch".to_owned(),
        });
    }
    let bytes = std::fs::read(root.join(&listed.path)).map_err(|error| FileFault {
        message: format!("cannot read the file: {error}"),
        help: "mend its permissions, or remove it".to_owned(),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|&&b| b == b'\n').count();
        FileFault {
            message: format!("the file is not UTF-8: a wrong byte in line {line}, after {valid} bytes"),
            help: "save it as UTF-8".to_owned(),
        }
    })
}

/// An entity stands in one place only: a file of its own, or a row of a collection.
fn report_duplicate_entries(entries: &[Placed<Entry>], findings: &mut Findings) {
    let mut by_key: Vec<_> = entries.iter().filter_map(|entry| Some((entry.get().key()?, entry))).collect();
    by_key.sort_by(|a, b| a.0.cmp(&b.0));
    for pair in by_key.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let ((kind, id), second) = &pair[1];
        let message = format!("the {} `{id}` stands twice", kind.noun());
        findings.report(
            Diagnostic::error(second.file(), Some(second.span()), message, "here")
                .related(pair[0].1.annotation("and here"))
                .help("keep one of them"),
        );
    }
}

fn report_duplicate_measurements(rows: &[Placed<Measurement>], findings: &mut Findings) {
    // Hashes sort faster than texts; equal texts have equal hashes.
    let mut hashed: Vec<(u64, usize)> =
        rows.par_iter().enumerate().map(|(at, row)| (xxh3_64(row.get().id().as_bytes()), at)).collect();
    hashed.par_sort_unstable();
    let mut by_id: Vec<&Placed<Measurement>> = Vec::new();
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
            Diagnostic::error(second.file(), Some(second.span()), message, "this row")
                .related(first.annotation("the other row"))
                .help(help),
        );
    }
}
