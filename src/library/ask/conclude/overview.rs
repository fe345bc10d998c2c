//! What is known of an entity: its facts, what was measured on it, where it is best and worst.

use super::conclusion::Conclusion;
use super::found::Found;
use crate::ask::question::{QueryError, Question};
use crate::stores::Stores;

/// Tells what is known of the entities that were named.
pub fn conclude(_stores: &Stores, _question: &Question, _found: &Found<'_>) -> Result<Conclusion, QueryError> {
    Ok(Conclusion::default())
}
