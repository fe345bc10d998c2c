//! A table independent of its format (columns, sections, cells, notes), and the algorithm that document formats share.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::ask::answer::grouped;
use crate::ask::export::{ColumnType, Sheet, SheetColumn};
use crate::model::Value;
use crate::values::{Grid, GridColumn};

/// A table: rows under headings, in sections, with marks that notes explain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What the table shows, in a phrase.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; an undivided table has one section without a title.
    pub sections: Vec<Section>,
    /// Explanations of the cells' marks, and remarks on the whole table.
    pub notes: Vec<TableNote>,
    /// What the values marked as best are the best of.
    pub best_of: String,
    /// Legend of shaded cells.
    pub shaded_by: &'static str,
    /// The quantity of all numbers, if it is the same and no heading states it.
    pub measure: Option<String>,
}

/// A column of a [`Table`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub heading: String,
    /// Headings above it that it may share with its neighbours, outermost first.
    pub over: Vec<String>,
    /// Indices of the table's notes that apply to all its cells.
    pub notes: Vec<usize>,
    /// The unit of its numbers.
    pub unit: Option<String>,
    /// Whether its cells are numbers.
    pub numeric: bool,
    /// Its role in a row.
    pub role: Role,
    /// The order in which columns are dropped on a narrow terminal, lowest rank first; `None` is never dropped.
    pub drop_rank: Option<u8>,
    /// Whether its cells must never be wrapped, such as ids and commands.
    pub whole: bool,
    /// The key of `sort:` that orders rows by this column.
    pub sorts_by: Option<&'static str>,
}

/// The role of a column in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Identifies the subject of the row.
    Key,
    /// A value of the row.
    Value,
    /// The origin of the row.
    Origin,
    /// The row's own id, by which its numbers can be traced.
    Trace,
}

/// A group of rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section {
    /// What the rows share.
    pub title: Option<String>,
    /// The rows, each with one cell per column.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell; an empty text is an unknown value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cell {
    /// The text of the cell.
    pub text: String,
    /// The spread of the samples behind a number, shown beside it; not part of outputs for programs.
    pub spread: String,
    /// Whether it is the best of the values it can be compared with.
    pub best: bool,
    /// Whether it is excluded from the ranking while other values are ranked.
    pub muted: bool,
    /// Darkness of the background, in percent of ink; 0 is the paper's colour.
    pub shade: u8,
    /// Indices of the table's notes that apply to it.
    pub notes: Vec<usize>,
}

/// The darkest background, in percent of ink: black type on it has a contrast of 11 to 1, grey one of 4.5 to 1 (WCAG 2.1, 1.4.3).
pub(in crate::render) const DARKEST: u8 = 30;

/// Legend of greyed values.
pub(super) const MUTED: &str = "ranked with no other value";

/// The explanation of a mark, or a remark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableNote {
    /// The mark as plain text; empty for a remark on the whole table.
    pub mark: String,
    /// The explanation.
    pub text: String,
}

impl Table {
    /// All rows of all sections.
    pub fn rows(&self) -> impl Iterator<Item = &Vec<Cell>> {
        self.sections.iter().flat_map(|section| &section.rows)
    }

    /// The notes in legend order: remarks on the whole table come last.
    pub fn legend(&self) -> impl Iterator<Item = &TableNote> {
        let marked = self.notes.iter().filter(|note| !note.mark.is_empty());
        marked.chain(self.notes.iter().filter(|note| note.mark.is_empty()))
    }

    /// Indices of the notes whose marks appear on its columns or in its cells.
    pub fn referenced_notes(&self) -> BTreeSet<usize> {
        let cells = self.rows().flatten().flat_map(|cell| &cell.notes);
        let referenced = self.columns.iter().flat_map(|column| &column.notes).chain(cells).copied();
        referenced.filter(|at| !self.notes[*at].mark.is_empty()).collect()
    }

    /// Whether a value is marked as the best.
    pub fn marks_best(&self) -> bool {
        self.rows().flatten().any(|cell| cell.best)
    }

    /// Whether a value is greyed as unranked.
    pub fn mutes_some(&self) -> bool {
        self.rows().flatten().any(|cell| cell.muted)
    }

    /// Whether a cell is shaded.
    pub fn shades_some(&self) -> bool {
        self.rows().flatten().any(|cell| cell.shade > 0)
    }

    /// Removes a column with its cells.
    pub fn remove_column(&mut self, at: usize) -> Column {
        for row in self.sections.iter_mut().flat_map(|section| &mut section.rows) {
            row.remove(at);
        }
        self.columns.remove(at)
    }

