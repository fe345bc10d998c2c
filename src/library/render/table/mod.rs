//! A table before any format draws it, and the one algorithm that every format shares.

mod csv;
mod html;
mod latex;
mod latex_text;
mod markdown;
mod measure;
mod panels;
mod text;

use serde_json::{Map, Value};

use crate::render::{Format, RenderError};
use crate::values::{Grid, GridColumn};
pub use html::{escaped as html_escaped, recorded};
pub use latex::Paper;
pub use latex_text::{comment as latex_comment, escaped as latex_escaped, label_name as latex_label};
pub use markdown::escaped as markdown_escaped;
pub use text::remarks;

/// A table of anything: rows under headings, in sections, with marks that notes explain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What it shows, in a phrase.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; a table that is not divided has one section without a title.
    pub sections: Vec<Section>,
    /// What the cells' marks mean.
    pub notes: Vec<TableNote>,
    /// Among which rows the best values are marked.
    pub best_of: String,
}

/// A column of a [`Table`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub heading: String,
    /// What stands over it and its neighbours, the outermost first.
    pub over: Vec<String>,
    /// The table's notes that hold for all its cells.
    pub notes: Vec<usize>,
    /// The unit of its numbers.
    pub unit: Option<String>,
    /// Whether its cells are numbers.
    pub numeric: bool,
    /// What it does for a row.
    pub role: Role,
    /// Whether it may be left out of a narrow terminal, those of the lowest rank first.
    pub gives_way: Option<u8>,
    /// Whether its cells are taken as they are, such as ids and commands, and never wrapped.
    pub whole: bool,
}

/// What a column does for a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It says what the row is about.
    Key,
    /// It is what the row has to say.
    Value,
    /// It says where the row is from.
    Origin,
    /// It is the row's own id, by which its numbers can be traced.
    Trace,
}

/// Rows that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section {
    /// What they share.
    pub title: Option<String>,
    /// The rows, each with one cell a column.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell; an empty text is an unknown value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cell {
    /// What stands in it.
    pub text: String,
    /// How far the samples behind a number lie apart, set beside it; no other program reads it.
    pub spread: String,
    /// Whether it is the best among the values that it can be compared with.
    pub best: bool,
    /// The table's notes that hold for it.
    pub notes: Vec<usize>,
}

/// What a mark means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableNote {
    /// The mark, as text shows it; empty for a remark on the whole table.
    pub mark: String,
    /// Its meaning.
    pub text: String,
}

impl Table {
    /// All rows of all sections.
    pub fn rows(&self) -> impl Iterator<Item = &Vec<Cell>> {
        self.sections.iter().flat_map(|section| &section.rows)
    }

    /// The notes in the order of the legend: remarks on the whole table come last.
    pub fn legend(&self) -> impl Iterator<Item = &TableNote> {
        let marked = self.notes.iter().filter(|note| !note.mark.is_empty());
        marked.chain(self.notes.iter().filter(|note| note.mark.is_empty()))
    }

    /// Whether a value is marked as the best.
    pub fn marks_best(&self) -> bool {
        self.rows().flatten().any(|cell| cell.best)
    }

    /// Removes a column with its cells.
    pub fn remove_column(&mut self, at: usize) -> Column {
        for row in self.sections.iter_mut().flat_map(|section| &mut section.rows) {
            row.remove(at);
        }
        self.columns.remove(at)
    }

    /// Removes the column under this heading, if there is one.
    pub fn remove_heading(&mut self, heading: &str) {
        if let Some(at) = self.columns.iter().position(|column| column.heading == heading) {
            self.remove_column(at);
        }
    }

    /// The columns that give way when there is no room, named by their headings, the first one first.
    pub fn giving_way(mut self, headings: &[&str]) -> Self {
        for column in &mut self.columns {
            let rank = headings.iter().position(|heading| *heading == column.title() || *heading == column.heading);
            column.gives_way = rank.and_then(|rank| u8::try_from(rank).ok());
        }
        self
    }

