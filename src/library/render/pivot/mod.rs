//! Renders a comparison as a table: columns for values, ratios and ranks, with notes as footnotes.

mod layout;

use std::borrow::Cow;
use std::io;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use self::layout::PivotLayout;
use super::table::{AuthorStyle, Cell, Column, CsvWriter, Paper, Section, Table, TableNote};
use super::{DIM, RenderError, answer, heading, paragraph};
use crate::ask::compare::{Label, Pivot, PivotCell};
use crate::values::citation_mark;
pub use layout::{CellPart, PivotStyle};

/// Maximum number of rows on a terminal; longer tables are unreadable there.
const MOST_ROWS: usize = 60;

/// Legend of shaded cells.
const SHADED: &str = "the darker, the nearer to the best of those it is ranked with";
/// Legend of the spread columns.
const IN_COLUMN: &str = "± and spread: standard deviation of the samples, else the smallest and the largest.";

/// Legend of spreads beside values: standard deviations, and ranges.
const DEVIATION: &str = "±: standard deviation of the samples.";
const RANGE: &str = "In parentheses: the smallest and the largest sample.";
/// Legends of ratios: to a baseline, to the best, and plain quotients.
const SPEED_UP: &str = "Of ratios, above 1 is better than what a value is set against, below 1 is worse.";
const TO_BEST: &str =
    "Ratios are to the best of the values that a value is ranked with, which has 1; the nearer to 1, the better.";
const QUOTIENT: &str = "Ratios: the value divided by that which it is set against.";
/// Legend of geometric means, which may be in another part of a split table than the ratios they summarize.
const MEAN: &str = "Geometric mean: of all such ratios of its line, those of other parts of the table included; beside it how many they are.";

/// Renders the table for a terminal, with notes and sources below.
pub fn text(pivot: &Pivot, question: &str, look: &PivotStyle, width: usize) -> String {
    let table = table(pivot, question, look).fullest(MOST_ROWS);
    let mut text = paragraph("", &table.caption, width);
    text.push('\n');
    text.push_str(&table.text(width));
    if !pivot.sources.is_empty() {
        text.push_str(&format!("\n{}", heading("Sources")));
        for (number, source) in (1..).zip(&pivot.sources) {
            text.push_str(&paragraph(&format!("  [{number}] "), &answer::citation(source), width));
        }
    }
    text.push_str(&format!("{DIM}{DIM:#}"));
    text
}

/// The table in LaTeX, for a paper.
pub fn latex(pivot: &Pivot, question: &str, look: &PivotStyle, paper: Paper) -> String {
    let sources = pivot.sources.iter().map(|source| (source.id.to_string(), answer::citation(source))).collect();
    for_paper(pivot, question, &PivotStyle { cites: true, ..look.clone() }).latex(&Paper { sources, ..paper })
}

/// The table in Typst, for a paper.
pub fn typst(pivot: &Pivot, question: &str, look: &PivotStyle, about: &[String]) -> String {
    let sources = pivot.sources.iter().map(answer::citation);
    answer::typst(&for_paper(pivot, question, look), (1..).zip(sources), about)
}

/// The table with a caption for print; an author's own caption may omit what all values share, so a note states it.
fn for_paper(pivot: &Pivot, question: &str, look: &PivotStyle) -> Table {
    let caption = look.caption.clone().or_else(|| Some(layout::printed(pivot)));
    let mut table = table(pivot, question, &PivotStyle { caption, ..look.clone() });
    let fixed = layout::fixed(pivot);
    if look.caption.is_some() && !fixed.is_empty() {
        table.notes.push(TableNote { mark: String::new(), text: format!("All values: {fixed}.") });
    }
    table
}

/// Comma-separated values, written row by row: in a comparison of everything by everything most cells are empty, and a table
/// of all of them would fill the memory.
///
/// # Errors
///
/// Fails if the output cannot be written or is not UTF-8.
pub fn csv(pivot: &Pivot, look: &PivotStyle) -> Result<String, RenderError> {
    let arranged = arranged(pivot, look);
    let layout = PivotLayout::of(&arranged, look);
    let mut writer = CsvWriter::new(Vec::new());
    writer.row(layout.heads().iter().map(Column::title))?;
    let rows = (0..arranged.rows.len()).map(|at| layout.row(at).1);
    for row in rows.chain(layout.rows_of_means().into_iter().flatten()) {
        writer.row(row.iter().map(|cell| &cell.text))?;
    }
    Ok(String::from_utf8(writer.finish()?).map_err(io::Error::other)?)
}

