//! What a file of measurements gains, where that is too much to be read row by row.

use std::collections::BTreeMap;

use serde::Serialize;

use super::described::what;
use crate::comparability::nearest_factors;
use crate::model::{Field, Measurement};

/// More new measurements of one file are told together.
pub const MOST_TOLD_ONE_BY_ONE: usize = 12;

/// Many new measurements of one file: what they say alike, and which of them stand out.
#[derive(Debug, PartialEq, Serialize)]
pub struct ImportedFile {
    /// Its path, relative to the knowledge base.
    pub path: String,
    /// How many measurements are new.
    pub added: usize,
    /// One of them, in a few words.
    pub example: String,
    /// What review looks at first: the values of some fields, and how many rows have each.
    pub fields: Vec<FieldValues>,
    /// The values of each metric.
    pub metrics: Vec<MetricRange>,
}

/// The values of a field in new measurements.
#[derive(Debug, PartialEq, Serialize)]
pub struct FieldValues {
    /// The field.
    pub field: String,
    /// Its values with the number of rows that have each, the most frequent first; `None` where it is not stated.
    pub values: Vec<(Option<String>, usize)>,
}

/// The values of a metric in new measurements.
#[derive(Debug, PartialEq, Serialize)]
pub struct MetricRange {
    /// The metric.
    pub metric: String,
    /// How many rows state it.
    pub rows: usize,
    /// The lowest value.
    pub lowest: NotableValue,
    /// The middle one.
    pub median: String,
    /// The highest value.
    pub highest: NotableValue,
    /// Values far from all others.
    pub outliers: Vec<NotableValue>,
}

/// A value that review looks at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NotableValue {
    /// The value as it is written.
    pub value: String,
    /// The measurement.
    pub id: String,
    /// What was measured, in a few words.
    pub what: String,
}

/// The fields that decide what a number means and are wrong most often.
const FIELDS: &[Field] = &[Field::Device, Field::DeviceCount, Field::Precision, Field::Stage, Field::Framework];

/// The nearest other value of a file is hardly ever so many times off.
const FAR: f64 = 10.0;
/// Fewer values are no company.
const FEWEST: usize = 5;

/// What the file at `path` gains.
pub(super) fn imported(path: &str, rows: &[&Measurement]) -> ImportedFile {
    let mut by_metric: BTreeMap<&str, Vec<(&Measurement, f64, String)>> = BTreeMap::new();
    for row in rows {
        for (metric, value) in row.metrics() {
            by_metric.entry(metric.key()).or_default().push((row, value.value(), value.to_string()));
        }
    }
    ImportedFile {
        path: path.to_owned(),
        added: rows.len(),
        example: rows.first().map_or_else(String::new, |row| what(row)),
        fields: FIELDS.iter().map(|field| values_of(*field, rows)).collect(),
        metrics: by_metric.into_iter().filter_map(|(metric, values)| range(metric, values)).collect(),
    }
}

fn values_of(field: Field, rows: &[&Measurement]) -> FieldValues {
    let mut counts: BTreeMap<Option<String>, usize> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.get(field).map(|value| value.to_string())).or_default() += 1;
    }
    let mut values: Vec<(Option<String>, usize)> = counts.into_iter().collect();
    values.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    FieldValues { field: field.to_string(), values }
}

fn range(metric: &str, mut values: Vec<(&Measurement, f64, String)>) -> Option<MetricRange> {
    values.sort_by(|a, b| a.1.total_cmp(&b.1));
    let notable = |(row, _, value): &(&Measurement, f64, String)| NotableValue {
        value: value.clone(),
        id: row.id().to_owned(),
        what: what(row),
    };
    let numbers: Vec<f64> = values.iter().map(|(_, number, _)| *number).collect();
    let factors = nearest_factors(&numbers);
    let far = values.iter().zip(factors).filter(|(_, factor)| *factor > FAR && values.len() >= FEWEST);
    Some(MetricRange {
        metric: metric.to_string(),
        rows: values.len(),
        lowest: notable(values.first()?),
        median: values[values.len() / 2].2.clone(),
        highest: notable(values.last()?),
        outliers: far.map(|(value, _)| notable(value)).collect(),
    })
}
