//! Answering a question: find, join, and say what must be known to judge the numbers.

use super::answer::Answer;
use super::best::mark_best;
use super::join::{EntitySets, direct_entities, join};
use super::nearest_questions::explain_empty;
use crate::ask::conclude::{Found, conclude, unstated};
use crate::ask::question::{Intent, QueryError, understand};
use crate::model::{Aspect, Field, Part};
use crate::rows::{EntityCache, Note, notes_on};
use crate::stores::Stores;
use crate::stores::index::Hits;
use crate::stores::store::AspectColumn;

/// Which of the matching measurements are returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// How many are passed over, unless the question says so itself (`offset:20`).
    pub offset: usize,
    /// How many are returned at most, unless the question says so itself (`limit:20`).
    pub limit: usize,
    /// How many of these are returned where the conclusion already says what they come to.
    pub under_conclusion: usize,
}

impl Page {
    /// So many measurements, whatever is concluded from them.
    pub fn of(offset: usize, limit: usize) -> Self {
        Self { offset, limit, under_conclusion: limit }
    }
}

impl Default for Page {
    fn default() -> Self {
        Self::of(0, 20)
    }
}

/// Answers a question from the stores.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn ask(stores: &Stores, question: &str, page: &Page) -> Result<Answer, QueryError> {
    let understood = understand(question, stores)?;
    let condition = understood.condition_without(None);
    let direct = match understood.about {
        None if understood.clauses.is_empty() => EntitySets::new(),
        _ => direct_entities(stores, &understood)?,
    };
    // Who asks for frameworks gets frameworks: the numbers are counted, not shown.
    let only_facts = understood.about.is_some_and(|kind| direct.get(&kind).is_some_and(|ids| !ids.is_empty()));
    let offset = understood.offset.unwrap_or(page.offset);
    let limit = understood.limit.unwrap_or(if only_facts { 0 } else { page.limit });
    let sort = understood.sort.map(|order| order.sort(&stores.store)).transpose()?;
    let standings = stores.store.aspect(Aspect::Field(Field::Standing))?;
    let behind = standings.shares_with(|_| true);
    let hits = stores.index.measurements(&condition, sort, &behind, offset, limit)?;
    let found = stores.store.measurements(&hits.rows)?;
    let mut measurements = EntityCache::default().join(&stores.store, found)?;
    let mut notes = understood.notes.clone();
    let catalog = if only_facts && limit == 0 {
        if let (Some(kind), true) = (understood.about, hits.total > 0) {
            notes.push(Note::FactsAskedFor { measurements: hits.total, kind });
        }
        join(stores, &Hits::default(), direct, &[], &mut notes)?
    } else {
        join(stores, &hits, direct, &measurements, &mut notes)?
    };
    let conclusion = conclude(stores, &understood, &Found { hits: &hits, page: &measurements, catalog: &catalog })?;
    if understood.limit.is_none() && understood.wanted.intent != Intent::Lookup && !conclusion.entries.is_empty() {
        measurements.truncate(page.under_conclusion);
    }
    mark_best(&mut measurements);
    notes.extend(standing(&hits, &standings));
    notes.extend(notes_on(&measurements, &catalog));
    let mut suggestions = Vec::new();
    if hits.total == 0 {
        let (note, near) = explain_empty(&understood, stores)?;
        if !catalog.is_empty() {
            notes.push(Note::CatalogOnly);
        }
        notes.extend(note);
        suggestions = near;
    }
    Ok(Answer {
        query: question.to_owned(),
        intent: understood.wanted.intent,
        conclusion,
        ignored: understood.ignored.clone(),
        unstated: unstated(stores, &understood)?,
        read_as: understood.read_as().cloned().collect(),
        total: hits.total,
        shares: hits.shares,
        measurements,
        catalog,
        notes,
        suggestions,
        facets: None,
        equivalent: understood.equivalent(),
        listed: understood.about.filter(|_| only_facts),
        sorted: understood.sort.is_some(),
    })
}

/// How many of all hits do not stand as they were published.
fn standing(hits: &Hits, standings: &AspectColumn) -> Option<Note> {
    let rows = &hits.shares[Part::Protocol as usize];
    let mut counts: Vec<(String, usize)> = standings.counts(rows).map(|(name, rows)| (name.to_owned(), rows)).collect();
    counts.sort_unstable();
    (!counts.is_empty()).then_some(Note::Standing { counts })
}
