//! What is known of an entity.

use super::Outcome;
use crate::ask::parse::{QueryError, Question};
use crate::stores::Stores;

pub(super) fn overview(_stores: &Stores, question: &Question) -> Result<Outcome, QueryError> {
    Ok(Outcome { ask: question.ask, ..Outcome::default() })
}
