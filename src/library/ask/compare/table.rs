//! A comparison as data: rows, columns, cells, notes and sources.

use serde::Serialize;

use crate::comparability::{Criterion, VerdictKind};
use crate::model::{Measure, Source};
use crate::values::Decimal;
use crate::values::text::and_list;

/// A table of measurements pivoted by their aspects, ready to be drawn in any format.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Pivot {
    /// What rows are made by: keys of aspects.
    pub rows_by: Vec<String>,
    /// Of so many of these, the first ones, each value is a group of rows.
    #[serde(skip)]
    pub groups: usize,
    /// What columns are made by.
    pub columns_by: Vec<String>,
    /// How a cell was chosen among its candidates.
    pub pick: String,
    /// How many measurements were found.
    pub total: usize,
    /// The rows.
    pub rows: Vec<PivotRow>,
    /// The columns.
    pub columns: Vec<PivotColumn>,
    /// The cells by row, then by column; `None` where nothing was measured.
    pub cells: Vec<Vec<Option<Box<PivotCell>>>>,
    /// Which cells were set against each other: those of a `column` or of a `row`.
    pub along: String,
    /// The baseline, as it is called.
    pub baseline: Option<String>,
    /// The kind of the ratios: `speed-up` or `quotient`.
    pub ratio: Option<String>,
    /// Geometric means of the ratios by row (along columns) or by column (along rows).
    pub means: Vec<Option<GeometricMean>>,
    /// What the question is about, beside what rows and columns are made by: key of the aspect and its values
    /// in words, sources by their ids.
    #[serde(skip)]
    pub subjects: Vec<(String, String)>,
    /// What all cells share: key of the criterion and its value.
    pub shared: Vec<(String, String)>,
    /// The verdict on all cells together.
    pub verdict: Option<VerdictKind>,
    /// What must be known to judge the numbers.
    pub notes: Vec<PivotNote>,
    /// What was relaxed.
    pub relaxed: Vec<String>,
    /// The sources of the cells, in the order in which cells name them.
    pub sources: Vec<Source>,
    /// Whether a value is marked as the best though another one is better, because their dispersion does not tell them
    /// apart.
    #[serde(skip)]
    pub(super) shares_first_rank: bool,
}

/// A row's or column's name along one axis.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Label {
    /// The value, as measurements have it; `None` where it is not stated.
    pub value: Option<String>,
    /// As people call it.
    pub name: String,
}

/// A row.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PivotRow {
    /// Its names, one for each axis.
    pub labels: Vec<Label>,
    /// The notes that hold for all its cells.
    pub notes: Vec<usize>,
}

/// A column.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PivotColumn {
    /// Its names, one for each axis.
    pub labels: Vec<Label>,
    /// What its numbers are: key of a metric or derived measure.
    pub measure: &'static str,
    /// The heading of the measure, with its unit, and with what it counts where that is one thing.
    pub heading: String,
    /// The notes that hold for all its cells.
    pub notes: Vec<usize>,
    #[serde(skip)]
    pub(super) of: Measure,
}

/// A cell.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PivotCell {
    /// Id of the measurement.
    pub id: String,
    /// Its source.
    pub source: String,
    /// Its value, with the digits of the source; `None` where the attempt failed.
    pub value: Option<Decimal>,
    /// Why there is no value.
    pub outcome: Option<String>,
    /// Whether the value is derived rather than stated.
    pub derived: bool,
    /// Smallest and largest sample.
    pub range: Option<(f64, f64)>,
    /// Standard deviation of the samples.
    pub deviation: Option<f64>,
    /// How many measurements it was chosen from.
    pub candidates: usize,
    /// In what the candidates differ so that they are no choice among equals.
    pub mixed: Vec<&'static str>,
    /// In which axes they differ: under which conditions the cell was picked is the choice of the table.
    pub varied: Vec<&'static str>,
    /// All candidates' values, where all are wanted: id and value, best first.
    pub all: Vec<(String, Decimal)>,
    /// Set against the baseline.
    pub vs_baseline: Option<Decimal>,
    /// Set against the best it can be compared with.
    pub vs_best: Option<Decimal>,
    /// Its rank among those it can be compared with.
    pub rank: Option<usize>,
    /// Whether it is the best of those, or not told from it.
    pub best: bool,
    /// Whether it is ranked with nothing though others of the table are ranked.
    #[serde(skip)]
    pub unranked: bool,
    /// How near it comes to the best of those that it is ranked with: 1 at the best, towards 0; nothing where no reader could
    /// check which is the best.
    #[serde(skip)]
    pub nearness: Option<f64>,
    /// The notes that hold for it.
    pub notes: Vec<usize>,
    /// All that its measurement states of what decides whether numbers can be compared, beside what rows and columns are made
    /// by: `device-count=1; batch-size=16`.
    #[serde(skip)]
    pub conditions: String,
}

