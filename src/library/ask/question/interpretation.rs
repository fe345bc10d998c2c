//! A question that is understood but not answered: for tables and figures over everything that it finds.

use super::error::QueryError;
use super::question::Wanted;
use super::read_as::ReadAs;
use super::understand::understand;
use crate::rows::Note;
use crate::stores::Stores;
use crate::stores::index::Condition;

/// What a question asks for, understood but not yet answered.
#[derive(Debug, Clone)]
pub struct Interpretation {
    /// What measurements must be like.
    pub condition: Condition,
    /// What it wants to know of them.
    pub wanted: Wanted,
    /// How each word was read.
    pub read_as: Vec<ReadAs>,
    /// The question in explicit filters.
    pub equivalent: String,
    /// What must be said about the reading.
    pub notes: Vec<Note>,
}

/// Understands a question without answering it: for tables and figures over everything that it finds.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn interpret(stores: &Stores, question: &str) -> Result<Interpretation, QueryError> {
    let understood = understand(question, stores)?;
    Ok(Interpretation {
        condition: understood.condition_without(None),
        read_as: understood.read_as().cloned().collect(),
        equivalent: understood.equivalent(),
        wanted: understood.wanted,
        notes: understood.notes,
    })
}
