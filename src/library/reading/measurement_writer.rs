//! Writes measurements as canonical TOML: one row appended to a file, or many rows as a table.

use std::collections::BTreeMap;
use std::fmt;

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Key, Table, Value};

use super::canonical::{canonical, canonical_document};
use super::files::FileKind;
use super::run_records;
use crate::model::{Field, Metric};
use crate::values::text::one_line;

/// A measurement to be written: TOML values by field and metric, and the record of its run.
#[derive(Debug, Clone, Default)]
pub struct WrittenRow {
    fields: BTreeMap<Field, Value>,
    metrics: BTreeMap<Metric, Value>,
    record: Table,
}

impl WrittenRow {
    /// Sets a field.
    pub fn set(&mut self, field: Field, value: Value) {
        self.fields.insert(field, value);
    }

    /// Sets a metric.
    pub fn set_metric(&mut self, metric: Metric, value: Value) {
        self.metrics.insert(metric, value);
    }

    /// Sets a value in the record of the run.
    pub fn set_record(&mut self, key: &str, value: Value) {
        self.record.insert(key, Item::Value(value));
    }

    /// Appends a part, such as a process, to the record of the run.
    pub fn add_to_record(&mut self, key: &str, part: RecordPart) {
        let parts = self.record.entry(key).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        if let Item::ArrayOfTables(parts) = parts {
            parts.push(part.0);
        }
    }

    fn fields(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.fields.iter().map(|(field, value)| (field.key(), value))
    }

    fn metrics(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.metrics.iter().map(|(metric, value)| (metric.key(), value))
    }
}

/// One of several parts of a record, such as a process.
#[derive(Debug, Clone, Default)]
pub struct RecordPart(Table);

impl RecordPart {
    /// Sets a value.
    pub fn set(&mut self, key: &str, value: Value) {
        self.0.insert(key, Item::Value(value));
    }
}

impl fmt::Display for RecordPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text as a TOML value.
pub fn toml_text(text: &str) -> Value {
    Value::from(text)
}

/// A text as a TOML value, with each run of white space replaced by one space.
pub fn toml_one_line(text: &str) -> Value {
    Value::from(one_line(text))
}

/// A number, date or list as a TOML value that keeps its digits; a text if TOML parses it as none of these.
pub fn toml_literal(text: &str) -> Value {
    text.parse().unwrap_or_else(|_| toml_text(text))
}

/// Appends a `[[run]]` to the text of a file. If `before` is not valid TOML, it is not reformatted.
pub fn with_run(before: &str, row: &WrittenRow, kind: &FileKind) -> String {
    let mut document = DocumentMut::new();
    document.insert("run", Item::ArrayOfTables(ArrayOfTables::from_iter([run_table(row)])));
    let text = format!("{before}\n{document}");
    canonical(&text, kind).unwrap_or(text)
}

/// Replaces the `[[run]]` with this number, counted from 0, in the text of a file; appends it if there are fewer.
pub fn with_run_at(before: &str, place: usize, row: &WrittenRow, kind: &FileKind) -> String {
    if let Ok(mut document) = before.parse::<DocumentMut>()
        && let Some(runs) = document.get_mut("run").and_then(Item::as_array_of_tables_mut)
        && let Some(old) = runs.get_mut(place)
    {
        *old = run_table(row);
        return canonical_document(document, kind);
    }
    with_run(before, row, kind)
}

/// Appends the `[[run]]` with this number from another file to the text of a file, with its values replaced by those of `changes`;
/// `None` if the other file has no such run.
pub fn with_run_taken(
    before: &str,
    (other, place): (&str, usize),
    changes: &WrittenRow,
    kind: &FileKind,
) -> Option<String> {
    let other: DocumentMut = other.parse().ok()?;
    let mut run = other.get("run")?.as_array_of_tables()?.get(place)?.clone();
    run.extend(changes.fields().chain(changes.metrics()).map(item));
    if !changes.record.is_empty() {
        let record = run.entry(run_records::KEY).or_insert_with(|| Item::Table(Table::new())).as_table_mut()?;
        record.extend(changes.record.iter().map(|(key, item)| (Key::new(key), item.clone())));
    }
    let mut document = DocumentMut::new();
    document.insert("run", Item::ArrayOfTables(ArrayOfTables::from_iter([run])));
    let text = format!("{before}\n{document}");
    Some(canonical(&text, kind).unwrap_or(text))
}

fn run_table(row: &WrittenRow) -> Table {
    let mut run: Table = row.fields().chain(row.metrics()).map(item).collect();
    if !row.record.is_empty() {
        run.insert(run_records::KEY, Item::Table(row.record.clone()));
    }
    run
}

