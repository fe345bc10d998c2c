//! A question with the condition of its rows: for tables, figures and lists of everything that it finds.

use crate::ask::execute::{Remark, condition, plan, unread};
use crate::ask::parse::{QueryError, Question, parse};
use crate::stores::Stores;
use crate::stores::index::Condition;

/// A question, what its rows must be like, and what must be said of its reading.
#[derive(Debug, Clone)]
pub struct Interpreted {
    /// The question.
    pub question: Question,
    /// What rows must be like; nothing meets it where a word was not read that could be the subject or a bound.
    pub condition: Condition,
    /// What must be said of the reading.
    pub remarks: Vec<Remark>,
}

/// Reads a question without answering it.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn interpret(stores: &Stores, text: &str) -> Result<Interpreted, QueryError> {
    let question = unread::found_in_text(stores, parse(text, &stores.database)?)?;
    if let Some(stopped) = unread::not_found(stores, &question)? {
        return Ok(Interpreted { question, condition: Condition::Any(Vec::new()), remarks: stopped.remarks });
    }
    let condition = condition(stores, &plan::rows_asked(&question))?;
    let remarks = unread::remarks(stores, &question)?;
    Ok(Interpreted { question, condition, remarks })
}
