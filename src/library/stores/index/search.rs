//! Searches in the index: counts, entities, and pages of measurements.

use tantivy::collector::Count;

use super::IndexError;
use super::collect::Hits;
use super::collect::Sort;
use super::collect::Tally;
use super::collect::{EntityIds, SharedTerms};
use super::condition::Index;
use super::condition::divide;
use super::condition::{Condition, DocumentKind};
use crate::values::EntityKind;

impl Index {
    /// The number of documents of a kind that meet a condition.
    pub fn count(&self, subject: DocumentKind, condition: &Condition) -> Result<usize, IndexError> {
        Ok(self.searcher.search(&*self.about(subject, condition)?, &Count)?)
    }

    /// Whether a word occurs in the text of any document.
    pub fn has_text(&self, word: &str) -> Result<bool, IndexError> {
        Ok(self.searcher.search(&*self.text(word), &Count)? > 0)
    }

    /// The entities of a kind that meet a condition, by id.
    pub fn entities(&self, kind: EntityKind, condition: &Condition) -> Result<Vec<String>, IndexError> {
        Ok(self.searcher.search(&*self.about(DocumentKind::Entity(kind), condition)?, &EntityIds)?)
    }

    /// The measurements that meet a condition: counts all of them, and returns one page. Measurements with one of the
    /// protocols `behind` come after all others.
    pub fn measurements(
        &self,
        condition: &Condition,
        sort: Option<Sort>,
        behind: &[u32],
        offset: usize,
        limit: usize,
    ) -> Result<Hits, IndexError> {
        let (found, filters) = divide(condition);
        let wanted = offset.saturating_add(limit);
        let tally = Tally { rows: self.rows.clone(), filters, sort, behind: behind.to_vec(), wanted };
        let mut hits = tally.of(&*self.about(DocumentKind::Measurement, &found)?, &self.searcher)?;
        hits.rows.drain(..offset.min(hits.rows.len()));
        Ok(hits)
    }

    /// The terms of the parts and remarks of measurements whose text contains a text.
    pub(super) fn shared_with_text(&self, text: &str) -> Result<Vec<u64>, IndexError> {
        Ok(self.searcher.search(&*self.with_shared_text(text), &SharedTerms)?)
    }
}
