//! Conditions that are checked against columns, and only for the documents that all other conditions let through.

use std::ops::{Bound, RangeBounds as _};

use tantivy::columnar::Column;
use tantivy::{COLLECT_BLOCK_BUFFER_LEN, DocId, SegmentReader};

use super::condition::{Condition, MANY_SHARES};
use super::rows::{PartColumn, RowParts, wanted};
use super::schema::{as_stored, has_column, metric_name, number_name};

/// Lower and upper bound of a number.
pub(super) type NumberRange = (Bound<f64>, Bound<f64>);

/// A condition on a column, which every hit must meet.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ColumnFilter {
    /// A number within bounds.
    Number { column: String, bounds: NumberRange },
    /// One of the shares whose entry in `wanted` is `true`.
    Shares { part: crate::model::Part, wanted: Vec<bool> },
}

/// Splits a condition into what the inverted index finds and what is checked per document found. Both must hold.
pub(super) fn divide(condition: &Condition) -> (Condition, Vec<ColumnFilter>) {
    let mut found = Vec::new();
    let mut filters = Vec::new();
    take(condition, &mut found, &mut filters);
    (Condition::All(found), filters)
}

fn take(condition: &Condition, found: &mut Vec<Condition>, filters: &mut Vec<ColumnFilter>) {
    let within = |column, low: &Bound<f64>, high: &Bound<f64>| ColumnFilter::Number {
        column,
        bounds: (low.map(as_stored), high.map(as_stored)),
    };
    match condition {
        Condition::All(all) => all.iter().for_each(|condition| take(condition, found, filters)),
        Condition::Any(any) if any.len() == 1 => take(&any[0], found, filters),
        Condition::Metric(metric, low, high) => filters.push(within(metric_name(*metric), low, high)),
        Condition::Field(field, low, high) if has_column(*field) => {
            filters.push(within(number_name(*field), low, high));
        }
        Condition::Shares(part, shares) if shares.len() >= MANY_SHARES => {
            filters.push(ColumnFilter::Shares { part: *part, wanted: wanted(shares) });
        }
        condition => found.push(condition.clone()),
    }
}

/// A filter over the columns of a segment.
pub(super) enum OpenColumnFilter {
    Number {
        /// `None` where no document has such a number.
        column: Option<Column<f64>>,
        bounds: NumberRange,
    },
    Shares {
        column: PartColumn,
        wanted: Vec<bool>,
    },
}

impl ColumnFilter {
    pub fn open(&self, segment: &SegmentReader, rows: &RowParts) -> tantivy::Result<OpenColumnFilter> {
        Ok(match self {
            Self::Number { column, bounds } => {
                OpenColumnFilter::Number { column: segment.fast_fields().column_opt(column)?, bounds: *bounds }
            }
            Self::Shares { part, wanted } => {
                OpenColumnFilter::Shares { column: rows.column(*part).clone(), wanted: wanted.clone() }
            }
        })
    }
}

impl OpenColumnFilter {
    /// Moves the documents that pass to the front of a block and returns their number.
    pub fn retain_passing(&self, docs: &mut [DocId]) -> usize {
        match self {
            Self::Shares { column, wanted } => column.retain_passing(docs, wanted),
            Self::Number { column: None, .. } => 0,
            Self::Number { column: Some(column), bounds } => {
                let mut values = [None; COLLECT_BLOCK_BUFFER_LEN];
                let values = &mut values[..docs.len()];
                column.first_vals(docs, values);
                let mut count = 0;
                for at in 0..docs.len() {
                    docs[count] = docs[at];
                    count += usize::from(values[at].is_some_and(|value| bounds.contains(&value)));
                }
                count
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Facet, Metric, Part};

    #[test]
    fn only_what_must_hold_for_all_is_looked_up() {
        let fast = Condition::Metric(Metric::LatencyMs, Bound::Unbounded, Bound::Excluded(20.0));
        let gpu = Condition::Facet(Facet::Class, vec!["gpu".to_owned()]);
        let few = Condition::Shares(Part::Setup, vec![1, 2]);
        let many = Condition::Shares(Part::Setup, (0..200).collect());
        let (found, filters) =
            divide(&Condition::All(vec![gpu.clone(), Condition::Any(vec![fast.clone()]), few.clone(), many]));
        assert_eq!(found, Condition::All(vec![gpu.clone(), few]));
        assert_eq!(filters.len(), 2);
        let either = Condition::Any(vec![fast, gpu]);
        assert_eq!(divide(&either), (Condition::All(vec![either]), Vec::new()));
    }
}
