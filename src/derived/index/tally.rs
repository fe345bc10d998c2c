//! Counts all hits by what they share and keeps the best ones, in one pass over blocks of documents, on all cores where the
//! hits are many.

use rayon::prelude::*;
use strum::VariantArray as _;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::{COLLECT_BLOCK_BUFFER_LEN, DocId, Score, SegmentOrdinal, SegmentReader};

use super::best::{Best, Values};
use super::hits::{Hits, ShareCounts};
use super::rows::RowParts;
use super::search::Sort;
use super::sieve::{OpenSieve, Sieve};
use crate::model::Part;

/// Documents that a core takes at once: enough for the handing over not to count.
const STRETCH: usize = 1 << 15;

/// More cores than this wait for memory.
const MOST_LANES: usize = 8;

/// What is collected.
pub(super) struct Tally {
    /// The parts of all rows.
    pub rows: RowParts,
    /// What the documents found must meet besides.
    pub sieves: Vec<Sieve>,
    /// What the first ones are the first of; their own order otherwise.
    pub sort: Option<Sort>,
    /// The protocols whose measurements stand behind all others, whatever the order is.
    pub behind: Vec<u32>,
    /// So many of the first hits are wanted.
    pub wanted: usize,
}

impl Collector for Tally {
    type Fruit = Hits;
    type Child = SegmentTally;

    fn for_segment(&self, _: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<SegmentTally> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let lanes = (0..cores.min(MOST_LANES)).map(|_| self.lane(segment)).collect::<tantivy::Result<_>>()?;
        Ok(SegmentTally { lanes, wanted: self.wanted, waiting: Vec::new() })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    /// The index has one segment; a document there is a row of the store.
    fn merge_fruits(&self, fruits: Vec<Hits>) -> tantivy::Result<Hits> {
        Ok(fruits.into_iter().next().unwrap_or_default())
    }
}

impl Tally {
    fn lane(&self, segment: &SegmentReader) -> tantivy::Result<Lane> {
        // What is compared and what is sorted by are often the same: it is read once.
        let sorted_by = self.sort.as_ref().and_then(|sort| sort.by.column());
        let mut sieves = Vec::new();
        let mut bounds = Vec::new();
        for sieve in &self.sieves {
            match sieve {
                Sieve::Number { column, bounds: of_sorted } if Some(column) == sorted_by.as_ref() => {
                    bounds.push(*of_sorted);
                }
                sieve => sieves.push(sieve.open(segment, &self.rows)?),
            }
        }
        let best = || match &self.sort {
            None => Ok(Best::first(self.wanted)),
            Some(Sort { by, descending }) => {
                let values = Values::open(by, segment, &self.rows)?;
                tantivy::Result::Ok(Best::sorted(values, bounds.clone(), *descending, self.wanted))
            }
        };
        let mut divided = None;
        if !self.behind.is_empty() {
            let shares = self.rows.column(Part::Protocol).no_counts().len();
            let behind: Vec<bool> = (0..shares as u32).map(|share| self.behind.contains(&share)).collect();
            divided = Some(Divided { ahead: behind.iter().map(|behind| !behind).collect(), behind, best: best()? });
        }
        let mut shares = ShareCounts::default();
        for part in Part::VARIANTS {
            shares[*part as usize] = self.rows.column(*part).no_counts();
        }
        Ok(Lane { total: 0, rows: self.rows.clone(), sieves, shares, best: best()?, divided })
    }
}

/// Hands stretches of documents out to lanes.
pub(super) struct SegmentTally {
    lanes: Vec<Lane>,
    wanted: usize,
    waiting: Vec<DocId>,
}

impl SegmentCollector for SegmentTally {
    type Fruit = Hits;

    fn collect(&mut self, doc: DocId, _: Score) {
        self.collect_block(&[doc]);
    }

    fn collect_block(&mut self, docs: &[DocId]) {
        self.waiting.extend_from_slice(docs);
        if self.waiting.len() >= self.lanes.len() * STRETCH {
            self.run();
        }
    }

    fn harvest(mut self) -> Hits {
        self.run();
        let whole = self.lanes.into_iter().reduce(Lane::with);
        whole.map_or_else(Hits::default, |lane| {
            let mut rows = lane.best.into_rows();
            let open = self.wanted.saturating_sub(rows.len());
            rows.extend(lane.divided.into_iter().flat_map(|divided| divided.best.into_rows()).take(open));
            Hits { total: lane.total, rows, shares: lane.shares }
        })
    }
}

impl SegmentTally {
    fn run(&mut self) {
        match self.lanes.as_mut_slice() {
            // Threads cost more than few documents.
            [lane, ..] if self.waiting.len() <= STRETCH => lane.take(&self.waiting),
            lanes => {
                let stretch = self.waiting.len().div_ceil(lanes.len()).max(1);
                lanes.par_iter_mut().zip(self.waiting.par_chunks(stretch)).for_each(|(lane, docs)| lane.take(docs));
            }
        }
        self.waiting.clear();
    }
}

/// What one core counts.
struct Lane {
    total: usize,
    rows: RowParts,
    sieves: Vec<OpenSieve>,
    shares: ShareCounts,
    best: Best,
    /// Where some hits stand behind the others.
    divided: Option<Divided>,
}

/// The hits that stand behind all others, and how they are told: by protocol.
struct Divided {
    ahead: Vec<bool>,
    behind: Vec<bool>,
    best: Best,
}

impl Lane {
    /// Takes documents, each later than all that it had before.
    fn take(&mut self, docs: &[DocId]) {
        let mut block = [0; COLLECT_BLOCK_BUFFER_LEN];
        for docs in docs.chunks(COLLECT_BLOCK_BUFFER_LEN) {
            let mut left = docs.len();
            block[..left].copy_from_slice(docs);
            for sieve in &self.sieves {
                left = sieve.sift(&mut block[..left]);
            }
            left = self.best.sift(&mut block[..left]);
            let docs = &block[..left];
            self.total += left;
            for part in Part::VARIANTS {
                self.rows.column(*part).count(docs, &mut self.shares[*part as usize]);
            }
            let Some(divided) = &mut self.divided else {
                self.best.offer(docs);
                continue;
            };
            let protocols = self.rows.column(Part::Protocol);
            for (wanted, best) in [(&divided.ahead, &mut self.best), (&divided.behind, &mut divided.best)] {
                let mut sifted = block;
                let count = protocols.sift(&mut sifted[..left], wanted);
                // All are within bounds; what is offered must be what was sifted last.
                let count = best.sift(&mut sifted[..count]);
                best.offer(&sifted[..count]);
            }
        }
    }

    /// What two lanes have counted.
    fn with(mut self, other: Self) -> Self {
        self.total += other.total;
        for (counts, others) in self.shares.iter_mut().zip(other.shares) {
            counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        }
        self.best = self.best.with(other.best);
        if let (Some(divided), Some(other)) = (self.divided.take(), other.divided) {
            self.divided = Some(Divided { best: divided.best.with(other.best), ..divided });
        }
        self
    }
}
