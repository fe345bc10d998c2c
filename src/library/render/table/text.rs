//! A table at a terminal: comfy-table lays out the cells in columns two blanks apart, without lines; headings are bold.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ColumnConstraint, LineStyle, TableStyle, Width};
use textwrap::WordSplitter;
use textwrap::core::display_width;

use super::super::{BOLD, DIM, paragraph};
use super::content::{MUTED, Table};
use super::measure::{BEST, GAP, Prepared, heading_words};
use super::write::raised;
use crate::values::text::printable;

/// The best among comparable values.
const WINNER: Style = AnsiColor::Green.on_default().bold();
/// Around the words of such a value until they are laid out: characters without width that `printable` keeps out of cells.
const WINNER_BEGINS: char = '\u{2066}';
const MUTED_BEGINS: char = '\u{2067}';
const STYLE_ENDS: char = '\u{2069}';
/// What comfy-table draws between rows, so that their lines can be told apart; no cell has it.
const ROW_END: char = '\u{1e}';

/// A text that stands below each row: a column that found no room beside the others.
pub(super) struct RowDetail {
    /// Its heading.
    pub heading: String,
    /// Its cells, row by row.
    pub cells: Vec<String>,
}

impl RowDetail {
    /// The text below a row; one that several rows of a section share, one below the other, stands below the last of them.
    fn line_below(&self, row: usize, section: &Range<usize>, width: usize) -> String {
        let is_same = |other: usize| self.cells.get(other) == Some(&self.cells[row]);
        if row + 1 < section.end && is_same(row + 1) {
            return String::new();
        }
        let above = (section.start..row).rev().take_while(|other| is_same(*other)).count();
        let heading = match above {
            0 => format!("    {}: ", self.heading),
            above => format!("    {} of these {} rows: ", self.heading, above + 1),
        };
        format!("{DIM}{}{DIM:#}", paragraph(&heading, &self.cells[row], width))
    }
}

/// Some columns of a table in these widths; the details below each row, within `width`.
pub(super) fn lines(
    table: &Table,
    prepared: &Prepared,
    columns: &[usize],
    widths: &[usize],
    details: &[RowDetail],
    width: usize,
) -> String {
    let laid_out: Vec<String> = laid_out(table, prepared, columns, widths).lines().collect();
    let mut blocks = laid_out.split(|line| line.starts_with(ROW_END));
    let mut text = String::new();
    for line in blocks.next().unwrap_or_default() {
        text.push_str(&format!("{BOLD}{}{BOLD:#}\n", line.trim_end()));
    }
    let mut rows = blocks.enumerate();
    let mut first = 0;
    for section in &table.sections {
        if let Some(title) = &section.title {
            text.push_str(&format!("{DIM}{}{DIM:#}\n", printable(title)));
        }
        let last = first + section.rows.len();
        first = last;
        for (row, block) in rows.by_ref().take(section.rows.len()) {
            for line in block {
                let line = line.trim_end().replace(WINNER_BEGINS, &WINNER.render().to_string());
                let line = line.replace(MUTED_BEGINS, &DIM.render().to_string());
                text.push_str(&line.replace(STYLE_ENDS, &WINNER.render_reset().to_string()));
                text.push('\n');
            }
            for detail in details.iter().filter(|detail| !detail.cells[row].is_empty()) {
                text.push_str(&detail.line_below(row, &(last - section.rows.len()..last), width));
            }
        }
    }
    text
}

/// What stands under a table: what its marks mean, and what found no room.
pub fn remarks(table: &Table, hidden: &[String], width: usize) -> String {
    let lines = remark_texts(table, hidden).into_iter().map(|remark| paragraph("", &remark, width));
    lines.map(|line| format!("{DIM}{line}{DIM:#}")).collect()
}

/// The same in one paragraph.
pub fn remarks_in_one(table: &Table, hidden: &[String], width: usize) -> String {
    match remark_texts(table, hidden) {
        none if none.is_empty() => String::new(),
        remarks => format!("{DIM}{}{DIM:#}", paragraph("", &remarks.join(" · "), width)),
    }
}

