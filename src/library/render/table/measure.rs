//! How wide a table's columns are: what they would like, what they can live with, what they need.

use super::content::{Column, Table, TableNote};
use super::write::raised;
use crate::values::text::printable;
use textwrap::core::display_width;

/// A text of this length may be wrapped without harm.
pub(super) const WRAPPED: usize = 24;
/// Where room is scarce, so may one of this length.
const WRAPPED_TIGHTLY: usize = 12;
/// A word longer than this may be broken.
const LONGEST_WORD: usize = 20;
/// Decimal points are put below each other where that costs no more than this.
const COST_OF_ALIGNMENT: usize = 3;

/// A table's cells as text shows them, with their marks, and the widths that follow.
pub(super) struct Prepared {
    /// The cells, row by row.
    pub cells: Vec<Vec<String>>,
    /// The widths, column by column.
    pub widths: Vec<Widths>,
}

/// Widths of a column, in columns of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Widths {
    /// Nothing is wrapped.
    pub natural: usize,
    /// Only headings are wrapped.
    pub content: usize,
    /// Long texts and headings are wrapped.
    pub comfortable: usize,
    /// Whatever is longer than a word or two is wrapped.
    pub tight: usize,
    /// Everything is wrapped that has more than a word.
    pub least: usize,
}

impl Prepared {
    /// Measures a table.
    pub fn of(table: &Table) -> Self {
        let mut cells: Vec<Vec<String>> = vec![Vec::new(); table.rows().count()];
        let mut widths = Vec::new();
        for (at, column) in table.columns.iter().enumerate() {
            let texts = column_cells(table, column, at);
            widths.push(measured(column, &table.notes, &texts));
            for (row, text) in cells.iter_mut().zip(texts) {
                row.push(text);
            }
        }
        Self { cells, widths }
    }
}

/// The widths of some columns within `width`, each at least what `least` gives; `None` when they do not fit.
pub(super) fn fitted(columns: &[Widths], width: usize, least: impl Fn(&Widths) -> usize) -> Option<Vec<usize>> {
    let mut fitted: Vec<usize> = columns.iter().map(least).collect();
    let mut spare = width.checked_sub(fitted.iter().sum::<usize>() + gaps(columns.len()))?;
    // Those that lack little come first: most columns then need no wrapping.
    let mut wanting: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].natural > fitted[at]).collect();
    wanting.sort_by_key(|&at| columns[at].natural - fitted[at]);
    for at in wanting {
        let lacking = columns[at].natural - fitted[at];
        // A number gains nothing from a part of the room for its heading.
        if columns[at].content == fitted[at] && lacking > spare {
            continue;
        }
        let given = spare.min(lacking);
        fitted[at] += given;
        spare -= given;
    }
    Some(fitted)
}

/// Blanks between two columns.
pub(super) const GAP: usize = 2;

/// Blanks between so many columns.
pub(super) fn gaps(columns: usize) -> usize {
    GAP * columns.saturating_sub(1)
}

/// The words of a heading; its unit is one of them.
pub(super) fn heading_words(column: &Column, notes: &[TableNote]) -> Vec<String> {
    let over = column.over.iter().chain([&column.heading]);
    let mut words: Vec<String> =
        over.flat_map(|text| printable(text).split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    words.extend(column.unit.as_ref().map(|unit| format!("[{}]", printable(unit))));
    if let Some(last) = words.last_mut() {
        last.extend(column.notes.iter().map(|note| raised(&notes[*note].mark)));
    }
    words
}

fn measured(column: &Column, notes: &[TableNote], cells: &[String]) -> Widths {
    let widest = cells.iter().map(|cell| display_width(cell)).max().unwrap_or(0);
    let words = heading_words(column, notes);
    let heading_word = words.iter().map(|word| display_width(word)).max().unwrap_or(0);
    let heading = words.iter().map(|word| display_width(word) + 1).sum::<usize>().saturating_sub(1);
    let unbroken = column.numeric || column.whole;
    let least = match unbroken {
        true => widest,
        false => cells.iter().flat_map(|cell| fragments(cell)).max().unwrap_or(0).min(LONGEST_WORD),
    };
    let at_most = |limit: usize| least.max(widest.min(limit)).max(heading_word).max(1);
    Widths {
        natural: widest.max(heading).max(1),
        content: widest.max(heading_word).max(1),
        comfortable: at_most(if unbroken { widest } else { WRAPPED }),
        least: least.max(heading_word).max(1),
        tight: at_most(if unbroken { widest } else { WRAPPED_TIGHTLY }),
    }
}

/// The widths of what is not broken in two: words, and the parts of long words with hyphens.
fn fragments(cell: &str) -> impl Iterator<Item = usize> {
    let words = cell.split_whitespace().flat_map(|word| match display_width(word) > WRAPPED_TIGHTLY {
        true => word.split_inclusive('-').collect(),
        false => vec![word],
    });
    words.map(display_width)
}

/// A column's cells with their marks; numbers stand with their decimal points below each other, where there is room.
fn column_cells(table: &Table, column: &Column, at: usize) -> Vec<String> {
    let cells: Vec<(String, String)> = table
        .rows()
        .map(|row| {
            let cell = &row[at];
            let mut marks = printable(&cell.spread);
            marks.extend(cell.notes.iter().map(|note| raised(&table.notes[*note].mark)));
            if cell.best {
                marks.push_str(BEST);
            }
            (printable(&cell.text), marks)
        })
        .collect();
    if !column.numeric {
        return cells.into_iter().map(|(text, marks)| text + &marks).collect();
    }
    let widest_marks = cells.iter().map(|(_, marks)| display_width(marks)).max().unwrap_or(0);
    let whole = |text: &str| display_width(text.split('.').next().unwrap_or(text));
    let fraction = |text: &str| display_width(text) - whole(text);
    let (mut widest_whole, mut widest_fraction, mut widest) = (0, 0, 0);
    for (text, _) in &cells {
        widest_whole = widest_whole.max(whole(text));
        widest_fraction = widest_fraction.max(fraction(text));
        widest = widest.max(display_width(text));
    }
    let aligned = widest_whole + widest_fraction <= widest + COST_OF_ALIGNMENT;
    cells
        .into_iter()
        .map(|(text, marks)| {
            if text.is_empty() && marks.is_empty() {
                return String::new();
            }
            let behind = if aligned { widest_fraction - fraction(&text) } else { 0 };
            let after_marks = widest_marks - display_width(&marks);
            format!("{text}{marks}{}", " ".repeat(behind + after_marks))
        })
        .collect()
}

/// The mark of the best among comparable values, where type cannot show it.
pub(super) const BEST: &str = "^";
