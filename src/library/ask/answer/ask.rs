//! From a question to its answer: parse, execute, word, join.

use super::best::mark_best;
use super::document::{Answer, Conclusion, UnstatedField};
use super::names::names_in;
use super::nearest_questions::nearest_questions;
use super::remark::worded;
use super::sentence::sentence;
use super::words::Words;
use crate::ask::evidence::{EvidenceVerdict, judged_grades};
use crate::ask::execute::plan::rows_asked;
use crate::ask::execute::unread::found_in_text;
use crate::ask::execute::{Entry, Outcome, Remark, condition, execute, for_newest_source};
use crate::ask::found::{EntitySets, catalog_of, direct_entities, last_protocols, listed, order_of};
use crate::ask::parse::{Ask, Question, Result, parse, print};
use crate::model::{Facet, Part};
use crate::rows::{EntityCache, JoinedRow, Note, notes_on};
use crate::stores::Stores;
use crate::stores::index::{Condition, Hits};

/// Which of the matching measurements are returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Number of measurements to skip, unless the question sets it (`offset:20`).
    pub offset: usize,
    /// Maximum number to return, unless the question sets it (`limit:20`).
    pub limit: usize,
    /// Number to return if the conclusion sums them up.
    pub under_conclusion: usize,
    /// Whether to return none if the conclusion is not computed from them: a fact, a grade, a list, an overview.
    pub only_supporting_rows: bool,
    /// Maximum number to return, whatever the question says.
    pub most: usize,
}

impl Page {
    /// A page of this many measurements, whatever the conclusion.
    pub fn of(offset: usize, limit: usize) -> Self {
        Self { offset, limit, under_conclusion: limit, only_supporting_rows: false, most: usize::MAX }
    }

    /// The page for a person: less than a screen, and nothing if a table of the conclusion sums the measurements up.
    pub fn for_person(offset: usize) -> Self {
        Self { offset, limit: 6, under_conclusion: 0, only_supporting_rows: true, most: usize::MAX }
    }

    /// The page for a document: the default size, but nothing if the conclusion is not computed from measurements.
    pub fn for_document(offset: usize) -> Self {
        Self { only_supporting_rows: true, offset, ..Self::default() }
    }

    /// The number of rows to show for a kind of answer and its number of entries.
    fn rows(&self, ask: Ask, entries: usize) -> usize {
        match ask {
            _ if entries == 0 => self.limit,
            Ask::Lookup => self.limit,
            Ask::Rank | Ask::Compare | Ask::Along => self.under_conclusion,
            Ask::Fact | Ask::Grade | Ask::List | Ask::Overview | Ask::Fits if self.only_supporting_rows => 0,
            Ask::Fact | Ask::Grade | Ask::List | Ask::Overview | Ask::Fits => self.under_conclusion,
        }
    }
}

impl Default for Page {
    fn default() -> Self {
        Self::of(0, 20)
    }
}

/// Answers a question that a person typed.
///
/// # Errors
///
/// Returns a mistake in the question with its place, or the error of a store.
pub fn ask(stores: &Stores, text: &str, page: &Page) -> Result<Answer> {
    let question = found_in_text(stores, parse(text, &stores.database)?)?;
    Ok(answer_question(stores, text, question, page, false)?.0)
}

/// Answers a question that is already a value.
///
/// # Errors
///
/// When a store fails.
pub fn ask_question(stores: &Stores, question: &Question, page: &Page) -> Result<Answer> {
    Ok(answer_question(stores, &print(question), question.clone(), page, false)?.0)
}

/// Answers without measurements, and returns the numbers of their rows in order, for callers that stream rows. The marks of the
/// best rows, and the notes on all rows together, are missing.
///
/// # Errors
///
/// As [`ask`].
pub fn ask_with_row_numbers(stores: &Stores, text: &str, page: &Page) -> Result<(Answer, Vec<u64>)> {
    let question = found_in_text(stores, parse(text, &stores.database)?)?;
    answer_question(stores, text, question, page, true)
}

