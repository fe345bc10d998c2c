//! Collects the columns of all hits, so that tables over many measurements are made without reading any row.

use strum::VariantArray as _;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{Column, ColumnIndex};
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

use super::IndexError;
use super::condition::{Condition, DocumentKind};
use super::open::Index;
use super::rows::RowParts;
use super::schema::{metric_name, number_name};
use crate::model::{Field, Metric, Part};

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

impl Index {
    /// The numbers that rows, which stand in rising order, state of themselves in a field; NaN where one states none.
    ///
    /// # Errors
    ///
    /// When the index fails.
    pub fn numbers_of(&self, field: Field, rows: &[u64]) -> Result<Vec<f64>, IndexError> {
        let Some(segment) = self.searcher.segment_readers().first() else { return Ok(vec![f64::NAN; rows.len()]) };
        let column = segment.fast_fields().column_opt(&number_name(field))?;
        let docs: Vec<DocId> = rows.iter().map(|row| *row as DocId).collect();
        Ok(first_values(column.as_ref(), &docs))
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
/// few documents, and these are looked for among the hits where there are fewer of them.
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
            // Of several values of a document the first counts.
            Some(other) if *other == doc && found[at].is_nan() => found[at] = column.values.get_val(place),
            Some(_) => {}
            None => break,
        }
    }
    found
}

/// The first place from `from` on whose document is not before another, found in steps that double.
fn first_not_before(docs: &[DocId], from: usize, doc: DocId) -> usize {
    let mut step = 1;
    while docs.get(from + step).is_some_and(|other| *other < doc) {
        step *= 2;
    }
    let end = docs.len().min(from + step + 1);
    from + docs.get(from..end).unwrap_or_default().partition_point(|other| *other < doc)
}

#[cfg(test)]
mod tests {
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
}
