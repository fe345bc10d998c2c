//! Rows as a file: what all share in `[defaults]`, the rest as a compact table.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::draft::{Cell, Draft};
use crate::contribute::recipe::Key;

/// The text of a file; the same drafts give the same bytes.
pub(super) fn file(drafts: &[Draft]) -> String {
    let keys: BTreeSet<Key> = drafts.iter().flat_map(|draft| draft.cells.keys().copied()).collect();
    let shared: Vec<Key> = keys
        .iter()
        .copied()
        .filter(|key| {
            let first = drafts[0].cells.get(key);
            matches!(key, Key::Field(_)) && first.is_some() && drafts.iter().all(|draft| draft.cells.get(key) == first)
        })
        .collect();
    let columns: Vec<Key> = keys.into_iter().filter(|key| !shared.contains(key)).collect();

    let mut text = String::new();
    if !shared.is_empty() {
        text.push_str("[defaults]\n");
        for key in &shared {
            let _ = writeln!(text, "{} = {}", key.key(), written(&drafts[0].cells[key]));
        }
        text.push('\n');
    }
    let names: Vec<String> = columns.iter().map(|key| format!("\"{}\"", key.key())).collect();
    let _ = writeln!(text, "[[table]]\ncolumns = [{}]\nrows = [", names.join(", "));
    for draft in drafts {
        let cells: Vec<String> =
            columns.iter().map(|key| draft.cells.get(key).map_or_else(|| "\"\"".to_owned(), written)).collect();
        let _ = writeln!(text, "  [{}],", cells.join(", "));
    }
    text.push_str("]\n");
    text
}

fn written(cell: &Cell) -> String {
    match cell {
        Cell::Number(number) => number.to_string(),
        Cell::Text(text) => toml::Value::String(text.split_whitespace().collect::<Vec<_>>().join(" ")).to_string(),
    }
}
