//! A comparison as a table: columns for values, ratios and ranks, notes as footnotes.

use std::borrow::Cow;

use serde_json::{Map, Value, json};
use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use super::people::with_people;
use super::table::{Cell, Column, Paper, Role, Section, Table, TableNote};
use super::{DIM, answer, heading, paragraph};
use crate::ask::compare::{Label, Pivot, PivotCell, PivotColumn};
use crate::model::Aspect;
use crate::values::spelling::normalise;
use crate::values::{Decimal, citation_mark};

/// What is shown of a cell.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum CellPart {
    /// The value
    Value,
    /// The ratio to the baseline
    VsBaseline,
    /// The ratio to the best that it can be compared with
    VsBest,
    /// The rank among those that it can be compared with
    Rank,
}

/// How a comparison is drawn.
#[derive(Debug, Clone, Default)]
pub struct PivotStyle {
    /// What is shown of each cell.
    pub shown: Vec<CellPart>,
    /// Significant digits of values; nothing leaves them as they were printed.
    pub digits: Option<u8>,
    /// The caption that was asked for.
    pub caption: Option<String>,
    /// Whether numbers stand with all their digits and nothing beside them, for a program.
    pub exact: bool,
    /// Whether sources are cited by their keys, as LaTeX does, and not by numbers.
    pub cites: bool,
    /// Values or names of rows and columns in the order in which they stand; the others follow in their own order.
    pub order: Vec<String>,
    /// Names of an author's own, by the values or names of rows and columns.
    pub names: Vec<(String, String)>,
}

/// Draws the table for a person, with notes and sources below.
pub fn text(pivot: &Pivot, question: &str, look: &PivotStyle, width: usize) -> String {
    let table = table(pivot, question, look);
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

/// The table for a paper.
pub fn latex(pivot: &Pivot, question: &str, look: &PivotStyle, paper: Paper) -> String {
    let sources = pivot.sources.iter().map(|source| (source.id.to_string(), answer::citation(source))).collect();
    table(pivot, question, &PivotStyle { cites: true, ..look.clone() }).latex(&Paper { sources, ..paper })
}

/// The comparison as a table of any format.
pub fn table(pivot: &Pivot, question: &str, look: &PivotStyle) -> Table {
    let arranged = arranged(pivot, look);
    let pivot = &arranged;
    let layout = PivotLayout::of(pivot, look);
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for (at, row) in pivot.rows.iter().enumerate() {
        let mut cells: Vec<Cell> = row.labels.iter().map(|label| Cell::from(label.name.as_str())).collect();
        for (label, cell) in row.labels.iter().zip(&mut cells) {
            if label.value.is_none() && !look.exact {
                cell.text = "not stated".to_owned();
            }
        }
        if let Some(first) = cells.first_mut() {
            first.notes.clone_from(&row.notes);
        }
        cells.extend(layout.columns.iter().map(|column| layout.cell(at, *column)));
        rows.push(cells);
    }
    let mut sections = vec![Section { title: None, rows }];
    if let Some(rows) = layout.rows_of_means() {
        sections.push(Section { title: None, rows });
    }
    let notes = pivot.notes.iter().map(|note| {
        let printed = note.printed.as_ref().filter(|_| look.cites);
        TableNote { mark: note.mark.clone(), text: printed.unwrap_or(&note.text).clone() }
    });
    Table {
        caption: look.caption.clone().unwrap_or_else(|| match look.cites {
            true => caption(pivot, &with_people(question, &pivot.sources)),
            false => caption(pivot, question),
        }),
        columns: layout.heads(),
        sections,
        notes: notes.collect(),
        best_of: format!("best of the comparable values of a {}", pivot.along),
        measure: measure(pivot),
    }
}

/// What all numbers are: the heading of the one measure, without its unit.
fn measure(pivot: &Pivot) -> Option<String> {
    let first = pivot.columns.first()?;
    let alone = pivot.columns.iter().all(|column| column.heading == first.heading);
    alone.then(|| Column::key(&first.heading, true).heading)
}

/// The comparison with its rows and columns in the order and under the names that an author wants.
fn arranged<'p>(pivot: &'p Pivot, look: &PivotStyle) -> Cow<'p, Pivot> {
    if look.order.is_empty() && look.names.is_empty() && !look.cites {
        return Cow::Borrowed(pivot);
    }
    let mut pivot = pivot.clone();
    if !look.order.is_empty() {
        let is = |wanted: &str, label: &Label| {
            [Some(&label.name), label.value.as_ref()]
                .into_iter()
                .flatten()
                .any(|name| normalise(name) == normalise(wanted))
        };
        let place = |labels: &[Label]| -> Vec<usize> {
            let place =
                |label: &Label| look.order.iter().position(|wanted| is(wanted, label)).unwrap_or(look.order.len());
            labels.iter().map(place).collect()
        };
        pivot.arrange(place);
    }
    let sources = std::mem::take(&mut pivot.sources);
    let (rows_by, columns_by) = (pivot.rows_by.clone(), pivot.columns_by.clone());
    let by_columns: Vec<&String> = columns_by.iter().filter(|key| *key != "metric").collect();
    let rows = pivot.rows.iter_mut().flat_map(|row| rows_by.iter().zip(&mut row.labels));
    let columns = pivot.columns.iter_mut().flat_map(|column| by_columns.iter().copied().zip(&mut column.labels));
    for (key, label) in rows.chain(columns) {
        let own = look
            .names
            .iter()
            .find(|(wanted, _)| label.value.as_ref() == Some(wanted) || normalise(&label.name) == normalise(wanted));
        let source =
            sources.iter().find(|source| key == "source" && label.value.as_deref() == Some(source.id.as_str()));
        label.name = match (own, source) {
            (Some((_, name)), _) => name.clone(),
            // A reader of a paper knows people, and the bibliography knows the key.
            (None, Some(source)) if look.cites => format!("{} {}", source.people(), citation_mark(source.id.as_str())),
            _ => continue,
        };
    }
    pivot.sources = sources;
    Cow::Owned(pivot)
}

