//! Collectors of a search: ids, columns for tables, counts by share, and the first hits in the requested order.

use std::cmp::Ordering;
use std::ops::RangeBounds as _;

use rayon::prelude::*;
use strum::VariantArray;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{Column, ColumnIndex, StrColumn};
use tantivy::query::{EnableScoring, Query, Scorer};
use tantivy::{COLLECT_BLOCK_BUFFER_LEN, DocId, DocSet as _, Score, Searcher, SegmentOrdinal, SegmentReader};

use super::IndexError;
use super::condition::Index;
use super::condition::{ColumnFilter, NumberRange, OpenColumnFilter};
use super::condition::{Condition, DocumentKind};
use super::schema::{PartColumn, RowParts};
use super::schema::{metric_name, number_name};
use crate::model::{Field, Metric, Part};

/// Collects the sorted ids of the entities found.
pub(super) struct EntityIds;

impl Collector for EntityIds {
    type Fruit = Vec<String>;
    type Child = SegmentIds;

    fn for_segment(&self, _: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<SegmentIds> {
        Ok(SegmentIds { column: segment.fast_fields().str("entity")?, found: Vec::new() })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, fruits: Vec<tantivy::Result<Vec<String>>>) -> tantivy::Result<Vec<String>> {
        let mut ids = Vec::new();
        for part in fruits {
            ids.extend(part?);
        }
        ids.sort();
        Ok(ids)
    }
}

pub(super) struct SegmentIds {
    column: Option<StrColumn>,
    found: Vec<u64>,
}

impl SegmentCollector for SegmentIds {
    type Fruit = tantivy::Result<Vec<String>>;

    fn collect(&mut self, doc: DocId, _: Score) {
        self.found.extend(self.column.iter().flat_map(|column| column.ords().values_for_doc(doc)));
    }

    fn harvest(self) -> Self::Fruit {
        let mut ids = Vec::with_capacity(self.found.len());
        for ordinal in self.found {
            let mut id = String::new();
            if let Some(column) = &self.column {
                column.ord_to_str(ordinal, &mut id)?;
            }
            ids.push(id);
        }
        Ok(ids)
    }
}

/// Collects the terms of the shares whose texts were found.
pub(super) struct SharedTerms;

impl Collector for SharedTerms {
    type Fruit = Vec<u64>;
    type Child = SegmentTerms;

    fn for_segment(&self, _: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<SegmentTerms> {
        Ok(SegmentTerms { column: segment.fast_fields().column_opt("text-of")?, found: Vec::new() })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, fruits: Vec<Vec<u64>>) -> tantivy::Result<Vec<u64>> {
        Ok(fruits.concat())
    }
}

pub(super) struct SegmentTerms {
    column: Option<Column<u64>>,
    found: Vec<u64>,
}

impl SegmentCollector for SegmentTerms {
    type Fruit = Vec<u64>;

    fn collect(&mut self, doc: DocId, _: Score) {
        self.found.extend(self.column.as_ref().and_then(|column| column.first(doc)));
    }

    fn harvest(self) -> Vec<u64> {
        self.found
    }
}

/// The measurements that meet a condition, as columns.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    /// Their rows in the database.
    pub rows: Vec<u64>,
    /// Their setup, workload, protocol and batch numbers, by [`Part`].
    pub parts: [Vec<u32>; Part::VARIANTS.len()],
    /// Values of the requested metrics, including derived ones, to eight digits; NaN if missing.
    pub metrics: Vec<Vec<f64>>,
}

impl Index {
    /// The columns of all measurements that meet a condition.
    ///
    /// # Errors
    ///
    /// When the index fails.
    pub fn columns(&self, condition: &Condition, metrics: &[Metric]) -> Result<Columns, IndexError> {
        let metrics = metrics.iter().map(|metric| self.column(metric_name(*metric)));
        let wanted = ColumnsCollector { metrics: metrics.collect::<tantivy::Result<_>>()?, rows: self.rows.clone() };
        Ok(self.searcher.search(&*self.about(DocumentKind::Measurement, condition)?, &wanted)?)
    }
}

impl Index {
    /// The row's own number in a field, for rows in ascending order; NaN if a row does not state it.
    ///
    /// # Errors
    ///
    /// When the index fails.
    pub fn numbers_of(&self, field: Field, rows: &[u64]) -> Result<Vec<f64>, IndexError> {
        let column = self.column(number_name(field))?;
        let docs: Vec<DocId> = rows.iter().map(|row| *row as DocId).collect();
        Ok(first_values(column.as_ref(), &docs))
    }
}

struct ColumnsCollector {
    metrics: Vec<Option<Column<f64>>>,
    rows: RowParts,
}

impl Collector for ColumnsCollector {
    type Fruit = Columns;
    type Child = SegmentColumns;

