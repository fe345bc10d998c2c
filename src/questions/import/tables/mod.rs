//! Files as records: named texts, each with the line it stands in.

mod delimited;
mod json;
mod lines;
mod markdown;
mod repeats;
mod rst;

use std::collections::BTreeMap;
use std::path::Path;

use regex::Regex;

use super::ImportError;
use super::recipe::{Compiled, TableFormat};

/// One record: what a template can name, and where it stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Record {
    pub values: BTreeMap<String, String>,
    /// The line in the file, counted from 1; of JSON, the number of the object.
    pub line: usize,
    /// `file:line`.
    pub place: String,
}

impl Record {
    fn new(values: BTreeMap<String, String>, line: usize) -> Self {
        Self { values, line, place: String::new() }
    }
}

/// Reads a file; the recipe's patterns add what the file's name and surroundings say.
pub(super) fn records(
    format: TableFormat,
    text: &str,
    path: &Path,
    compiled: &Compiled<'_>,
) -> Result<Vec<Record>, ImportError> {
    let mut around = BTreeMap::new();
    let name = path.to_string_lossy().replace('\\', "/");
    around.insert("file".to_owned(), name.clone());
    around
        .insert("stem".to_owned(), path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned()));
    if let Some(pattern) = &compiled.file_name
        && !capture(pattern, &name, &mut around)
    {
        return Err(ImportError::Malformed {
            path: path.to_owned(),
            line: 0,
            message: format!("the file's name does not match the recipe's `{pattern}`"),
        });
    }
    let mut records = match format {
        TableFormat::Csv => delimited::records(text, b',', path)?,
        TableFormat::Tsv => delimited::records(text, b'\t', path)?,
        TableFormat::Markdown => markdown::records(text, compiled),
        TableFormat::Rst => rst::records(text, compiled),
        TableFormat::Lines => lines::records(text, compiled),
        TableFormat::Json => json::records(text, compiled.part.rows.as_deref(), path)?,
    };
    if compiled.part.repeats {
        records = repeats::collapsed(&records);
    }
    for record in &mut records {
        record.place = format!("{name}:{}", record.line);
        for (name, value) in &around {
            record.values.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    Ok(match &compiled.melt {
        Some(pattern) => records.iter().flat_map(|record| melted(record, pattern)).collect(),
        None => records,
    })
}

/// One record for each column that matches, in the order of their names.
fn melted(record: &Record, pattern: &Regex) -> Vec<Record> {
    let columns = record.values.iter().filter(|(name, _)| pattern.is_match(name));
    columns
        .map(|(name, value)| {
            let mut one = record.clone();
            capture(pattern, name, &mut one.values);
            one.values.insert("column".to_owned(), name.clone());
            one.values.insert("value".to_owned(), value.clone());
            // Beside one statistic of some repeats, the others: `{value.min}`, `{value.n}` …
            if let Some((repeats, _)) = name.rsplit_once('.') {
                for statistic in ["n", "min", "max", "mean", "median"] {
                    if let Some(other) = record.values.get(&format!("{repeats}.{statistic}")) {
                        one.values.insert(format!("value.{statistic}"), other.clone());
                    }
                }
            }
            one
        })
        .collect()
}

/// Adds the named groups of a match; `false` when there is none.
pub(super) fn capture(pattern: &Regex, text: &str, values: &mut BTreeMap<String, String>) -> bool {
    let Some(found) = pattern.captures(text) else {
        return false;
    };
    for name in pattern.capture_names().flatten() {
        if let Some(group) = found.name(name) {
            values.insert(name.to_owned(), group.as_str().trim().to_owned());
        }
    }
    true
}
