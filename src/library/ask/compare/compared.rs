//! From a question to the table that compares what it finds.

use super::{CompareError, CompareRequest, Pivot, pivot};
use crate::ask::query::{Interpretation, QueryError, interpret};
use crate::stores::Stores;

/// A comparison, and how its question was read.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The question as it was understood.
    pub asked: Interpretation,
    /// The table.
    pub pivot: Pivot,
}

/// Why there is no comparison.
#[derive(Debug, thiserror::Error)]
pub enum CompareFailure {
    /// The question has a mistake, or a store failed under it.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The request cannot be met, or a store failed.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

/// Pivots everything that a question finds.
///
/// # Errors
///
/// When the question has a mistake in its grammar, the request cannot be met, or a store fails.
pub fn compare(stores: &Stores, question: &str, request: &CompareRequest) -> Result<Compared, CompareFailure> {
    let asked = interpret(stores, question)?;
    let pivot = pivot(stores, &asked.condition, request)?;
    Ok(Compared { asked, pivot })
}
