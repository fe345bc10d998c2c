//! A question with the condition for its rows, for tables, figures and lists of everything it finds.

use crate::ask::execute::{Remark, condition, plan, unread};
use crate::ask::parse::{QueryError, Question, parse};
use crate::stores::Stores;
use crate::stores::index::Condition;

/// A question, the condition for its rows, and remarks on how it was read.
#[derive(Debug, Clone)]
pub struct Interpreted {
    /// The question.
    pub question: Question,
    /// The condition for rows; matches nothing if an unread word could be the subject or a bound.
    pub condition: Condition,
    /// Remarks on how the question was read.
    pub remarks: Vec<Remark>,
}

/// Parses a question without answering it.
///
/// # Errors
///
/// A mistake in the question with its position, or a store failure.
pub fn interpret(stores: &Stores, text: &str) -> Result<Interpreted, QueryError> {
    let question = unread::found_in_text(stores, parse(text, &stores.database)?)?;
    if let Some(stopped) = unread::not_found(stores, &question)? {
        return Ok(Interpreted { question, condition: Condition::Any(Vec::new()), remarks: stopped.remarks });
    }
    let condition = condition(stores, &plan::rows_asked(&question))?;
    let remarks = unread::remarks(stores, &question)?;
    Ok(Interpreted { question, condition, remarks })
}
