//! Each kind of question has its kind of conclusion.

use super::conclusion::Conclusion;
use super::found::Found;
use super::{comparison, fact, grade, list, lookup, overview, ranking, relation};
use crate::ask::question::{Intent, QueryError, Question};
use crate::stores::Stores;

/// Draws the conclusion of an answer.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, found: &Found<'_>) -> Result<Conclusion, QueryError> {
    match question.wanted.intent {
        Intent::Lookup => lookup::conclude(stores, question, found),
        Intent::Ranking => ranking::conclude(stores, question, found),
        Intent::Comparison => {
            let conclusion = comparison::conclude(stores, question, found)?;
            with_facts(stores, question, conclusion)
        }
        Intent::Relation => relation::conclude(stores, question, found),
        Intent::Fact => fact::conclude(stores, question, found),
        Intent::Grade => grade::conclude(stores, question, found),
        Intent::List => list::conclude(stores, question, found),
        Intent::Overview => overview::conclude(stores, question, found),
    }
}

/// A comparison joins both views: behind the numbers come the facts in which the sides differ.
fn with_facts(stores: &Stores, question: &Question, mut conclusion: Conclusion) -> Result<Conclusion, QueryError> {
    if let Some((sentence, entries)) = fact::facts_side_by_side(stores, question)? {
        if !conclusion.text.is_empty() {
            conclusion.text.push(' ');
        }
        conclusion.text.push_str(&sentence);
        conclusion.entries.extend(entries);
    }
    Ok(conclusion)
}
