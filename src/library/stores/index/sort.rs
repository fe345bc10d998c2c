//! What measurements are sorted by.

use super::schema::{metric_name, number_name};
use crate::model::{Field, Metric, Part};

/// How measurements are sorted; rows without a value come last.
#[derive(Debug, Clone, PartialEq)]
pub struct Sort {
    /// Their values.
    pub by: SortKey,
    /// Largest first.
    pub descending: bool,
}

/// Where the values are that measurements are sorted by.
#[derive(Debug, Clone, PartialEq)]
pub enum SortKey {
    /// A metric.
    Metric(Metric),
    /// A number of the row's own.
    Field(Field),
    /// A number of its setup, workload, protocol or batch, given for each of them.
    Shared(Part, Vec<Option<f64>>),
}

impl SortKey {
    /// The column that holds the values; shared ones have none.
    pub(super) fn column(&self) -> Option<String> {
        match self {
            Self::Metric(metric) => Some(metric_name(*metric)),
            Self::Field(field) => Some(number_name(*field)),
            Self::Shared(..) => None,
        }
    }
}
