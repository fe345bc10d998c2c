//! Reads all or some files of a knowledge base: checks that ids are unique, and leaves out files with mistakes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::catalog_files::CatalogEntry;
use super::files::{FileFault, FileKind, KbFile, list};
use super::findings::{Located, ReadFindings, TableKeys};
use super::strict::{StrictTable, UNKNOWN_IS_LEFT_OUT, keys_read_by};
use super::{ReadError, catalog_files, collections, evidence_files, files, findings, measurement_files, strict};
use crate::model::{
    Catalog, CatalogEntity, Claim, Diagnostic, Exception, Field, KbInfo, Knowledge, Measurement, SkippedFile,
    SourceFile, Suite,
};
use crate::values::text::{is_placeholder, nearest, normalise, or_list};
use crate::values::{EntityId, EntityKind};

/// A knowledge base as read from its files, with mistakes: the content that could be read, its places, and the findings.
#[derive(Debug, Default)]
pub struct Loaded {
    /// General information; `None` when its file is missing or broken.
    pub info: Option<KbInfo>,
    /// The curated facts.
    pub catalog: Catalog,
    /// Place of each entity; the span `0..0` means that it has a file of its own, any other span is a row of a collection.
    pub places: BTreeMap<(EntityKind, String), Located<()>>,
    /// Place of each offer that a collection adds to a device, by the device and the index among the device's offers.
    pub offer_places: BTreeMap<(EntityId, usize), Located<()>>,
    /// The measurements, in the order of the files.
    pub rows: Vec<Located<Measurement>>,
    /// The suites for `dlbench run --suite`, in the order of the files.
    pub suites: Vec<Suite>,
    /// Exceptions: findings that are accepted as correct.
    pub exceptions: Vec<Located<Exception>>,
    /// The files, each with its text (empty when it could not be read).
    pub files: Vec<(KbFile, Arc<SourceFile>)>,
    /// All mistakes, sorted by path and place.
    pub findings: Vec<Diagnostic>,
}

/// Reads the whole knowledge base at `root`.
///
/// # Errors
///
/// All mistakes of all files in [`ReadError::Findings`], sorted by path and place; a broken file does not hide mistakes
/// in other files.
pub fn read(root: &Path) -> Result<Knowledge, ReadError> {
    read_files(root, &list(root)?)
}

/// Like [`read`], for files that were listed before.
pub fn read_files(root: &Path, files: &[KbFile]) -> Result<Knowledge, ReadError> {
    knowledge(load(root, files), root)
}

/// Reads the knowledge base at `root` without its measurements.
///
/// # Errors
///
/// As for [`read`], for the files that it reads.
pub fn read_catalog(root: &Path) -> Result<Knowledge, ReadError> {
    let mut files = list(root)?;
    files.retain(|file| !matches!(file.kind, FileKind::Measurements(_)));
    read_files(root, &files)
}

/// Reads only `catalog/kb.toml`, the general information on the knowledge base at `root`.
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

/// Returns the loaded knowledge if it has no findings; `root` is only used in the error when it is not a knowledge base.
pub fn knowledge(loaded: Loaded, root: &Path) -> Result<Knowledge, ReadError> {
    if !loaded.findings.is_empty() {
        return Err(ReadError::Findings(loaded.findings));
    }
    let info = loaded.info.ok_or_else(|| ReadError::NotAKnowledgeBase {
        path: root.to_owned(),
        why: "catalog/kb.toml is missing".to_owned(),
    })?;
    let mut measurements = measurement_files::canonical(loaded.rows.into_iter().map(Located::into_inner).collect());
    for source in loaded.catalog.sources.values() {
        let Some(standing) = &source.standing else { continue };
        for row in measurements.iter_mut().filter(|row| *row.source() == source.id) {
            *row = row.clone().with_standing_of(standing);
        }
    }
    Ok(Knowledge { info, catalog: loaded.catalog, measurements, skipped: Vec::new() })
}

/// Reads as much as possible of these files of the knowledge base at `root`.
pub fn load(root: &Path, files: &[KbFile]) -> Loaded {
    load_texts(files, |file| files::text(root, file))
}

/// Like [`load`], but `text` replaces the content of the file at `path`.
pub fn load_with(root: &Path, files: &[KbFile], path: &Path, text: &str) -> Loaded {
    load_texts(files, |file| match &file.kind {
        FileKind::Misplaced(fault) => Err(fault.clone()),
        _ if file.path == path => Ok(text.to_owned()),
        _ => files::text(root, file),
    })
}

