//! Reads the files of a knowledge base, all of them or some.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::catalog_files::CatalogEntry;
use super::content::FileContent;
use super::duplicates::{report_duplicate_entries, report_duplicate_measurements};
use super::files::{self, FileFault, FileKind, KbFile, list};
use super::findings::ReadFindings;
use super::located::Located;
use super::read_file::ReadFile;
use super::{ReadError, evidence_files, measurement_files, order, references, strict, suite_files};
use crate::model::{Catalog, Claim, Diagnostic, Exception, KbInfo, Knowledge, Measurement, SourceFile, Suite};
use crate::values::{EntityId, EntityKind};

/// A knowledge base as its files say, mistakes and all: what could be read, where it stands, and what was found.
#[derive(Debug, Default)]
pub struct Loaded {
    /// What the knowledge base is; `None` when that file is missing or broken.
    pub info: Option<KbInfo>,
    /// The curated facts.
    pub catalog: Catalog,
    /// Where each entity stands; `0..0` is a file of its own, anything else a row of a collection.
    pub places: BTreeMap<(EntityKind, String), Located<()>>,
    /// The measurements, in the order of the files.
    pub rows: Vec<Located<Measurement>>,
    /// What `dlbench run --suite` can measure, in the order of the files.
    pub suites: Vec<Suite>,
    /// Findings that are right as they are.
    pub exceptions: Vec<Located<Exception>>,
    /// The files, each with its text (empty when it could not be read).
    pub files: Vec<(KbFile, Arc<SourceFile>)>,
    /// Every mistake, in the order of path and place.
    pub findings: Vec<Diagnostic>,
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
    knowledge(load(root, files), root)
}

/// Reads the knowledge base at `root` but for its measurements.
///
/// # Errors
///
/// As [`read`], of the files that it reads.
pub fn read_catalog(root: &Path) -> Result<Knowledge, ReadError> {
    let mut files = list(root)?;
    files.retain(|file| !matches!(file.kind, FileKind::Measurements(_)));
    read_files(root, &files)
}

/// What the knowledge base at `root` is, by `catalog/kb.toml` alone.
///
/// # Errors
///
/// When that file is missing or broken.
pub fn info(root: &Path) -> Result<KbInfo, ReadError> {
    let files: Vec<KbFile> = list(root)?.into_iter().filter(|file| matches!(file.kind, FileKind::Info)).collect();
    load(root, &files).info.ok_or_else(|| ReadError::NotAKnowledgeBase {
        path: root.to_owned(),
        why: "catalog/kb.toml is missing or broken".to_owned(),
    })
}

/// What was loaded, if there is no mistake in it; `root` is named when it turns out to be no knowledge base.
pub fn knowledge(loaded: Loaded, root: &Path) -> Result<Knowledge, ReadError> {
    if !loaded.findings.is_empty() {
        return Err(ReadError::Findings(loaded.findings));
    }
    let info = loaded.info.ok_or_else(|| ReadError::NotAKnowledgeBase {
        path: root.to_owned(),
        why: "catalog/kb.toml is missing".to_owned(),
    })?;
    let mut measurements = order::canonical(loaded.rows.into_iter().map(Located::into_inner).collect());
    for source in loaded.catalog.sources.values() {
        let Some(standing) = &source.standing else { continue };
        for row in measurements.iter_mut().filter(|row| *row.source() == source.id) {
            *row = row.clone().with_standing_of(standing);
        }
    }
    Ok(Knowledge { info, catalog: loaded.catalog, measurements, skipped: Vec::new() })
}

/// Reads whatever can be read of the files of the knowledge base at `root`.
pub fn load(root: &Path, files: &[KbFile]) -> Loaded {
    load_texts(files, |file| files::text(root, file))
}

/// The same where the file at `path` holds `text`, whatever stands there.
pub fn load_with(root: &Path, files: &[KbFile], path: &Path, text: &str) -> Loaded {
    load_texts(files, |file| match &file.kind {
        FileKind::Misplaced(fault) => Err(fault.clone()),
        _ if file.path == path => Ok(text.to_owned()),
        _ => files::text(root, file),
    })
}

/// The same with the texts from elsewhere: `text` gives that of a file, or what is wrong with the file as a file.
pub fn load_texts(files: &[KbFile], text: impl Fn(&KbFile) -> Result<String, FileFault> + Sync) -> Loaded {
    let read: Vec<ReadFile> = files.par_iter().map(|file| ReadFile::of(file, text(file))).collect();
    Loaded::of(read)
}

