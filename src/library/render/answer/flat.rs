//! Every measurement with every field that any of them has: for a spreadsheet.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::super::table::{Cell, Column, CsvWriter, Section, Table};
use super::view::AnswerView;
use crate::ask::answer::Answer;
use crate::model::{Aspect, Field, Metric, Value};
use crate::rows::{EntityCache, JoinedRow};
use strum::VariantArray as _;

/// One row for each measurement, with ids and full precision; the columns that were asked for, else all that are known.
pub fn flat(answer: &Answer, view: &AnswerView) -> Table {
    let mut stated = StatedAspects::default();
    answer.measurements.iter().for_each(|row| stated.note(row));
    let columns = FlatColumns::of(answer, view, &stated);
    let cells = |row| columns.cells(row).map(|text| Cell::from(text.as_str())).collect();
    let rows = answer.measurements.iter().map(cells).collect();
    Table { columns: columns.headings(), sections: vec![Section { title: None, rows }], ..Table::default() }
}

/// Writes the same as comma-separated values, of rows that are read a portion at a time: `portions` gives them from the beginning
/// each time it is asked, once to know the columns and once to write.
///
/// # Errors
///
/// What the output says, and whatever `portions` gives.
pub fn write_csv<P, E>(answer: &Answer, view: &AnswerView, portions: impl Fn() -> P, to: impl Write) -> Result<(), E>
where
    P: Iterator<Item = Result<Vec<JoinedRow>, E>>,
    E: From<io::Error>,
{
    let mut stated = StatedAspects::default();
    for portion in portions() {
        portion?.iter().for_each(|row| stated.note(row));
    }
    let columns = FlatColumns::of(answer, view, &stated);
    let mut writer = CsvWriter::new(to);
    writer.row(columns.headings().iter().map(Column::title))?;
    for portion in portions() {
        for row in &portion? {
            writer.row(columns.cells(row))?;
        }
    }
    writer.finish()?.flush()?;
    Ok(())
}

/// What any of some rows states.
#[derive(Debug, Default)]
struct StatedAspects {
    fields: BTreeSet<Field>,
    metrics: BTreeSet<Metric>,
}

impl StatedAspects {
    fn note(&mut self, row: &JoinedRow) {
        self.fields.extend(row.recorded().fields().iter().map(|(field, _)| *field));
        self.metrics.extend(row.metrics().map(|(metric, _, _)| metric));
    }

    /// Id and source, then what is stated, in the order of the registries.
    fn aspects(&self) -> Vec<Aspect> {
        let fields = Field::VARIANTS.iter().filter(|field| self.fields.contains(field)).copied().map(Aspect::Field);
        let metrics = Metric::VARIANTS.iter().filter(|metric| self.metrics.contains(metric)).copied();
        [Aspect::Id, Aspect::Source].into_iter().chain(fields).chain(metrics.map(Aspect::Metric)).collect()
    }
}

/// The columns of the rows, and what stands in them.
struct FlatColumns<'a> {
    shown: Vec<Aspect>,
    /// Which of a row's figures are derived is said wherever there are figures.
    derived: bool,
    entities: EntityCache<'a>,
}

impl<'a> FlatColumns<'a> {
    fn of(answer: &'a Answer, view: &AnswerView, stated: &StatedAspects) -> Self {
        let shown = view.columns.clone().unwrap_or_else(|| stated.aspects());
        let derived = view.columns.is_none() || shown.iter().any(|aspect| matches!(aspect, Aspect::Metric(_)));
        Self { shown, derived, entities: EntityCache::of_catalog(&answer.catalog) }
    }

    fn headings(&self) -> Vec<Column> {
        let is_number = |aspect: &Aspect| matches!(aspect, Aspect::Metric(_) | Aspect::Derived(_));
        let columns = self.shown.iter().map(|aspect| Column::key(&aspect.json_key(), is_number(aspect)));
        columns.chain(self.derived.then(|| Column::key("derived", false))).collect()
    }

    fn cells(&self, row: &JoinedRow) -> impl Iterator<Item = String> {
        let value =
            |aspect: &Aspect| self.entities.value(row, *aspect).as_ref().map_or_else(String::new, Value::to_string);
        let derived = || {
            let derived = row.metrics().filter(|(_, _, derived)| *derived).map(|(metric, _, _)| metric.json_key());
            derived.collect::<Vec<_>>().join(" ")
        };
        self.shown.iter().map(value).chain(self.derived.then(derived))
    }
}
