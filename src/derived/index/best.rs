//! The first hits in the order that was asked for.

use std::cmp::Ordering;

use tantivy::columnar::Column;
use tantivy::{COLLECT_BLOCK_BUFFER_LEN, DocId, SegmentReader};

use super::rows::{PartColumn, RowParts};
use super::schema::{metric_name, number_name};
use super::search::Sorting;

/// The values that hits are sorted by.
pub(super) enum Values {
    /// Nobody has one: all are last, in their own order.
    None,
    Column(Column<f64>),
    Shared(PartColumn, Vec<Option<f64>>),
}

impl Values {
    pub fn open(by: &Sorting, segment: &SegmentReader, rows: &RowParts) -> tantivy::Result<Self> {
        let column = match by {
            Sorting::Metric(metric) => metric_name(*metric),
            Sorting::Field(field) => number_name(*field),
            Sorting::Shared(part, values) => return Ok(Self::Shared(rows.column(*part).clone(), values.clone())),
        };
        Ok(segment.fast_fields().column_opt(&column)?.map_or(Self::None, Self::Column))
    }

    /// Puts the values of at most a block of documents into as many places.
    fn of(&self, docs: &[DocId], values: &mut [Option<f64>]) {
        match self {
            Self::None => values.fill(None),
            Self::Column(column) => column.first_vals(docs, values),
            Self::Shared(column, of_shares) => column.look_up(docs, of_shares, values),
        }
    }
}

/// The first of the hits, in the order that was asked for.
pub(super) enum Best {
    /// In their own order, which is that of the documents.
    First { wanted: usize, docs: Vec<DocId> },
    /// By a value. Kept are at most twice as many as wanted; what cannot be among the wanted any more is passed over.
    Sorted {
        values: Values,
        descending: bool,
        wanted: usize,
        best: Vec<(f64, DocId)>,
        last: Option<f64>,
        without: Vec<DocId>,
    },
}

impl Best {
    pub fn first(wanted: usize) -> Self {
        Self::First { wanted, docs: Vec::new() }
    }

    pub fn sorted(values: Values, descending: bool, wanted: usize) -> Self {
        Self::Sorted { values, descending, wanted, best: Vec::new(), last: None, without: Vec::new() }
    }

    /// Takes at most a block of documents, each later than all before.
    pub fn offer(&mut self, docs: &[DocId]) {
        match self {
            Self::First { wanted, docs: first } => {
                let open = wanted.saturating_sub(first.len());
                first.extend(docs.iter().take(open));
            }
            Self::Sorted { values: column, descending, wanted, best, last, without } => {
                let mut values = [None; COLLECT_BLOCK_BUFFER_LEN];
                let values = &mut values[..docs.len()];
                column.of(docs, values);
                for (&doc, value) in docs.iter().zip(values) {
                    match value {
                        Some(value) => {
                            // Of equal values the earlier document is better.
                            let passed =
                                last.is_some_and(|last| if *descending { *value <= last } else { *value >= last });
                            if !passed {
                                best.push((*value, doc));
                            }
                        }
                        None if without.len() < *wanted => without.push(doc),
                        None => {}
                    }
                }
                if best.len() >= wanted.saturating_mul(2).saturating_add(COLLECT_BLOCK_BUFFER_LEN) {
                    best.select_nth_unstable_by(*wanted, |a, b| by_value(a, b, *descending));
                    best.truncate(*wanted);
                    *last = best.iter().copied().max_by(|a, b| by_value(a, b, *descending)).map(|(value, _)| value);
                }
            }
        }
    }

    /// The first of two.
    pub fn with(mut self, other: Self) -> Self {
        match (&mut self, other) {
            (Self::First { wanted, docs }, Self::First { docs: others, .. }) => {
                docs.extend(others);
                docs.sort_unstable();
                docs.truncate(*wanted);
            }
            (Self::Sorted { best, without, .. }, Self::Sorted { best: others, without: others_without, .. }) => {
                best.extend(others);
                without.extend(others_without);
                without.sort_unstable();
            }
            // They come from the same question.
            (Self::First { .. }, Self::Sorted { .. }) | (Self::Sorted { .. }, Self::First { .. }) => {}
        }
        self
    }

    /// The rows, the first one first.
    pub fn into_rows(self) -> Vec<u64> {
        match self {
            Self::First { docs, .. } => docs.into_iter().map(u64::from).collect(),
            Self::Sorted { descending, wanted, mut best, without, .. } => {
                best.sort_unstable_by(|a, b| by_value(a, b, descending));
                let sorted = best.into_iter().map(|(_, doc)| doc).chain(without);
                sorted.take(wanted).map(u64::from).collect()
            }
        }
    }
}

fn by_value(a: &(f64, DocId), b: &(f64, DocId), descending: bool) -> Ordering {
    let by_value = a.0.total_cmp(&b.0);
    (if descending { by_value.reverse() } else { by_value }).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_lanes_are_the_first_of_all() {
        let (mut one, mut two) = (Best::first(3), Best::first(3));
        one.offer(&[1, 2, 7]);
        two.offer(&[3, 4]);
        assert_eq!(one.with(two).into_rows(), [1, 2, 3]);

        let sorted = |best: &[(f64, DocId)], without: &[DocId]| Best::Sorted {
            values: Values::None,
            descending: true,
            wanted: 4,
            best: best.to_vec(),
            last: None,
            without: without.to_vec(),
        };
        let both = sorted(&[(5.0, 1), (3.0, 9)], &[2]).with(sorted(&[(5.0, 0), (9.0, 4)], &[8]));
        assert_eq!(both.into_rows(), [4, 0, 1, 9]);
        assert_eq!(sorted(&[], &[7]).with(sorted(&[(1.0, 3)], &[2])).into_rows(), [3, 2, 7]);
    }
}
