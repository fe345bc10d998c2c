//! The records of a file with the byte range of each value, so that a fault can be inserted exactly there.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// An entity, or a measurement merged with the file's defaults.
#[derive(Debug, Clone, Default)]
pub struct Record {
    values: BTreeMap<String, (Range<usize>, String)>,
}

impl Record {
    /// The literal of a key as written, including quotes; keys of nested tables are joined by dots: `peak-tflops.fp32`.
    pub fn literal(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(|(_, literal)| literal.as_str())
    }

    /// A string without its quotes; empty if the key is missing.
    pub fn text(&self, key: &str) -> &str {
        self.literal(key).unwrap_or_default().trim_matches('"')
    }

    /// A value as a number.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.literal(key)?.parse().ok()
    }

    /// The byte range of a value.
    pub fn span(&self, key: &str) -> Option<Range<usize>> {
        self.values.get(key).map(|(span, _)| span.clone())
    }

    /// The keys present.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    fn put(&mut self, text: &str, key: String, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::Table(table) => {
                for (inner, value) in table {
                    self.put(text, format!("{key}.{}", inner.get_ref()), value);
                }
            }
            DeValue::Array(items) if items.iter().any(|item| item.get_ref().is_table()) => {
                for (at, item) in items.iter().enumerate() {
                    self.put(text, format!("{key}.{at}"), item);
                }
            }
            DeValue::String(cell) if cell.is_empty() => {}
            _ => {
                let span = value.span();
                let literal = text[span.clone()].to_owned();
                self.values.insert(key, (span, literal));
            }
        }
    }

    fn put_all(&mut self, text: &str, table: &DeTable<'_>, but: &[&str]) {
        for (key, value) in table.iter().filter(|(key, _)| !but.contains(&key.get_ref().as_ref())) {
            self.put(text, key.get_ref().to_string(), value);
        }
    }
}

/// The records of a file: a single entity, or the rows of a collection or of measurements.
pub fn records(text: &str) -> Vec<Record> {
    let (root, _) = DeTable::parse_recoverable(text);
    let root = root.get_ref();
    let mut shared = Record::default();
    if let Some(DeValue::Table(defaults)) = root.get("defaults").map(Spanned::get_ref) {
        shared.put_all(text, defaults, &[]);
    }
    let mut all = Vec::new();
    for run in tables(root, "run") {
        let mut record = shared.clone();
        record.put_all(text, run, &["record"]);
        all.push(record);
    }
    for table in tables(root, "table") {
        let mut common = shared.clone();
        common.put_all(text, table, &["columns", "rows"]);
        let list = |key| match table.get(key).map(Spanned::get_ref) {
            Some(DeValue::Array(items)) => items.iter().collect(),
            _ => Vec::new(),
        };
        let columns: Vec<String> =
            list("columns").iter().filter_map(|column| Some(column.get_ref().as_str()?.to_owned())).collect();
        for row in list("rows") {
            let DeValue::Array(cells) = row.get_ref() else { continue };
            let mut record = common.clone();
            for (column, cell) in columns.iter().zip(cells.iter()) {
                record.put(text, column.clone(), cell);
            }
            all.push(record);
        }
    }
    if all.is_empty() {
        let mut entity = Record::default();
        entity.put_all(text, root, &["reported"]);
        all.push(entity);
    }
    all
}

fn tables<'t>(root: &'t DeTable<'t>, key: &str) -> Vec<&'t DeTable<'t>> {
    let Some(DeValue::Array(items)) = root.get(key).map(Spanned::get_ref) else { return Vec::new() };
    items.iter().filter_map(|item| item.get_ref().as_table()).collect()
}

#[test]
fn a_record_knows_the_bytes_of_its_values() {
    let text = "[defaults]\nstage = \"eval\"\n[[table]]\ncolumns = [\"n\", \"label\"]\nrows = [\n  [5, \"\"],\n]\n";
    let [row] = &*records(text) else { panic!("one row") };
    assert_eq!((row.literal("n"), row.text("stage"), row.literal("label")), (Some("5"), "eval", None));
    assert_eq!(&text[row.span("stage").expect("it is stated")], "\"eval\"");
    let entity = "class = \"gpu\"\n[peak-tflops]\nfp32 = 14.0\n";
    assert_eq!(records(entity)[0].number("peak-tflops.fp32"), Some(14.0));
}
