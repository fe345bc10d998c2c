//! Where a key stands: found by reading the file again, because only what is told about needs a place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::compact_tables::list_of;
use crate::model::SourceFile;

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

/// The places of values: each is wanted by the place of the table or row it belongs to and the steps from there. What a
/// row does not state itself is looked for among the defaults of its table and its file. `None` where nothing stands.
pub fn key_spans(file: &SourceFile, wanted: &[(Range<usize>, &[Step])]) -> Vec<Option<Range<usize>>> {
    let (table, _) = DeTable::parse_recoverable(&file.text);
    let root = table.get_ref();
    wanted.iter().map(|(place, steps)| span_of(root, place, steps)).collect()
}

/// Where a column of a `[[table]]` stands: its head, and its cells that are not empty.
#[derive(Debug)]
pub struct ColumnPlaces {
    /// The key that the head names.
    pub key: String,
    /// The head.
    pub head: Range<usize>,
    /// The cells, in the order of the text.
    pub cells: Vec<Range<usize>>,
}

impl ColumnPlaces {
    /// Whether a place lies in one of its cells.
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
    // What is not there stands, if anywhere, in what should hold it.
    inner.map_or(Some(value.span()), |inner| below(inner, &steps[1..]))
}

fn tables<'t>(root: &'t DeTable<'t>, key: &str) -> impl Iterator<Item = &'t Spanned<DeValue<'t>>> {
    list_of(root, key).unwrap_or_default().iter().filter(|item| item.get_ref().as_table().is_some())
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
