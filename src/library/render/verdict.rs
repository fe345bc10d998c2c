//! The verdict on measurements as a table: a row for each field, a column for each measurement.

use super::table::{Cell, Column, Section, Table};
use crate::ask::compare::PairVerdict;
use crate::model::Metric;

/// What each measurement states, field by field, and what that means.
pub fn table(verdict: &PairVerdict) -> Table {
    let mut columns = vec![Column::key("tier", false), Column::key("field", false)];
    columns.extend(verdict.ids.iter().map(|id| Column { whole: true, ..Column::key(id, false) }));
    columns.push(Column::key("says", false));
    let cell = |text: &str| Cell::from(text);
    let mut values = vec![cell("value"), cell(verdict.metric.map_or("", Metric::key))];
    values.extend(verdict.values.iter().map(|value| cell(&value.map_or_else(String::new, |value| value.to_string()))));
    values.push(cell(match verdict.order_supported {
        Some(true) => "told apart by their dispersion",
        Some(false) => "not told apart by their dispersion",
        None => "",
    }));
    let mut rows = vec![values];
    for field in &verdict.fields {
        let mut cells = vec![cell(field.tier), cell(field.field)];
        cells.extend(field.values.iter().map(|value| cell(value.as_deref().unwrap_or("not stated"))));
        cells.push(cell(field.says));
        rows.push(cells);
    }
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}