fn answer_question(
    stores: &Stores,
    text: &str,
    question: Question,
    page: &Page,
    apart: bool,
) -> Result<(Answer, Vec<u64>)> {
    let question = for_newest_source(stores, &question)?.unwrap_or(question);
    let mut outcome = execute(stores, &question)?;
    if outcome.ask == Ask::Grade {
        let of_grades = evidence_of_grades(stores, &outcome)?;
        outcome.remarks.extend(of_grades);
    }
    let is_stop = |remark: &Remark| matches!(remark, Remark::NotFound { .. }) || outcome.is_how_to(remark);
    let is_stopped = outcome.remarks.iter().any(is_stop);
    let asked = Question { subject: outcome.relaxed.clone().unwrap_or(question.subject.clone()), ..question.clone() };
    let like = rows_like(stores, &asked)?;
    let offset = question.skip.unwrap_or(page.offset);
    let of_kind = page.rows(outcome.ask, outcome.entries.len());
    // For a person `take` of a ranking or a list counts candidates.
    let counts_rows = outcome.ask == Ask::Lookup || !page.only_supporting_rows;
    let wanted = question.take.filter(|_| counts_rows).unwrap_or(of_kind);
    let is_relaxed = outcome.relaxed.is_some();
    // Programs get only rows that meet the whole question, never those of a relaxed one.
    let hides_rows = is_stopped || is_relaxed && !page.only_supporting_rows;
    let limit = if hides_rows { 0 } else { wanted.min(page.most) };
    let hits = page_of(stores, &question, &outcome, &like, offset, limit)?;
    let found = if apart { Vec::new() } else { stores.database.measurements(&hits.rows)? };
    let mut measurements = EntityCache::default().join(&stores.database, found)?;
    let mut behind_conclusion = false;
    if page.only_supporting_rows
        && !apart
        && limit > 0
        && offset == 0
        && outcome.rows.is_empty()
        && outcome.ask != Ask::Lookup
    {
        let behind = rows_behind(stores, &outcome, limit)?;
        behind_conclusion = !behind.is_empty();
        measurements = if behind_conclusion { behind } else { measurements };
    }
    let direct = match outcome.ask {
        _ if is_stopped || question.subject.terms.is_empty() && question.sides.is_empty() => EntitySets::new(),
        Ask::List => listed(&question, &outcome),
        _ => direct_entities(stores, &like)?,
    };
    let names_none = is_stopped || outcome.ask == Ask::List;
    let shown_of = if names_none { Hits::default() } else { Hits { rows: Vec::new(), ..hits.clone() } };
    let (catalog, narrowed) = catalog_of(stores, &shown_of, direct, &measurements)?;
    mark_best(&mut measurements, &catalog);
    let notes = if is_stopped { Vec::new() } else { notes(stores, &hits, &measurements, &catalog, narrowed)? };
    // A remark about all rows already reports mixed precision.
    let says_mixed = outcome.remarks.iter().any(|remark| matches!(remark, Remark::MixedPrecision(..)));
    let notes = notes.into_iter().filter(|note| !says_mixed || !matches!(note, Note::MixedPrecision { .. }));
    outcome.remarks.extend(notes.map(Remark::Rows));
    let names = names_in(stores, &question, &outcome, &measurements)?;
    let cache = EntityCache::default().with_names(&names);
    let words = Words { names: &cache, typed: &question.spans };
    let total = if is_stopped || is_relaxed { 0 } else { hits.total };
    let conclusion = Conclusion {
        text: sentence(&question, &outcome, if is_stopped { 0 } else { hits.total }, words),
        entries: std::mem::take(&mut outcome.entries),
    };
    let remarks = worded(&outcome.remarks, conclusion.entries.is_empty(), words);
    let unstated = outcome.remarks.iter().filter_map(|remark| match remark {
        Remark::Unstated(field, rows) => Some(UnstatedField { field: field.key().to_owned(), rows: *rows }),
        _ => None,
    });
    let suggestions = if total == 0 && !is_stopped { nearest_questions(stores, &question)? } else { Vec::new() };
    let unread = question.spans.iter().filter(|span| span.how.is_unread()).map(|span| span.text.clone()).collect();
    let answer = Answer {
        query: text.to_owned(),
        question: print(&question),
        read_as: question.spans.clone(),
        unread,
        total,
        conclusion,
        remarks,
        measurements,
        catalog,
        unstated: unstated.collect(),
        suggestions,
        facets: None,
        ask: outcome.ask,
        is_stopped,
        is_relaxed,
        behind_conclusion,
        shares: hits.shares,
        names,
        asked: question,
    };
    Ok((answer, hits.rows))
}