    /// For a person at a terminal of so many columns, with its legend.
    pub fn text(&self, width: usize) -> String {
        let drawn = panels::drawn(self, width);
        drawn.text + &remarks(self, &drawn.hidden, width)
    }

    /// The same without legend, and the headings of the columns that found no room.
    pub fn text_alone(&self, width: usize) -> (String, Vec<String>) {
        let drawn = panels::drawn(self, width);
        (drawn.text, drawn.hidden)
    }

    /// Comma-separated values: no marks, no sections.
    pub fn csv(&self) -> Result<String, RenderError> {
        Ok(csv::draw(self)?)
    }

    /// A Markdown table with its legend.
    pub fn markdown(&self) -> String {
        write(self, &markdown::Markdown)
    }

    /// An HTML table with its legend.
    pub fn html(&self) -> String {
        write(self, &html::Html::of(self))
    }

    /// A LaTeX table with its legend.
    pub fn latex(&self, paper: &Paper) -> String {
        paper.wrapped(self, &write(self, &latex::Latex::of(self, paper)))
    }

    /// An array of objects, one for each row, under the headings.
    pub fn json(&self) -> Value {
        let object = |row: &Vec<Cell>| {
            let cells = self.columns.iter().zip(row).map(|(column, cell)| (column.title(), column.json(&cell.text)));
            Value::Object(cells.collect::<Map<_, _>>())
        };
        Value::Array(self.rows().map(object).collect())
    }

    /// The table in any format; `width` is for people.
    pub fn draw(&self, format: Format, width: usize) -> Result<String, RenderError> {
        Ok(match format {
            Format::Table => self.text(width),
            Format::Json => super::json(&self.json())?,
            Format::Ndjson => super::ndjson(self.json().as_array().into_iter().flatten())?,
            Format::Csv => self.csv()?,
            Format::Markdown => self.markdown(),
            Format::Html => self.html(),
            Format::Latex => self.latex(&Paper::default()),
        })
    }
}

impl From<&Grid> for Table {
    /// A grid as one section; a unit in brackets at the end of a heading is taken as the column's.
    fn from(grid: &Grid) -> Self {
        let rows = grid.rows.iter().map(|row| row.iter().map(|cell| Cell::from(cell.as_str())).collect()).collect();
        Self {
            columns: grid.columns.iter().map(Column::from).collect(),
            sections: vec![Section { title: None, rows }],
            ..Self::default()
        }
    }
}

impl Column {
    /// A column that says what its rows are about; a unit in brackets at the end of the heading is the column's.
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
            gives_way: None,
            whole: false,
        }
    }

    /// The heading with its unit and all that stands over it: `ResNet-152 eval [ms]`.
    pub fn title(&self) -> String {
        let over = self.over.iter().filter(|over| !over.is_empty()).cloned();
        over.chain([self.own_title()]).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The heading with its unit: `latency [ms]`.
    pub fn own_title(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} [{unit}]", self.heading).trim_start().to_owned(),
            None => self.heading.clone(),
        }
    }

    fn json(&self, cell: &str) -> Value {
        match cell {
            "" => Value::Null,
            number if self.numeric => {
                serde_json::from_str::<serde_json::Number>(number).map_or_else(|_| number.into(), Value::Number)
            }
            text => text.into(),
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

/// What a format does with the parts of a table.
trait TableFormat {
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
fn raised(mark: &str) -> String {
    const LETTERS: &str = "abcdefghijklmnoprstuvwxyz";
    const RAISED: &str = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ";
    let raised = |c: char| LETTERS.chars().position(|letter| letter == c).and_then(|at| RAISED.chars().nth(at));
    mark.chars().map(|c| raised(c).unwrap_or(c)).collect()
}

/// What stands over columns, level by level, outermost first: the text, and over how many columns it stands.
///
/// Neighbours share it where they share all levels above, too.
fn spanners<'c>(columns: &[&'c Column]) -> Vec<Vec<(&'c str, usize)>> {
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
fn write(table: &Table, format: &impl TableFormat) -> String {
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
