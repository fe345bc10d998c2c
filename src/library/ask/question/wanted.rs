//! What a question wants to know: the kind of answer, its sides, quantities and axis, made out from what its words were read as.

use super::clause::Clause;
use super::error::QueryError;
use super::intent::Intent;
use super::interpreter::Interpreter;
use super::question::Wanted;
use crate::model::{Aspect, Field};
use crate::stores::Stores;
use crate::values::EntityKind;

/// Makes out what the question wants.
///
/// # Errors
///
/// When a store fails.
pub(super) fn wanted(
    clauses: &[Clause],
    interpreter: &Interpreter<'_>,
    _stores: &Stores,
) -> Result<Wanted, QueryError> {
    let joined_at = clauses.iter().position(|clause| clause.sides.len() > 1);
    let sides = joined_at.map(|at| clauses[at].sides.clone()).unwrap_or_default();
    let superlative = interpreter.superlative.as_ref().map(|(_, superlative)| *superlative);
    let candidates = interpreter.about.and_then(aspect_of);
    let intent = match () {
        () if sides.len() > 1 => Intent::Comparison,
        () if superlative.is_some() => Intent::Ranking,
        () if interpreter.about.is_some() => Intent::List,
        () => Intent::Lookup,
    };
    Ok(Wanted { intent, sides, joined_at, superlative, candidates, ..Wanted::default() })
}

/// The aspect of rows that names entities of a kind.
fn aspect_of(kind: EntityKind) -> Option<Aspect> {
    Field::of_entities().find(|(_, of)| *of == kind).map(|(field, _)| Aspect::Field(field))
}
