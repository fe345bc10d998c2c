//! Reads the records of one file according to its format, and joins records from a second file.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path};

use regex::Regex;

use super::super::rule_text::filled;
use super::record::{MalformedInput, Record, RecordList, add_captures};
use super::{cells, html, json, lines, markdown, xlsx};
use crate::contribute::recipe::{Compiled, Join, Reaches, TableFormat};
use crate::reading::read_text_limited;
use crate::values::text::printable_path;

/// The records of a file, with the named groups of the recipe's patterns for file name, headings and text. `name` is
/// the path that the recipe's patterns see, `path` is the file itself.
///
/// # Errors
///
/// When the file is malformed, or a joined file is missing.
pub(in super::super) fn records(
    bytes: &[u8],
    name: &Path,
    path: &Path,
    compiled: &Compiled<'_>,
) -> Result<Vec<Record>, MalformedInput> {
    let context = values_of_name(name, compiled)?;
    let text = lines::text(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let rows = compiled.part.rows.as_deref();
    let mut records = match compiled.part.format {
        TableFormat::Csv => {
            let (text, delimiter) = lines::delimiter(text, compiled.part.delimiter)?;
            lines::records(&text, delimiter)?
        }
        TableFormat::Tsv => lines::records(text, b'\t')?,
        TableFormat::Markdown => markdown::records(text, compiled)?,
        TableFormat::Rst => markdown::rst_records(text, compiled)?,
        TableFormat::Html => html::records(text, compiled)?,
        TableFormat::Xlsx => xlsx::records(bytes, compiled)?,
        TableFormat::Lines => lines::lines_records(text, compiled)?,
        TableFormat::Json if path.extension().is_some_and(|extension| extension == "toml") => {
            json::records_of_toml(text, rows)?
        }
        TableFormat::Json => json::records(text, rows)?,
        TableFormat::JsonLines => json::records_of_lines(text, rows)?,
    };
    cells::to_point(&mut records, compiled)?;
    cells::fill(&mut records, &compiled.part.fill);
    if compiled.part.repeats {
        records = json::of_columns(&records)?;
    }
    for record in &mut records {
        rename(record, &compiled.part.names);
        check_needed(record, &compiled.part.needs)?;
    }
    cells::fill(&mut records, &compiled.part.fill);
    for (join, patterns) in &compiled.join {
        add(join, patterns, path.parent().unwrap_or(Path::new("")), &context, &mut records)?;
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

/// What the recipe expects in a file, for the error message about a file without records.
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

/// `{file}`, `{stem}` and the groups of the recipe's pattern for the file's path.
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

/// Adds values under the names that the recipe uses for them.
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

/// Checks that a record has the values that the format requires of every record.
fn check_needed(record: &Record, needs: &[String]) -> Result<(), MalformedInput> {
    let Some(missing) = needs.iter().find(|name| !record.values.contains_key(*name)) else {
        return Ok(());
    };
    let found: Vec<String> = record.values.keys().take(8).map(|name| format!("`{name}`")).collect();
    let more = if record.values.len() > 8 { " …" } else { "" };
    let of = if record.place.is_empty() { String::new() } else { format!(" in {}", record.place) };
    Err(MalformedInput::new(record.line, format!("expected `{missing}`{of}; found {}{more}", found.join(", "))))
}

/// One record for each column whose name matches, ordered by name.
fn melt(record: &Record, pattern: &Regex, melted: &mut RecordList) -> Result<(), MalformedInput> {
    for (name, value) in record.values.iter().filter(|(name, _)| pattern.is_match(name)) {
        let mut one = record.clone();
        add_captures(pattern, name, &mut one.values);
        one.values.insert("column".to_owned(), name.clone());
        one.values.insert("value".to_owned(), value.clone());
        // Drops footnotes that belong to other columns.
        one.notes.retain(|column, _| column == name || !pattern.is_match(column));
        if let Some(note) = one.notes.remove(name) {
            one.notes.insert("value".to_owned(), note);
        }
        // If the value is one statistic of repeats, the others become `{value.min}`, `{value.n}` …
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

/// Adds to each record the values of its counterpart in the second file. `patterns` are the join's own, for lines;
/// `of_name` are the values from the first file's name.
pub(super) fn add(
    join: &Join,
    patterns: &[Regex],
    folder: &Path,
    of_name: &BTreeMap<String, String>,
    records: &mut [Record],
) -> Result<(), MalformedInput> {
    let name = filled(&join.file, of_name).map_err(|error| MalformedInput::new(0, error.to_string()))?;
    if !is_below(Path::new(&name)) {
        return Err(MalformedInput::new(0, format!("`{name}` is not beside it or below its folder: it is not read")));
    }
    let path = folder.join(&name);
    let beside = |mistake: &dyn std::fmt::Display| {
        MalformedInput::new(0, format!("beside it, {}: {mistake}", printable_path(&path)))
    };
    if join.optional && !path.exists() {
        return Ok(());
    }
    let text = read_text_limited(&path).map_err(|error| beside(&format!("expected this file, too: {error}")))?;
    let text = text.trim_start_matches('\u{feff}');
    let others = match join.format {
        TableFormat::Csv => lines::delimiter(text, None).and_then(|(text, byte)| lines::records(&text, byte)),
        TableFormat::Tsv => lines::records(text, b'\t'),
        TableFormat::Json => json::records(text, None),
        TableFormat::JsonLines => json::records_of_lines(text, None),
        TableFormat::Lines => Ok(vec![of_lines(text, patterns)]),
        _ => Err(MalformedInput::new(0, "only csv, tsv, json and lines can be joined")),
    };
    let mut others = others.map_err(|mistake| beside(&mistake.with_line()))?;
    if !join.reaches.is_empty() {
        let first = first_to_reach(&join.reaches, &others).map_err(|mistake| beside(&mistake.with_line()))?;
        others = first.into_iter().cloned().collect();
    }
    // If several rows have the same key, the first one is used.
    let mut by_key: HashMap<Vec<String>, &Record> = HashMap::new();
    for other in &others {
        by_key.entry(key(join, other)).or_insert(other);
    }
    for record in records {
        let own = key(join, record).into_iter();
        let own = own.map(|text| join.respell.iter().fold(text, |text, (from, to)| text.replace(from, to)));
        let other = by_key.get(&own.collect::<Vec<String>>());
        for (name, value) in other.into_iter().flat_map(|other| &other.values) {
            record.values.insert(format!("{}.{name}", join.prefix), value.clone());
        }
    }
    Ok(())
}

/// Whether a relative path stays in its folder, so that a recipe from elsewhere cannot read other files.
fn is_below(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// The join key of a record. Without join columns the key is empty, so all records match.
fn key(join: &Join, record: &Record) -> Vec<String> {
    join.on.iter().map(|column| record.values.get(column).cloned().unwrap_or_default()).collect()
}

/// What the patterns capture in a text; if several lines match a pattern, the first one is used.
fn of_lines(text: &str, patterns: &[Regex]) -> Record {
    let mut values = BTreeMap::new();
    for pattern in patterns {
        text.lines().any(|line| add_captures(pattern, line.trim(), &mut values));
    }
    Record::new(values, 1)
}

fn first_to_reach<'r>(reaches: &[Reaches], others: &'r [Record]) -> Result<Option<&'r Record>, MalformedInput> {
    let has = |column: &str| others.first().is_some_and(|first| first.values.contains_key(column));
    let Some(wanted) = reaches.iter().find(|reaches| has(&reaches.column)) else {
        let columns: Vec<String> = reaches.iter().map(|reaches| format!("`{}`", reaches.column)).collect();
        return Err(MalformedInput::new(1, format!("expected a column {}", columns.join(" or "))));
    };
    for other in others {
        let text = other.values.get(&wanted.column).map_or("", String::as_str);
        let value: f64 = text.parse().map_err(|_| {
            MalformedInput::new(other.line, format!("expected a number in `{}`, found `{text}`", wanted.column))
        })?;
        if value >= wanted.at_least {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epochs(text: &str) -> Vec<Record> {
        lines::records(text, b'\t').unwrap()
    }

    #[test]
    fn the_values_of_a_text_beside_the_file_are_those_of_its_first_lines() {
        let patterns = ["^CUDA Version : (?P<cuda>.+)$", "^(?P<start>.*) start"].map(|text| Regex::new(text).unwrap());
        let found = of_lines("x\n  CUDA Version : 10.2\nCUDA Version : 11\n", &patterns);
        assert_eq!(found.values, [("cuda".to_owned(), "10.2".to_owned())].into());
    }

    #[test]
    fn a_file_that_may_be_absent_adds_nothing() {
        let mut join = Join {
            file: "no-such-file.json".to_owned(),
            format: TableFormat::Json,
            optional: true,
            lines: Vec::new(),
            prefix: "config".to_owned(),
            on: Vec::new(),
            respell: BTreeMap::new(),
            reaches: Vec::new(),
        };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut records = epochs("a\n1\n");
        assert!(add(&join, &[], folder, &BTreeMap::new(), &mut records).is_ok());
        assert_eq!(records[0].values.len(), 1);
        join.optional = false;
        assert!(add(&join, &[], folder, &BTreeMap::new(), &mut records).is_err());
    }

    #[test]
    fn a_file_is_joined_by_all_of_its_columns_and_the_first_row_holds() {
        let folder = tempfile::tempdir().unwrap();
        let text = "system,benchmark,nodes\na,bert,1\na,resnet,2\na,resnet,3\n";
        std::fs::write(folder.path().join("runs.csv"), text).unwrap();
        let join = Join {
            file: "runs.csv".to_owned(),
            format: TableFormat::Csv,
            optional: false,
            lines: Vec::new(),
            prefix: "run".to_owned(),
            on: vec!["system".to_owned(), "benchmark".to_owned()],
            respell: BTreeMap::new(),
            reaches: Vec::new(),
        };
        let mut records = lines::records("system,benchmark\na,resnet\na,bert\nb,bert\n", b',').unwrap();
        add(&join, &[], folder.path(), &BTreeMap::new(), &mut records).unwrap();
        let nodes: Vec<Option<&str>> =
            records.iter().map(|record| record.values.get("run.nodes").map(String::as_str)).collect();
        assert_eq!(nodes, [Some("2"), Some("1"), None]);
    }

    #[test]
    fn the_first_row_to_reach_is_by_the_first_column_that_is_there() {
        let reaches = [
            Reaches { column: "top5".to_owned(), at_least: 93.0 },
            Reaches { column: "top1".to_owned(), at_least: 94.0 },
        ];
        let rows = epochs("epoch\ttop1\n1\t90\n2\t94.0\n3\t93\n4\t95\n");
        assert_eq!(first_to_reach(&reaches, &rows).unwrap().map(|row| row.line), Some(3));
        assert!(first_to_reach(&reaches, &epochs("epoch\ttop1\n1\t90\n")).unwrap().is_none());
        assert_eq!(first_to_reach(&reaches, &epochs("epoch\ttop1\n1\tx\n")).unwrap_err().line, 2);
        assert!(first_to_reach(&reaches, &epochs("epoch\n1\n")).is_err());
    }
}
