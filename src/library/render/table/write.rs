//! The one algorithm by which documents write a table, and what a format of a document supplies.

use super::content::{Cell, Column, Table, TableNote};

/// What a format does with the parts of a table.
pub(super) trait TableWriter {
    /// What stands before everything.
    fn open(&self, table: &Table) -> String;
    /// The headings.
    fn header(&self, table: &Table) -> String;
    /// The title of a section and what divides it from the one before; `at` counts from 0.
    fn section(&self, title: Option<&str>, at: usize, columns: &[Column]) -> String;
    /// A row.
    fn row(&self, columns: &[Column], row: &[Cell], notes: &[TableNote]) -> String;
    /// What ends a section.
    fn section_end(&self) -> String {
        String::new()
    }
    /// What stands after everything: the legend.
    fn close(&self, table: &Table) -> String;
}

/// A mark as text shows it: letters are raised, so that they are no part of the word before.
pub(super) fn raised(mark: &str) -> String {
    const LETTERS: &str = "abcdefghijklmnoprstuvwxyz";
    const RAISED: &str = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ";
    let raised = |c: char| LETTERS.chars().position(|letter| letter == c).and_then(|at| RAISED.chars().nth(at));
    mark.chars().map(|c| raised(c).unwrap_or(c)).collect()
}

/// What stands over columns, level by level, outermost first: the text, and over how many columns it stands.
///
/// Neighbours share it where they share all levels above, too.
pub fn spanners<'c>(columns: &[&'c Column]) -> Vec<Vec<(&'c str, usize)>> {
    let levels = columns.iter().map(|column| column.over.len()).max().unwrap_or(0);
    let prefix = |column: &'c Column, level: usize| column.over.get(..=level);
    let level = |level: usize| {
        let mut spans: Vec<(&'c str, usize)> = Vec::new();
        let mut before: Option<Option<&[String]>> = None;
        for column in columns {
            let own = prefix(column, level);
            match spans.last_mut() {
                Some((_, count)) if before == Some(own) => *count += 1,
                _ => spans.push((column.over.get(level).map_or("", String::as_str), 1)),
            }
            before = Some(own);
        }
        spans
    };
    (0..levels).map(level).collect()
}

/// The table algorithm: the same for every format.
pub(super) fn write(table: &Table, format: &impl TableWriter) -> String {
    let mut drawn = format.open(table);
    drawn.push_str(&format.header(table));
    for (at, section) in table.sections.iter().enumerate() {
        drawn.push_str(&format.section(section.title.as_deref(), at, &table.columns));
        for row in &section.rows {
            drawn.push_str(&format.row(&table.columns, row, &table.notes));
        }
        drawn.push_str(&format.section_end());
    }
    drawn.push_str(&format.close(table));
    drawn
}