/// Like [`load`], but `text` supplies the text of each file, or its fault.
pub fn load_texts(files: &[KbFile], text: impl Fn(&KbFile) -> Result<String, FileFault> + Sync) -> Loaded {
    let read: Vec<ReadFile> = files.par_iter().map(|file| ReadFile::of(file, text(file))).collect();
    Loaded::of(read)
}

impl Loaded {
    /// Combines files that were read separately, in the order of their paths.
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
            if let CatalogEntry::Offer(device, _) = entry.get() {
                let before = loaded.catalog.devices.get(device).map_or(0, |device| device.cloud.len());
                loaded.offer_places.insert((device.clone(), before), entry.place());
            }
            entry.into_inner().insert_into(&mut loaded.catalog);
        }
        loaded.catalog.find_rents();
        check(&loaded.catalog, &loaded.files, &mut findings);
        report_duplicate_measurements(&loaded.rows, &mut findings);
        loaded.exceptions = findings.take_exceptions();
        loaded.findings = findings.into_sorted();
        loaded
    }
}

/// Reads the text of one measurement file strictly, but does not check its references to the catalog.
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
/// All mistakes in [`ReadError::Findings`], except references to the catalog; [`ReadError::Io`] when there is no such
/// file.
pub fn suite(root: &Path, id: &EntityId) -> Result<Suite, ReadError> {
    let path = Path::new("catalog").join(files::SUITES).join(format!("{id}.toml"));
    let full = root.join(&path);
    let text = std::fs::read_to_string(&full).map_err(|source| ReadError::Io { path: full, source })?;
    let file = Arc::new(SourceFile::new(path, text));
    let mut findings = ReadFindings::default();
    let suite = strict::parse(&file, &mut findings, |table| evidence_files::read(id, table)).flatten();
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

/// Reads a separate file of claims, to be checked against a knowledge base; its format is that of `catalog/claims.toml`.
///
/// # Errors
///
/// When the file cannot be read, or with all mistakes in it.
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

/// One file, read on its own. [`Loaded::of`](super::Loaded::of) combines such files, so unchanged files need not be read
/// again.
#[derive(Debug, Clone)]
pub struct ReadFile {
    pub(super) listed: KbFile,
    pub(super) file: Arc<SourceFile>,
    pub(super) content: Option<FileContent>,
    pub(super) findings: ReadFindings,
}

impl ReadFile {
    /// Parses the text of a listed file, or reports the file's fault.
    pub fn of(listed: &KbFile, text: Result<String, FileFault>) -> Self {
        let mut findings = ReadFindings::default();
        let source = |text: String| Arc::new(SourceFile::new(&listed.path, text));
        let (file, content) = match text {
            Ok(text) => {
                let file = source(text);
                let content = strict::parse(&file, &mut findings, |table| content_of(&listed.kind, table)).flatten();
                (file, content)
            }
            Err(fault) => {
                let file = source(String::new());
                let code = match listed.kind {
                    FileKind::Misplaced(_) => findings::MISPLACED,
                    _ => findings::UNREADABLE,
                };
                let (valid, end) = (source(fault.valid.clone()), fault.valid.len());
                let place = (end > 0).then_some(end..end);
                findings.report(Diagnostic::error(code, &valid, place, fault.message, "here").help(fault.help));
                (file, None)
            }
        };
        Self { listed: listed.clone(), file, content, findings }
    }
}

/// The content of one file.
#[derive(Debug, Clone)]
pub(super) enum FileContent {
    Info(KbInfo),
    Entries(Vec<Located<CatalogEntry>>),
    Rows(Vec<Located<Measurement>>),
    Suite(Suite),
}

/// Reads a file of this kind.
pub(super) fn content_of(kind: &FileKind, table: StrictTable<'_, '_>) -> Option<FileContent> {
    match kind {
        FileKind::Info => catalog_files::read_info(table).map(FileContent::Info),
        FileKind::Measurements(source) => Some(FileContent::Rows(measurement_files::read(table, source))),
        FileKind::Recipe => None,
        FileKind::Suite(id) => evidence_files::read(id, table).map(FileContent::Suite),
        FileKind::Collection => Some(FileContent::Entries(collections::read(table))),
        kind => {
            let place = Located::new((), table.file(), 0..0);
            let entry = catalog_files::read_entry(kind, table)?;
            Some(FileContent::Entries(vec![place.with(entry)]))
        }
    }
}

/// The keys allowed at the top level of a file of this kind, in canonical order.
pub fn keys_of(kind: &FileKind) -> Vec<&'static str> {
    record_of(kind).keys.into_iter().map(|(key, _)| key).collect()
}