/// One JSON object for each cell, with all that is known of it.
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

/// What the table shows: the question, and what all of its cells share.
fn caption(pivot: &Pivot, question: &str) -> String {
    let shared = pivot.shared.iter().map(|(key, value)| match (key.as_str(), value.as_str()) {
        ("device-count", "1") => "1 device".to_owned(),
        ("device-count", count) => format!("{count} devices"),
        ("n", n) => format!("n = {n}"),
        ("batch-size", batch) => format!("batch {batch}"),
        (
            "network" | "dataset" | "stage" | "scenario" | "precision" | "device" | "framework" | "input-shape"
            | "statistic" | "timed" | "instance",
            value,
        ) => value.to_owned(),
        (key, value) => match Aspect::named(key) {
            Some(aspect) => format!("{} {value}", aspect.heading()),
            None => format!("{key} {value}"),
        },
    });
    let shared = shared.collect::<Vec<_>>().join(" · ");
    if shared.is_empty() { question.to_owned() } else { format!("{question}: {shared}") }
}

/// Which columns stand where.
struct PivotLayout<'p> {
    pivot: &'p Pivot,
    look: &'p PivotStyle,
    /// The columns behind the row's labels.
    columns: Vec<ShownColumn>,
    several_measures: bool,
    /// Whether more than the value is shown of any column.
    several_shown: bool,
}

/// A column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ShownColumn {
    Of(usize, CellPart),
    Mean,
    CountOfMean,
}

