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
        Intent::Comparison => comparison::conclude(stores, question, found),
        Intent::Relation => relation::conclude(stores, question, found),
        Intent::Fact => fact::conclude(stores, question, found),
        Intent::Grade => grade::conclude(stores, question, found),
        Intent::List => list::conclude(stores, question, found),
        Intent::Overview => overview::conclude(stores, question, found),
    }
}