/// The keys that the reader of this kind of file reads.
pub(super) fn record_of(kind: &FileKind) -> TableKeys {
    keys_read_by(|table| content_of(kind, table))
}

/// Reports entities defined more than once, in files of their own or in rows of collections.
pub(super) fn report_duplicate_entries(entries: &[Located<CatalogEntry>], findings: &mut ReadFindings) {
    let mut by_key: Vec<_> = entries.iter().filter_map(|entry| Some((entry.get().key()?, entry))).collect();
    by_key.sort_by(|a, b| a.0.cmp(&b.0));
    for pair in by_key.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let ((kind, id), second) = &pair[1];
        let message = format!("the {} `{id}` appears twice", kind.noun());
        findings.report(
            Diagnostic::error(findings::DUPLICATE_ENTITY, second.file(), Some(second.span()), message, "here")
                .related(pair[0].1.annotation("and here"))
                .help("keep one of them"),
        );
    }
}

/// Reports rows that share an id: duplicates of one measurement, or different ones whose hashes collide.
pub(super) fn report_duplicate_measurements(rows: &[Located<Measurement>], findings: &mut ReadFindings) {
    // Hashes sort faster than strings; equal strings have equal hashes.
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
        let appears_twice = || format!("the measurement {id} appears twice");
        let (message, help) = match (same, first.get().metrics() == second.get().metrics()) {
            (true, true) => (
                appears_twice(),
                "remove one of the rows, or state in `label` (or another field) what distinguishes them",
            ),
            (true, false) => (
                appears_twice(),
                "their values differ: one of the rows has a wrong field (device, network, batch size ...), or lacks the one, at least a `label`, that distinguishes them",
            ),
            (false, _) => {
                (format!("two different measurements share the id {id} by chance"), "give one of the rows a `label`")
            }
        };
        findings.report(
            Diagnostic::error(findings::DUPLICATE_MEASUREMENT, second.file(), Some(second.span()), message, "this row")
                .related(first.annotation("the other row"))
                .help(help),
        );
    }
}

/// Reports each reference that does not resolve, with the nearest ids that would.
pub(super) fn check(catalog: &Catalog, files: &[(KbFile, Arc<SourceFile>)], findings: &mut ReadFindings) {
    // A broken or misnamed file has findings of its own; references to its content are not reported.
    let paths = findings.paths();
    let broken: Vec<&(KbFile, Arc<SourceFile>)> = files.iter().filter(|(file, _)| paths.contains(&file.path)).collect();
    let is_held = |id: &EntityId| {
        broken.iter().any(|(listed, file)| match listed.kind {
            FileKind::Misplaced(_) => {
                let stem = listed.path.file_stem().and_then(|stem| stem.to_str());
                stem.and_then(EntityId::of_name).is_some_and(|own| own == *id)
            }
            FileKind::Collection => file.text.contains(&format!("\"{id}\"")),
            _ => false,
        })
    };
    let present: HashSet<(EntityKind, &EntityId)> = files
        .iter()
        .filter_map(|(file, _)| match &file.kind {
            FileKind::Entity(kind, id) => Some((*kind, id)),
            _ => None,
        })
        .collect();
    for reference in findings.take_references() {
        let id = match &reference.id {
            Ok(id) => id,
            Err(name) => {
                if let Some(meant) = nearest_id(catalog, reference.kind, name) {
                    findings.advise(&reference.file, &reference.span, &format!("did you mean \"{meant}\"?"));
                } else if is_placeholder(name) {
                    findings.advise(&reference.file, &reference.span, UNKNOWN_IS_LEFT_OUT);
                }
                continue;
            }
        };
        if present.contains(&(reference.kind, id)) || catalog.contains(reference.kind, id) || is_held(id) {
            continue;
        }
        let noun = reference.kind.noun();
        let near = nearest(id.as_str(), catalog.ids(reference.kind), 3);
        let help = if near.is_empty() {
            format!(
                "add catalog/{}/{}.toml, or see `dlbench list {}` for the ids there are",
                reference.kind.plural(),
                id,
                reference.kind.plural()
            )
        } else {
            let near: Vec<String> = near.iter().map(|id| format!("`{id}`")).collect();
            format!("did you mean {}?", or_list(&near))
        };
        findings.report(
            Diagnostic::error(
                findings::REFERENCE,
                &reference.file,
                reference.span,
                format!("there is no {noun} `{id}`"),
                format!("no such {noun}"),
            )
            .help(help),
        );
    }
}