    /// At most `most` rows, those with the most values, with the columns and notes they need; a remark states the total.
    pub fn fullest(mut self, most: usize) -> Self {
        let filled = |row: &Vec<Cell>| row.iter().filter(|cell| !cell.text.is_empty()).count();
        let mut order: Vec<(Reverse<usize>, usize)> =
            self.rows().enumerate().map(|(at, row)| (Reverse(filled(row)), at)).collect();
        let all = order.len();
        if all <= most {
            return self;
        }
        order.sort_unstable();
        let kept: BTreeSet<usize> = order.into_iter().take(most).map(|(_, at)| at).collect();
        let mut at = 0..;
        for section in &mut self.sections {
            section.rows.retain(|_| at.next().is_some_and(|at| kept.contains(&at)));
        }
        self.sections.retain(|section| !section.rows.is_empty());
        for at in (0..self.columns.len()).rev() {
            if self.rows().all(|row| row[at].text.is_empty()) {
                self.remove_column(at);
            }
        }
        let referenced = self.referenced_notes();
        let is_kept = |at: usize, note: &TableNote| note.mark.is_empty() || referenced.contains(&at);
        let places: Vec<usize> = (0..self.notes.len()).filter(|at| is_kept(*at, &self.notes[*at])).collect();
        self.notes = places.iter().map(|at| self.notes[*at].clone()).collect();
        let cells =
            self.sections.iter_mut().flat_map(|section| &mut section.rows).flatten().map(|cell| &mut cell.notes);
        for notes in self.columns.iter_mut().map(|column| &mut column.notes).chain(cells) {
            *notes = notes.iter().filter_map(|note| places.iter().position(|at| at == note)).collect();
        }
        let text = format!("{most} of {} rows, those with most values: -f csv has all.", grouped(all));
        self.notes.push(TableNote { mark: String::new(), text });
        self
    }

    /// Removes the column with this heading, if there is one.
    pub fn remove_heading(&mut self, heading: &str) {
        if let Some(at) = self.columns.iter().position(|column| column.heading == heading) {
            self.remove_column(at);
        }
    }

    /// Keeps each row on one terminal line: where there is no room, the last text columns are dropped first, then the last
    /// numeric ones.
    pub fn one_line_each(mut self) -> Self {
        let count = self.columns.len();
        for (at, column) in self.columns.iter_mut().enumerate() {
            let rank = count - at + if column.numeric { count } else { 0 };
            column.whole = true;
            column.drop_rank = u8::try_from(rank).ok().filter(|_| at > 0);
        }
        self
    }

    /// If neighbouring numeric columns all have the same unit, states it once above them. Units are spelled as in print:
    /// `items/s` where different things are counted, `×` for ratios.
    pub(super) fn with_units_over_columns(mut self) -> Self {
        for unit in self.columns.iter_mut().filter_map(|column| column.unit.as_mut()) {
            if unit.starts_with('/') {
                unit.insert_str(0, "items");
            }
            // The unit of ratios.
            if unit == "x" {
                "×".clone_into(unit);
            }
        }
        let is_value = |column: &Column| column.role == Role::Value && column.numeric;
        let values: Vec<usize> = (0..self.columns.len()).filter(|at| is_value(&self.columns[*at])).collect();
        let (Some(first), Some(last)) = (values.first().copied(), values.last().copied()) else { return self };
        let unit = self.columns[first].unit.clone();
        let alike = values.iter().all(|at| self.columns[*at].unit == unit && !self.columns[*at].heading.is_empty());
        if unit.is_none() || values.len() < 2 || last - first + 1 != values.len() || !alike {
            return self;
        }
        let measured = match (&self.measure, &unit) {
            (Some(measure), Some(unit)) if measure != unit => format!("{measure} [{unit}]"),
            (_, unit) => format!("[{}]", unit.clone().unwrap_or_default()),
        };
        for column in &mut self.columns[first..=last] {
            column.unit = None;
            column.over.insert(0, measured.clone());
        }
        self
    }

    /// Marks columns that may be dropped when there is no room, by heading, the first one dropped first.
    pub fn giving_way(mut self, headings: &[&str]) -> Self {
        for column in &mut self.columns {
            let rank = headings.iter().position(|heading| *heading == column.title() || *heading == column.heading);
            column.drop_rank = rank.and_then(|rank| u8::try_from(rank).ok());
        }
        self
    }
}

impl From<&Grid> for Table {
    /// A grid as one section; brackets at the end of a heading hold the column's unit.
    fn from(grid: &Grid) -> Self {
        let rows = grid.rows.iter().map(|row| row.iter().map(|cell| Cell::from(cell.as_str())).collect()).collect();
        Self {
            columns: grid.columns.iter().map(Column::from).collect(),
            sections: vec![Section { title: None, rows }],
            ..Self::default()
        }
    }
}