/// Where what a terminal has no room for is to be found.
const ELSEWHERE: &str = " (-f csv has all)";

fn remark_texts(table: &Table, hidden: &[String]) -> Vec<String> {
    let mut remarks: Vec<String> = Vec::new();
    if table.marks_best() {
        remarks.push(format!("{BEST} {}", table.best_of));
    }
    if table.mutes_some() {
        remarks.push(format!("dim: {MUTED}"));
    }
    remarks.extend(table.legend().map(|note| format!("{} {}", raised(&note.mark), note.text).trim_start().to_owned()));
    if !hidden.is_empty() {
        remarks.push(format!("not shown for want of room: {}{ELSEWHERE}", hidden.join(", ")));
    }
    // Where to find the rest is said once.
    let mut is_said = false;
    for remark in remarks.iter_mut().rev() {
        if let Some(rest) = remark.strip_suffix(ELSEWHERE) {
            if is_said {
                *remark = rest.to_owned();
            }
            is_said = true;
        }
    }
    remarks
}

/// The columns as comfy-table wraps, aligns and pads them.
fn laid_out(table: &Table, prepared: &Prepared, columns: &[usize], widths: &[usize]) -> comfy_table::Table {
    let row_end = LineStyle::none().fill(ROW_END);
    let mut drawn = comfy_table::Table::new();
    drawn.load_style(TableStyle::new().header_separator(row_end).row_separator(row_end));
    let places = || columns.iter().copied().zip(widths.iter().copied());
    let headings: Vec<String> = places()
        .map(|(at, width)| broken(&heading_words(&table.columns[at], &table.notes).join(" "), width).join("\n"))
        .collect();
    // A heading stands right above its column.
    let height = |heading: &str| heading.matches('\n').count();
    let tallest = headings.iter().map(|heading| height(heading)).max().unwrap_or(0);
    drawn.set_header(headings.iter().map(|heading| "\n".repeat(tallest - height(heading)) + heading));
    for (row, shown) in table.rows().zip(&prepared.cells) {
        drawn.add_row(places().map(|(at, width)| {
            let cell = &shown[at];
            let has_long_word = cell.split_whitespace().any(|word| display_width(word) > width);
            let cell = match has_long_word && !table.columns[at].numeric {
                true => broken(cell, width).join("\n"),
                false => cell.clone(),
            };
            match (row[at].best, row[at].muted) {
                (true, _) => styled(&cell, WINNER_BEGINS),
                (false, true) => styled(&cell, MUTED_BEGINS),
                (false, false) => cell,
            }
        }));
    }
    for ((at, width), column) in places().zip(drawn.column_iter_mut()) {
        let numeric = table.columns[at].numeric;
        // A number is never broken.
        let width = if numeric { width.max(prepared.widths[at].content) } else { width };
        column.set_padding((0, GAP as u16));
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed((width + GAP).try_into().unwrap_or(u16::MAX))));
        column.set_cell_alignment(if numeric { CellAlignment::Right } else { CellAlignment::Left });
    }
    drawn
}

/// A text in lines of at most `width`; only a word that is longer than a line is broken, at a hyphen if it has one.
fn broken(text: &str, width: usize) -> Vec<String> {
    let fits = text.split_whitespace().all(|word| display_width(word) <= width);
    let splitter = if fits { WordSplitter::NoHyphenation } else { WordSplitter::HyphenSplitter };
    let lines = textwrap::wrap(text, textwrap::Options::new(width).word_splitter(splitter));
    lines.into_iter().map(|line| line.into_owned()).collect()
}

/// A value whose words will be shown in a style; blanks beside them stay as they are.
fn styled(text: &str, begins: char) -> String {
    let marked = |word: &str| format!("{begins}{word}{STYLE_ENDS}");
    let words = text.split_inclusive([' ', '\n']).map(|part| match part.trim_end() {
        "" => part.to_owned(),
        word => marked(word) + &part[word.len()..],
    });
    words.collect()
}
