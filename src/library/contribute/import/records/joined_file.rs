//! Adds the values of a second file to the records of the first, as a recipe's `join` says.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path};

use regex::Regex;

use super::super::template::filled;
use super::record::{MalformedInput, Record, add_captures};
use super::{delimited, json};
use crate::contribute::recipe::{Join, Reaches, TableFormat};
use crate::reading::read_text_limited;
use crate::values::text::printable_path;

/// Adds to each record the values that the second file has of it. `patterns` are the join's own, for lines; `of_name` are
/// the values of the first file's name.
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
        TableFormat::Csv => delimited::delimiter(text, None).and_then(|(text, byte)| delimited::records(&text, byte)),
        TableFormat::Tsv => delimited::records(text, b'\t'),
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
    // Of several rows that are equal in these columns, the first one holds.
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

/// Whether a relative path stays in the folder that it is relative to: a recipe from elsewhere reads nothing else.
fn is_below(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// What a record holds in the columns of the join; nothing, and so the same for all, where there are none.
fn key(join: &Join, record: &Record) -> Vec<String> {
    join.on.iter().map(|column| record.values.get(column).cloned().unwrap_or_default()).collect()
}

/// What the patterns find in a text; of several lines that match, the first one holds.
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
        delimited::records(text, b'\t').unwrap()
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
        let mut records = delimited::records("system,benchmark\na,resnet\na,bert\nb,bert\n", b',').unwrap();
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
