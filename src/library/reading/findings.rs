//! Collected while reading: diagnostics with their places, ids to look up, exceptions; on a dry run, the keys that a reader reads.

use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::model::{Annotation, Code, Diagnostic, Exception, SourceFile};
use crate::values::{EntityId, EntityKind};

/// An id in a file, to be looked up once all files are read. An `Err` is a text that is not a valid id and is already
/// reported; it may be the name of an entity.
#[derive(Debug, Clone)]
pub(super) struct IdReference {
    pub file: Arc<SourceFile>,
    pub span: Option<Range<usize>>,
    pub kind: EntityKind,
    pub id: Result<EntityId, String>,
}

/// Everything that reading has collected so far.
#[derive(Debug, Clone, Default)]
pub(super) struct ReadFindings {
    diagnostics: Vec<Diagnostic>,
    references: Vec<IdReference>,
    exceptions: Vec<Located<Exception>>,
    /// On a dry run: the stack of open tables, and the table that was closed last.
    recorder: Option<(Vec<TableKeys>, TableKeys)>,
}

impl ReadFindings {
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub fn refer(&mut self, reference: IdReference) {
        self.references.push(reference);
    }

    /// Adds advice to the finding at a place.
    pub fn advise(&mut self, file: &Arc<SourceFile>, span: &Option<Range<usize>>, help: &str) {
        let is_there = |found: &&mut Diagnostic| Arc::ptr_eq(&found.primary.file, file) && found.primary.span == *span;
        if let Some(found) = self.diagnostics.iter_mut().find(is_there) {
            found.help = Some(help.to_owned());
        }
    }

    /// The paths of the files with findings.
    pub fn paths(&self) -> HashSet<PathBuf> {
        self.diagnostics.iter().map(|found| found.primary.file.path.clone()).collect()
    }

    pub fn append(&mut self, mut other: Self) {
        self.diagnostics.append(&mut other.diagnostics);
        self.references.append(&mut other.references);
        self.exceptions.append(&mut other.exceptions);
    }

    pub fn take_references(&mut self) -> Vec<IdReference> {
        std::mem::take(&mut self.references)
    }

    pub fn except(&mut self, exceptions: Vec<Located<Exception>>) {
        self.exceptions.extend(exceptions);
    }

    pub fn take_exceptions(&mut self) -> Vec<Located<Exception>> {
        std::mem::take(&mut self.exceptions)
    }

    /// Starts a dry run, which records the keys that a reader reads.
    pub fn recording() -> Self {
        Self { recorder: Some(Default::default()), ..Self::default() }
    }

    /// The keys read from the table that was closed last.
    pub fn record(&mut self) -> TableKeys {
        self.recorder.as_mut().map_or_else(TableKeys::default, |(_, last)| std::mem::take(last))
    }

    /// Whether this is a dry run, which records the keys that a reader reads.
    pub fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    /// Starts recording a table.
    pub fn open_table(&mut self) {
        if let Some((open, _)) = &mut self.recorder {
            open.push(TableKeys::default());
        }
    }

    /// Ends the table that was opened last.
    pub fn close_table(&mut self) {
        if let Some((open, last)) = &mut self.recorder {
            *last = open.pop().unwrap_or_default();
        }
    }

    /// Records that the open table reads a key.
    pub fn note(&mut self, key: &'static str, kind: impl FnOnce() -> ValueKind) {
        if let Some(open) = self.table() {
            open.note(key, kind());
        }
    }

    /// Records that the open table requires a key.
    pub fn require(&mut self, key: &'static str) {
        if let Some(open) = self.table() {
            open.require(key);
        }
    }

    fn table(&mut self) -> Option<&mut TableKeys> {
        self.recorder.as_mut().and_then(|(open, _)| open.last_mut())
    }

    /// The diagnostics, sorted.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by(|a, b| a.rank().cmp(&b.rank()));
        self.diagnostics
    }
}

