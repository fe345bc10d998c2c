//! From a question to the table that compares what it finds.

use super::{CompareError, CompareRequest, Pivot, pivot};
use crate::ask::question::{Interpretation, interpret};
use crate::stores::Stores;

/// A comparison, and how its question was read.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The question as it was understood.
    pub asked: Interpretation,
    /// The table.
    pub pivot: Pivot,
}

/// Pivots everything that a question finds.
///
/// # Errors
///
/// When the question has a mistake in its grammar, the request cannot be met, or a store fails.
pub fn compare(stores: &Stores, question: &str, request: &CompareRequest) -> Result<Compared, CompareError> {
    let asked = interpret(stores, question)?;
    let pivot = pivot(stores, &asked.condition, request)?;
    Ok(Compared { asked, pivot })
}
