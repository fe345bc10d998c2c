//! Counts all hits by their shares and keeps the first ones of the order, in one pass over blocks of documents; on several
//! cores where the hits are many.

use rayon::prelude::*;
use strum::VariantArray as _;
use tantivy::query::{EnableScoring, Query, Scorer};
use tantivy::{COLLECT_BLOCK_BUFFER_LEN, DocId, DocSet as _, Searcher, SegmentReader};

use super::column_filter::{ColumnFilter, OpenColumnFilter};
use super::hits::{Hits, ShareCounts};
use super::rows::RowParts;
use super::sort::Sort;
use super::top_hits::{SortValues, TopHits};
use crate::model::Part;

/// With fewer documents than this, threads cost more than they save.
const MANY: u64 = 1 << 16;

/// More cores than this gain nothing: memory bandwidth is the limit.
const MOST_CORES: usize = 8;

/// What to count, filter and sort.
pub(super) struct Tally {
    /// The parts of all rows.
    pub rows: RowParts,
    /// Conditions on columns that the documents found must meet.
    pub filters: Vec<ColumnFilter>,
    /// The order of the hits; `None` is document order.
    pub sort: Option<Sort>,
    /// The protocols whose measurements come after all others, whatever the order is.
    pub behind: Vec<u32>,
    /// How many of the first hits are wanted.
    pub wanted: usize,
}

impl Tally {
    /// Counts and sorts all documents that a query finds.
    pub fn of(&self, query: &dyn Query, searcher: &Searcher) -> tantivy::Result<Hits> {
        // The index has one segment; a document there is a row of the store.
        let [segment, ..] = searcher.segment_readers() else { return Ok(Hits::default()) };
        let weight = query.weight(EnableScoring::disabled_from_searcher(searcher))?;
        let whole = weight.scorer(segment, 1.0)?;
        let cores = match whole.cost() {
            few if few < MANY => 1,
            _ => std::thread::available_parallelism().map_or(1, usize::from).min(MOST_CORES) as u32,
        };
        let lane = match cores {
            1 => self.lane(segment)?.through(whole, segment.max_doc()),
            cores => {
                drop(whole);
                let stretch = segment.max_doc().div_ceil(cores);
                let lanes: Vec<PartialTally> = (0..cores)
                    .into_par_iter()
                    .map(|core| {
                        let mut found = weight.scorer(segment, 1.0)?;
                        if found.doc() < core * stretch {
                            found.seek(core * stretch);
                        }
                        Ok(self.lane(segment)?.through(found, (core + 1) * stretch))
                    })
                    .collect::<tantivy::Result<_>>()?;
                lanes.into_iter().reduce(PartialTally::with).map_or_else(|| self.lane(segment), Ok)?
            }
        };
        let mut rows = lane.best.into_rows();
        let open = self.wanted.saturating_sub(rows.len());
        rows.extend(lane.divided.into_iter().flat_map(|divided| divided.best.into_rows()).take(open));
        Ok(Hits { total: lane.total, rows, shares: lane.shares })
    }

    fn lane(&self, segment: &SegmentReader) -> tantivy::Result<PartialTally> {
        // The column of a filter is often the one that is sorted by: it is read once.
        let sorted_by = self.sort.as_ref().and_then(|sort| sort.by.column());
        let mut filters = Vec::new();
        let mut bounds = Vec::new();
        for filter in &self.filters {
            match filter {
                ColumnFilter::Number { column, bounds: of_sorted } if Some(column) == sorted_by.as_ref() => {
                    bounds.push(*of_sorted);
                }
                filter => filters.push(filter.open(segment, &self.rows)?),
            }
        }
        let best = || match &self.sort {
            None => Ok(TopHits::first(self.wanted)),
            Some(Sort { by, descending }) => {
                let values = SortValues::open(by, segment, &self.rows)?;
                tantivy::Result::Ok(TopHits::sorted(values, bounds.clone(), *descending, self.wanted))
            }
        };
        let mut divided = None;
        if !self.behind.is_empty() {
            let shares = self.rows.column(Part::Protocol).no_counts().len();
            let behind: Vec<bool> = (0..shares as u32).map(|share| self.behind.contains(&share)).collect();
            divided = Some(HitsBehind { ahead: behind.iter().map(|behind| !behind).collect(), behind, best: best()? });
        }
        let mut shares = ShareCounts::default();
        for part in Part::VARIANTS {
            shares[*part as usize] = self.rows.column(*part).no_counts();
        }
        Ok(PartialTally { total: 0, rows: self.rows.clone(), filters, shares, best: best()?, divided })
    }
}

/// What one core counts.
struct PartialTally {
    total: usize,
    rows: RowParts,
    filters: Vec<OpenColumnFilter>,
    shares: ShareCounts,
    best: TopHits,
    /// The hits that come after all others, if there are any.
    divided: Option<HitsBehind>,
}

/// The hits that come after all others, told apart by protocol.
struct HitsBehind {
    ahead: Vec<bool>,
    behind: Vec<bool>,
    best: TopHits,
}

impl PartialTally {
    /// Counts what a scorer finds before the document `end`.
    fn through(mut self, mut found: Box<dyn Scorer>, end: DocId) -> Self {
        let mut block = [0; COLLECT_BLOCK_BUFFER_LEN];
        loop {
            let count = found.fill_buffer(&mut block);
            let within = block[..count].partition_point(|doc| *doc < end);
            self.take(&mut block[..within]);
            if within < COLLECT_BLOCK_BUFFER_LEN {
                return self;
            }
        }
    }

    /// Counts a block of documents, each later than all before.
    fn take(&mut self, docs: &mut [DocId]) {
        let mut left = docs.len();
        for filter in &self.filters {
            left = filter.retain_passing(&mut docs[..left]);
        }
        left = self.best.retain_passing(&mut docs[..left]);
        let docs = &docs[..left];
        self.total += left;
        for part in Part::VARIANTS {
            self.rows.column(*part).count(docs, &mut self.shares[*part as usize]);
        }
        let Some(divided) = &mut self.divided else {
            self.best.offer(docs);
            return;
        };
        let protocols = self.rows.column(Part::Protocol);
        for (wanted, best) in [(&divided.ahead, &mut self.best), (&divided.behind, &mut divided.best)] {
            let mut sifted = [0; COLLECT_BLOCK_BUFFER_LEN];
            sifted[..left].copy_from_slice(docs);
            let count = protocols.retain_passing(&mut sifted[..left], wanted);
            // All are within bounds; `offer` expects the block that was filtered last.
            let count = best.retain_passing(&mut sifted[..count]);
            best.offer(&sifted[..count]);
        }
    }

    /// Merges the counts of two cores.
    fn with(mut self, other: Self) -> Self {
        self.total += other.total;
        for (counts, others) in self.shares.iter_mut().zip(other.shares) {
            counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        }
        self.best = self.best.with(other.best);
        if let (Some(divided), Some(other)) = (self.divided.take(), other.divided) {
            self.divided = Some(HitsBehind { best: divided.best.with(other.best), ..divided });
        }
        self
    }
}
