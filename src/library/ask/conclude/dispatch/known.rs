//! The conclusion on a question of which all that it is about is known.

use super::by_catalog::{of_catalog_alone, with_facts};
use super::by_intent::{is_of_rows, of_intent, tells_something, with_less};
use super::concluded::Concluded;
use super::open_wishes::with_open_wishes;
use super::partial_training::partial_training;
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::catalog::overview;
use crate::ask::conclude::lookup::denial::{Denial, denial};
use crate::ask::conclude::lookup::told_fields::told_fields;
use crate::ask::conclude::lookup::unknown_subject;
use crate::ask::conclude::{carried, lookup};
use crate::ask::question::{Intent, QueryError, Question, ToldFields, Wanted};
use crate::model::Facet;
use crate::stores::Stores;
use crate::stores::index::DocumentKind;

/// The conclusion on a question of which all that it is about is known.
pub(super) fn conclude_known(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Concluded, QueryError> {
    let concluded = without_leads(stores, question, found)?;
    let Concluded { conclusion, intent, follows } = with_open_wishes(stores, question, found, concluded)?;
    let partial = partial_training(question, &conclusion);
    let parts = question.wanted.leads.iter().map(String::as_str).chain(partial).chain([conclusion.text.as_str()]);
    let text = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    Ok(Concluded { conclusion: Conclusion { text, ..conclusion }, intent, follows })
}

/// The same without what is said first of where conditions were taken from.
fn without_leads(stores: &Stores, question: &Question, found: &SearchResult<'_>) -> Result<Concluded, QueryError> {
    let intent = question.wanted.intent;
    if let Some(conclusion) = carried::conclude(stores, question)? {
        return Ok(Concluded { conclusion, intent, follows: found.hits.total == 0 });
    }
    if let Some(told) = told_fields(stores, question)? {
        if question.wanted.told.alone {
            return Ok(Concluded { conclusion: told, intent, follows: false });
        }
        let mut rest = question.clone();
        rest.wanted.told = ToldFields::default();
        let Concluded { conclusion, intent, follows } = without_leads(stores, &rest, found)?;
        let text = format!("{} {}", conclusion.text, told.text);
        let entries = [conclusion.entries, told.entries].concat();
        return Ok(Concluded { conclusion: Conclusion { text, entries }, intent, follows });
    }
    if let Some(conclusion) = of_catalog_alone(stores, question, found)? {
        return Ok(Concluded { conclusion, intent, follows: false });
    }
    let mut follows = false;
    let mut conclusion = of_intent(stores, question, found)?;
    let alone = side_alone(stores, question, found)?;
    if let Some((word, alone)) = &alone {
        conclusion.text = format!("{} Of `{word}`: {}", conclusion.text, alone.text);
    }
    let has_no_rows = found.hits.total == 0 && question.wanted.sides.is_empty() && !question.clauses.is_empty();
    let is_denied = has_no_rows && conclusion.entries.is_empty() && is_of_rows(question);
    let denied = if is_denied { Some(denial(stores, question)?) } else { None };
    if is_of_rows(question) && !tells_something(question, &conclusion) {
        let why = denied.as_ref().map_or((conclusion.text.as_str(), None), Denial::parts);
        let nearest = match unmeasured_framework(stores, question, found)? {
            Some(facts) => {
                let text = format!("{} {}", why.0, facts.text);
                let conclusion = Conclusion { text, ..facts };
                Some(Concluded { conclusion, intent, follows: false })
            }
            None => with_less(stores, question, found, why)?,
        };
        match nearest {
            Some(nearest) => {
                Concluded { conclusion, follows, .. } = nearest;
                // What takes the place of all that was asked for leaves out no side that did answer.
                if let Some((word, alone)) = alone.as_ref().filter(|(_, alone)| !conclusion.text.contains(&alone.text))
                {
                    conclusion.text = format!("{} Of `{word}`: {}", conclusion.text, alone.text);
                }
            }
            None => conclusion.text = denied.map_or(conclusion.text, Denial::in_words),
        }
    }
    conclusion.entries.extend(alone.into_iter().flat_map(|(_, alone)| alone.entries));
    let conclusion = match question.wanted.intent {
        Intent::Comparison => with_facts(stores, question, conclusion)?,
        _ => conclusion,
    };
    Ok(Concluded { conclusion, intent, follows })
}

/// Of a framework that no row has, what the catalog says of it: what others did on the same devices says nothing of it. `None` where
/// all frameworks that are named have rows.
fn unmeasured_framework(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    for clause in question.clauses.iter().filter(|clause| clause.plain_kind() == Some(Facet::Framework.key())) {
        if clause.is_excluded() || stores.index.count(DocumentKind::Measurement, &clause.condition)? > 0 {
            continue;
        }
        let mut about = question.clone();
        about.clauses = vec![clause.clone()];
        about.wanted = Wanted { intent: Intent::Overview, ..Wanted::default() };
        let facts = overview::conclude(stores, &about, found)?;
        return Ok((!facts.entries.is_empty()).then_some(facts));
    }
    Ok(None)
}

/// What was measured of the one side of a comparison that has rows; `None` where several have, or none.
fn side_alone(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<(String, Conclusion)>, QueryError> {
    if question.wanted.intent != Intent::Comparison {
        return Ok(None);
    }
    let mut measured = Vec::new();
    for side in &question.wanted.sides {
        let rows = stores.index.count(DocumentKind::Measurement, &question.condition_of_side(side))?;
        measured.extend((rows > 0).then_some(side));
    }
    let [only] = measured.as_slice() else { return Ok(None) };
    let Some(about) = unknown_subject::about_side(question, only) else { return Ok(None) };
    let alone = lookup::conclude(stores, &about, found)?;
    if alone.entries.is_empty()
        && let Some(nearest) = with_less(stores, &about, found, ("", None))?
    {
        return Ok(Some((only.text.clone(), nearest.conclusion)));
    }
    Ok(Some((only.text.clone(), alone)))
}
