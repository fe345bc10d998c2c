//! In which size and with which widths a table is set, so that it is no wider than it may be.

use super::notation::{marks_of, number, raised_points};
use super::width::{BOLD, widest_piece, width};
use crate::render::table::content::{Cell, Column, Role, Table, TableNote};
use crate::render::table::write::spanners;
use crate::values::PageRoom;

/// A column as it is set.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ColumnSetting {
    /// The lines of its heading.
    pub head: Vec<String>,
    /// Its width, where its texts are wrapped.
    pub wrapped: Option<f64>,
    /// How wide it is.
    width: f64,
}

/// A size of type, the blank beside a column, and the columns that are shown.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TableSetting {
    /// Of `\normalsize`, `\small`, `\footnotesize`, `\scriptsize`.
    pub size: usize,
    /// The same in points.
    pub points: f64,
    pub gap: f64,
    pub columns: Vec<ColumnSetting>,
    /// How wide the table is.
    pub width: f64,
    /// How wide it may be.
    pub room: f64,
}

/// A way to make a table narrower.
#[derive(Debug, Clone, Copy)]
pub(super) struct NarrowingStep {
    pub size: usize,
    gap: f64,
    /// Whether headings have several lines.
    stacked: bool,
    /// Whether texts are wrapped.
    wrapped: bool,
}

/// From the most readable to the narrowest.
pub(super) const STEPS: [NarrowingStep; 8] = [
    NarrowingStep { size: 0, gap: 6.0, stacked: false, wrapped: false },
    NarrowingStep { size: 1, gap: 6.0, stacked: false, wrapped: false },
    NarrowingStep { size: 1, gap: 6.0, stacked: true, wrapped: false },
    NarrowingStep { size: 2, gap: 6.0, stacked: true, wrapped: false },
    NarrowingStep { size: 2, gap: 4.0, stacked: true, wrapped: false },
    NarrowingStep { size: 2, gap: 4.0, stacked: true, wrapped: true },
    NarrowingStep { size: 2, gap: 3.0, stacked: true, wrapped: true },
    NarrowingStep { size: 3, gap: 3.0, stacked: true, wrapped: true },
];
/// The place of `\footnotesize` among the sizes.
pub(super) const FOOTNOTE: usize = 2;
/// The steps that wrap no text, and those that leave type as large as a footnote.
pub(super) const UNWRAPPED: usize = 5;
pub(super) const READABLE: usize = 7;

impl TableSetting {
    /// Whether cells have several lines.
    pub fn wraps(&self) -> bool {
        self.columns.iter().any(|column| column.wrapped.is_some())
    }

    /// Whether the title of a section is no wider than the table.
    pub fn title_fits(&self, title: &str) -> bool {
        width(title, self.points) <= self.width
    }

    /// The most readable setting in which a table is no wider than it may be.
    pub fn fitting(table: &Table, breadth: f64, room: &PageRoom, steps: &[NarrowingStep]) -> Option<Self> {
        steps.iter().map(|step| Self::by(table, *step, breadth, room)).find(|setting| setting.width <= breadth)
    }

    pub fn by(table: &Table, step: NarrowingStep, breadth: f64, room: &PageRoom) -> Self {
        let size = room.sizes[step.size];
        let shown: Vec<(usize, &Column)> = shown(&table.columns).collect();
        let mut columns: Vec<ColumnSetting> = Vec::with_capacity(shown.len());
        let mut least: Vec<f64> = Vec::with_capacity(shown.len());
        for (at, column) in &shown {
            let cells = || table.rows().map(|row| &row[*at]);
            let natural = natural_width(column, cells(), &table.notes, size);
            let narrowest = match column.numeric || !step.wrapped {
                true => natural,
                false => cells().map(|cell| narrowest_cell(cell, &table.notes, size)).fold(0.0, f64::max),
            };
            let head = heading_lines(column, &table.notes, size, narrowest, step.stacked);
            let of_head = head.iter().map(|line| width(line, size)).fold(0.0, f64::max);
            least.push(narrowest.max(of_head).min(natural.max(of_head)));
            columns.push(ColumnSetting { head, wrapped: None, width: natural.max(of_head) });
        }
        let gaps = 2.0 * step.gap * columns.len().saturating_sub(1) as f64;
        let natural: f64 = columns.iter().map(|column| column.width).sum::<f64>() + gaps;
        if step.wrapped && natural > breadth {
            share_room(&mut columns, &least, breadth - gaps);
        }
        widen_below_spanners(&mut columns, &shown, size, step.gap);
        let width = columns.iter().map(|column| column.width).sum::<f64>() + gaps;
        Self { size: step.size, points: size, gap: step.gap, columns, width, room: breadth }
    }
}

