//! A table at a terminal: no lines, a bold header, columns two blanks apart.

use anstyle::{AnsiColor, Style};
use textwrap::WordSplitter;
use textwrap::core::display_width;

use super::super::{BOLD, DIM, paragraph};
use super::measure::{BEST, Prepared, heading_words};
use super::panels::Below;
use super::{Column, Table, TableNote, raised};
use crate::values::text::printable;

/// The best among comparable values.
const WINNER: Style = AnsiColor::Green.on_default().bold();

/// Some columns of a table in these widths; what stands below each row, within `width`.
pub(super) fn lines(
    table: &Table,
    prepared: &Prepared,
    columns: &[usize],
    widths: &[usize],
    below: &[Below],
    width: usize,
) -> String {
    let mut headings: Vec<Vec<String>> =
        columns.iter().zip(widths).map(|(at, width)| heading(&table.columns[*at], &table.notes, *width)).collect();
    // A heading stands right above its column.
    let tallest = headings.iter().map(Vec::len).max().unwrap_or(0);
    for heading in &mut headings {
        heading.splice(0..0, vec![String::new(); tallest - heading.len()]);
    }
    let numeric: Vec<bool> = columns.iter().map(|at| table.columns[*at].numeric).collect();
    let mut text = String::new();
    let plain = vec![Style::new(); columns.len()];
    block(&mut text, &headings, &numeric, widths, &vec![BOLD; columns.len()]);
    let mut cells = prepared.cells.iter().enumerate();
    for section in &table.sections {
        if let Some(title) = &section.title {
            text.push_str(&format!("{DIM}{}{DIM:#}\n", printable(title)));
        }
        for (row, (number, shown)) in section.rows.iter().zip(&mut cells) {
            let wrapped: Vec<Vec<String>> = columns
                .iter()
                .zip(widths)
                .map(|(at, width)| wrapped(&shown[*at], numeric_at(table, *at), *width))
                .collect();
            let mut styles = plain.clone();
            for (style, at) in styles.iter_mut().zip(columns) {
                if row[*at].best {
                    *style = WINNER;
                }
            }
            block(&mut text, &wrapped, &numeric, widths, &styles);
            for below in below.iter().filter(|below| !below.cells[number].is_empty()) {
                let line = paragraph(&format!("    {}: ", below.heading), &below.cells[number], width);
                text.push_str(&format!("{DIM}{line}{DIM:#}"));
            }
        }
    }
    text
}

/// What stands under a table: what its marks mean, and what found no room.
pub fn remarks(table: &Table, hidden: &[String], width: usize) -> String {
    let mut remarks: Vec<String> = Vec::new();
    if table.marks_best() {
        remarks.push(format!("{BEST} {}", table.best_of));
    }
    remarks.extend(table.legend().map(|note| format!("{} {}", raised(&note.mark), note.text).trim_start().to_owned()));
    if !hidden.is_empty() {
        remarks.push(format!("not shown for want of room: {} (-f csv has all)", hidden.join(", ")));
    }
    let lines = remarks.iter().map(|remark| paragraph("", remark, width));
    lines.map(|line| format!("{DIM}{line}{DIM:#}")).collect()
}

fn numeric_at(table: &Table, at: usize) -> bool {
    table.columns[at].numeric
}

/// One row, or the header: as many lines as its tallest cell.
fn block(text: &mut String, cells: &[Vec<String>], numeric: &[bool], widths: &[usize], styles: &[Style]) {
    let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
    for line in 0..height {
        let mut drawn = String::new();
        let mut pending = 0;
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                pending += 2;
            }
            let part = cell.get(line).map_or("", String::as_str);
            let content = part.trim_end();
            let (before, after) = match numeric[at] {
                true => (widths[at].saturating_sub(display_width(part)), display_width(part) - display_width(content)),
                false => (0, widths[at].saturating_sub(display_width(content))),
            };
            if content.is_empty() {
                pending += widths[at];
                continue;
            }
            drawn.push_str(&" ".repeat(pending + before));
            let style = styles[at];
            drawn.push_str(&format!("{style}{content}{style:#}"));
            pending = after;
        }
        text.push_str(&drawn);
        text.push('\n');
    }
}

/// A heading in lines of at most `width`: its words are kept whole where that is possible, the unit goes below.
fn heading(column: &Column, notes: &[TableNote], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in heading_words(column, notes) {
        match lines.last_mut() {
            Some(line) if display_width(line) + 1 + display_width(&word) <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.extend(wrapped(&word, false, width)),
        }
    }
    lines
}

fn wrapped(cell: &str, numeric: bool, width: usize) -> Vec<String> {
    if numeric || display_width(cell) <= width && !cell.contains('\n') {
        return vec![cell.to_owned()];
    }
    // A word is broken only where it is longer than the line, at a hyphen if it has one.
    let fits = cell.split_whitespace().all(|word| display_width(word) <= width);
    let splitter = if fits { WordSplitter::NoHyphenation } else { WordSplitter::HyphenSplitter };
    let options = textwrap::Options::new(width).word_splitter(splitter);
    textwrap::wrap(cell, options).into_iter().map(|line| line.into_owned()).collect()
}
