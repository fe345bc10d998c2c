//! Collectors of entity ids and of the shares that texts belong to.

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{Column, StrColumn};
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

/// The ids of the entities found, sorted.
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

/// The terms of the shares whose texts were found.
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