/// The text of a file of rows without records: fields that all rows share in `[defaults]`, the rest in a `[[table]]`.
pub fn table_file(rows: &[WrittenRow], kind: &FileKind) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let mut document = DocumentMut::new();
    let is_shared = |field: &Field, value: &Value| {
        let text = value.to_string();
        rows.iter().all(|row| row.fields.get(field).is_some_and(|other| other.to_string() == text))
    };
    let shared: Vec<Field> =
        first.fields.iter().filter(|(field, value)| is_shared(field, value)).map(|(field, _)| *field).collect();
    if !shared.is_empty() {
        let defaults: Table = shared.iter().map(|field| item((field.key(), &first.fields[field]))).collect();
        document.insert("defaults", Item::Table(defaults));
    }
    let mut table = Table::new();
    let fields: BTreeMap<Field, &str> = rows
        .iter()
        .flat_map(|row| row.fields.keys())
        .filter(|field| !shared.contains(field))
        .map(|field| (*field, field.key()))
        .collect();
    let metrics: BTreeMap<Metric, &str> =
        rows.iter().flat_map(|row| row.metrics.keys()).map(|metric| (*metric, metric.key())).collect();
    table.insert("columns", Item::Value(fields.values().chain(metrics.values()).copied().collect::<Array>().into()));
    let cells = |row: &WrittenRow| -> Array {
        let of_fields = fields.keys().map(|field| row.fields.get(field));
        let cells = of_fields.chain(metrics.keys().map(|metric| row.metrics.get(metric)));
        // An empty text marks a value that the row lacks.
        cells.map(|value| value.cloned().unwrap_or_else(|| toml_text(""))).collect()
    };
    let mut lines: Array = rows.iter().map(|row| Value::Array(cells(row))).collect();
    // One row per line: the canonical form preserves line breaks in lists.
    lines.iter_mut().for_each(|line| line.decor_mut().set_prefix("\n"));
    table.insert("rows", Item::Value(lines.into()));
    document.insert("table", Item::ArrayOfTables(ArrayOfTables::from_iter([table])));
    canonical_document(document, kind)
}

fn item((key, value): (&'static str, &Value)) -> (Key, Item) {
    (Key::new(key), Item::Value(value.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(network: &str, latency: &str) -> WrittenRow {
        let mut row = WrittenRow::default();
        row.set(Field::Stage, toml_text("eval"));
        row.set(Field::Network, toml_one_line(network));
        row.set_metric(Metric::LatencyMs, toml_literal(latency));
        row
    }

    fn kind() -> FileKind {
        FileKind::Measurements("a-2020".parse().unwrap())
    }

    #[test]
    fn a_table_states_once_what_all_rows_share() {
        let mut other = row("b \n c", "1e3");
        other.set(Field::Notes, toml_text("said \"so\""));
        let text = table_file(&[row("a", "2.50"), other], &kind());
        insta::assert_snapshot!(text, @r#"
        [defaults]
        stage = "eval"

        [[table]]
        columns = ["network", "notes", "latency-ms"]
        rows = [
          ["a", "", 2.50],
          ["b c", 'said "so"', 1e3],
        ]
        "#);
        assert_eq!(canonical(&text, &kind()).as_deref(), Some(text.as_str()));
    }

    #[test]
    fn a_run_is_added_at_the_end() {
        let mut measured = row("a", "2.50");
        measured.set_record("samples-ms", toml_literal("[2.40, 2.60]"));
        measured.set(Field::Date, toml_literal("2020-05-06"));
        insta::assert_snapshot!(with_run("[defaults]\nframework = \"x\"\n", &measured, &kind()), @r#"
        [defaults]
        framework = "x"

        [[run]]
        network = "a"
        stage = "eval"
        date = 2020-05-06
        latency-ms = 2.50

        [run.record]
        samples-ms = [2.40, 2.60]
        "#);
        assert!(with_run("a = = b", &measured, &kind()).starts_with("a = = b\n[[run]]\n"));
    }

    #[test]
    fn a_run_takes_the_place_of_an_earlier_one() {
        let one = with_run("", &row("a", "2.50"), &kind());
        let two = with_run_at(&one, 1, &row("b", "3.50"), &kind());
        let mut new = row("a", "2.60");
        for samples in ["[2.5]", "[2.7]"] {
            let mut process = RecordPart::default();
            process.set("samples-ms", toml_literal(samples));
            new.add_to_record("process", process);
        }
        insta::assert_snapshot!(with_run_at(&two, 0, &new, &kind()), @r#"
        [[run]]
        network = "a"
        stage = "eval"
        latency-ms = 2.60

        [run.record]

        [[run.record.process]]
        samples-ms = [2.5]

        [[run.record.process]]
        samples-ms = [2.7]

        [[run]]
        network = "b"
        stage = "eval"
        latency-ms = 3.50
        "#);
    }
}