impl Loaded {
    /// What files say together that were read one by one, in the order of their paths.
    pub fn of(read: Vec<ReadFile>) -> Self {
        let mut loaded = Self::default();
        let mut entries: Vec<Located<CatalogEntry>> = Vec::new();
        let mut findings = ReadFindings::default();
        for file in read {
            findings.append(file.findings);
            loaded.files.push((file.listed, file.file));
            match file.content {
                Some(FileContent::Info(read)) => loaded.info = Some(read),
                Some(FileContent::Entries(read)) => entries.extend(read),
                Some(FileContent::Rows(read)) => loaded.rows.extend(read),
                Some(FileContent::Suite(read)) => loaded.suites.push(read),
                None => {}
            }
        }
        report_duplicate_entries(&entries, &mut findings);
        entries.sort_by_key(|entry| entry.get().is_addition());
        for entry in entries {
            if let Some(key) = entry.get().key() {
                loaded.places.insert(key, entry.place());
            }
            entry.into_inner().insert_into(&mut loaded.catalog);
        }
        references::check(&loaded.catalog, &loaded.files, &mut findings);
        report_duplicate_measurements(&loaded.rows, &mut findings);
        loaded.exceptions = findings.take_exceptions();
        loaded.findings = findings.into_sorted();
        loaded
    }
}

/// Reads the text of one file of measurements strictly, but for its references to the catalog.
///
/// # Errors
///
/// Every mistake in [`ReadError::Findings`].
pub fn check_measurements(path: &Path, text: &str, source: &EntityId) -> Result<Vec<Measurement>, ReadError> {
    let file = Arc::new(SourceFile::new(path, text));
    let mut findings = ReadFindings::default();
    let rows = strict::parse(&file, &mut findings, |table| measurement_files::read(table, source));
    let rows = rows.unwrap_or_default();
    report_duplicate_measurements(&rows, &mut findings);
    let diagnostics = findings.into_sorted();
    if !diagnostics.is_empty() {
        return Err(ReadError::Findings(diagnostics));
    }
    Ok(rows.into_iter().map(Located::into_inner).collect())
}

/// Reads `catalog/suites/<id>.toml` of the knowledge base at `root`.
///
/// # Errors
///
/// Every mistake in [`ReadError::Findings`], but for references to the catalog; [`ReadError::Io`] when there is no such
/// file.
pub fn suite(root: &Path, id: &EntityId) -> Result<Suite, ReadError> {
    let path = Path::new("catalog").join(files::SUITES).join(format!("{id}.toml"));
    let full = root.join(&path);
    let text = std::fs::read_to_string(&full).map_err(|source| ReadError::Io { path: full, source })?;
    let file = Arc::new(SourceFile::new(path, text));
    let mut findings = ReadFindings::default();
    let suite = strict::parse(&file, &mut findings, |table| suite_files::read(id, table)).flatten();
    match (findings.into_sorted(), suite) {
        (diagnostics, Some(suite)) if diagnostics.is_empty() => Ok(suite),
        (diagnostics, _) => Err(ReadError::Findings(diagnostics)),
    }
}

/// The ids of the suites of the knowledge base at `root`, sorted.
pub fn suites(root: &Path) -> Result<Vec<EntityId>, ReadError> {
    let suites = list(root)?.into_iter().filter_map(|file| match file.kind {
        FileKind::Suite(id) => Some(id),
        _ => None,
    });
    Ok(suites.collect())
}

/// Claims of a file of their own, to be held against a knowledge base; it is written as `catalog/claims.toml` is.
///
/// # Errors
///
/// When the file cannot be read, with every mistake in it.
pub fn claims(path: &Path) -> Result<Vec<Claim>, ReadError> {
    let text = std::fs::read_to_string(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    let file = Arc::new(SourceFile::new(path, text));
    let mut findings = ReadFindings::default();
    let claims = strict::parse(&file, &mut findings, evidence_files::claims);
    match (findings.into_sorted(), claims) {
        (diagnostics, Some(claims)) if diagnostics.is_empty() => Ok(claims),
        (diagnostics, _) => Err(ReadError::Findings(diagnostics)),
    }
}