/// A geometric mean of ratios.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GeometricMean {
    /// Its value.
    pub value: Decimal,
    /// Over so many.
    pub n: usize,
}

/// Something a reader must know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PivotNote {
    /// A stable word for programs.
    pub code: &'static str,
    /// The mark of the rows, columns or cells that it holds for; empty for the whole table.
    pub mark: String,
    /// The sentence.
    pub text: String,
    /// The sentence as a paper prints it, where that is another: with citations by key in the place of the numbers of
    /// sources, and without a word of options.
    #[serde(skip)]
    pub printed: Option<String>,
}

impl PivotNote {
    pub(super) fn marked(code: &'static str, mark: String, text: String) -> Self {
        Self { code, mark, text, printed: None }
    }

    pub(super) fn on_table(code: &'static str, text: impl Into<String>) -> Self {
        Self::marked(code, String::new(), text.into())
    }

    /// A note about criteria: with keys, as options take them, and with prose names in print.
    pub(super) fn on_criteria(code: &'static str, keys: &[&str], say: impl Fn(&str) -> String) -> Self {
        let prose: Vec<String> = keys.iter().map(|key| in_prose(key)).collect();
        let prose: Vec<&str> = prose.iter().map(String::as_str).collect();
        Self { printed: Some(say(&and_list(&prose))), ..Self::on_table(code, say(&and_list(keys))) }
    }
}

/// The prose name of a criterion's key.
pub(super) fn in_prose(key: &str) -> String {
    Criterion::named(key).map_or_else(|| key.to_owned(), Criterion::in_prose)
}

impl Pivot {
    /// Whether no cell has a value.
    pub fn is_empty(&self) -> bool {
        self.cells.iter().flatten().flatten().next().is_none()
    }

    /// Sorts rows and columns by `place`; ties keep their order.
    pub fn arrange(&mut self, place: impl Fn(&[Label]) -> Vec<usize>) {
        let order = |labels: Vec<&[Label]>| -> Vec<usize> {
            let mut order: Vec<usize> = (0..labels.len()).collect();
            order.sort_by_cached_key(|at| place(labels[*at]));
            order
        };
        let rows = order(self.rows.iter().map(|row| row.labels.as_slice()).collect());
        let columns = order(self.columns.iter().map(|column| column.labels.as_slice()).collect());
        let along_rows = self.along == "row";
        self.means = in_order(&self.means, if along_rows { &columns } else { &rows });
        self.cells = in_order(&self.cells, &rows).iter().map(|row| in_order(row, &columns)).collect();
        self.rows = in_order(&self.rows, &rows);
        self.columns = in_order(&self.columns, &columns);
    }

    /// Ids of all measurements whose values the cells show.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let cells = self.cells.iter().flatten().flatten();
        cells.flat_map(|cell| match cell.all.as_slice() {
            [] => vec![cell.id.as_str()],
            all => all.iter().map(|(id, _)| id.as_str()).collect(),
        })
    }
}

/// Items in a new order; an empty list stays empty.
fn in_order<T: Clone>(items: &[T], order: &[usize]) -> Vec<T> {
    order.iter().filter_map(|at| items.get(*at).cloned()).collect()
}