impl From<&Sheet> for Table {
    /// A sheet as one section; a missing value is an empty cell.
    fn from(sheet: &Sheet) -> Self {
        let column = |column: &SheetColumn| Column::key(&column.key, column.kind != ColumnType::Text);
        let cell = |cell: &Option<Value>| Cell::from(cell.as_ref().map_or_else(String::new, Value::to_string).as_str());
        let rows = sheet.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        let columns = sheet.columns.iter().map(column).collect();
        Self { columns, sections: vec![Section { title: None, rows }], ..Self::default() }
    }
}

impl Column {
    /// A key column; brackets at the end of the heading hold its unit.
    pub fn key(heading: &str, numeric: bool) -> Self {
        let (heading, unit) = match heading.strip_suffix(']').and_then(|rest| rest.rsplit_once(" [")) {
            Some((heading, unit)) => (heading, Some(unit.to_owned())),
            None => (heading, None),
        };
        Self {
            heading: heading.to_owned(),
            over: Vec::new(),
            notes: Vec::new(),
            unit,
            numeric,
            role: Role::Key,
            drop_rank: None,
            whole: false,
            sorts_by: None,
        }
    }

    /// The heading with its unit, preceded by the headings above it: `ResNet-152 eval [ms]`.
    pub fn title(&self) -> String {
        let over = self.over.iter().filter(|over| !over.is_empty()).cloned();
        over.chain([self.own_title()]).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Only its own heading with its unit: `latency [ms]`.
    pub fn own_title(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} [{unit}]", self.heading).trim_start().to_owned(),
            None => self.heading.clone(),
        }
    }
}

impl From<&GridColumn> for Column {
    fn from(column: &GridColumn) -> Self {
        Self::key(&column.heading, column.numeric)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}

/// How a format writes the parts of a table.
pub(super) trait TableWriter {
    /// What comes before everything else.
    fn open(&self, table: &Table) -> String;
    /// The headings.
    fn header(&self, table: &Table) -> String;
    /// The title of a section, and the divider from the section before; `at` counts from 0.
    fn section(&self, title: Option<&str>, at: usize, columns: &[Column]) -> String;
    /// A row.
    fn row(&self, columns: &[Column], row: &[Cell], notes: &[TableNote]) -> String;
    /// What ends a section.
    fn section_end(&self) -> String {
        String::new()
    }
    /// What comes after everything else: the legend.
    fn close(&self, table: &Table) -> String;
}

/// A mark as plain text: letters are superscript, so that they do not read as part of the word before.
pub(super) fn raised(mark: &str) -> String {
    const LETTERS: &str = "abcdefghijklmnoprstuvwxyz";
    const RAISED: &str = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ";
    let raised = |c: char| LETTERS.chars().position(|letter| letter == c).and_then(|at| RAISED.chars().nth(at));
    mark.chars().map(|c| raised(c).unwrap_or(c)).collect()
}

/// The headings above columns, level by level, outermost first: each text with the number of columns it spans.
///
/// Neighbouring columns share a heading only if they share all levels above as well.
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

/// The table algorithm that all document formats share.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_table_keeps_the_fullest_rows_with_what_they_need() {
        let cell = |text: &str, notes: &[usize]| Cell { notes: notes.to_vec(), ..Cell::from(text) };
        let rows = [
            vec![cell("one", &[]), cell("", &[]), cell("3", &[0])],
            vec![cell("two", &[]), cell("2", &[1]), cell("", &[])],
            vec![cell("three", &[]), cell("1", &[1]), cell("", &[])],
            vec![cell("four", &[]), cell("", &[]), cell("", &[])],
        ];
        let note = |mark: &str| TableNote { mark: mark.to_owned(), text: format!("note {mark}") };
        let table = Table {
            columns: ["name", "a", "b"].map(|heading| Column::key(heading, false)).to_vec(),
            sections: vec![
                Section { title: None, rows: rows[1..].to_vec() },
                Section { title: None, rows: rows[..1].to_vec() },
            ],
            notes: vec![note("x"), note("y")],
            ..Table::default()
        };
        assert_eq!(table.clone().fullest(4), table);
        let shorter = table.fullest(2);
        assert_eq!(shorter.rows().map(|row| row[0].text.as_str()).collect::<Vec<_>>(), ["two", "three"]);
        assert_eq!(shorter.columns.iter().map(|column| column.heading.as_str()).collect::<Vec<_>>(), ["name", "a"]);
        // Both rows have the mark of the second note; no row has that of the first.
        assert!(
            shorter.rows().all(|row| row[1].notes == [0])
                && shorter.notes[0].mark == "y"
                && shorter.sections.len() == 1
        );
        assert_eq!(shorter.notes[1].text, "2 of 4 rows, those with most values: -f csv has all.");
    }
}
