//! Asking the index.

use std::path::Path;

use tantivy::ReloadPolicy;
use tantivy::collector::Count;

use super::condition::{Condition, Subject};
use super::found::{EntityIds, SharedTerms};
use super::hits::Hits;
use super::rows::RowParts;
use super::schema::{Fields, metric_name, number_name};
use super::sieve;
use super::tally::Tally;
use super::{Index, IndexError};
use crate::model::{Field, Metric, Part};
use crate::values::EntityKind;

/// How measurements are sorted; rows without a value come last.
#[derive(Debug, Clone, PartialEq)]
pub struct Sort {
    /// Their values.
    pub by: Sorting,
    /// Largest first.
    pub descending: bool,
}

/// Where the values are that measurements are sorted by.
#[derive(Debug, Clone, PartialEq)]
pub enum Sorting {
    /// A metric.
    Metric(Metric),
    /// A number of the row's own.
    Field(Field),
    /// A number of its setup, workload, protocol or batch, given for each of them.
    Shared(Part, Vec<Option<f64>>),
}

impl Sorting {
    /// The column that holds the values; shared ones have none.
    pub(super) fn column(&self) -> Option<String> {
        match self {
            Self::Metric(metric) => Some(metric_name(*metric)),
            Self::Field(field) => Some(number_name(*field)),
            Self::Shared(..) => None,
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
        let rows = RowParts::open(index.directory())?;
        Ok(Self { searcher: reader.searcher(), fields, rows })
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

    /// The measurements that meet a condition: all are counted, one page is returned. Those with one of the protocols
    /// `behind` come after all others.
    pub fn measurements(
        &self,
        condition: &Condition,
        sort: Option<Sort>,
        behind: &[u32],
        offset: usize,
        limit: usize,
    ) -> Result<Hits, IndexError> {
        let (found, sieves) = sieve::divide(condition);
        let wanted = offset.saturating_add(limit);
        let tally = Tally { rows: self.rows.clone(), sieves, sort, behind: behind.to_vec(), wanted };
        let mut hits = tally.of(&*self.about(Subject::Measurement, &found)?, &self.searcher)?;
        hits.rows.drain(..offset.min(hits.rows.len()));
        Ok(hits)
    }

    /// What measurements share that has a text in it, as terms.
    pub(super) fn shared_with_text(&self, text: &str) -> Result<Vec<u64>, IndexError> {
        Ok(self.searcher.search(&*self.with_shared_text(text), &SharedTerms)?)
    }
}
