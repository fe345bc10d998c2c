//! Answering a question: find, join, and say what must be known to judge the numbers.

use indexmap::IndexSet;

use super::best::mark_best;
use super::document::Answer;
use super::join::{EntitySets, direct_entities, entities_of, join, keep_listed};
use super::names::names_in;
use super::nearest_questions::explain_empty;
use crate::ask::conclude::{
    Concluded, Conclusion, Entry, SearchResult, conclude, dated_by_source, fact_name, may_be_excluded, unknown_names,
    unstated, with_relative,
};
use crate::ask::question::{Intent, Quantity, QueryError, Question, understand};
use crate::model::{Aspect, Facet, Field, Part};
use crate::rows::{EntityCache, JoinedRow, Note, notes_on};
use crate::stores::Stores;
use crate::stores::database::AspectColumn;
use crate::stores::index::{Hits, Sort, SortKey};

/// Which of the matching measurements are returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// How many are passed over, unless the question says so itself (`offset:20`).
    pub offset: usize,
    /// How many are returned at most, unless the question says so itself (`limit:20`).
    pub limit: usize,
    /// How many of these are returned where the conclusion already says what they come to.
    pub under_conclusion: usize,
    /// Whether none are returned where the conclusion is no number of theirs: a fact, a grade, a list, an overview.
    pub only_telling: bool,
    /// How many are returned at most, whatever the question says.
    pub most: usize,
}

impl Page {
    /// So many measurements, whatever is concluded from them.
    pub fn of(offset: usize, limit: usize) -> Self {
        Self { offset, limit, under_conclusion: limit, only_telling: false, most: usize::MAX }
    }

    /// As many as a person reads: less than a screen, fewer where a conclusion sums them up.
    pub fn of_a_person(offset: usize) -> Self {
        Self { offset, limit: 6, under_conclusion: 4, only_telling: true, most: usize::MAX }
    }

