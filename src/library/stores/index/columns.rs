//! Collects the columns of all hits, so that tables over many measurements are made without reading any row.

use strum::VariantArray as _;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{Column, ColumnIndex};
use tantivy::{COLLECT_BLOCK_BUFFER_LEN, DocId, Score, SegmentOrdinal, SegmentReader};

use super::IndexError;
use super::condition::{Condition, DocumentKind};
use super::open::Index;
use super::rows::RowParts;
use super::schema::metric_name;
use crate::model::{Metric, Part};

/// All measurements that meet a condition, column by column.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    /// Their rows in the store.
    pub rows: Vec<u64>,
    /// The numbers of their setup, workload, protocol and batch, by [`Part`].
    pub parts: [Vec<u32>; Part::VARIANTS.len()],
    /// Values of the metrics that were asked for, derived ones too, to eight digits; NaN where there is none.
    pub metrics: Vec<Vec<f64>>,
}

impl Index {
    /// The columns of all measurements that meet a condition.
    ///
    /// # Errors
    ///
    /// When the index fails.
    pub fn columns(&self, condition: &Condition, metrics: &[Metric]) -> Result<Columns, IndexError> {
        let names = metrics.iter().map(|metric| metric_name(*metric)).collect();
        let wanted = ColumnsCollector { names, rows: self.rows.clone() };
        Ok(self.searcher.search(&*self.about(DocumentKind::Measurement, condition)?, &wanted)?)
    }
}

struct ColumnsCollector {
    names: Vec<String>,
    rows: RowParts,
}

impl Collector for ColumnsCollector {
    type Fruit = Columns;
    type Child = SegmentColumns;

    fn for_segment(&self, _: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<SegmentColumns> {
        let fast = segment.fast_fields();
        let metrics = self.names.iter().map(|name| fast.column_opt(name)).collect::<tantivy::Result<_>>()?;
        Ok(SegmentColumns { rows: self.rows.clone(), metrics, docs: Vec::new(), found: Columns::default() })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    /// The index has one segment; a document there is a row of the store.
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

/// The value of each document, which stand in rising order; NaN where it has none. All at once: most metrics are stated by
/// few documents, and these are looked for among the hits, where there are fewer of them.
fn first_values(column: Option<&Column<f64>>, docs: &[DocId]) -> Vec<f64> {
    let mut found = vec![f64::NAN; docs.len()];
    let Some(column) = column else { return found };
    match &column.index {
        ColumnIndex::Optional(stating) if (stating.num_non_nulls() as usize) < docs.len() / 4 => {
            let mut at = 0;
            for (place, doc) in (0..).zip(stating.iter_non_null_docs()) {
                at += docs[at..].partition_point(|other| *other < doc);
                match docs.get(at) {
                    Some(other) if *other == doc => found[at] = column.values.get_val(place),
                    Some(_) => {}
                    None => break,
                }
            }
        }
        _ => {
            let mut values = [None; COLLECT_BLOCK_BUFFER_LEN];
            for (docs, found) in docs.chunks(COLLECT_BLOCK_BUFFER_LEN).zip(found.chunks_mut(COLLECT_BLOCK_BUFFER_LEN)) {
                let values = &mut values[..docs.len()];
                values.fill(None);
                column.first_vals(docs, values);
                for (slot, value) in found.iter_mut().zip(values) {
                    *slot = value.unwrap_or(f64::NAN);
                }
            }
        }
    }
    found
}
