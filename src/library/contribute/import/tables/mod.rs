//! Files as records: named texts, each with the line it stands in.

mod delimited;
mod html;
mod joined;
mod json;
mod lines;
mod markdown;
mod repeats;
mod rst;
mod surroundings;
mod xlsx;

use std::collections::BTreeMap;
use std::path::Path;

use regex::Regex;

use crate::contribute::recipe::{Compiled, TableFormat};

/// One record: what a template can name, and where it stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Record {
    pub values: BTreeMap<String, String>,
    /// The line in the file, counted from 1.
    pub line: usize,
    /// Where it stands in the file, where that is no line; in the end, `file:line`.
    pub place: String,
}

impl Record {
    fn new(values: BTreeMap<String, String>, line: usize) -> Self {
        Self { values, line, place: String::new() }
    }
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mistake {
    /// The line, counted from 1; 0 where it is the file.
    pub line: usize,
    /// What was expected.
    pub message: String,
}

impl Mistake {
    fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }

    fn more_cells(line: usize, expected: usize, found: usize) -> Self {
        Self::new(line, format!("expected {expected} cells as in the header, found {found}"))
    }

    fn at_line(&self) -> String {
        format!("line {}: {}", self.line, self.message)
    }
}

/// Reads a file; the recipe's patterns add what the file's name and surroundings say. `name` is how the recipe knows
/// the file, `path` where it lies.
pub(super) fn records(bytes: &[u8], name: &Path, path: &Path, compiled: &Compiled<'_>) -> Result<Vec<Record>, Mistake> {
    let around = said_by_name(name, compiled)?;
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let rows = compiled.part.rows.as_deref();
    let mut records = match compiled.part.format {
        TableFormat::Csv => delimited::records(text, b',')?,
        TableFormat::Tsv => delimited::records(text, b'\t')?,
        TableFormat::Markdown => markdown::records(text, compiled)?,
        TableFormat::Rst => rst::records(text, compiled)?,
        TableFormat::Html => html::records(text, compiled)?,
        TableFormat::Xlsx => xlsx::records(bytes, compiled)?,
        TableFormat::Lines => lines::records(text, compiled),
        TableFormat::Json if path.extension().is_some_and(|extension| extension == "toml") => {
            json::records_of_toml(text, rows)?
        }
        TableFormat::Json => json::records(text, rows)?,
    };
    if compiled.part.repeats {
        records = repeats::collapsed(&records)?;
    }
    for record in &records {
        needed(record, &compiled.part.needs)?;
    }
    for join in &compiled.part.join {
        joined::add(join, path.parent().unwrap_or(Path::new("")), &around, &mut records)?;
    }
    for record in &mut records {
        let at = if record.place.is_empty() { record.line.to_string() } else { std::mem::take(&mut record.place) };
        record.place = format!("{}:{at}", around["file"]);
        for (name, value) in &around {
            record.values.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    Ok(match &compiled.melt {
        Some(pattern) => records.iter().flat_map(|record| melted(record, pattern)).collect(),
        None => records,
    })
}

/// What was expected of a file in which no record was found.
pub(super) fn expected(compiled: &Compiled<'_>) -> String {
    let part = compiled.part;
    let mut expected = match part.format {
        TableFormat::Lines => format!("a line that matches `{}`", part.line.as_deref().unwrap_or_default()),
        TableFormat::Markdown => "a Markdown table".to_owned(),
        TableFormat::Rst => "a list-table".to_owned(),
        TableFormat::Html => "an HTML table".to_owned(),
        TableFormat::Csv | TableFormat::Tsv | TableFormat::Xlsx => "rows below the header".to_owned(),
        TableFormat::Json => "an object".to_owned(),
    };
    if let Some(header) = &part.header {
        expected.push_str(&format!(" that matches `{header}`"));
    }
    if let Some(sheet) = &part.sheet {
        expected.push_str(&format!(" in a sheet called `{sheet}`"));
    }
    if let Some(heading) = &part.heading {
        expected.push_str(&format!(" below a heading that matches `{heading}`"));
    }
    if let Some(text) = &part.text {
        expected.push_str(&format!(" after text that matches `{text}`"));
    }
    if let Some(melt) = &part.melt {
        expected.push_str(&format!(" with a value whose name matches `{melt}`"));
    }
    expected
}

/// `{file}`, `{stem}` and the groups of the recipe's pattern on the file's path.
fn said_by_name(path: &Path, compiled: &Compiled<'_>) -> Result<BTreeMap<String, String>, Mistake> {
    let mut around = BTreeMap::new();
    let name = path.to_string_lossy().replace('\\', "/");
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    around.insert("file".to_owned(), name.clone());
    around.insert("stem".to_owned(), stem);
    match &compiled.file_name {
        Some(pattern) if !capture(pattern, &name, &mut around) => {
            let files = &compiled.part.files;
            let message = format!(
                "the file's path says what the file does not: expected it as in `{files}`, matching `{pattern}`"
            );
            Err(Mistake::new(0, message))
        }
        _ => Ok(around),
    }
}

/// Whether a record has what every record of the format has.
fn needed(record: &Record, needs: &[String]) -> Result<(), Mistake> {
    let Some(missing) = needs.iter().find(|name| !record.values.contains_key(*name)) else {
        return Ok(());
    };
    let found: Vec<String> = record.values.keys().take(8).map(|name| format!("`{name}`")).collect();
    let more = if record.values.len() > 8 { " …" } else { "" };
    let of = if record.place.is_empty() { String::new() } else { format!(" in {}", record.place) };
    Err(Mistake::new(record.line, format!("expected `{missing}`{of}; found {}{more}", found.join(", "))))
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
