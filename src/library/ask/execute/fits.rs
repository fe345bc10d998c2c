//! Whether the weights of a network fit a memory.

use super::Outcome;
use crate::ask::parse::{QueryError, Question};
use crate::stores::Stores;

pub(super) fn fits(_stores: &Stores, question: &Question) -> Result<Outcome, QueryError> {
    Ok(Outcome { ask: question.ask, ..Outcome::default() })
}