impl<'p> PivotLayout<'p> {
    fn of(pivot: &'p Pivot, look: &'p PivotStyle) -> Self {
        let mut columns: Vec<ShownColumn> = Vec::new();
        for at in 0..pivot.columns.len() {
            for shown in &look.shown {
                // The value stands even where it is missing everywhere; a ratio that nobody has does not.
                let any = pivot.cells.iter().any(|row| row[at].as_ref().is_some_and(|cell| has(cell, *shown)));
                if *shown == CellPart::Value || any {
                    columns.push(ShownColumn::Of(at, *shown));
                }
            }
        }
        if pivot.along == "column" && pivot.means.iter().any(Option::is_some) {
            columns.extend([ShownColumn::Mean, ShownColumn::CountOfMean]);
        }
        let mut measures: Vec<&str> = pivot.columns.iter().map(|column| column.measure).collect();
        measures.sort_unstable();
        measures.dedup();
        let kinds = columns.iter().filter_map(|place| match place {
            ShownColumn::Of(_, shown) => Some(*shown),
            _ => None,
        });
        let several_shown = kinds.collect::<std::collections::BTreeSet<_>>().len() > 1;
        Self { pivot, look, columns, several_measures: measures.len() > 1, several_shown }
    }

    fn heads(&self) -> Vec<Column> {
        let labels = self.pivot.rows_by.iter().map(|key| {
            let aspect = Aspect::named(key);
            let heading = aspect.map_or_else(|| key.clone(), |aspect| aspect.heading().to_owned());
            Column::key(&heading, aspect.is_some_and(Aspect::is_numeric))
        });
        let values = self.columns.iter().map(|place| match place {
            ShownColumn::Of(at, shown) => self.head(&self.pivot.columns[*at], *at, *shown),
            ShownColumn::Mean => Column { role: Role::Value, ..Column::key("geometric mean [x]", true) },
            ShownColumn::CountOfMean => Column { role: Role::Value, ..Column::key("n", true) },
        });
        let mut heads: Vec<Column> = labels.chain(values).collect();
        for (head, place) in heads.iter_mut().skip(self.pivot.rows_by.len()).zip(&self.columns) {
            if let ShownColumn::Of(at, CellPart::Value) = place {
                let cells = self.pivot.cells.iter().filter_map(|row| row[*at].as_ref());
                head.numeric = cells.into_iter().all(|cell| cell.all.len() < 2);
            }
        }
        heads
    }

    fn head(&self, column: &PivotColumn, at: usize, shown: CellPart) -> Column {
        let measure = Column::key(&column.heading, true);
        let mut over: Vec<String> = Vec::new();
        let axes = self.pivot.columns_by.iter().filter(|key| *key != "metric");
        for (key, label) in axes.zip(&column.labels) {
            let name = match &label.value {
                Some(_) => label.name.clone(),
                None => "not stated".to_owned(),
            };
            let aspect = Aspect::named(key);
            let number = aspect.filter(|aspect| aspect.is_numeric()).map(Aspect::heading);
            over.push(number.map_or(name.clone(), |heading| format!("{heading} {name}")));
        }
        let places = self.columns.iter().filter(|place| matches!(place, ShownColumn::Of(other, _) if *other == at));
        let split = self.several_measures && places.count() > 1;
        if self.several_measures && self.several_shown {
            over.push(if split { measure.heading.clone() } else { String::new() });
        }
        let (heading, unit) = match shown {
            CellPart::Value if split && measure.unit.is_some() => (String::new(), measure.unit.clone()),
            CellPart::Value => (measure.heading.clone(), measure.unit.clone()),
            CellPart::VsBaseline => {
                let baseline = self.pivot.baseline.as_deref().unwrap_or("baseline");
                (format!("vs {baseline}"), Some("x".to_owned()))
            }
            CellPart::VsBest => ("vs best".to_owned(), Some("x".to_owned())),
            CellPart::Rank => ("rank".to_owned(), None),
        };
        // Where every column holds one thing, its own name is the heading, and the unit stands beside it.
        let alone = !self.several_shown && !self.several_measures;
        let (heading, unit) = match (alone, over.pop()) {
            (true, Some(name)) if shown == CellPart::Value => {
                let unit = unit.or_else(|| heading.contains('/').then(|| heading.clone()));
                (name, unit)
            }
            (true, Some(name)) => (name, unit),
            (_, popped) => {
                over.extend(popped);
                (heading, unit)
            }
        };
        let notes = if shown == self.look.shown[0] { self.pivot.columns[at].notes.clone() } else { Vec::new() };
        Column { heading, unit, over, notes, role: Role::Value, ..measure }
    }

