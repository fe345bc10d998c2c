//! Fitting a table into a terminal: wrapping, leaving out, and going on below.

use std::collections::{HashMap, HashSet};

use super::super::paragraph;
use super::content::{Column, Role, Table};
use super::measure::{GAP, Prepared, WRAPPED, Widths, fitted, gaps};
use super::text::{RowDetail, lines};

/// A drawn table, and the headings of the columns that found no room.
pub(super) struct Drawn {
    pub text: String,
    pub hidden: Vec<String>,
}

/// Where no more than this is lacking, cells are wrapped at every word, if need be.
const LITTLE: usize = 16;

/// Draws a table within `width`.
///
/// Headings are wrapped first. Then columns that may give way are left out, unless rows could no longer be told apart, the id of a row
/// last: it is what is cited. A long text that tells rows apart goes on a line of its own below its row. Then texts are wrapped. What
/// is still too wide goes on below, with the columns that say what the rows are about, or their numbers, repeated.
pub(super) fn drawn(table: &Table, width: usize) -> Drawn {
    let mut fit =
        Fit { table: table.clone(), prepared: Prepared::of(table), hidden: Vec::new(), details: Vec::new(), width };
    fit.leave_out(|widths| widths.content, |_, widths| widths.content > WRAPPED);
    fit.put_long_texts_below_rows();
    fit.leave_out(|widths| widths.comfortable, |_, _| true);
    let Fit { table, prepared, hidden, details, width } = fit;
    let whole: Vec<usize> = (0..table.columns.len()).collect();
    let fits = |least: fn(&Widths) -> usize| fitted(&prepared.widths, width, least);
    let by_words = || {
        let lacks_little = needed(&prepared.widths, |widths| widths.tight) <= width + LITTLE;
        if lacks_little { fits(|widths| widths.least) } else { None }
    };
    let widths = fits(|widths| widths.content)
        .or_else(|| fits(|widths| widths.comfortable))
        .or_else(|| fits(|widths| widths.tight))
        .or_else(by_words);
    let text = match widths {
        Some(widths) => lines(&table, &prepared, &whole, &widths, &details, width),
        None => below_each_other(table, prepared, &details, width),
    };
    Drawn { text, hidden }
}

/// A table that is being fitted.
struct Fit {
    table: Table,
    prepared: Prepared,
    hidden: Vec<String>,
    /// Texts that stand on lines of their own below each row.
    details: Vec<RowDetail>,
    width: usize,
}

impl Fit {
    fn is_too_wide(&self, by: fn(&Widths) -> usize) -> bool {
        needed(&self.prepared.widths, by) > self.width
    }

    /// Leaves out columns that may give way and are not needed to tell rows apart, as long as the table is too wide.
    fn leave_out(&mut self, by: fn(&Widths) -> usize, which: impl Fn(&Column, &Widths) -> bool) {
        while self.is_too_wide(by) {
            let all = self.told_apart(None);
            let ranked =
                self.giving_way().into_iter().filter(|at| which(&self.table.columns[*at], &self.prepared.widths[*at]));
            let Some(at) = ranked.into_iter().find(|at| self.told_apart(Some(*at)) == all) else { break };
            self.hidden.push(self.table.remove_column(at).heading);
            self.prepared = Prepared::of(&self.table);
        }
    }

    fn put_long_texts_below_rows(&mut self) {
        while self.is_too_wide(|widths| widths.content) {
            let long = |at: &usize| !self.table.columns[*at].numeric && self.prepared.widths[*at].content > WRAPPED;
            let Some(at) = self.giving_way().into_iter().find(long) else { break };
            let mut cells: Vec<String> = self.prepared.cells.iter().map(|row| row[at].clone()).collect();
            let heading = self.table.remove_column(at).heading;
            self.prepared = Prepared::of(&self.table);
            // Rows that are told apart without it do not need it.
            let mut alike: HashMap<Vec<&str>, usize> = HashMap::new();
            let about = self.about(None);
            for row in &about {
                *alike.entry(row.clone()).or_default() += 1;
            }
            let mut left_out = false;
            for (cell, row) in cells.iter_mut().zip(&about) {
                if alike[row] == 1 && !cell.is_empty() {
                    cell.clear();
                    left_out = true;
                }
            }
            if left_out {
                self.hidden.push(heading.clone());
            }
            self.details.push(RowDetail { heading, cells });
        }
    }

