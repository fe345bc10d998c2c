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
use crate::ask::execute::{Entry, Outcome, Remark, condition, execute, of_newest_source};
use crate::ask::found::{EntitySets, catalog_of, direct_entities, last_protocols, listed, order_of};
use crate::ask::parse::{Ask, Question, Result, parse, print};
use crate::model::{Facet, Part};
use crate::rows::{EntityCache, JoinedRow, Note, notes_on};
use crate::stores::Stores;
use crate::stores::index::{Condition, Hits};

/// Which of the matching measurements are returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// How many are passed over, unless the question says so itself (`offset:20`).
    pub offset: usize,
    /// How many are returned at most, unless the question says so itself (`limit:20`).
    pub limit: usize,
    /// How many are returned where the conclusion sums them up.
    pub under_conclusion: usize,
    /// Whether none are returned where the conclusion is not a number of theirs: a fact, a grade, a list, an overview.
    pub only_telling: bool,
    /// How many are returned at most, whatever the question says.
    pub most: usize,
}

impl Page {
    /// So many measurements, whatever is concluded from them.
    pub fn of(offset: usize, limit: usize) -> Self {
        Self { offset, limit, under_conclusion: limit, only_telling: false, most: usize::MAX }
    }

    /// As many as a person reads: less than a screen, none where a table of the conclusion sums them up.
    pub fn of_a_person(offset: usize) -> Self {
        Self { offset, limit: 6, under_conclusion: 0, only_telling: true, most: usize::MAX }
    }

    /// As many as a document takes, where they are what it is about.
    pub fn of_a_document(offset: usize) -> Self {
        Self { only_telling: true, offset, ..Self::default() }
    }

    /// How many rows are shown for a kind of answer with some entries.
    fn rows(&self, ask: Ask, entries: usize) -> usize {
        match ask {
            _ if entries == 0 => self.limit,
            Ask::Lookup => self.limit,
            Ask::Rank | Ask::Compare | Ask::Along => self.under_conclusion,
            Ask::Fact | Ask::Grade | Ask::List | Ask::Overview | Ask::Fits if self.only_telling => 0,
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
/// A mistake in the question with its place, or a failing store.
pub fn ask(stores: &Stores, text: &str, page: &Page) -> Result<Answer> {
    let question = found_in_text(stores, parse(text, &stores.database)?)?;
    Ok(answered(stores, text, question, page, false)?.0)
}

/// Answers a question that is a value already.
///
/// # Errors
///
/// When a store fails.
pub fn ask_question(stores: &Stores, question: &Question, page: &Page) -> Result<Answer> {
    Ok(answered(stores, &print(question), question.clone(), page, false)?.0)
}

/// The answer without its measurements, and the numbers of their rows in their order: for what writes rows as it reads them. Which
/// rows are the best, and what must be said of all of them together, is missing.
///
/// # Errors
///
/// As [`ask`].
pub fn ask_apart(stores: &Stores, text: &str, page: &Page) -> Result<(Answer, Vec<u64>)> {
    let question = found_in_text(stores, parse(text, &stores.database)?)?;
    answered(stores, text, question, page, true)
}

fn answered(stores: &Stores, text: &str, question: Question, page: &Page, apart: bool) -> Result<(Answer, Vec<u64>)> {
    let question = of_newest_source(stores, &question)?.unwrap_or(question);
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
    let counts_rows = outcome.ask == Ask::Lookup || !page.only_telling;
    let wanted = question.take.filter(|_| counts_rows).unwrap_or(of_kind);
    let is_relaxed = outcome.relaxed.is_some();
    // Programs get what meets the question alone.
    let hides_rows = is_stopped || is_relaxed && !page.only_telling;
    let limit = if hides_rows { 0 } else { wanted.min(page.most) };
    let hits = page_of(stores, &question, &outcome, &like, offset, limit)?;
    let found = if apart { Vec::new() } else { stores.database.measurements(&hits.rows)? };
    let mut measurements = EntityCache::default().join(&stores.database, found)?;
    let mut behind_conclusion = false;
    if page.only_telling && !apart && limit > 0 && offset == 0 && outcome.rows.is_empty() && outcome.ask != Ask::Lookup
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
    // Of all rows it is said already.
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

/// Of more grades than this `dlbench evidence` says what measurements say.
const MOST_JUDGED: usize = 8;

/// What measurements say of the grades in an outcome.
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

/// What the rows of a question are like: its subject, and any of its sides.
pub(super) fn rows_like(stores: &Stores, question: &Question) -> Result<Condition> {
    condition(stores, &rows_asked(question))
}

/// A page of the rows: those that the outcome puts first, then the others in their order.
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

/// The first of the rows that a conclusion rests on, in its order; none where it names none.
fn rows_behind(stores: &Stores, outcome: &Outcome, most: usize) -> Result<Vec<JoinedRow>> {
    let ids: indexmap::IndexSet<&String> = outcome.entries.iter().flat_map(|entry| &entry.measurements).collect();
    let mut found = Vec::new();
    for id in ids.into_iter().take(most) {
        found.extend(stores.database.measurements_by_prefix(id, 1)?);
    }
    Ok(EntityCache::default().join(&stores.database, found)?)
}

/// What must be known to judge the rows shown.
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
