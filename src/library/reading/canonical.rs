//! The canonical form of a file: order of keys, spaces and blank lines. Comments, digits and texts are preserved.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml_edit::{Array, Decor, DocumentMut, InlineTable, Item, RawString, Table, Value};

use super::files::FileKind;
use super::findings::list_of;
use super::load::keys_of;
use super::run_records;
use crate::model::{MeasurementKey, SourceFile};

/// The order of the keys in tables inside an entry.
const INNER: &[(&str, &[&str])] = &[
    ("sources", &["source", "url", "title", "accessed", "facts"]),
    ("left-out", &["reason", "rows"]),
    ("published", &["type", "name", "year", "venue", "pages", "publisher", "place", "doi"]),
    ("cloud", &["provider", "instance", "devices", "usd-per-hour", "as-of", "source"]),
    ("exceptions", &["rule", "reason", "count", "batch", "ids", "where"]),
];

/// The canonical form of a file's text; `None` when it is not valid TOML.
///
/// Keys in the order of the schema, one space between tokens, one blank line before a table and none inside it,
/// lines that end in LF without trailing whitespace.
pub fn canonical(text: &str, kind: &FileKind) -> Option<String> {
    let text = text.replace("\r\n", "\n");
    Some(canonical_document(text.parse().ok()?, kind))
}

/// Whether a text that is valid TOML is in canonical form.
///
/// Most of a knowledge base is rows of figures, and a row that is canonical by itself does not affect its surroundings: such
/// rows are removed, and only the rest is parsed and formatted.
pub fn is_canonical(text: &str, kind: &FileKind) -> bool {
    static ROW_IN_FORM: LazyLock<Regex> = LazyLock::new(|| {
        let number = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?";
        let cell = format!(r#"(?:"[^"\\\x00-\x1f\x7f]*"|{number}|true|false)"#);
        Regex::new(&format!(r"(?m)^  \[{cell}(?:, {cell})*\],\n")).expect("the pattern is tested")
    });
    let rest = ROW_IN_FORM.replace_all(text, "");
    canonical(&rest, kind).is_some_and(|formed| formed == rest)
}

/// The canonical form of a parsed document.
pub(super) fn canonical_document(mut document: DocumentMut, kind: &FileKind) -> String {
    let trailing = comments(document.trailing().as_str().unwrap_or_default());
    document.set_trailing(match trailing.is_empty() {
        true => String::new(),
        false => format!("\n{trailing}"),
    });
    let order = match kind {
        // The author of a recipe chooses the order of its keys, which follows the source.
        FileKind::Recipe => Vec::new(),
        kind => keys_of(kind),
    };
    let mut at = 0;
    table(document.as_table_mut(), &order, &mut at, true);
    let mut text = document.to_string();
    let kept = text.trim_end().len();
    text.truncate(kept);
    text.push('\n');
    text.trim_start_matches('\n').to_owned()
}

/// Brings a table and the tables below it into canonical form; `at` counts the headers.
fn table(table: &mut Table, order: &[&str], at: &mut isize, root: bool) {
    if !root && !table.is_dotted() {
        table.set_position(Some(*at));
        *at += 1;
        let above = comments(text(table.decor().prefix()));
        *table.decor_mut() = Decor::new(format!("\n{above}"), comment_behind(text(table.decor().suffix())));
    }
    let rank = |key: &str| order.iter().position(|other| *other == key).unwrap_or(order.len());
    if !order.is_empty() {
        table.sort_values_by(|a, _, b, _| rank(a.get()).cmp(&rank(b.get())));
    }
    let mut first = root;
    for (mut key, item) in table.iter_mut() {
        if let Item::Value(own) = item {
            let above = text(key.leaf_decor().prefix()).to_owned();
            // A blank line may separate the comment at the head of a file from the first key.
            let above = if first { head(&above) } else { comments(&above) };
            *key.leaf_decor_mut() = Decor::new(above, " ");
            let behind = comment_behind(text(own.decor().suffix()));
            *own.decor_mut() = Decor::new(" ", behind);
            value(own);
        }
        first = false;
    }
    // Then the tables below, in the order of the keys.
    for (key, item) in table.iter_mut() {
        let inner = INNER.iter().find(|(name, _)| *name == key.get()).map_or(&[][..], |(_, order)| order);
        // True in a file of measurements.
        let of_rows = ["defaults", "run"].contains(&key.get()) && order.contains(&"run");
        let inner = match key.get() {
            _ if of_rows => row_order(),
            run_records::KEY => run_records::order(),
            run_records::PROCESS => run_records::process_order(),
            _ => inner.to_vec(),
        };
        match item {
            Item::Table(below) => self::table(below, &inner, at, false),
            Item::ArrayOfTables(all) => all.iter_mut().for_each(|below| self::table(below, &inner, at, false)),
            Item::Value(_) | Item::None => {}
        }
    }
}

/// The keys of a row: first the conditions of the measurement, then its results.
fn row_order() -> Vec<&'static str> {
    MeasurementKey::all_names().collect()
}

