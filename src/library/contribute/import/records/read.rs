//! Reads the records of one file: by its format, then what the recipe says of all records of such files.

use std::collections::BTreeMap;
use std::path::Path;

use regex::Regex;

use super::record::{MalformedInput, Record, add_captures};
use super::record_list::RecordList;
use super::{
    carry_down, decimal_mark, delimited, encoding, html, joined_file, json, lines, markdown, repeat_statistics, rst,
    xlsx,
};
use crate::contribute::recipe::{Compiled, TableFormat};

/// The records of a file, with the named groups of the recipe's patterns on its name, headings and text. `name` is the
/// path that the recipe's patterns see, `path` the file itself.
///
/// # Errors
///
/// When the file is not of the format, or a joined file is missing.
pub(in super::super) fn records(
    bytes: &[u8],
    name: &Path,
    path: &Path,
    compiled: &Compiled<'_>,
) -> Result<Vec<Record>, MalformedInput> {
    let context = values_of_name(name, compiled)?;
    let text = encoding::text(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let rows = compiled.part.rows.as_deref();
    let mut records = match compiled.part.format {
        TableFormat::Csv => {
            let (text, delimiter) = delimited::delimiter(text, compiled.part.delimiter)?;
            delimited::records(&text, delimiter)?
        }
        TableFormat::Tsv => delimited::records(text, b'\t')?,
        TableFormat::Markdown => markdown::records(text, compiled)?,
        TableFormat::Rst => rst::records(text, compiled)?,
        TableFormat::Html => html::records(text, compiled)?,
        TableFormat::Xlsx => xlsx::records(bytes, compiled)?,
        TableFormat::Lines => lines::records(text, compiled)?,
        TableFormat::Json if path.extension().is_some_and(|extension| extension == "toml") => {
            json::records_of_toml(text, rows)?
        }
        TableFormat::Json => json::records(text, rows)?,
        TableFormat::JsonLines => json::records_of_lines(text, rows)?,
    };
    if !matches!(compiled.part.format, TableFormat::Xlsx | TableFormat::Json | TableFormat::JsonLines)
        || compiled.part.decimal.is_some()
    {
        decimal_mark::to_point(&mut records, compiled)?;
    }
    carry_down::fill(&mut records, &compiled.part.fill);
    if compiled.part.repeats {
        records = repeat_statistics::of_columns(&records)?;
    }
    for record in &mut records {
        rename(record, &compiled.part.names);
        check_needed(record, &compiled.part.needs)?;
    }
    carry_down::fill(&mut records, &compiled.part.fill);
    for (join, patterns) in &compiled.join {
        joined_file::add(join, patterns, path.parent().unwrap_or(Path::new("")), &context, &mut records)?;
    }
    for record in &mut records {
        let at = if record.place.is_empty() { record.line.to_string() } else { std::mem::take(&mut record.place) };
        record.place = format!("{}:{at}", context["file"]);
        for (name, value) in &context {
            record.values.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    let Some(pattern) = &compiled.melt else { return Ok(records) };
    let mut melted = RecordList::default();
    for record in &records {
        melt(record, pattern, &mut melted)?;
    }
    Ok(melted.into_records())
}

/// What a file should have held, for the message about one without records.
pub(in super::super) fn expected(compiled: &Compiled<'_>) -> String {
    let part = compiled.part;
    let mut expected = match part.format {
        TableFormat::Lines => format!("a line that matches `{}`", part.line.as_deref().unwrap_or_default()),
        TableFormat::Markdown => "a Markdown table".to_owned(),
        TableFormat::Rst => "a list-table".to_owned(),
        TableFormat::Html => "an HTML table".to_owned(),
        TableFormat::Csv | TableFormat::Tsv | TableFormat::Xlsx => "rows below the header".to_owned(),
        TableFormat::Json => "an object".to_owned(),
        TableFormat::JsonLines => "an object in each line".to_owned(),
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
fn values_of_name(path: &Path, compiled: &Compiled<'_>) -> Result<BTreeMap<String, String>, MalformedInput> {
    let mut context = BTreeMap::new();
    let name = path.to_string_lossy().replace('\\', "/");
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    context.insert("file".to_owned(), name.clone());
    context.insert("stem".to_owned(), stem);
    match &compiled.file_name {
        Some(pattern) if !add_captures(pattern, &name, &mut context) => {
            let files = &compiled.part.files;
            let message = format!(
                "the file's path says what the file does not: expected it as in `{files}`, matching `{pattern}`"
            );
            Err(MalformedInput::new(0, message))
        }
        _ => Ok(context),
    }
}

/// Gives the values the names by which the recipe calls them.
fn rename(record: &mut Record, names: &BTreeMap<String, Vec<String>>) {
    for (name, others) in names {
        let own = || others.iter().find_map(|other| record.values.get(other)).cloned();
        if !record.values.contains_key(name)
            && let Some(value) = own()
        {
            record.values.insert(name.clone(), value);
        }
    }
}

/// Checks that a record has the values that every record of the format has.
fn check_needed(record: &Record, needs: &[String]) -> Result<(), MalformedInput> {
    let Some(missing) = needs.iter().find(|name| !record.values.contains_key(*name)) else {
        return Ok(());
    };
    let found: Vec<String> = record.values.keys().take(8).map(|name| format!("`{name}`")).collect();
    let more = if record.values.len() > 8 { " …" } else { "" };
    let of = if record.place.is_empty() { String::new() } else { format!(" in {}", record.place) };
    Err(MalformedInput::new(record.line, format!("expected `{missing}`{of}; found {}{more}", found.join(", "))))
}

/// One record for each column that matches, in the order of their names.
fn melt(record: &Record, pattern: &Regex, melted: &mut RecordList) -> Result<(), MalformedInput> {
    for (name, value) in record.values.iter().filter(|(name, _)| pattern.is_match(name)) {
        let mut one = record.clone();
        add_captures(pattern, name, &mut one.values);
        one.values.insert("column".to_owned(), name.clone());
        one.values.insert("value".to_owned(), value.clone());
        // Footnotes of the other values are not of this record.
        one.notes.retain(|column, _| column == name || !pattern.is_match(column));
        if let Some(note) = one.notes.remove(name) {
            one.notes.insert("value".to_owned(), note);
        }
        // The value is one statistic of repeats: the others are `{value.min}`, `{value.n}` …
        if let Some((repeats, _)) = name.rsplit_once('.') {
            for statistic in ["n", "min", "max", "mean", "median"] {
                if let Some(other) = record.values.get(&format!("{repeats}.{statistic}")) {
                    one.values.insert(format!("value.{statistic}"), other.clone());
                }
            }
        }
        melted.push(one)?;
    }
    Ok(())
}