/// Gives each column its least width, and what is left to those that lack most, in equal shares of what they lack.
fn share_room(columns: &mut [ColumnSetting], least: &[f64], room: f64) {
    let spare = room - least.iter().sum::<f64>();
    let lacking: f64 = columns.iter().zip(least).map(|(column, least)| column.width - least).sum();
    for (column, least) in columns.iter_mut().zip(least) {
        let lacks = column.width - least;
        if lacks > 0.0 {
            // Downwards, to whole points: no line may be a hair too wide.
            column.width = (least + (spare.max(0.0) * lacks / lacking).min(lacks)).floor().max(least.ceil());
            column.wrapped = Some(column.width);
        }
    }
}

/// What stands over columns and is wider than they are makes the last of them wider.
fn widen_below_spanners(columns: &mut [ColumnSetting], shown: &[(usize, &Column)], size: f64, gap: f64) {
    let heads: Vec<&Column> = shown.iter().map(|(_, column)| *column).collect();
    for level in spanners(&heads) {
        let mut first = 0;
        for (over, count) in level {
            let below = &mut columns[first..first + count];
            let room = below.iter().map(|column| column.width).sum::<f64>() + 2.0 * gap * (count - 1) as f64;
            if let Some(last) = below.last_mut() {
                last.width += (width(over, size) - room).max(0.0);
            }
            first += count;
        }
    }
}

/// The width of a column whose cells are not wrapped, without its heading.
fn natural_width<'c>(column: &Column, cells: impl Iterator<Item = &'c Cell>, notes: &[TableNote], size: f64) -> f64 {
    let (mut whole, mut fraction, mut minus, mut best, mut behind, mut text) = (0, 0, false, false, 0.0_f64, 0.0_f64);
    for cell in cells {
        let marks = marks_width(cell, notes, size) + width(&cell.spread, size);
        match number(&cell.text).filter(|_| column.numeric) {
            Some((sign, before, after)) => {
                whole = whole.max(before);
                fraction = fraction.max(after);
                minus |= sign;
                best |= cell.best;
                behind = behind.max(marks);
            }
            None => {
                let bold = if cell.best { BOLD } else { 1.0 };
                text = text.max(width(&cell.text, size) * bold + marks);
            }
        }
    }
    let digits = "0".repeat(whole + fraction);
    let signs = if fraction > 0 { "." } else { "" };
    let minus = if minus { "+" } else { "" };
    let bold = if best { BOLD } else { 1.0 };
    text.max(width(&format!("{digits}{signs}{minus}"), size) * bold + behind)
}

/// The width to which a cell of text can be wrapped.
fn narrowest_cell(cell: &Cell, notes: &[TableNote], size: f64) -> f64 {
    widest_piece(&cell.text, size) + marks_width(cell, notes, size) + width(&cell.spread, size)
}

fn marks_width(cell: &Cell, notes: &[TableNote], size: f64) -> f64 {
    width(&marks_of(&cell.notes, notes).join(","), raised_points(size))
}

/// A heading in one line, or in as many as it needs to be no wider than what stands below it.
fn heading_lines(column: &Column, notes: &[TableNote], size: f64, below: f64, stacked: bool) -> Vec<String> {
    let title = column.own_title();
    if !stacked {
        return vec![title];
    }
    // Blanks that hold words together do.
    let words: Vec<&str> = title.split(' ').filter(|word| !word.is_empty()).collect();
    let marks = marks_of(&column.notes, notes).join(",");
    let widest = words.iter().map(|word| width(word, size)).fold(below, f64::max);
    let mut lines: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let behind = if at + 1 == words.len() { width(&marks, size) } else { 0.0 };
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) + behind <= widest => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push((*word).to_owned()),
        }
    }
    if lines.is_empty() { vec![title] } else { lines }
}

/// The columns that are set; the others are remarks behind their rows.
pub(super) fn shown(columns: &[Column]) -> impl Iterator<Item = (usize, &Column)> {
    columns.iter().enumerate().filter(|(_, column)| column.role != Role::Trace)
}
