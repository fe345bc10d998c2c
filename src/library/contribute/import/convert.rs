//! Converts result files to measurement files that the strict reader accepts.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::error::unknown_columns;
use super::error::{ExistingRows, ImportRequest};
use super::error::{ImportError, UnknownId};
use super::input_files::files_by_part;
use super::merge::{MergedFile, merge};
use super::records::{self, MalformedInput};
use super::report::{ImportChanges, ImportReport, UnreadFile};
use super::row_mapper::MappedRow;
use super::row_mapper::RowMapper;
use crate::contribute::recipe::Compiled;
use crate::model::{MeasurementKey, Value};
use crate::reading::{FileKind, WrittenRow, check_measurements, create_folder, read_limited, rewrite, table_file};
use crate::stores::database::Database;
use crate::values::text::{nearest, printable_path};
use crate::values::{EntityId, EntityKind};

/// The measurement files of an import, not yet written, and the report on every record.
#[derive(Debug)]
pub struct Imported {
    /// Text of each file, by file name.
    pub files: BTreeMap<String, String>,
    /// Rows of each file, by file name.
    rows: BTreeMap<String, Vec<WrittenRow>>,
    /// Counts of records read, written and left out.
    pub report: ImportReport,
}

/// Reads the request's files and maps their records to measurements; writes nothing.
///
/// # Errors
///
/// When the input is malformed (with file and line), or when the strict reader rejects the rows.
pub fn import(request: &ImportRequest<'_>, store: &Database) -> Result<Imported, ImportError> {
    let mut report = ImportReport::default();
    let mut mapper = RowMapper::new(store, request.stated);
    let mut batches: BTreeMap<String, Vec<MappedRow>> = BTreeMap::new();
    let mut names = BTreeSet::new();
    for (part, paths) in files_by_part(request)? {
        let compiled = part.compiled()?;
        for row in map_part(request, &compiled, &paths, &mut mapper, &mut report, &mut names)? {
            batches.entry(row.batch.clone()).or_default().push(row);
        }
    }
    let columns = unknown_columns(request.recipe, &names);
    if request.is_own_recipe && !columns.is_empty() {
        return Err(ImportError::UnknownColumns { columns });
    }
    check_ids(&batches, &request.source, store)?;
    report.unresolved = mapper.unresolved()?;
    report.unknown = mapper.into_unknown();
    drop_duplicates(&mut batches, &request.source, &mut report);
    let kind = FileKind::Measurements(request.source.clone());
    let (mut files, mut rows_of_files) = (BTreeMap::new(), BTreeMap::new());
    for (batch, rows) in batches {
        let name = format!("{batch}.toml");
        let written: Vec<WrittenRow> = rows.iter().map(MappedRow::written).collect();
        let text = table_file(&written, &kind);
        let path = Path::new("measurements").join(request.source.as_str()).join(&name);
        check_measurements(&path, &text, &request.source).map_err(ImportError::Rejected)?;
        report.written += rows.len();
        rows_of_files.insert(name.clone(), written);
        files.insert(name, text);
    }
    Ok(Imported { files, rows: rows_of_files, report })
}

/// Maps the files of one part of the recipe to rows.
fn map_part(
    request: &ImportRequest<'_>,
    compiled: &Compiled<'_>,
    paths: &[PathBuf],
    mapper: &mut RowMapper<'_>,
    report: &mut ImportReport,
    names: &mut BTreeSet<String>,
) -> Result<Vec<MappedRow>, ImportError> {
    let name_of = |path: &Path| path.strip_prefix(request.folder).unwrap_or(path).to_owned();
    let mut rows = Vec::new();
    let mut found = 0;
    let mut first_error = None;
    for path in paths {
        let name = name_of(path);
        let records = match read_limited(path) {
            Ok(bytes) => records::records(&bytes, &name, path, compiled)
                .map_err(|MalformedInput { line, message }| ImportError::Malformed { path: name, line, message }),
            Err(error) => Err(ImportError::Io { path: path.clone(), error }),
        };
        let records = match records {
            Ok(records) => records,
            // If several files are read, a malformed one does not stop the others.
            Err(error) if paths.len() > 1 => {
                let (place, message) = error.place_and_message();
                report.leave_unread(UnreadFile { place, message });
                first_error.get_or_insert(error);
                continue;
            }
            Err(error) => return Err(error),
        };
        for mut record in records {
            found += 1;
            record.values.entry("source".to_owned()).or_insert_with(|| request.source.to_string());
            for name in record.values.keys().filter(|name| !names.contains(*name)).cloned().collect::<Vec<_>>() {
                names.insert(name);
            }
            match mapper.map(compiled, &record)? {
                Ok(row) => rows.push(row),
                Err(reason) => report.leave_out(reason, &record.place),
            }
        }
    }
    report.read += found;
    if found == 0 {
        if let Some(error) = first_error {
            return Err(error);
        }
        let path = paths.first().map_or_else(PathBuf::new, |path| name_of(path));
        let message = format!("expected {}", records::expected(compiled));
        return Err(ImportError::Malformed { path, line: 0, message });
    }
    Ok(rows)
}