/// Maximum number of grades to judge by measurements; `dlbench evidence` judges them all.
const MOST_JUDGED: usize = 8;

/// Remarks on what measurements say about the grades in an outcome.
fn evidence_of_grades(stores: &Stores, outcome: &Outcome) -> Result<Vec<Remark>> {
    let class_of = |entry: &Entry| Some(entry.subjects.get(Facet::Class.key())?.to_string());
    let grades = outcome.entries.iter().filter_map(|entry| Some((class_of(entry)?, entry.quantity.clone())));
    let grades: Vec<(String, String)> = grades.collect();
    if grades.is_empty() || grades.len() > MOST_JUDGED {
        return Ok(Vec::new());
    }
    let is_asked = |class: &str, metric: &str| grades.iter().any(|(of, by)| of == class && by == metric);
    let judged = judged_grades(stores, is_asked)?.into_iter().map(|claim| Remark::GradeEvidence {
        verdict: (claim.verdict != EvidenceVerdict::NoEvidence).then(|| claim.verdict.to_string()),
        rests_on: claim.in_words(),
        class: claim.about,
        metric: claim.metric.unwrap_or_default(),
    });
    Ok(judged.collect())
}

/// The condition on the rows of a question: its subject, and any one of its sides.
pub(super) fn rows_like(stores: &Stores, question: &Question) -> Result<Condition> {
    condition(stores, &rows_asked(question))
}

/// A page of rows: first those that the outcome puts first, then the others in sort order.
fn page_of(
    stores: &Stores,
    question: &Question,
    outcome: &Outcome,
    like: &Condition,
    offset: usize,
    limit: usize,
) -> Result<Hits> {
    let sort = order_of(stores, question, outcome)?;
    let (last, _) = last_protocols(stores)?;
    let first: &[u64] = if question.sort.is_some() { &[] } else { &outcome.rows };
    if first.is_empty() {
        return Ok(stores.index.measurements(like, sort, &last, offset, limit)?);
    }
    let wanted = offset.saturating_add(limit);
    let mut hits = stores.index.measurements(like, sort, &last, 0, wanted)?;
    hits.rows.retain(|row| !first.contains(row));
    hits.rows.splice(0..0, first.iter().copied());
    hits.rows.truncate(wanted);
    hits.rows.drain(..offset.min(hits.rows.len()));
    Ok(hits)
}

/// The first `most` rows that a conclusion rests on, in its order; empty if it refers to none.
fn rows_behind(stores: &Stores, outcome: &Outcome, most: usize) -> Result<Vec<JoinedRow>> {
    let ids: indexmap::IndexSet<&String> = outcome.entries.iter().flat_map(|entry| &entry.measurements).collect();
    let mut found = Vec::new();
    for id in ids.into_iter().take(most) {
        found.extend(stores.database.measurements_by_prefix(id, 1)?);
    }
    Ok(EntityCache::default().join(&stores.database, found)?)
}

/// The notes that are needed to judge the rows shown.
fn notes(
    stores: &Stores,
    hits: &Hits,
    measurements: &[JoinedRow],
    catalog: &crate::rows::JoinedCatalog,
    narrowed: Option<Note>,
) -> Result<Vec<Note>> {
    let mut notes: Vec<Note> = narrowed.into_iter().collect();
    let files = stores.database.skipped()?;
    if !files.is_empty() {
        notes.push(Note::LeftOut { files });
    }
    if !measurements.is_empty() {
        let (_, standings) = last_protocols(stores)?;
        let counts = standings.counts(&hits.shares[Part::Protocol as usize]);
        let mut counts: Vec<(String, usize)> = counts.map(|(name, rows)| (name.to_owned(), rows)).collect();
        counts.sort_unstable();
        notes.extend((!counts.is_empty()).then_some(Note::Standing { counts }));
    }
    notes.extend(notes_on(measurements, catalog));
    Ok(notes)
}
