//! Counts all hits by what they share and keeps the best ones, in one pass over blocks of documents.

use std::cmp::Ordering;

use strum::VariantArray;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::{COLLECT_BLOCK_BUFFER_LEN, DocId, Score, SegmentOrdinal, SegmentReader};

use super::hits::Hits;
use crate::model::Part;

/// What is collected.
pub(super) struct Tally {
    /// The column to sort by, and whether the largest comes first.
    pub sort: Option<(String, bool)>,
    /// So many of the first hits are wanted.
    pub wanted: usize,
}

impl Collector for Tally {
    type Fruit = Hits;
    type Child = SegmentTally;

    fn for_segment(&self, _: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<SegmentTally> {
        let fast = segment.fast_fields();
        let shares = Part::VARIANTS
            .iter()
            .map(|part| {
                let column = fast.u64(part.into())?;
                let counts = vec![0; column.max_value() as usize + 1];
                Ok((column, counts))
            })
            .collect::<tantivy::Result<_>>()?;
        let best = match &self.sort {
            None => Best::first(self.wanted),
            // Nobody has a value: all are last, in their own order.
            Some((name, descending)) => match fast.column_opt(name)? {
                Some(column) => Best::sorted(column, *descending, self.wanted),
                None => Best::first(self.wanted),
            },
        };
        Ok(SegmentTally { total: 0, shares, best })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    /// The index has one segment; a document there is a row of the store.
    fn merge_fruits(&self, fruits: Vec<Hits>) -> tantivy::Result<Hits> {
        Ok(fruits.into_iter().next().unwrap_or_default())
    }
}

pub(super) struct SegmentTally {
    total: usize,
    shares: Vec<(Column<u64>, Vec<u32>)>,
    best: Best,
}

impl SegmentCollector for SegmentTally {
    type Fruit = Hits;

    fn collect(&mut self, doc: DocId, _: Score) {
        self.collect_block(&[doc]);
    }

    fn collect_block(&mut self, docs: &[DocId]) {
        self.total += docs.len();
        let mut numbers = [0; COLLECT_BLOCK_BUFFER_LEN];
        for docs in docs.chunks(COLLECT_BLOCK_BUFFER_LEN) {
            let numbers = &mut numbers[..docs.len()];
            for (column, counts) in &mut self.shares {
                column.values.get_vals(docs, numbers);
                for number in &*numbers {
                    counts[*number as usize] += 1;
                }
            }
            self.best.offer(docs);
        }
    }

    fn harvest(self) -> Hits {
        let mut shares: [Vec<u32>; Part::VARIANTS.len()] = Default::default();
        for (place, (_, counts)) in shares.iter_mut().zip(self.shares) {
            *place = counts;
        }
        Hits { total: self.total, rows: self.best.into_rows(), shares }
    }
}

/// The first of the hits, in the order that was asked for.
enum Best {
    /// In their own order, which is that of the documents.
    First { wanted: usize, docs: Vec<DocId> },
    /// By a value. Kept are at most twice as many as wanted; what cannot be among the wanted any more is passed over.
    Sorted {
        column: Column<f64>,
        descending: bool,
        wanted: usize,
        best: Vec<(f64, DocId)>,
        last: Option<f64>,
        without: Vec<DocId>,
    },
}

impl Best {
    fn first(wanted: usize) -> Self {
        Self::First { wanted, docs: Vec::new() }
    }

    fn sorted(column: Column<f64>, descending: bool, wanted: usize) -> Self {
        Self::Sorted { column, descending, wanted, best: Vec::new(), last: None, without: Vec::new() }
    }

    /// Takes at most a block of documents, each later than all before.
    fn offer(&mut self, docs: &[DocId]) {
        match self {
            Self::First { wanted, docs: first } => {
                let open = wanted.saturating_sub(first.len());
                first.extend(docs.iter().take(open));
            }
            Self::Sorted { column, descending, wanted, best, last, without } => {
                let mut values = [None; COLLECT_BLOCK_BUFFER_LEN];
                let values = &mut values[..docs.len()];
                column.first_vals(docs, values);
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

    fn into_rows(self) -> Vec<u64> {
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