    /// As many as a document takes, where they are what it is about.
    pub fn of_a_document(offset: usize) -> Self {
        Self { only_telling: true, offset, ..Self::default() }
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
    Ok(answered(stores, question, page, false)?.0)
}

/// The same without its measurements, and the numbers of their rows in their order: for what writes them as it reads them. Only
/// what needs all of them at once is missing: which are the best, and what must be said of all together.
///
/// # Errors
///
/// As [`ask`].
pub fn ask_apart(stores: &Stores, question: &str, page: &Page) -> Result<(Answer, Vec<u64>), QueryError> {
    answered(stores, question, page, true)
}

fn answered(stores: &Stores, question: &str, page: &Page, apart: bool) -> Result<(Answer, Vec<u64>), QueryError> {
    let understood = with_relative(stores, understand(question, stores)?)?;
    let direct = match understood.about {
        None if understood.clauses.is_empty() => EntitySets::new(),
        _ => direct_entities(stores, &understood)?,
    };
    // Who asks for frameworks gets frameworks: the numbers are counted, not shown.
    let only_facts = understood.about.is_some_and(|kind| direct.get(&kind).is_some_and(|ids| !ids.is_empty()));
    let offset = understood.offset.unwrap_or(page.offset);
    let limit = understood.limit.unwrap_or(if only_facts { 0 } else { page.limit }).min(page.most);
    let (hits, standings) = hits_of(stores, &understood, offset, limit)?;
    let found = if apart { Vec::new() } else { stores.database.measurements(&hits.rows)? };
    let mut measurements = EntityCache::default().join(&stores.database, found)?;
    let mut notes = understood.notes.clone();
    let undated = dated_by_source(stores, &understood)?;
    if undated > 0 {
        notes.push(Note::DatedBySource { rows: undated, of: hits.total });
    }
    if !only_facts {
        let of = hits.total;
        let unstated = may_be_excluded(stores, &understood)?;
        notes.extend(unstated.into_iter().map(|(field, rows)| Note::MayBeExcluded { field, rows, of }));
    }
    let files = stores.database.skipped()?;
    if !files.is_empty() {
        notes.push(Note::LeftOut { files });
    }
    let catalog = if only_facts && limit == 0 {
        if let (Some(kind), true) = (understood.about, hits.total > 0) {
            notes.push(Note::FactsAskedFor { measurements: hits.total, kind });
        }
        join(stores, &Hits::default(), direct, &[], &mut notes)?
    } else {
        join(stores, &hits, direct, &measurements, &mut notes)?
    };
    let Concluded { conclusion, intent, follows } =
        conclude(stores, &understood, &SearchResult { hits: &hits, catalog: &catalog })?;
    let mut catalog = catalog;
    let over_rows =
        understood.wanted.counted.is_some() || understood.wanted.each_of.len() + understood.wanted.none_of.len() > 0;
    if let Some(kind) = understood.about.filter(|_| only_facts && over_rows && intent == Intent::List) {
        let key = Facet::of_entities(kind).key();
        let subjects = conclusion.entries.iter().filter_map(|entry| entry.subjects.get(key));
        keep_listed(&mut catalog, kind, &subjects.map(ToString::to_string).collect());
    }
    let unknown_names = unknown_names(stores, &understood, hits.total)?;
    // Of a question that is answered for what is known the rows are shown.
    if !unknown_names.is_empty() && conclusion.entries.is_empty() && page.only_telling && understood.limit.is_none() {
        measurements.clear();
    }
    let mut behind_conclusion = Vec::new();
    // Who wants the five best sees what these rest on, not the first rows of any setup.
    if understood.limit.is_some() && understood.wanted.intent == Intent::Ranking && page.only_telling && offset == 0 {
        behind_conclusion = rows_behind(stores, &conclusion, limit)?;
    }
    if understood.limit.is_none() {
        // Rows are none of what has none.
        let of_none = understood.wanted.unmeasured && page.only_telling;
        let shown = if of_none { 0 } else { rows_under(&conclusion, intent, understood.about.is_some(), page) };
        if shown < page.limit && shown > 0 && offset == 0 {
            behind_conclusion = rows_behind(stores, &conclusion, shown)?;
        }
        measurements.truncate(shown);
    }
    // What was concluded from less than the whole question names entities that no row of it does.
    // Programs get what meets the question alone.
    if hits.total == 0 && offset == 0 && page.under_conclusion < page.limit {
        behind_conclusion = rows_behind(stores, &conclusion, page.under_conclusion)?;
        if !behind_conclusion.is_empty() {
            let named = entities_of(&behind_conclusion);
            catalog = join(stores, &Hits::default(), named, &behind_conclusion, &mut notes)?;
        }
    }
    let are_behind = !behind_conclusion.is_empty();
    if are_behind {
        measurements = behind_conclusion;
    }
    mark_best(&mut measurements, &catalog);
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
    let names = names_in(stores, &conclusion, if are_behind { &measurements } else { &[] })?;
    let answer = Answer {
        query: question.to_owned(),
        intent,
        ignored: left_out(&understood),
        unstated: unstated(stores, &understood)?,
        read_as: understood.read_as().cloned().collect(),
        total: hits.total,
        shares: hits.shares,
        measurements,
        names,
        unknown_names,
        conclusion,
        catalog,
        notes,
        suggestions,
        facets: None,
        equivalent: understood.equivalent(),
        behind_conclusion: are_behind,
        follows,
        listed: understood.about.filter(|_| only_facts),
        sorted: understood.sort.is_some(),
    };
    Ok((answer, hits.rows))
}

/// The rows that a question finds, in the order that it asks for, those behind all others that do not stand as they were published;
/// and what became of these.
pub(super) fn hits_of(
    stores: &Stores,
    understood: &Question,
    offset: usize,
    limit: usize,
) -> Result<(Hits, AspectColumn), QueryError> {
    let sort = match understood.sort {
        Some(order) => Some(order.sort(&stores.database)?),
        None => asked_first(stores, understood)?,
    };
    let standings = stores.database.aspect(Aspect::Field(Field::Standing))?;
    let behind = standings.shares_with(|_| true);
    let hits = stores.index.measurements(&understood.condition_without(None), sort, &behind, offset, limit)?;
    Ok((hits, standings))
}

/// The words that were left out; a word that was read elsewhere in the question, or that names the fact that is told, was
/// understood.
fn left_out(understood: &Question) -> Vec<String> {
    let facts = understood.wanted.quantities.iter().filter_map(|quantity| match quantity {
        Quantity::Fact(fact) => Some(fact_name(*fact)),
        _ => None,
    });
    let facts: Vec<String> = facts.collect();
    let is_read = |word: &String| {
        let readings = understood.read_as().filter(|read| read.how != "text").map(|read| read.text.as_str());
        let words = readings.chain(facts.iter().map(String::as_str)).flat_map(str::split_whitespace);
        words.into_iter().any(|read| read.eq_ignore_ascii_case(word))
    };
    understood.ignored.iter().filter(|word| !is_read(word)).cloned().collect()
}

/// How many rows are shown below a conclusion; all that were asked for where rows are the answer.
fn rows_under(conclusion: &Conclusion, intent: Intent, lists_entities: bool, page: &Page) -> usize {
    match intent {
        // Who asks what the catalog says is not answered by rows.
        Intent::Fact | Intent::Grade if page.only_telling => 0,
        // Rows are none of the entities that nothing is.
        Intent::List if page.only_telling && conclusion.entries.is_empty() && lists_entities => 0,
        _ if conclusion.entries.is_empty() || intent == Intent::Lookup => page.limit,
        _ if page.only_telling && conclusion.entries.iter().all(is_of_catalog) => 0,
        // What is known of an entity is told by name and number; the first rows of many are none of the telling ones.
        Intent::List | Intent::Overview if page.only_telling => 0,
        _ => page.under_conclusion,
    }
}

/// Whether an entry is what the catalog states, and rests on no measurement.
fn is_of_catalog(entry: &Entry) -> bool {
    entry.baseline.is_none() && entry.measurements.is_empty()
}

/// The first of the rows that a conclusion rests on, in its order; none where it names none.
fn rows_behind(stores: &Stores, conclusion: &Conclusion, most: usize) -> Result<Vec<JoinedRow>, QueryError> {
    let ids: IndexSet<&String> = conclusion.entries.iter().flat_map(|entry| &entry.measurements).collect();
    let mut found = Vec::new();
    for id in ids.into_iter().take(most) {
        found.extend(stores.database.measurements_by_prefix(id, 1)?);
    }
    Ok(EntityCache::default().join(&stores.database, found)?)
}

/// Rows of the network that was asked for come before those of its relatives, else rows of the device before those of its
/// variants.
fn asked_first(stores: &Stores, understood: &Question) -> Result<Option<Sort>, QueryError> {
    for (facet, field) in [(Facet::Network, Field::Network), (Facet::Device, Field::Device)] {
        let mut readings = understood.read_as().filter(|read| read.facet == facet.key() && !read.text.starts_with('-'));
        let Some(read) = readings.find(|read| read.values.len() > 1) else { continue };
        let (Some(asked), Some(part)) = (read.values.first(), field.part()) else { continue };
        // A name of several has no first among them.
        let Some((_, kind)) = Field::of_entities().find(|(naming, _)| *naming == field) else { continue };
        if stores.database.descendants(kind, asked)?.len() < 2 {
            continue;
        }
        let column = stores.database.aspect(Aspect::Field(field))?;
        let rank = |value: Option<&str>| Some(if value == Some(asked.as_str()) { 0.0 } else { 1.0 });
        let ranks = column.shares().map(rank).collect();
        return Ok(Some(Sort { by: SortKey::Shared(part, ranks), descending: false }));
    }
    Ok(None)
}

/// How many of all hits do not stand as they were published.
fn standing(hits: &Hits, standings: &AspectColumn) -> Option<Note> {
    let rows = &hits.shares[Part::Protocol as usize];
    let mut counts: Vec<(String, usize)> = standings.counts(rows).map(|(name, rows)| (name.to_owned(), rows)).collect();
    counts.sort_unstable();
    (!counts.is_empty()).then_some(Note::Standing { counts })
}
