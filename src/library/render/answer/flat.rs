//! Every measurement with every field that any of them has: for a spreadsheet.

use super::super::table::{Cell, Column, Section, Table};
use super::columns::metrics_of;
use super::view::AnswerView;
use crate::ask::answer::Answer;
use crate::model::{Aspect, Field, Value};
use crate::rows::{EntityCache, JoinedRow};
use strum::VariantArray as _;

/// One row for each measurement, with ids and full precision; the columns that were asked for, else all that are known.
pub fn flat(answer: &Answer, view: &AnswerView) -> Table {
    let rows: Vec<&JoinedRow> = answer.measurements.iter().collect();
    let entities = EntityCache::of_catalog(&answer.catalog);
    let all = || {
        let known = |field: &Field| rows.iter().any(|row| row.recorded().get(*field).is_some());
        let fields = Field::VARIANTS.iter().copied().filter(known).map(Aspect::Field);
        let metrics = metrics_of(&rows).into_iter().map(Aspect::Metric);
        [Aspect::Id, Aspect::Source].into_iter().chain(fields).chain(metrics).collect()
    };
    let shown: Vec<Aspect> = view.columns.clone().unwrap_or_else(all);
    let mut columns: Vec<Column> = shown
        .iter()
        .map(|aspect| Column::key(&aspect.json_key(), matches!(aspect, Aspect::Metric(_) | Aspect::Derived(_))))
        .collect();
    // Which of a row's figures are derived is said wherever there are figures.
    let derived = view.columns.is_none() || shown.iter().any(|aspect| matches!(aspect, Aspect::Metric(_)));
    if derived {
        columns.push(Column::key("derived", false));
    }
    let row = |row: &&JoinedRow| -> Vec<Cell> {
        let value = |aspect: &Aspect| entities.value(row, *aspect).as_ref().map_or_else(String::new, Value::to_string);
        let mut cells: Vec<Cell> = shown.iter().map(|aspect| Cell::from(value(aspect).as_str())).collect();
        if derived {
            let derived = row.metrics().filter(|(_, _, derived)| *derived).map(|(metric, _, _)| metric.json_key());
            cells.push(Cell::from(derived.collect::<Vec<_>>().join(" ").as_str()));
        }
        cells
    };
    let rows = rows.iter().map(row).collect();
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}