    fn for_segment(&self, _: SegmentOrdinal, _: &SegmentReader) -> tantivy::Result<SegmentColumns> {
        let metrics = self.metrics.clone();
        Ok(SegmentColumns { rows: self.rows.clone(), metrics, docs: Vec::new(), found: Columns::default() })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    /// The index has one segment, in which document numbers are row numbers of the database.
    fn merge_fruits(&self, fruits: Vec<Columns>) -> tantivy::Result<Columns> {
        Ok(fruits.into_iter().next().unwrap_or_default())
    }
}

struct SegmentColumns {
    rows: RowParts,
    metrics: Vec<Option<Column<f64>>>,
    docs: Vec<DocId>,
    found: Columns,
}

impl SegmentCollector for SegmentColumns {
    type Fruit = Columns;

    fn collect(&mut self, doc: DocId, _: Score) {
        self.collect_block(&[doc]);
    }

    fn collect_block(&mut self, docs: &[DocId]) {
        self.docs.extend_from_slice(docs);
        for (part, found) in Part::VARIANTS.iter().zip(&mut self.found.parts) {
            self.rows.column(*part).append(docs, found);
        }
    }

    fn harvest(mut self) -> Columns {
        self.found.metrics = self.metrics.iter().map(|column| first_values(column.as_ref(), &self.docs)).collect();
        self.found.rows = self.docs.into_iter().map(u64::from).collect();
        self.found
    }
}

/// The value of each document (in ascending order); NaN if it has none. Reads all at once: few documents state most metrics, and
/// if these are fewer than the hits, they are searched among the hits.
fn first_values(column: Option<&Column<f64>>, docs: &[DocId]) -> Vec<f64> {
    let mut found = vec![f64::NAN; docs.len()];
    let Some(column) = column else { return found };
    let (mut stating, mut places) = (Vec::new(), Vec::new());
    match &column.index {
        ColumnIndex::Optional(index) if (index.num_non_nulls() as usize) < docs.len() / 4 => {
            stating.extend(index.iter_non_null_docs());
            places.extend(0..index.num_non_nulls());
        }
        _ => column.row_ids_for_docs(docs, &mut stating, &mut places),
    }
    let mut at = 0;
    for (doc, place) in stating.into_iter().zip(places) {
        at = first_not_before(docs, at, doc);
        match docs.get(at) {
            // If a document has several values, the first one counts.
            Some(other) if *other == doc && found[at].is_nan() => found[at] = column.values.get_val(place),
            Some(_) => {}
            None => break,
        }
    }
    found
}

/// The first position at or after `from` whose document is not before `doc`, by galloping search.
fn first_not_before(docs: &[DocId], from: usize, doc: DocId) -> usize {
    let mut step = 1;
    while docs.get(from + step).is_some_and(|other| *other < doc) {
        step *= 2;
    }
    let end = docs.len().min(from + step + 1);
    from + docs.get(from..end).unwrap_or_default().partition_point(|other| *other < doc)
}

/// With fewer documents than this, threads cost more time than they save.
const MANY: u64 = 1 << 16;

/// More cores do not help, because memory bandwidth is the limit.
const MOST_CORES: usize = 8;

/// What to count, filter and sort in a search.
pub(super) struct Tally {
    /// The parts of all rows.
    pub rows: RowParts,
    /// Conditions on columns, which every hit must meet.
    pub filters: Vec<ColumnFilter>,
    /// The sort order of the hits; `None` is document order.
    pub sort: Option<Sort>,
    /// The protocols whose measurements are sorted behind all others.
    pub behind: Vec<u32>,
    /// The number of first hits to return.
    pub wanted: usize,
}

impl Tally {
    /// Counts and sorts all documents that a query finds.
    pub fn of(&self, query: &dyn Query, searcher: &Searcher) -> tantivy::Result<Hits> {
        // The index has one segment, in which document numbers are row numbers of the database.
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
        // Filters often use the sort column: such a column is read only once.
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

/// The counts and first hits of one core.
struct PartialTally {
    total: usize,
    rows: RowParts,
    filters: Vec<OpenColumnFilter>,
    shares: ShareCounts,
    best: TopHits,
    /// The hits that are sorted behind all others, if there are such protocols.
    divided: Option<HitsBehind>,
}

/// The hits that are sorted behind all others, selected by protocol.
struct HitsBehind {
    ahead: Vec<bool>,
    behind: Vec<bool>,
    best: TopHits,
}

impl PartialTally {
    /// Processes the documents of a scorer before the document `end`.
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

    /// Processes a block of documents, which must come after all earlier ones.
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

    /// Merges the results of two cores.
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

/// The values by which hits are sorted.
pub(super) enum SortValues {
    /// No document has a value: document order.
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

/// The first hits in the requested order.
pub(super) enum TopHits {
    /// In document order.
    First { wanted: usize, docs: Vec<DocId> },
    /// By a value.
    TopByValue(Box<TopByValue>),
}

/// The first hits by a value. Holds at most twice as many as wanted plus a block, then drops those that can no longer be among
/// the wanted.
pub(super) struct TopByValue {
    values: SortValues,
    /// Conditions on the same column.
    bounds: Vec<NumberRange>,
    /// The values of the block that was filtered last.
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

    /// Adds documents of the block that was filtered last, which must come after all earlier ones.
    pub fn offer(&mut self, docs: &[DocId]) {
        match self {
            Self::First { wanted, docs: first } => {
                let open = wanted.saturating_sub(first.len());
                first.extend(docs.iter().take(open));
            }
            Self::TopByValue(sorted) => sorted.offer(docs),
        }
    }

    /// Merges two with the same order.
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

    /// The rows in order.
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
                    // Among equal values, the earlier document comes first.
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

/// The measurements that meet a condition.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hits {
    /// Number of measurements.
    pub total: usize,
    /// The rows of the requested page.
    pub rows: Vec<u64>,
    /// Counts of all hits by setup, workload, protocol and batch.
    pub shares: ShareCounts,
}

/// Counts of measurements by setup, workload, protocol and batch.
pub type ShareCounts = [Vec<u32>; Part::VARIANTS.len()];

/// The sort order of measurements; rows without a value come last.
#[derive(Debug, Clone, PartialEq)]
pub struct Sort {
    /// The values to sort by.
    pub by: SortKey,
    /// Largest first.
    pub descending: bool,
}

/// The source of the values to sort by.
#[derive(Debug, Clone, PartialEq)]
pub enum SortKey {
    /// A metric.
    Metric(Metric),
    /// A number that rows state individually.
    Field(Field),
    /// A number of the setup, workload, protocol or batch, with the value of each share.
    Shared(Part, Vec<Option<f64>>),
}

impl SortKey {
    /// The column with the values; `None` for shared values.
    pub(super) fn column(&self) -> Option<String> {
        match self {
            Self::Metric(metric) => Some(metric_name(*metric)),
            Self::Field(field) => Some(number_name(*field)),
            Self::Shared(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Bound;

    use super::*;

    #[test]
    fn a_document_is_found_from_every_place_before_it() {
        let docs: Vec<DocId> = (0..100).map(|doc| doc * 3).collect();
        for from in 0..=docs.len() {
            for doc in 0..310 {
                let expected = from.max(docs.partition_point(|other| *other < doc)).min(docs.len());
                assert_eq!(first_not_before(&docs, from, doc), expected, "{doc} from {from}");
            }
        }
    }

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
