//! The facet counts of an answer, a line for each field.

use super::super::table::Table;
use super::super::{heading, paragraph};
use crate::ask::answer::{Answer, FacetCounts};
use crate::values::text::counted;
use crate::values::{Grid, GridColumn};

/// More values of a field than this are counted, not shown.
const MOST_VALUES: usize = 8;

/// The counts for a person at a terminal.
pub(super) fn text(answer: &Answer, width: usize) -> String {
    let Some(facets) = &answer.facets else { return String::new() };
    let all = counted(answer.total, "measurement", "measurements");
    let mut text = format!("\n{}", heading(&format!("Values in all {all}")));
    let label = |facet: &FacetCounts| facet.field.replace('_', "-");
    let longest = facets.iter().map(|facet| label(facet).len()).max().unwrap_or(0);
    for facet in facets {
        text.push_str(&paragraph(&format!("  {:longest$}  ", label(facet)), &values(facet), width));
    }
    text
}

/// The counts as a table: field, value, count.
pub(super) fn table(facets: &[FacetCounts]) -> Table {
    let mut grid = Grid::of_texts(&["field", "value"]);
    grid.columns.push(GridColumn::number("measurements"));
    for facet in facets {
        let field = facet.field.replace('_', "-");
        for value in &facet.values {
            let shown = value.value.as_ref().map_or_else(|| "(any)".to_owned(), ToString::to_string);
            grid.push(vec![field.clone(), shown, value.count.to_string()]);
        }
        if facet.not_stated > 0 {
            grid.push(vec![field.clone(), "(not stated)".to_owned(), facet.not_stated.to_string()]);
        }
    }
    Table::from(&grid)
}

/// `mxnet (9) · pytorch (2) · not stated (3)`.
fn values(facet: &FacetCounts) -> String {
    let shown = facet.values.iter().take(MOST_VALUES);
    let mut parts: Vec<String> = shown
        .map(|value| match &value.value {
            Some(name) => format!("{name} ({})", value.count),
            None => format!("stated ({})", value.count),
        })
        .collect();
    if facet.values.len() > MOST_VALUES {
        parts.push(format!("{} more values", facet.values.len() - MOST_VALUES));
    }
    if facet.not_stated > 0 {
        parts.push(format!("not stated ({})", facet.not_stated));
    }
    parts.join(" · ")
}
