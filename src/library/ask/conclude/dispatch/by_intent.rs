//! The conclusion of each kind of question, and what a question comes to that asks for less.

use std::collections::BTreeSet;

use super::concluded::Concluded;
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::catalog::{fact, grade, list, overview};
use crate::ask::conclude::comparison::stages_compared;
use crate::ask::conclude::lookup::other_processors;
use crate::ask::conclude::lookup::relaxation::relaxed;
use crate::ask::conclude::{comparison, lookup, ranking, relation};
use crate::ask::question::{Clause, Intent, Quantity, QueryError, Question};
use crate::model::{Facet, Fact};
use crate::stores::Stores;
use crate::values::text::and_list;

/// The conclusion by the kind of answer that is wanted.
pub(super) fn of_intent(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Conclusion, QueryError> {
    match question.wanted.intent {
        Intent::Lookup => {
            let numbers = lookup::conclude(stores, question, found)?;
            let numbers = with_other_processors(stores, question, numbers, found)?;
            // Who names training and inference is told what the one takes over the other, too.
            Ok(match stages_compared::conclude(stores, question)? {
                Some((sentence, entries)) => Conclusion {
                    text: format!("{} {sentence}", numbers.text),
                    entries: [numbers.entries, entries].concat(),
                },
                None => numbers,
            })
        }
        Intent::Ranking => ranking::conclude(stores, question, found),
        Intent::Comparison if question.wanted.sides.len() < 2 => alike_sides(stores, question, found),
        Intent::Comparison => match relation::comparison_on_each_side(stores, question, found)? {
            Some(told) => Ok(told),
            None => comparison::conclude(stores, question, found),
        },
        Intent::Relation => {
            let told = relation::conclude(stores, question, found)?;
            Ok(match measured_beside_fit(stores, question, found)? {
                Some(measured) => Conclusion {
                    text: format!("{} {}", told.text, measured.text),
                    entries: [told.entries, measured.entries].concat(),
                },
                None => told,
            })
        }
        Intent::Fact => fact::conclude(stores, question, found),
        Intent::Grade => grade::conclude(stores, question, found),
        Intent::List => list::conclude(stores, question, found),
        Intent::Overview => overview::conclude(stores, question, found),
    }
}

/// Of a chip whose name stands for its CPU, the numbers of its other processors as well: these are entities of their own.
fn with_other_processors(
    stores: &Stores,
    question: &Question,
    numbers: Conclusion,
    found: &SearchResult<'_>,
) -> Result<Conclusion, QueryError> {
    let Some(others) = other_processors::about_others(stores, question)? else { return Ok(numbers) };
    let told = lookup::conclude(stores, &others, found)?;
    if told.entries.is_empty() {
        return Ok(numbers);
    }
    let text = format!("{} These are of its CPU; of its other processors: {}", numbers.text, told.text);
    Ok(Conclusion { text, entries: [numbers.entries, told.entries].concat() })
}

/// Where all that is to be set against each other is read as one, that is said in front of what was measured of it.
fn alike_sides(stores: &Stores, question: &Question, found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    let numbers = lookup::conclude(stores, question, found)?;
    let mut words: Vec<String> = Vec::new();
    for clause in question.clauses.iter().filter(|clause| clause.readings.len() > 1) {
        let values = |at: usize| &clause.readings[at].read_as.values;
        if (1..clause.readings.len()).all(|at| values(at) == values(0)) {
            words.extend(clause.readings.iter().map(|reading| format!("`{}`", reading.read_as.text)));
        }
    }
    words.dedup();
    let lead = match words.len() {
        0 | 1 => "Both sides are read as one, so nothing is set against it".to_owned(),
        _ => format!("{} are read as one, so nothing is set against it", and_list(&words)),
    };
    Ok(Conclusion { text: format!("{lead}: {}", numbers.text), ..numbers })
}

/// `can I run a 7B on an M2, and how many tokens/s`: besides whether it fits, what was measured; `None` where nothing is asked of
/// that.
fn measured_beside_fit(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let is_measured = |quantity: &Quantity| matches!(quantity, Quantity::Metric(_) | Quantity::Derived(_));
    let fits = question.wanted.quantities.contains(&Quantity::MemoryFit);
    let asks_numbers = question.wanted.speed || question.wanted.quantities.iter().any(is_measured);
    if !fits || !asks_numbers || question.wanted.sides.len() > 1 {
        return Ok(None);
    }
    let mut measured = question.clone();
    measured.wanted.quantities.retain(is_measured);
    measured.wanted.intent = Intent::Lookup;
    let told = lookup::conclude(stores, &measured, found)?;
    if !told.entries.is_empty() {
        // A memory alone is that of many devices.
        let of_any = !question.read_as().any(|read| read.facet == Facet::Device.key());
        let memory = question.clauses.iter().find(|clause| clause.plain_kind() == Some(Fact::Memory.key()));
        let on =
            memory.filter(|_| of_any).map_or_else(String::new, |memory| format!(" on devices of `{}`", memory.text));
        return Ok(Some(Conclusion { text: format!("Measured{on}: {}", told.text), ..told }));
    }
    // On what it may fit nobody measured it: how fast it is elsewhere says more than what else ran on such devices.
    let is_hardware = |clause: &Clause| matches!(clause.plain_kind(), Some(kind) if kind == Fact::Memory.key() || kind == Facet::Device.key());
    let (of_hardware, others): (Vec<Clause>, Vec<Clause>) = measured.clauses.iter().cloned().partition(is_hardware);
    if let ([only], false) = (of_hardware.as_slice(), others.is_empty()) {
        let elsewhere = Question { clauses: others, ..measured.clone() };
        let told = lookup::conclude(stores, &elsewhere, found)?;
        if !told.entries.is_empty() {
            let text = format!("No row of it is on `{}`; on other devices: {}", only.text, told.text);
            return Ok(Some(Conclusion { text, ..told }));
        }
    }
    let nearest = with_less(stores, &measured, found, ("", None))?;
    Ok(nearest.map(|nearest| nearest.conclusion))
}

/// What a question that asks for less comes to, the nearest that comes to anything, behind the reason why it is asked.
pub(super) fn with_less(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
    (why, nearest): (&str, Option<&str>),
) -> Result<Option<Concluded>, QueryError> {
    for less in relaxed(stores, question)? {
        let other = of_intent(stores, &less.question, found)?;
        if tells_something(question, &other) {
            let why = if less.says_why { "" } else { why };
            // What is named ran something else, which says as much as what ran elsewhere.
            let nearest = nearest.filter(|_| less.of_another).unwrap_or_default();
            let parts = [why, nearest, &less.lead, &other.text];
            let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
            let conclusion = Conclusion { text: text.trim().to_owned(), entries: other.entries };
            return Ok(Some(Concluded { conclusion, intent: question.wanted.intent, follows: less.follows }));
        }
    }
    Ok(None)
}

/// Whether the question is about measurements.
pub(super) fn is_of_rows(question: &Question) -> bool {
    // Whether weights fit follows from the catalog.
    let fits = question.wanted.quantities.contains(&Quantity::MemoryFit);
    let of_rows = [Intent::Lookup, Intent::Ranking, Intent::Comparison, Intent::Relation];
    of_rows.contains(&question.wanted.intent) && !fits
}

/// Whether a conclusion answers: a comparison does with numbers of two sides, others with any.
pub(super) fn tells_something(question: &Question, conclusion: &Conclusion) -> bool {
    if question.wanted.sides.len() < 2 {
        return !conclusion.entries.is_empty();
    }
    let subjects = || conclusion.entries.iter().map(|entry| format!("{:?}", entry.subjects)).collect::<BTreeSet<_>>();
    conclusion.entries.iter().any(|entry| entry.baseline.is_some()) || subjects().len() > 1
}