/// The file is not valid TOML.
pub const SYNTAX: Code = Code::new(1);

/// The file cannot be read as text: too large, not UTF-8, no permission.
pub const UNREADABLE: Code = Code::new(2);

/// The file does not belong where it is.
pub const MISPLACED: Code = Code::new(3);

/// A key that does not exist.
pub const UNKNOWN_KEY: Code = Code::new(4);

/// A key that is missing.
pub const MISSING_KEY: Code = Code::new(5);

/// A value of the wrong type for its key.
pub const WRONG_VALUE: Code = Code::new(6);

/// A word outside its vocabulary.
pub const UNKNOWN_WORD: Code = Code::new(7);

/// An empty text.
pub const EMPTY_TEXT: Code = Code::new(8);

/// The knowledge base has a newer schema than this program reads.
pub const LATER_SCHEMA: Code = Code::new(9);

/// A table whose rows do not fit its columns.
pub const ROWS: Code = Code::new(10);

/// A reference to an id that no entity has.
pub const REFERENCE: Code = Code::new(101);

/// An entity that is defined twice.
pub const DUPLICATE_ENTITY: Code = Code::new(102);

/// A measurement that is stated twice.
pub const DUPLICATE_MEASUREMENT: Code = Code::new(103);

/// A licence that is not an SPDX expression.
pub const LICENSE: Code = Code::new(201);

/// A citation of a fact that is not stated.
pub const UNSTATED_FACT: Code = Code::new(202);

/// A citation that gives no source, or two.
pub const CITATION: Code = Code::new(203);

/// A row without a metric.
pub const NO_METRIC: Code = Code::new(301);

/// A throughput that does not say what it counts.
pub const UNCOUNTED: Code = Code::new(302);

/// A metric that is zero or negative.
pub const NOT_POSITIVE: Code = Code::new(303);

/// A metric in the defaults.
pub const METRIC_DEFAULT: Code = Code::new(304);

/// A value with its file and span.
#[derive(Debug, Clone)]
pub struct Located<T> {
    value: T,
    file: Arc<SourceFile>,
    span: Range<usize>,
}

impl<T> Located<T> {
    /// A value that is at `span` of `file`.
    pub fn new(value: T, file: &Arc<SourceFile>, span: Range<usize>) -> Self {
        Self { value, file: Arc::clone(file), span }
    }

    /// Another value at the same place.
    pub fn with<U>(self, value: U) -> Located<U> {
        Located { value, file: self.file, span: self.span }
    }

    /// The place without the value.
    pub fn place(&self) -> Located<()> {
        Located { value: (), file: Arc::clone(&self.file), span: self.span.clone() }
    }

    /// The value.
    pub fn get(&self) -> &T {
        &self.value
    }

    /// The value without its place.
    pub fn into_inner(self) -> T {
        self.value
    }

    /// The file.
    pub fn file(&self) -> &Arc<SourceFile> {
        &self.file
    }

    /// The byte range in the file's text; `0..0` is the whole file.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The place as an annotation with this label.
    pub fn annotation(&self, label: &str) -> Annotation {
        Annotation { file: Arc::clone(&self.file), span: Some(self.span()), label: label.to_owned() }
    }
}

/// The keys of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct TableKeys {
    /// Each key and the type of its value, in the order in which they are read.
    pub keys: Vec<(&'static str, ValueKind)>,
    /// The required keys.
    pub required: Vec<&'static str>,
}