/// Checks that the source and every entity that a row references are in the catalog: constants in recipes and values
/// from the command line are ids that have not been resolved.
fn check_ids(
    batches: &BTreeMap<String, Vec<MappedRow>>,
    source: &EntityId,
    store: &Database,
) -> Result<(), ImportError> {
    let mut named: BTreeSet<(String, EntityKind, &str)> = BTreeSet::new();
    named.insert(("source".to_owned(), EntityKind::Source, source.as_str()));
    for (key, value) in batches.values().flatten().flat_map(|row| &row.values) {
        if let (Some(kind), Value::Text(id)) = (key.entity(), value) {
            named.insert((key.key().to_owned(), kind, id.as_ref()));
        }
    }
    let mut unknown = Vec::new();
    for (key, kind, id) in named {
        let ids = store.ids(kind)?;
        if ids.iter().all(|known| known != id) {
            let near = nearest(id, ids.iter().map(String::as_str), 3).into_iter().map(str::to_owned).collect();
            unknown.push(UnknownId { key, kind, id: id.to_owned(), near });
        }
    }
    if unknown.is_empty() { Ok(()) } else { Err(ImportError::UnknownIds { ids: unknown }) }
}

/// Leaves out rows with the identity of an earlier row, and batches that become empty. The reason tells whether such a
/// row repeats the earlier one or has other values, which only a field that the recipe does not set could tell apart.
fn drop_duplicates(batches: &mut BTreeMap<String, Vec<MappedRow>>, source: &EntityId, report: &mut ImportReport) {
    let mut seen: BTreeMap<String, BTreeMap<MeasurementKey, Value>> = BTreeMap::new();
    for rows in batches.values_mut() {
        rows.retain(|row| {
            let metrics = row.values.iter().filter(|(key, _)| matches!(key, MeasurementKey::Metric(_)));
            let metrics = metrics.map(|(key, value)| (*key, value.clone())).collect();
            let reason = match seen.entry(row.identity(source)) {
                Entry::Vacant(entry) => {
                    entry.insert(metrics);
                    return true;
                }
                Entry::Occupied(entry) if *entry.get() == metrics => "duplicate of a row before it",
                Entry::Occupied(_) => "other values than an earlier row with the same identity",
            };
            report.leave_out(reason.to_owned(), &row.place);
            false
        });
    }
    batches.retain(|_, rows| !rows.is_empty());
}

/// Writes the files into `folder`, each whole or not at all, and returns which measurements changed there. Keeps what
/// people added to the files: the standing of a number and its reason, remarks, exceptions, comments at the head.
///
/// # Errors
///
/// When something people added cannot be kept, unless the request drops it: then nothing is written. When a file cannot
/// be written; files before it are complete.
pub fn install(
    imported: &Imported,
    source: &EntityId,
    folder: &Path,
    existing: ExistingRows,
) -> Result<ImportChanges, ImportError> {
    let with_added = |name: &str, text: &str, before: &str| match imported.rows.get(name) {
        Some(rows) if existing != ExistingRows::Dropped => {
            merge(before, rows, text, source, existing == ExistingRows::Superseded)
        }
        _ => MergedFile { text: text.to_owned(), ..MergedFile::default() },
    };
    let mut lost = Vec::new();
    let mut corrected = 0;
    for (name, text) in &imported.files {
        let path = folder.join(name);
        // If the file cannot be read, writing it reports the error.
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let merged = with_added(name, text, &before);
        corrected += merged.corrected;
        lost.extend(merged.lost.into_iter().map(|what| format!("{}: {what}", printable_path(&path))));
    }
    let mut changes = ImportChanges::default();
    for (name, text) in &imported.files {
        if !lost.is_empty() {
            break;
        }
        create_folder(folder)?;
        let path = folder.join(name);
        rewrite(&path, |before| {
            let before = before.unwrap_or_default();
            // Merge again: somebody may have added to the file since it was read above.
            let merged = with_added(name, text, before);
            lost.extend(merged.lost.into_iter().map(|what| format!("{}: {what}", printable_path(&path))));
            lost.is_empty().then(|| {
                changes.add(before, &merged.text, source);
                changes.kept += merged.preserved;
                changes.superseded += merged.superseded;
                merged.text
            })
        })?;
    }
    if lost.is_empty() { Ok(changes) } else { Err(ImportError::WouldLose { lost, corrected }) }
}
