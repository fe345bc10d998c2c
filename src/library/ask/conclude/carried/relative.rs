//! `is the A100 faster than its predecessor`: one side of the comparison is what the series of the other one tells.

use super::series::Way;
use super::successor::nearest_relative;
use crate::ask::conclude::basis::named::named_entities;
use crate::ask::question::{Carried, Clause, Intent, QueryError, Question};
use crate::model::Facet;
use crate::stores::Stores;
use crate::values::EntityKind;

/// The question with what it compares with in the place of the word for it; unchanged where it asks for no such thing. Where
/// nothing is known to have come next, or before, it is the question what has.
///
/// # Errors
///
/// When a store fails.
pub fn with_relative(stores: &Stores, mut question: Question) -> Result<Question, QueryError> {
    let Some(carried) = question.wanted.relative.take() else { return Ok(question) };
    let way = if carried == Carried::Successor { Way::Next } else { Way::Before };
    let is_of_series = |kind: EntityKind| matches!(kind, EntityKind::Device | EntityKind::Network);
    let named = named_entities(stores, &question)?.into_iter().find(|named| is_of_series(named.kind));
    let relative = match &named {
        Some(named) => nearest_relative(stores, named, way)?,
        None => None,
    };
    let (Some(named), Some(relative)) = (named, relative) else {
        question.wanted.carried = Some(carried);
        question.wanted.intent = Intent::Fact;
        return Ok(question);
    };
    let facet = Facet::of_entities(named.kind);
    let Some(at) = question.clauses.iter().position(|clause| clause.plain_kind() == Some(facet.key())) else {
        return Ok(question);
    };
    let called = relative.called.split(" (").next().unwrap_or(&relative.called);
    let other = Clause::of_entity(called, facet, &relative.id);
    let joined = question.clauses[at].clone().against(facet, other);
    question.wanted.sides.clone_from(&joined.sides);
    question.wanted.joined_at = Some(at);
    question.clauses[at] = joined;
    question.wanted.leads.push(format!(
        "The {} of {} is taken to be {}: that is read off names, release dates and architectures.",
        carried.key(),
        relative.own,
        relative.called
    ));
    Ok(question)
}