/// The type of a value.
#[derive(Debug, Clone)]
pub(super) enum ValueKind {
    Text,
    Texts,
    Word(Vec<&'static str>),
    Words(Vec<&'static str>),
    Id(EntityKind),
    Ids(EntityKind),
    Count,
    Number,
    Flag,
    Date,
    /// A table.
    One(TableKeys),
    /// An array of tables.
    Each(TableKeys),
    /// Tables keyed by the id of an entity.
    ById(TableKeys),
    /// Tables keyed by any id.
    ByKey(TableKeys),
    /// Numbers keyed by one of these names.
    Numbers(Vec<&'static str>),
    /// A list of numbers.
    NumberList,
    /// A list of whole numbers, each at least this.
    CountList(i64),
    /// Fields of a measurement with their values.
    Fields,
    /// A table with keys of any name.
    Free,
}

impl TableKeys {
    /// Records a key; the first record of a key wins.
    pub fn note(&mut self, key: &'static str, kind: ValueKind) {
        if !self.keys.iter().any(|(other, _)| *other == key) {
            self.keys.push((key, kind));
        }
    }

    /// Records that a key is required.
    pub fn require(&mut self, key: &'static str) {
        if !self.required.contains(&key) {
            self.required.push(key);
        }
    }
}

/// One step from a table to a value inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The value of a key.
    Key(String),
    /// The value of the n-th item of a list.
    Item(usize),
}

impl From<&str> for Step {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for Step {
    fn from(at: usize) -> Self {
        Self::Item(at)
    }
}

/// The spans of values, each given by the span of its table or row and the steps from there. Values that a row does not
/// state are looked up in the defaults of its table, then of its file. `None` where there is no value.
pub fn key_spans(file: &SourceFile, wanted: &[(Range<usize>, &[Step])]) -> Vec<Option<Range<usize>>> {
    let (table, _) = DeTable::parse_recoverable(&file.text);
    let root = table.get_ref();
    wanted.iter().map(|(place, steps)| span_of(root, place, steps)).collect()
}

/// The places of one column of a `[[table]]`: its head and its non-empty cells.
#[derive(Debug)]
pub struct ColumnPlaces {
    /// The key in the head.
    pub key: String,
    /// The head.
    pub head: Range<usize>,
    /// The cells, in the order of the text.
    pub cells: Vec<Range<usize>>,
}

impl ColumnPlaces {
    /// Whether a span lies in one of the column's cells.
    pub fn has(&self, place: &Range<usize>) -> bool {
        let after = self.cells.partition_point(|cell| cell.start <= place.start);
        self.cells[..after].last().is_some_and(|cell| place.end <= cell.end)
    }
}

/// The columns of all tables of a file.
pub fn column_places(file: &SourceFile) -> Vec<ColumnPlaces> {
    let (root, _) = DeTable::parse_recoverable(&file.text);
    let mut all = Vec::new();
    for table in tables(root.get_ref(), "table").filter_map(|table| table.get_ref().as_table()) {
        let rows = list_of(table, "rows").unwrap_or_default();
        for (at, column) in list_of(table, "columns").unwrap_or_default().iter().enumerate() {
            let Some(key) = column.get_ref().as_str() else { continue };
            let cells = rows.iter().filter_map(|row| row.get_ref().as_array()?.get(at));
            let cells = cells.filter(|cell| cell.get_ref().as_str() != Some("")).map(Spanned::span).collect();
            all.push(ColumnPlaces { key: key.to_owned(), head: column.span(), cells });
        }
    }
    all
}

fn span_of(root: &DeTable<'_>, place: &Range<usize>, steps: &[Step]) -> Option<Range<usize>> {
    let (Step::Key(first), rest) = steps.split_first()? else {
        return None;
    };
    if place.is_empty() {
        return below(root.get(first.as_str())?, rest);
    }
    let defaults = || match root.get("defaults")?.get_ref() {
        DeValue::Table(table) => table.get(first.as_str()),
        _ => None,
    };
    if let Some(run) = tables(root, "run").find(|run| run.span() == *place) {
        let own = run.get_ref().as_table()?.get(first.as_str());
        return below(own.or_else(defaults)?, rest);
    }
    for table in tables(root, "table") {
        let table = table.get_ref().as_table()?;
        let rows = list_of(table, "rows")?;
        let Some(row) = rows.iter().find(|row| row.span() == *place) else {
            continue;
        };
        let column = list_of(table, "columns")?.iter().position(|c| c.get_ref().as_str() == Some(first));
        let cell = column.and_then(|column| row.get_ref().as_array()?.get(column));
        let cell = cell.filter(|cell| cell.get_ref().as_str() != Some(""));
        return below(cell.or_else(|| table.get(first.as_str())).or_else(defaults)?, rest);
    }
    None
}

fn below(value: &Spanned<DeValue<'_>>, steps: &[Step]) -> Option<Range<usize>> {
    let inner = match (value.get_ref(), steps.first()) {
        (_, None) => return Some(value.span()),
        (DeValue::Table(table), Some(Step::Key(key))) => table.get(key.as_str()),
        (DeValue::Array(items), Some(Step::Item(at))) => items.get(*at),
        _ => None,
    };
    // If the inner value is missing, return the place of the value that should contain it.
    inner.map_or(Some(value.span()), |inner| below(inner, &steps[1..]))
}

fn tables<'t>(root: &'t DeTable<'t>, key: &str) -> impl Iterator<Item = &'t Spanned<DeValue<'t>>> {
    list_of(root, key).unwrap_or_default().iter().filter(|item| item.get_ref().as_table().is_some())
}

/// The items of a key whose value is a list.
pub(super) fn list_of<'t>(table: &'t DeTable<'t>, key: &str) -> Option<&'t [Spanned<DeValue<'t>>]> {
    Some(&table.get(key)?.get_ref().as_array()?[..])
}

/// The cells of a row if their number equals that of the columns; else the message and label of a finding.
pub(super) fn cells_of<'t>(
    row: &'t Spanned<DeValue<'t>>,
    columns: usize,
) -> Result<&'t [Spanned<DeValue<'t>>], (String, &'static str)> {
    match row.get_ref() {
        DeValue::Array(cells) if cells.len() == columns => Ok(&cells[..]),
        DeValue::Array(cells) => {
            let is_integer = |cell: &Spanned<DeValue<'_>>| matches!(cell.get_ref(), DeValue::Integer(_));
            let has_pair = cells.windows(2).any(|pair| pair.iter().all(is_integer));
            let label = match cells.len() > columns && has_pair {
                true => "in this row: is a decimal written with a comma?",
                false => "in this row",
            };
            Err((format!("the row has {} cells, the table {columns} columns", cells.len()), label))
        }
        _ => Err(("a row is a list of cells".to_owned(), "expected [ … ]")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, row: &str, steps: &[Step]) -> Option<String> {
        let file = SourceFile::new("a.toml", text);
        let start = text.find(row).expect("the row stands in the text");
        let place = if row.is_empty() { 0..0 } else { start..start + row.len() };
        key_spans(&file, &[(place, steps)])[0].clone().map(|span| text[span].to_owned())
    }

    #[test]
    fn a_key_is_found_in_its_row_its_table_or_the_defaults() {
        let text = "[defaults]\nstage = \"eval\"\n[[table]]\nn = 3\ncolumns = [\"batch-size\", \"latency-ms\"]\n\
                    rows = [\n  [1, 2.5],\n  [4, 5.5],\n]\n";
        assert_eq!(found(text, "[4, 5.5]", &["latency-ms".into()]).as_deref(), Some("5.5"));
        assert_eq!(found(text, "[4, 5.5]", &["n".into()]).as_deref(), Some("3"));
        assert_eq!(found(text, "[4, 5.5]", &["stage".into()]).as_deref(), Some("\"eval\""));
        assert_eq!(found(text, "[4, 5.5]", &["device".into()]), None);
    }

    #[test]
    fn a_step_leads_into_tables_and_lists() {
        let text = "a = { b = [1, 2] }\n";
        assert_eq!(found(text, "", &["a".into(), "b".into(), 1.into()]).as_deref(), Some("2"));
        assert_eq!(found(text, "", &["a".into(), "c".into()]).as_deref(), Some("{ b = [1, 2] }"));
    }
}