/// The comparison as a table for readers.
pub fn table(pivot: &Pivot, question: &str, look: &PivotStyle) -> Table {
    let arranged = arranged(pivot, look);
    let pivot = &arranged;
    let layout = PivotLayout::of(pivot, look);
    let mut sections: IndexMap<Vec<String>, Vec<Vec<Cell>>> = IndexMap::new();
    for at in 0..pivot.rows.len() {
        let (titles, cells) = layout.row(at);
        sections.entry(titles).or_default().push(cells);
    }
    let title = |parts: Vec<String>| Some(parts.join(" · ")).filter(|title| !title.is_empty());
    let mut sections: Vec<Section> =
        sections.into_iter().map(|(titles, rows)| Section { title: title(titles), rows }).collect();
    if let Some(rows) = layout.rows_of_means() {
        sections.push(Section { title: None, rows });
    }
    let notes = pivot.notes.iter().map(|note| {
        let printed = note.printed.as_ref().filter(|_| look.cites);
        TableNote { mark: note.mark.clone(), text: printed.unwrap_or(&note.text).clone() }
    });
    let explained = explained(pivot, &layout).into_iter();
    let notes = notes.chain(explained.map(|text| TableNote { mark: String::new(), text }));
    Table {
        caption: look.caption.clone().unwrap_or_else(|| layout::asked(pivot, question)),
        columns: layout.heads(),
        sections,
        notes: notes.collect(),
        best_of: format!("best of the comparable values of a {}", pivot.along),
        shaded_by: SHADED,
        measure: measure(pivot),
    }
}

/// Legend of the spreads, ratios and means that the table shows.
fn explained(pivot: &Pivot, layout: &PivotLayout<'_>) -> Vec<String> {
    let mut told: Vec<&str> = Vec::new();
    let cells = || pivot.cells.iter().flatten().flatten().filter(|cell| cell.value.is_some());
    if layout.shows(CellPart::Spread) {
        told.push(IN_COLUMN);
    } else if layout.shows(CellPart::Value) {
        told.extend(cells().any(|cell| cell.deviation.is_some()).then_some(DEVIATION));
        let has_range = |cell: &PivotCell| cell.deviation.is_none() && cell.range.is_some();
        told.extend(cells().any(|cell| has_range(cell)).then_some(RANGE));
    }
    if layout.shows(CellPart::VsBest) || layout.shows(CellPart::VsBaseline) {
        told.push(match (pivot.ratio.as_deref(), layout.shows(CellPart::VsBaseline)) {
            (Some("quotient"), _) => QUOTIENT,
            (_, true) => SPEED_UP,
            (_, false) => TO_BEST,
        });
    }
    if pivot.means.iter().any(Option::is_some) {
        told.push(MEAN);
    }
    told.into_iter().map(str::to_owned).collect()
}

/// The heading that all columns share, without its unit.
fn measure(pivot: &Pivot) -> Option<String> {
    let first = pivot.columns.first()?;
    let alone = pivot.columns.iter().all(|column| column.heading == first.heading);
    alone.then(|| Column::key(&first.heading, true).heading)
}

/// The comparison with the author's order and names of rows and columns.
fn arranged<'p>(pivot: &'p Pivot, look: &PivotStyle) -> Cow<'p, Pivot> {
    let AuthorStyle { order, names, .. } = &look.author;
    if order.is_empty() && names.is_empty() && !look.cites {
        return Cow::Borrowed(pivot);
    }
    let mut pivot = pivot.clone();
    if !order.is_empty() {
        pivot.arrange(|labels| labels.iter().map(|label| look.author.place(&called(label))).collect());
    }
    let sources = std::mem::take(&mut pivot.sources);
    let (rows_by, columns_by) = (pivot.rows_by.clone(), pivot.columns_by.clone());
    let by_columns: Vec<&String> = columns_by.iter().filter(|key| *key != "metric").collect();
    let rows = pivot.rows.iter_mut().flat_map(|row| rows_by.iter().zip(&mut row.labels));
    let columns = pivot.columns.iter_mut().flat_map(|column| by_columns.iter().copied().zip(&mut column.labels));
    for (key, label) in rows.chain(columns) {
        let own = look.author.own_name(&called(label));
        let source =
            sources.iter().find(|source| key == "source" && label.value.as_deref() == Some(source.id.as_str()));
        label.name = match (own, source) {
            (Some(name), _) => name.to_owned(),
            // In print, a source is its authors and its citation key, which the bibliography resolves.
            (None, Some(source)) if look.cites => format!("{} {}", source.people(), citation_mark(source.id.as_str())),
            _ => continue,
        };
    }
    pivot.sources = sources;
    Cow::Owned(pivot)
}

/// The names of a label: its display name, and its value if it is stated.
fn called(label: &Label) -> Vec<&str> {
    [Some(label.name.as_str()), label.value.as_deref()].into_iter().flatten().collect()
}

/// One JSON object per cell, with everything known about it.
pub fn cells(pivot: &Pivot) -> Vec<Value> {
    let mut objects = Vec::new();
    for (row, cells) in pivot.rows.iter().zip(&pivot.cells) {
        for (column, cell) in pivot.columns.iter().zip(cells) {
            let Some(cell) = cell else { continue };
            let mut object = Map::new();
            let by = pivot.columns_by.iter().filter(|key| *key != "metric");
            for (key, label) in pivot.rows_by.iter().zip(&row.labels).chain(by.zip(&column.labels)) {
                object.insert(key.replace('-', "_"), json!(label.value));
            }
            object.insert("measure".to_owned(), json!(column.measure.replace('-', "_")));
            let notes = row.notes.iter().chain(&column.notes).chain(&cell.notes);
            let notes: Vec<&str> = notes.map(|note| pivot.notes[*note].text.as_str()).collect();
            if let Ok(Value::Object(mut of_cell)) = serde_json::to_value(cell) {
                of_cell.insert("notes".to_owned(), json!(notes));
                object.append(&mut of_cell);
            }
            objects.push(Value::Object(object));
        }
    }
    objects
}
