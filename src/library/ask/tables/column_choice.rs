//! Sorts a finished table and selects its columns.

use std::cmp::Ordering;

use super::error::TableError;
use crate::values::Grid;
use crate::values::text::nearest;
use crate::values::text::normalise;

/// Sorts a grid by one column and selects columns by heading; an empty selection or `all` keeps all of them.
///
/// # Errors
///
/// Fails for an unknown column.
pub(super) fn chosen(mut grid: Grid, columns: &[String], sort: Option<&str>) -> Result<Grid, TableError> {
    if let (Some(order), false) = (sort, grid.columns.is_empty()) {
        let (name, descending) = ordered_by(order);
        let at = place(&grid, name)?;
        grid.rows.sort_by_cached_key(|row| CellOrder::of(&row[at], descending));
    }
    if columns.is_empty() || grid.columns.is_empty() || is_everything(columns) {
        return Ok(grid);
    }
    let places = columns.iter().map(|name| place(&grid, name)).collect::<Result<Vec<usize>, TableError>>()?;
    Ok(Grid {
        columns: places.iter().map(|at| grid.columns[*at].clone()).collect(),
        rows: grid.rows.iter().map(|row| places.iter().map(|at| row[*at].clone()).collect()).collect(),
    })
}

/// Whether all columns are requested that are not empty.
pub(super) fn is_everything(columns: &[String]) -> bool {
    columns.iter().any(|name| name.trim() == "all")
}

/// The index of a column by its heading, with or without the unit.
fn place(grid: &Grid, name: &str) -> Result<usize, TableError> {
    let plain = |heading: &str| normalise(heading.split_once(" [").map_or(heading, |(plain, _)| plain));
    let wanted = normalise(name);
    let is = |heading: &str| heading == name.trim() || normalise(heading) == wanted || plain(heading) == wanted;
    grid.columns.iter().position(|column| is(&column.heading)).ok_or_else(|| {
        let headings = grid.columns.iter().map(|column| column.heading.as_str());
        let near = nearest(name, headings.clone(), 3);
        TableError::no_column(name, &if near.is_empty() { headings.collect::<Vec<_>>() } else { near })
    })
}

/// Parses a sort key: `-memory` is `memory`, descending.
pub(super) fn ordered_by(key: &str) -> (&str, bool) {
    let key = key.trim();
    key.strip_prefix('-').map_or((key, false), |name| (name, true))
}

/// The sort key of a cell: numbers and grades by value, then texts alphabetically, unknown values last.
#[derive(PartialEq, Eq)]
pub(super) struct CellOrder {
    text: String,
    descending: bool,
}

impl CellOrder {
    pub(super) fn of(text: &str, descending: bool) -> Self {
        Self { text: text.to_owned(), descending }
    }

    fn number(&self) -> Option<f64> {
        let grade = || self.text.parse().ok().map(crate::model::rank_of);
        self.text.parse().ok().or_else(grade)
    }
}

impl Ord for CellOrder {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = match (self.number(), other.number()) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => a.is_none().cmp(&b.is_none()).then_with(|| self.text.cmp(&other.text)),
        };
        let order = if self.descending { order.reverse() } else { order };
        self.text.is_empty().cmp(&other.text.is_empty()).then(order)
    }
}

impl PartialOrd for CellOrder {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
