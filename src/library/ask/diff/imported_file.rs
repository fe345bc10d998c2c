//! Summaries of files with too many new measurements to review row by row.

use std::collections::BTreeMap;

use serde::Serialize;

use super::described::what;
use crate::comparability::nearest_factors;
use crate::model::{Field, Measurement};

/// Files with more new measurements than this are summarized.
pub const MAX_LISTED_MEASUREMENTS: usize = 12;

/// The many new measurements of one file: their common values, and the outliers.
#[derive(Debug, PartialEq, Serialize)]
pub struct ImportedFile {
    /// The path, relative to the knowledge base.
    pub path: String,
    /// Number of new measurements.
    pub added: usize,
    /// A short description of one of them.
    pub example: String,
    /// The values of the fields that reviewers check first, with the number of rows for each.
    pub fields: Vec<FieldValues>,
    /// The values of each metric.
    pub metrics: Vec<MetricRange>,
}

/// The values of a field in new measurements.
#[derive(Debug, PartialEq, Serialize)]
pub struct FieldValues {
    /// The field.
    pub field: String,
    /// The values with their number of rows, the most frequent first; `None` for rows that do not state the field.
    pub values: Vec<(Option<String>, usize)>,
}

/// The values of a metric in new measurements.
#[derive(Debug, PartialEq, Serialize)]
pub struct MetricRange {
    /// The metric.
    pub metric: String,
    /// Number of rows that state it.
    pub rows: usize,
    /// The lowest value.
    pub lowest: NotableValue,
    /// The median value.
    pub median: String,
    /// The highest value.
    pub highest: NotableValue,
    /// Values far from all others.
    pub outliers: Vec<NotableValue>,
}

/// A value that reviewers should check.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NotableValue {
    /// The value as written in the file.
    pub value: String,
    /// The id of the measurement.
    pub id: String,
    /// A short description of the measurement.
    pub what: String,
}

/// The fields that decide what a number means and are most often wrong.
const FIELDS: &[Field] = &[Field::Device, Field::DeviceCount, Field::Precision, Field::Stage, Field::Framework];

/// A value is an outlier if its nearest neighbour differs by more than this factor.
const FAR: f64 = 10.0;
/// With fewer values than this, there are no outliers.
const MIN_VALUES_FOR_OUTLIERS: usize = 5;

/// Summarizes the new measurements of the file at `path`.
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
    let far = values.iter().zip(factors).filter(|(_, factor)| *factor > FAR && values.len() >= MIN_VALUES_FOR_OUTLIERS);
    Some(MetricRange {
        metric: metric.to_string(),
        rows: values.len(),
        lowest: notable(values.first()?),
        median: values[values.len() / 2].2.clone(),
        highest: notable(values.last()?),
        outliers: far.map(|(value, _)| notable(value)).collect(),
    })
}
