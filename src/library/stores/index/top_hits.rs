//! The first hits in the order that was asked for.

use std::cmp::Ordering;
use std::ops::RangeBounds as _;

use tantivy::columnar::Column;
use tantivy::{COLLECT_BLOCK_BUFFER_LEN, DocId, SegmentReader};

use super::column_filter::NumberRange;
use super::rows::{PartColumn, RowParts};
use super::sort::SortKey;

/// The values that hits are sorted by.
pub(super) enum SortValues {
    /// No document has a value: all keep their own order.
    None,
    Column(Column<f64>),
    Shared(PartColumn, Vec<Option<f64>>),
}

impl SortValues {
    pub fn open(by: &SortKey, segment: &SegmentReader, rows: &RowParts) -> tantivy::Result<Self> {
        let column = match (by, by.column()) {
            (SortKey::Shared(part, values), _) => {
                return Ok(Self::Shared(rows.column(*part).clone(), values.clone()));
            }
            (_, None) => return Ok(Self::None),
            (_, Some(column)) => column,
        };
        Ok(segment.fast_fields().column_opt(&column)?.map_or(Self::None, Self::Column))
    }

    /// Reads the values of at most one block of documents.
    fn of(&self, docs: &[DocId], values: &mut [Option<f64>]) {
        match self {
            Self::None => values.fill(None),
            Self::Column(column) => column.first_vals(docs, values),
            Self::Shared(column, of_shares) => column.look_up(docs, of_shares, values),
        }
    }
}

/// The first of the hits, in the order that was asked for.
pub(super) enum TopHits {
    /// In document order.
    First { wanted: usize, docs: Vec<DocId> },
    /// By a value.
    TopByValue(Box<TopByValue>),
}

/// The first hits by a value. Holds at most twice as many as wanted plus a block, then drops those that cannot be among the
/// wanted any more.
pub(super) struct TopByValue {
    values: SortValues,
    /// Conditions on the same column.
    bounds: Vec<NumberRange>,
    /// The values of the block that was sifted last.
    block: [Option<f64>; COLLECT_BLOCK_BUFFER_LEN],
    descending: bool,
    wanted: usize,
    best: Vec<(f64, DocId)>,
    last: Option<f64>,
    without: Vec<DocId>,
}

impl TopHits {
    pub fn first(wanted: usize) -> Self {
        Self::First { wanted, docs: Vec::new() }
    }

    pub fn sorted(values: SortValues, bounds: Vec<NumberRange>, descending: bool, wanted: usize) -> Self {
        let block = [None; COLLECT_BLOCK_BUFFER_LEN];
        let (best, without) = (Vec::new(), Vec::new());
        Self::TopByValue(Box::new(TopByValue { values, bounds, block, descending, wanted, best, last: None, without }))
    }

    /// Moves the documents whose value is within bounds to the front and returns their number.
    pub fn retain_passing(&mut self, docs: &mut [DocId]) -> usize {
        match self {
            Self::First { .. } => docs.len(),
            Self::TopByValue(sorted) => sorted.retain_passing(docs),
        }
    }

    /// Takes the documents of the block that was sifted, each later than all before.
    pub fn offer(&mut self, docs: &[DocId]) {
        match self {
            Self::First { wanted, docs: first } => {
                let open = wanted.saturating_sub(first.len());
                first.extend(docs.iter().take(open));
            }
            Self::TopByValue(sorted) => sorted.offer(docs),
        }
    }

    /// Merges two of the same order.
    pub fn with(mut self, other: Self) -> Self {
        match (&mut self, other) {
            (Self::First { wanted, docs }, Self::First { docs: others, .. }) => {
                docs.extend(others);
                docs.sort_unstable();
                docs.truncate(*wanted);
            }
            (Self::TopByValue(sorted), Self::TopByValue(other)) => {
                sorted.best.extend(other.best);
                sorted.without.extend(other.without);
                sorted.without.sort_unstable();
            }
            (Self::First { .. }, Self::TopByValue(_)) | (Self::TopByValue(_), Self::First { .. }) => {}
        }
        self
    }