    fn cell(&self, row: usize, place: ShownColumn) -> Cell {
        let text = |text: String| Cell { text, ..Cell::default() };
        match place {
            ShownColumn::Of(column, shown) => match &self.pivot.cells[row][column] {
                Some(cell) => self.shown(cell, shown),
                None => Cell::default(),
            },
            ShownColumn::Mean => text(self.pivot.means[row].map_or_else(String::new, |mean| mean.value.to_string())),
            ShownColumn::CountOfMean => text(self.pivot.means[row].map_or_else(String::new, |mean| mean.n.to_string())),
        }
    }

    fn shown(&self, cell: &PivotCell, shown: CellPart) -> Cell {
        let number = |number: Option<Decimal>| number.map_or_else(String::new, |number| number.to_string());
        let text = |text: String| Cell { text, ..Cell::default() };
        match shown {
            CellPart::VsBaseline => text(number(cell.vs_baseline)),
            CellPart::VsBest => text(number(cell.vs_best)),
            CellPart::Rank => text(cell.rank.map_or_else(String::new, |rank| rank.to_string())),
            CellPart::Value if cell.all.len() > 1 => {
                let all: Vec<String> = cell.all.iter().map(|(_, value)| self.readable(*value).to_string()).collect();
                text(all.join("; "))
            }
            CellPart::Value => {
                let Some(value) = cell.value else { return text(cell.outcome.clone().unwrap_or_default()) };
                let value = self.readable(value);
                let notes = if self.look.exact { Vec::new() } else { cell.notes.clone() };
                let spread = if self.look.exact { String::new() } else { spread(cell, value) };
                let muted = cell.unranked && !self.look.exact;
                Cell { text: value.to_string(), spread, best: cell.best, muted, notes }
            }
        }
    }

    /// The value with the digits that are wanted.
    fn readable(&self, value: Decimal) -> Decimal {
        match (self.look.exact, self.look.digits) {
            (true, _) => value,
            (false, Some(digits)) => value.cut(digits),
            (false, None) => value.readable(),
        }
    }

    /// The geometric means of columns, and below them how many ratios they are of.
    fn rows_of_means(&self) -> Option<Vec<Vec<Cell>>> {
        if self.pivot.along != "row" || self.pivot.means.iter().all(Option::is_none) {
            return None;
        }
        let ratio = if self.pivot.baseline.is_some() { CellPart::VsBaseline } else { CellPart::VsBest };
        let row = |name: &str, of: &dyn Fn(usize) -> String| -> Vec<Cell> {
            let labels = (0..self.pivot.rows_by.len()).map(|at| Cell::from(if at == 0 { name } else { "" }));
            let values = self.columns.iter().map(|place| match place {
                ShownColumn::Of(column, shown) if *shown == ratio => Cell::from(of(*column).as_str()),
                _ => Cell::default(),
            });
            labels.chain(values).collect()
        };
        let mean = |at: usize| self.pivot.means[at].map_or_else(String::new, |mean| mean.value.to_string());
        let count = |at: usize| self.pivot.means[at].map_or_else(String::new, |mean| mean.n.to_string());
        Some(vec![row("geometric mean", &mean), row("n", &count)])
    }
}

fn has(cell: &PivotCell, shown: CellPart) -> bool {
    match shown {
        CellPart::Value => true,
        CellPart::VsBaseline => cell.vs_baseline.is_some(),
        CellPart::VsBest => cell.vs_best.is_some(),
        CellPart::Rank => cell.rank.is_some(),
    }
}

/// ` ±0.4` or ` (11.9–12.4)`, with the decimals of the value.
fn spread(cell: &PivotCell, value: Decimal) -> String {
    let decimals = usize::from(value.decimals());
    match (cell.deviation, cell.range) {
        (Some(deviation), _) => format!(" ±{deviation:.decimals$}"),
        (None, Some((low, high))) => format!(" ({low:.decimals$}–{high:.decimals$})"),
        (None, None) => String::new(),
    }
}
