//! Rows that keep out of an answer because they do not state what was asked for.

use super::conclusion::UnstatedField;
use crate::ask::question::{QueryError, Question};
use crate::stores::Stores;

/// Counts the rows that meet the question but for a field that they do not state.
///
/// # Errors
///
/// When a store fails.
pub fn unstated(_stores: &Stores, _question: &Question) -> Result<Vec<UnstatedField>, QueryError> {
    Ok(Vec::new())
}