/// Normalises whitespace inside a value.
fn value(value: &mut Value) {
    match value {
        Value::Array(items) => array(items),
        Value::InlineTable(table) => inline(table),
        _ => {}
    }
}

/// Formats a list: if it was on one line it stays so, otherwise each item gets a line of its own.
fn array(items: &mut Array) {
    let long =
        items.iter().any(|item| text(item.decor().prefix()).contains('\n')) || raw(items.trailing()).contains('\n');
    let count = items.len();
    for (at, item) in items.iter_mut().enumerate() {
        value(item);
        let (before, behind) = (text(item.decor().prefix()).to_owned(), text(item.decor().suffix()).to_owned());
        let decor = match (long, at) {
            (true, _) => Decor::new(format!("{}  ", indented(&before)), comment_behind(&behind)),
            (false, 0) => Decor::new("", ""),
            (false, _) => Decor::new(" ", ""),
        };
        *item.decor_mut() = decor;
    }
    let trailing = indented(raw(items.trailing()));
    items.set_trailing(if long { trailing } else { String::new() });
    items.set_trailing_comma(long && count > 0);
}

fn inline(table: &mut InlineTable) {
    let count = table.len();
    for (at, (mut key, own)) in table.iter_mut().enumerate() {
        *key.leaf_decor_mut() = Decor::new(" ", " ");
        *own.decor_mut() = Decor::new(" ", if at + 1 == count { " " } else { "" });
        value(own);
    }
}

fn text(raw: Option<&RawString>) -> &str {
    raw.and_then(RawString::as_str).unwrap_or_default()
}

fn raw(text: &RawString) -> &str {
    text.as_str().unwrap_or_default()
}

/// The comment lines between two items, without blank lines.
fn comments(space: &str) -> String {
    let lines = space.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

/// Like [`comments`], for a list: a comment on the line of the last item stays there, the following ones are indented.
fn indented(space: &str) -> String {
    let (behind, below) = space.split_once('\n').unwrap_or((space, ""));
    let behind = if behind.contains('#') { format!(" {}", behind.trim()) } else { String::new() };
    let below: String = comments(below).lines().map(|line| format!("  {line}\n")).collect();
    format!("{behind}\n{below}")
}

/// The comments at the head of a file; a blank line after them is kept.
fn head(space: &str) -> String {
    let mut head = comments(space);
    if !head.is_empty() && space.ends_with("\n\n") {
        head.push('\n');
    }
    head
}

/// The comment after a value, at its original distance from the value.
fn comment_behind(space: &str) -> String {
    match space.contains('#') {
        false => String::new(),
        true if space.starts_with([' ', '\t']) => space.trim_end().to_owned(),
        true => format!(" {}", space.trim_end()),
    }
}

/// A text value in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedText {
    /// The key of the text; in a compact table the key of its column.
    pub key: String,
    /// The text.
    pub value: String,
    /// Its span, including quotes.
    pub span: Range<usize>,
    /// Whether it is below `reported`, that is, quoted as a source printed it.
    pub reported: bool,
    /// Whether it is an item of a list, such as a cell.
    pub in_list: bool,
}

/// The texts of a file, in order; empty if the file is not valid TOML.
pub fn texts(file: &SourceFile) -> Vec<LocatedText> {
    let (table, errors) = DeTable::parse_recoverable(&file.text);
    let mut found = Vec::new();
    if errors.is_empty() {
        below(table.get_ref(), false, &mut found);
    }
    found.sort_by_key(|text| text.span.start);
    found
}

