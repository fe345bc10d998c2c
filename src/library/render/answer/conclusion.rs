//! What an answer comes to: what limits it, the first line, and one table of its values.

use super::super::table::Table;
use super::super::{DIM, paragraph};
use super::entries::EntryTable;
use super::pairs;
use crate::ask::answer::{Answer, Place};
use crate::ask::parse::Ask;

/// The lines of a table on a terminal.
const MOST_LINES: usize = 12;
/// The entries of a table in a document.
const MOST_IN_DOCUMENT: usize = 20;
/// So many more names of a list are given in a line.
const MOST_NAMED: usize = 30;

/// What limits the answer, the first line, and the table of its values.
pub fn text(answer: &Answer, width: usize) -> String {
    sentences(answer).iter().map(|sentence| paragraph("", sentence, width)).collect::<String>() + &values(answer, width)
}

/// What limits the answer, then the first line.
pub(super) fn sentences(answer: &Answer) -> Vec<String> {
    let before = answer.remarks.iter().filter(|remark| remark.place == Place::Before);
    let before = before.map(|remark| remark.text.clone());
    before.chain(Some(answer.conclusion.text.clone()).filter(|text| !text.is_empty())).collect()
}

/// The values as a table for a terminal, with what they share above it and what does not fit counted below.
pub(super) fn values(answer: &Answer, width: usize) -> String {
    let Some((table, shared, all)) = shown(answer, MOST_LINES) else { return String::new() };
    let mut text = String::new();
    if !shared.is_empty() {
        text.push_str(&format!("{DIM}{}{DIM:#}", paragraph("", &shared, width)));
    }
    let rows = table.rows().count();
    text.push_str(&table.text_alone(width).0);
    text + &more(answer, rows, all, width)
}

/// The table of the values, as many as `most` of them; what all share; and how many there are.
fn shown(answer: &Answer, most: usize) -> Option<(Table, String, usize)> {
    if says_all(answer) {
        return None;
    }
    if let Some((table, shared, all)) = pairs::table(answer, most) {
        return Some((table, shared, all));
    }
    let entries = EntryTable::of(answer)?;
    Some((entries.table(most), entries.shared(), entries.len()))
}

/// Whether the first line, or the table of rows, says all that the entries do.
fn says_all(answer: &Answer) -> bool {
    let entries = &answer.conclusion.entries;
    match answer.ask {
        Ask::Lookup => !answer.measurements.is_empty(),
        Ask::Fact | Ask::Grade => entries.len() < 3,
        _ => false,
    }
}

/// What of the values has no line.
fn more(answer: &Answer, rows: usize, all: usize, width: usize) -> String {
    let hidden = all.saturating_sub(rows);
    if hidden == 0 {
        return String::new();
    }
    let names = match (answer.ask, hidden) {
        (Ask::List, 1..=MOST_NAMED) => EntryTable::of(answer).and_then(|entries| entries.names_behind(rows)),
        _ => None,
    };
    let text = match names {
        Some(names) => format!("{hidden} more: {}", names.join(", ")),
        None => format!("{hidden} more: -f json"),
    };
    format!("{DIM}{}{DIM:#}", paragraph("", &text, width))
}

/// The values as a table of a document, with what all of them share as its caption.
pub(super) fn table(answer: &Answer) -> Option<Table> {
    let (table, shared, _) = shown(answer, MOST_IN_DOCUMENT)?;
    Some(Table { caption: shared, ..table })
}
