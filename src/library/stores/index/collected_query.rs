//! A query whose hits are collected before they are used, so that it can be excluded from others.
//!
//! Tantivy asks an excluded set whether it holds a document that lies before the set's own position; the scorers of
//! phrases and ranges do not expect that (an assertion fails). A set of collected hits can be asked in any order.

use tantivy::query::{BitSetDocSet, ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{BitSet, DocId, DocSet as _, Score, SegmentReader, TERMINATED};

/// The hits of another query, collected.
#[derive(Debug)]
pub(super) struct CollectedQuery(pub Box<dyn Query>);

impl Clone for CollectedQuery {
    fn clone(&self) -> Self {
        Self(self.0.box_clone())
    }
}

impl Query for CollectedQuery {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(CollectedWeight(self.0.weight(scoring)?)))
    }
}

struct CollectedWeight(Box<dyn Weight>);

impl Weight for CollectedWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let mut hits = BitSet::with_max_value(reader.max_doc());
        let mut scorer = self.0.scorer(reader, boost)?;
        while scorer.doc() != TERMINATED {
            hits.insert(scorer.doc());
            scorer.advance();
        }
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from(hits), boost)))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        self.0.explain(reader, doc)
    }
}