fn below(table: &DeTable<'_>, reported: bool, found: &mut Vec<LocatedText>) {
    if let (Some(columns), Some(rows)) = (list_of(table, "columns"), list_of(table, "rows")) {
        for row in rows {
            for (column, cell) in columns.iter().zip(row.get_ref().as_array().into_iter().flat_map(|row| row.iter())) {
                text_values(column.get_ref().as_str().unwrap_or_default(), cell, (reported, true), found);
            }
        }
    }
    for (key, own) in table.iter() {
        let name = key.get_ref().as_ref();
        if name != "columns" && name != "rows" {
            text_values(name, own, (reported || name == "reported", false), found);
        }
    }
}

fn text_values(key: &str, own: &Spanned<DeValue<'_>>, (reported, in_list): (bool, bool), found: &mut Vec<LocatedText>) {
    match own.get_ref() {
        DeValue::String(text) => found.push(LocatedText {
            key: key.to_owned(),
            value: text.to_string(),
            span: own.span(),
            reported,
            in_list,
        }),
        DeValue::Array(items) => items.iter().for_each(|item| text_values(key, item, (reported, true), found)),
        DeValue::Table(table) => below(table, reported, found),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::kind_of;

    fn formed(path: &str, text: &str) -> String {
        let kind = kind_of(path.as_ref());
        let once = canonical(text, &kind).expect("the text is TOML");
        assert_eq!(canonical(&once, &kind).as_deref(), Some(once.as_str()), "twice is once");
        once
    }

    #[test]
    fn keys_come_in_the_order_of_the_schema_with_their_comments() {
        let text = "# About it.\n\nclass='gpu'   # sure\r\n\n# As printed.\nname = \"A\"\n[[sources]]\nurl= \"https://a\"\n\n\nfacts =[\"class\",\n\"name\"]\n[peak-tflops]\nfp32=1.50\n";
        insta::assert_snapshot!(formed("catalog/devices/a.toml", text), @r#"
        # As printed.
        name = "A"
        # About it.
        class = 'gpu'   # sure

        [peak-tflops]
        fp32 = 1.50

        [[sources]]
        url = "https://a"
        facts = [
          "class",
          "name",
        ]
        "#);
    }

    #[test]
    fn a_text_is_in_form_where_its_form_is_the_text() {
        let table = |rows: &str| format!("[[table]]\ncolumns = [\"n\", \"latency-ms\"]\nrows = [\n{rows}]\n");
        let kind = kind_of("measurements/a/b.toml".as_ref());
        let in_form = ["  [1, 2.50],\n", "  [\"a, b\", -1e3],\n  # three\n  [3, 4],\n", "  [\"\\\"\", 1],\n"];
        let not = [
            "  [1,2.50],\n",
            "  [1, 2.50]\n",
            "[1, 2],\n",
            "  [1, 2], \n",
            "  [1, 2],\r\n",
            "  [1, 2],\n\n  [3, 4],\n",
        ];
        for rows in in_form.into_iter().chain(not) {
            let text = table(rows);
            let is = canonical(&text, &kind).as_deref() == Some(text.as_str());
            assert_eq!((is_canonical(&text, &kind), is), (in_form.contains(&rows), is), "{rows:?}");
            assert_eq!(is, in_form.contains(&rows), "{rows:?}");
        }
        let in_a_text = "name = \"A\"\nnotes = \"\"\"\n  [1, 2],\n\"\"\"\n";
        assert!(is_canonical(in_a_text, &kind_of("catalog/devices/a.toml".as_ref())));
    }

    #[test]
    fn rows_keep_their_digits_and_comments() {
        let text = "[defaults]\nstage = \"eval\"\nframework = \"a\"\n[[table]]\ncolumns = [ \"n\",\"latency-ms\" ]\nrows = [\n[1,2.50], # odd\n# three\n    [ 3, 1e3 ]\n]\n";
        insta::assert_snapshot!(formed("measurements/a/b.toml", text), @r#"
        [defaults]
        framework = "a"
        stage = "eval"

        [[table]]
        columns = ["n", "latency-ms"]
        rows = [
          [1, 2.50], # odd
          # three
          [3, 1e3],
        ]
        "#);
    }
}