    /// The rows, the first one first.
    pub fn into_rows(self) -> Vec<u64> {
        match self {
            Self::First { docs, .. } => docs.into_iter().map(u64::from).collect(),
            Self::TopByValue(sorted) => sorted.into_rows(),
        }
    }
}

impl TopByValue {
    fn retain_passing(&mut self, docs: &mut [DocId]) -> usize {
        self.values.of(docs, &mut self.block[..docs.len()]);
        if self.bounds.is_empty() {
            return docs.len();
        }
        let mut count = 0;
        for at in 0..docs.len() {
            let value = self.block[at];
            (docs[count], self.block[count]) = (docs[at], value);
            let within = value.is_some_and(|value| self.bounds.iter().all(|bounds| bounds.contains(&value)));
            count += usize::from(within);
        }
        count
    }

    fn offer(&mut self, docs: &[DocId]) {
        let Self { descending, wanted, last, .. } = *self;
        for (&doc, value) in docs.iter().zip(self.block) {
            match value {
                Some(value) => {
                    // Of equal values the earlier document is better.
                    let passed = last.is_some_and(|last| if descending { value <= last } else { value >= last });
                    if !passed {
                        self.best.push((value, doc));
                    }
                }
                None if self.without.len() < wanted => self.without.push(doc),
                None => {}
            }
        }
        if self.best.len() >= wanted.saturating_mul(2).saturating_add(COLLECT_BLOCK_BUFFER_LEN) {
            self.best.select_nth_unstable_by(wanted, |a, b| by_value(a, b, descending));
            self.best.truncate(wanted);
            let last = self.best.iter().copied().max_by(|a, b| by_value(a, b, descending));
            self.last = last.map(|(value, _)| value);
        }
    }

    fn into_rows(mut self) -> Vec<u64> {
        self.best.sort_unstable_by(|a, b| by_value(a, b, self.descending));
        let sorted = self.best.into_iter().map(|(_, doc)| doc).chain(self.without);
        sorted.take(self.wanted).map(u64::from).collect()
    }
}

fn by_value(a: &(f64, DocId), b: &(f64, DocId), descending: bool) -> Ordering {
    let by_value = a.0.total_cmp(&b.0);
    (if descending { by_value.reverse() } else { by_value }).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Bound;

    #[test]
    fn the_first_of_two_parts_are_the_first_of_all() {
        let (mut one, mut two) = (TopHits::first(3), TopHits::first(3));
        one.offer(&[1, 2, 7]);
        two.offer(&[3, 4]);
        assert_eq!(one.with(two).into_rows(), [1, 2, 3]);

        let sorted = |best: &[(f64, DocId)], without: &[DocId]| {
            let mut sorted = TopHits::sorted(SortValues::None, Vec::new(), true, 4);
            if let TopHits::TopByValue(sorted) = &mut sorted {
                sorted.best.extend(best);
                sorted.without.extend(without);
            }
            sorted
        };
        let both = sorted(&[(5.0, 1), (3.0, 9)], &[2]).with(sorted(&[(5.0, 0), (9.0, 4)], &[8]));
        assert_eq!(both.into_rows(), [4, 0, 1, 9]);
        assert_eq!(sorted(&[], &[7]).with(sorted(&[(1.0, 3)], &[2])).into_rows(), [3, 2, 7]);
    }

    #[test]
    fn what_is_out_of_bounds_goes_with_its_value() {
        let rows = PartColumn::of_rows(4, &[0, 1, 2, 3]);
        let values = SortValues::Shared(rows, vec![Some(5.0), Some(1.0), None, Some(7.0)]);
        let mut best = TopHits::sorted(values, vec![(Bound::Excluded(2.0), Bound::Unbounded)], true, 9);
        let mut docs = [0, 1, 2, 3];
        let left = best.retain_passing(&mut docs);
        assert_eq!(docs[..left], [0, 3]);
        best.offer(&docs[..left]);
        assert_eq!(best.into_rows(), [3, 0]);
    }
}
