//! Floor 2: from TOML files to the model, strictly: every mistake is found at once and told with its place.

mod catalog_files;
mod files;
mod locate;
mod measurement_files;
mod references;
mod strict;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::model::{Annotation, Catalog, Diagnostic, KbInfo, Knowledge, Measurement, SourceFile};
use catalog_files::Entry;
use files::FileFault;
pub use files::{FileKind, KbFile, list};
pub use locate::{LocateError, locate};
use measurement_files::Row;
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
    let mut rows: Vec<Row> = Vec::new();
    let mut findings = Findings::default();
    for part in parts {
        findings.append(part.findings);
        match part.content {
            Some(Content::Info(read)) => info = Some(read),
            Some(Content::Entry(entry)) => entry.insert_into(&mut catalog),
            Some(Content::Rows(read)) => rows.extend(read),
            None => {}
        }
    }
    references::check(&catalog, &mut findings);
    report_duplicates(&rows, &mut findings);
    let diagnostics = findings.into_sorted();
    if !diagnostics.is_empty() {
        return Err(ReadError::Findings(diagnostics));
    }
    let info = info.ok_or_else(|| ReadError::NotAKnowledgeBase {
        path: root.to_owned(),
        why: "catalog/kb.toml is missing".to_owned(),
    })?;
    let mut measurements: Vec<Measurement> = rows.into_iter().map(|row| row.measurement).collect();
    measurements.par_sort_by_cached_key(canonical_key);
    Ok(Knowledge { info, catalog, measurements })
}

/// What one file held.
enum Content {
    Info(KbInfo),
    Entry(Box<Entry>),
    Rows(Vec<Row>),
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
            kind => catalog_files::read_entry(kind, table).map(|entry| Content::Entry(Box::new(entry))),
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

/// The order in which measurements are kept and, when nothing else is asked for, shown.
fn canonical_key(measurement: &Measurement) -> impl Ord + use<> {
    use crate::model::Field::*;
    let text = |field| measurement.text(field).unwrap_or_default().to_owned();
    (
        [text(Network), text(Dataset), text(Stage), text(Precision), text(Device)],
        [text(Framework), text(Backend)],
        version_key(&text(FrameworkVersion)),
        measurement.count(BatchSize),
        measurement.id().to_owned(),
    )
}

/// Versions order by their numbers: 1.4 before 1.12.
fn version_key(version: &str) -> Vec<(u64, String)> {
    version.split(['.', '-', '+', ' ']).map(|part| (part.parse().unwrap_or(u64::MAX), part.to_owned())).collect()
}

fn report_duplicates(rows: &[Row], findings: &mut Findings) {
    let mut by_id: Vec<&Row> = rows.iter().collect();
    by_id.sort_by_key(|row| row.measurement.id());
    for pair in by_id.windows(2).filter(|pair| pair[0].measurement.id() == pair[1].measurement.id()) {
        let (first, second) = (pair[0], pair[1]);
        let id = second.measurement.id();
        let same = first.measurement.identity() == second.measurement.identity();
        let (message, help) = if same {
            (
                format!("the measurement {id} stands twice"),
                "remove one of the rows, or state in `label` (or another field) what tells them apart",
            )
        } else {
            (format!("two different measurements share the id {id} by chance"), "give one of the rows a `label`")
        };
        findings.report(
            Diagnostic::error(&second.file, Some(second.span.clone()), message, "this row")
                .related(Annotation {
                    file: Arc::clone(&first.file),
                    span: Some(first.span.clone()),
                    label: "the other row".to_owned(),
                })
                .help(help),
        );
    }
}