/// The id of the only entity with this name, else the id nearest to the one that the name suggests.
fn nearest_id<'c>(catalog: &'c Catalog, kind: EntityKind, name: &str) -> Option<&'c str> {
    let is_named = |entity: &&dyn CatalogEntity| {
        let names = [entity.id(), entity.name()].into_iter().chain(entity.aliases().iter().map(String::as_str));
        names.into_iter().any(|own| normalise(own) == normalise(name))
    };
    let mut all = catalog.entities().filter(|entity| entity.kind() == kind).filter(is_named);
    match (all.next(), all.next()) {
        (Some(only), None) => Some(only.id()),
        _ => nearest(EntityId::of_name(name)?.as_str(), catalog.ids(kind), 1).first().copied(),
    }
}

/// Reads the listed files of the knowledge base at `root` and leaves out those with mistakes, which
/// [`Knowledge::skipped`] lists. Measurements that refer to an entity described in such a file are left out as well.
///
/// # Errors
///
/// When `catalog/kb.toml` is missing or has a mistake, because the other files cannot be interpreted without it.
pub fn read_sound(root: &Path, files: &[KbFile]) -> Result<Knowledge, ReadError> {
    let mut loaded = load(root, files);
    if loaded.findings.is_empty() {
        return knowledge(loaded, root);
    }
    let info = files.iter().find(|file| matches!(file.kind, FileKind::Info)).map(|file| &file.path);
    if info.is_some_and(|info| loaded.findings.iter().any(|finding| finding.primary.file.path == *info)) {
        return Err(ReadError::Findings(loaded.findings));
    }
    let mut skipped: BTreeMap<PathBuf, SkippedFile> = BTreeMap::new();
    // Leaving out a file may reveal a mistake in another: of a duplicate entry the remaining one may say something else.
    loop {
        let new = loaded.findings.iter().filter(|finding| !skipped.contains_key(&finding.primary.file.path));
        let new: Vec<(PathBuf, SkippedFile)> =
            new.map(|finding| (finding.primary.file.path.clone(), skipped_for(finding))).collect();
        if new.is_empty() {
            break;
        }
        // Keep the first mistake of each file.
        for (path, file) in new {
            skipped.entry(path).or_insert(file);
        }
        loaded = load_texts(files, |file| match skipped.contains_key(&file.path) {
            true => Err(FileFault::new("", "")),
            false => files::text(root, file),
        });
    }
    loaded.findings.clear();
    leave_out_orphans(&mut loaded, files, &mut skipped);
    let mut knowledge = knowledge(loaded, root)?;
    knowledge.skipped = skipped.into_values().collect();
    Ok(knowledge)
}

fn skipped_for(finding: &Diagnostic) -> SkippedFile {
    let file = &finding.primary.file;
    SkippedFile {
        path: file.path.display().to_string(),
        line: finding.primary.span.as_ref().map(|span| file.position(span.start).0),
        why: finding.message.clone(),
        measurements: 0,
    }
}

/// Removes the measurements that refer to an entity missing from the catalog, and counts them for the skipped file at fault.
fn leave_out_orphans(loaded: &mut Loaded, files: &[KbFile], skipped: &mut BTreeMap<PathBuf, SkippedFile>) {
    let mut orphans: HashMap<(EntityKind, String), usize> = HashMap::new();
    let catalog = &loaded.catalog;
    loaded.rows.retain(|row| match undescribed(catalog, row) {
        Some(entity) => {
            *orphans.entry(entity).or_default() += 1;
            false
        }
        None => true,
    });
    for ((kind, id), rows) in orphans {
        let describes =
            |file: &&KbFile| matches!(&file.kind, FileKind::Entity(of, own) if *of == kind && own.as_str() == id);
        let is_collection =
            |file: &&KbFile| matches!(file.kind, FileKind::Collection) && skipped.contains_key(&file.path);
        let file = files.iter().find(describes).or_else(|| files.iter().find(is_collection));
        if let Some(file) = file.and_then(|file| skipped.get_mut(&file.path)) {
            file.measurements += rows;
        }
    }
}

/// The first entity that the measurement refers to and the catalog lacks.
fn undescribed(catalog: &Catalog, row: &Located<Measurement>) -> Option<(EntityKind, String)> {
    let row = row.get();
    let named = Field::of_entities().filter_map(|(field, kind)| Some((kind, row.text(field)?)));
    let mut all = named.chain([(EntityKind::Source, row.source().as_str())]);
    let missing = all.find(|(kind, id)| !id.parse().is_ok_and(|id| catalog.contains(*kind, &id)));
    missing.map(|(kind, id)| (kind, id.to_owned()))
}