    /// The columns that may give way, those of the lowest rank first.
    fn giving_way(&self) -> Vec<usize> {
        let ranks = self.table.columns.iter().enumerate();
        let mut ranked: Vec<(u8, usize)> =
            ranks.filter_map(|(at, column)| column.gives_way.map(|rank| (rank, at))).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, at)| at).collect()
    }

    /// How many rows differ in what they are about.
    fn told_apart(&self, without: Option<usize>) -> usize {
        self.about(without).into_iter().collect::<HashSet<_>>().len()
    }

    /// What each row is about, a column left out.
    fn about(&self, without: Option<usize>) -> Vec<Vec<&str>> {
        let is_key = |at: &usize| self.table.columns[*at].role == Role::Key && Some(*at) != without;
        let keys: Vec<usize> = (0..self.table.columns.len()).filter(is_key).collect();
        let rows = self.prepared.cells.iter().enumerate().map(|(row, cells)| {
            let details = self.details.iter().map(|detail| detail.cells[row].as_str());
            keys.iter().map(|at| cells[*at].as_str()).chain(details).collect()
        });
        rows.collect()
    }
}

fn needed(columns: &[Widths], width: impl Fn(&Widths) -> usize) -> usize {
    columns.iter().map(width).sum::<usize>() + gaps(columns.len())
}

/// The table in parts below each other.
fn below_each_other(table: Table, prepared: Prepared, details: &[RowDetail], width: usize) -> String {
    let key = |at: &usize| table.columns[*at].role == Role::Key;
    let (keys, others): (Vec<usize>, Vec<usize>) = (0..table.columns.len()).partition(key);
    let comfortable = |at: &usize| prepared.widths[*at].comfortable;
    let room = keys.iter().map(comfortable).sum::<usize>() + gaps(keys.len());
    let widest = others.iter().map(comfortable).max().unwrap_or(0);
    let names_its_row = || {
        let names: HashSet<&String> = prepared.cells.iter().map(|row| &row[0]).collect();
        names.len() == prepared.cells.len() && prepared.widths[0].comfortable <= width / 3
    };
    let (keys, others) = if room <= width * 11 / 20 && room + GAP + widest <= width {
        (keys, others)
    } else if names_its_row() {
        (vec![0], (1..table.columns.len()).collect())
    } else {
        return as_records(&table, &prepared, details, width);
    };
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for at in others {
        let with_it: Vec<Widths> =
            parts.last().into_iter().flatten().chain([&at]).map(|at| prepared.widths[*at]).collect();
        match parts.last_mut() {
            Some(part) if needed(&with_it, |widths| widths.comfortable) <= width => part.push(at),
            _ => parts.push(keys.iter().copied().chain([at]).collect()),
        }
    }
    let drawn: Vec<String> = parts
        .into_iter()
        .enumerate()
        .map(|(number, part)| {
            let measured: Vec<Widths> = part.iter().map(|at| prepared.widths[*at]).collect();
            let widths = fitted(&measured, width, |widths| widths.comfortable).unwrap_or_else(|| {
                // One column alone is wider than the terminal.
                let others = needed(&measured[..1], |widths| widths.comfortable) + GAP;
                vec![measured[0].comfortable.min(width), width.saturating_sub(others).max(1)]
            });
            let details = if number == 0 { details } else { &[] };
            lines(&table, &prepared, &part, &widths, details, width)
        })
        .collect();
    drawn.join("\n")
}

/// A paragraph for each row: nobody should have to join two tables to read one.
fn as_records(table: &Table, prepared: &Prepared, details: &[RowDetail], width: usize) -> String {
    let mut text = String::new();
    for (row, cells) in prepared.cells.iter().enumerate() {
        let stated = table.columns.iter().zip(cells).filter(|(_, cell)| !cell.trim().is_empty());
        let parts = stated.map(|(column, cell)| format!("{}: {}", column.title(), cell.trim()));
        let details = details.iter().filter(|detail| !detail.cells[row].is_empty());
        let details = details.map(|detail| format!("{}: {}", detail.heading, detail.cells[row]));
        let parts: Vec<String> = parts.chain(details).collect();
        text.push_str(&paragraph("- ", &parts.join(" · "), width));
    }
    text
}
