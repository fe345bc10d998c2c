//! A comparison as data: rows, columns, cells, notes and sources.

use serde::Serialize;

use crate::comparability::{Criterion, VerdictKind};
use crate::model::{Measure, Source};
use crate::values::Decimal;
use crate::values::text::and_list;

/// A table of measurements pivoted by their aspects, for output in any format.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Pivot {
    /// The row axes: keys of aspects.
    pub rows_by: Vec<String>,
    /// The number of leading row axes whose values form groups of rows.
    #[serde(skip)]
    pub groups: usize,
    /// The column axes.
    pub columns_by: Vec<String>,
    /// How a cell was picked from its candidates.
    pub pick: String,
    /// Number of measurements found.
    pub total: usize,
    /// The rows.
    pub rows: Vec<PivotRow>,
    /// The columns.
    pub columns: Vec<PivotColumn>,
    /// The cells by row, then by column; `None` if nothing was measured.
    pub cells: Vec<Vec<Option<Box<PivotCell>>>>,
    /// Which cells were compared with each other: those of a `column` or of a `row`.
    pub along: String,
    /// The name of the baseline.
    pub baseline: Option<String>,
    /// The kind of ratio: `speed-up` or `quotient`.
    pub ratio: Option<String>,
    /// Geometric means of the ratios by row (along columns) or by column (along rows).
    pub means: Vec<Option<GeometricMean>>,
    /// The subjects of the question except for the row and column axes: the key of the aspect, and its values in words
    /// (for sources, their ids).
    #[serde(skip)]
    pub subjects: Vec<(String, String)>,
    /// What all cells have in common: the key of the criterion and its value.
    pub shared: Vec<(String, String)>,
    /// The verdict on all cells together.
    pub verdict: Option<VerdictKind>,
    /// Notes that are needed to judge the numbers.
    pub notes: Vec<PivotNote>,
    /// The relaxed criteria.
    pub relaxed: Vec<String>,
    /// The sources of the cells, in order of appearance.
    pub sources: Vec<Source>,
    /// Whether a value is marked as the best although another one is better, because their dispersion does not distinguish
    /// them.
    #[serde(skip)]
    pub(super) shares_first_rank: bool,
}

/// The label of a row or column on one axis.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Label {
    /// The value as in measurements; `None` if it is not stated.
    pub value: Option<String>,
    /// The name for people.
    pub name: String,
}

/// A row.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PivotRow {
    /// Its labels, one per axis.
    pub labels: Vec<Label>,
    /// Indices of the notes that apply to all its cells.
    pub notes: Vec<usize>,
}

/// A column.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PivotColumn {
    /// Its labels, one per axis.
    pub labels: Vec<Label>,
    /// Key of the metric or derived measure of its numbers.
    pub measure: &'static str,
    /// The heading of the measure, with its unit, and with what it counts if that is the same for all numbers.
    pub heading: String,
    /// Indices of the notes that apply to all its cells.
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
    /// Its value, with the digits of the source; `None` if the attempt failed.
    pub value: Option<Decimal>,
    /// Why there is no value.
    pub outcome: Option<String>,
    /// Whether the value is derived rather than stated.
    pub derived: bool,
    /// Smallest and largest sample.
    pub range: Option<(f64, f64)>,
    /// Standard deviation of the samples.
    pub deviation: Option<f64>,
    /// Number of measurements from which it was picked.
    pub candidates: usize,
    /// Fields whose differences make the candidates incomparable.
    pub mixed: Vec<&'static str>,
    /// Axes in which the candidates differ: the table chose the conditions of the cell.
    pub varied: Vec<&'static str>,
    /// The values of all candidates, if requested: id and value, best first.
    pub all: Vec<(String, Decimal)>,
    /// Ratio to the baseline.
    pub vs_baseline: Option<Decimal>,
    /// Ratio to the best comparable value.
    pub vs_best: Option<Decimal>,
    /// Rank among the comparable values.
    pub rank: Option<usize>,
    /// Whether it is the best of these, or not distinguishable from the best.
    pub best: bool,
    /// Whether it is not ranked although other cells of the table are.
    #[serde(skip)]
    pub unranked: bool,
    /// How close it is to the best of its ranking: 1 for the best, towards 0; `None` if a reader could not check which one is
    /// the best.
    #[serde(skip)]
    pub nearness: Option<f64>,
    /// Indices of the notes that apply to it.
    pub notes: Vec<usize>,
    /// What its measurement states in the fields that decide comparability, except for the row and column axes:
    /// `device-count=1; batch-size=16`.
    #[serde(skip)]
    pub conditions: String,
}

/// A geometric mean of ratios.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GeometricMean {
    /// The mean.
    pub value: Decimal,
    /// Number of ratios.
    pub n: usize,
}

/// A note that the reader needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PivotNote {
    /// A stable code for programs.
    pub code: &'static str,
    /// The mark of the rows, columns or cells to which it applies; empty for the whole table.
    pub mark: String,
    /// The text.
    pub text: String,
    /// The text for a paper, if it differs: with citation keys instead of source numbers, and without mention of
    /// options.
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
