//! Asking the index.

use std::path::Path;

use tantivy::ReloadPolicy;
use tantivy::collector::Count;

use super::condition::{Condition, Subject};
use super::found::{EntityIds, SharedTerms};
use super::hits::Hits;
use super::schema::{Fields, is_numeric, metric_name, number_name};
use super::tally::Tally;
use super::{Index, IndexError};
use crate::model::{Field, Metric};
use crate::values::EntityKind;

/// What measurements are sorted by; rows without a value come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// A metric or a numeric field.
    pub by: SortKey,
    /// Largest first.
    pub descending: bool,
}

/// A number that a measurement may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortKey {
    /// A metric.
    Metric(Metric),
    /// A numeric field.
    Field(Field),
}

impl SortKey {
    /// The metric or numeric field of this name.
    pub fn named(name: &str) -> Option<Self> {
        let metric = name.parse().ok().map(Self::Metric);
        metric.or_else(|| {
            let field = name.parse().ok().filter(|field| is_numeric(*field));
            field.map(Self::Field)
        })
    }

    /// Its name.
    pub fn key(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.key(),
            Self::Field(field) => field.key(),
        }
    }

    fn column(self) -> String {
        match self {
            Self::Metric(metric) => metric_name(metric),
            Self::Field(field) => number_name(field),
        }
    }
}

impl Index {
    /// Opens a finished index.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        Self::of(tantivy::Index::open_in_dir(path)?)
    }

    pub(super) fn of(index: tantivy::Index) -> Result<Self, IndexError> {
        let fields = Fields::of(&index.schema())?;
        let reader =
            index.reader_builder().reload_policy(ReloadPolicy::Manual).doc_store_cache_num_blocks(0).try_into()?;
        Ok(Self { searcher: reader.searcher(), fields })
    }

    /// How many documents of a subject meet a condition.
    pub fn count(&self, subject: Subject, condition: &Condition) -> Result<usize, IndexError> {
        Ok(self.searcher.search(&*self.about(subject, condition)?, &Count)?)
    }

    /// Whether a word occurs in the text of any document.
    pub fn has_text(&self, word: &str) -> Result<bool, IndexError> {
        Ok(self.searcher.search(&*self.text(word), &Count)? > 0)
    }

    /// The entities of a kind that meet a condition, by id.
    pub fn entities(&self, kind: EntityKind, condition: &Condition) -> Result<Vec<String>, IndexError> {
        Ok(self.searcher.search(&*self.about(Subject::Entity(kind), condition)?, &EntityIds)?)
    }

    /// The measurements that meet a condition: all are counted, one page is returned.
    pub fn measurements(
        &self,
        condition: &Condition,
        sort: Option<Sort>,
        offset: usize,
        limit: usize,
    ) -> Result<Hits, IndexError> {
        let tally =
            Tally { sort: sort.map(|sort| (sort.by.column(), sort.descending)), wanted: offset.saturating_add(limit) };
        let mut hits = self.searcher.search(&*self.about(Subject::Measurement, condition)?, &tally)?;
        hits.rows.drain(..offset.min(hits.rows.len()));
        Ok(hits)
    }

    /// What measurements share that has a text in it, as terms.
    pub(super) fn shared_with_text(&self, text: &str) -> Result<Vec<u64>, IndexError> {
        Ok(self.searcher.search(&*self.with_shared_text(text), &SharedTerms)?)
    }
}
