//! From a question to the table that compares what it finds.

use super::{CompareError, CompareRequest, Pivot, PivotAxis, pivot};
use crate::ask::axes::InferredAxes;
use crate::ask::question::{Interpretation, interpret};
use crate::stores::Stores;

/// A comparison, and how its question was read.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The question as it was understood.
    pub asked: Interpretation,
    /// The axes of rows and columns, where they were made out and not named.
    pub inferred: Option<(Vec<PivotAxis>, Vec<PivotAxis>)>,
    /// The table.
    pub pivot: Pivot,
}

/// Pivots everything that a question finds. Where the request names neither rows nor columns, both are made out from the
/// question and from what it finds.
///
/// # Errors
///
/// When the question has a mistake in its grammar, the request cannot be met, or a store fails.
pub fn compare(stores: &Stores, question: &str, request: &CompareRequest) -> Result<Compared, CompareError> {
    let asked = interpret(stores, question)?;
    let mut request = request.clone();
    let mut inferred = None;
    if request.rows.is_empty() && request.columns.is_empty() {
        let (rows, columns) = InferredAxes::of(stores, &asked)?.table();
        request.rows = rows.into_iter().map(PivotAxis::Aspect).collect();
        request.columns = columns.into_iter().map(PivotAxis::Aspect).collect();
        inferred = Some((request.rows.clone(), request.columns.clone()));
    }
    request.rows.retain(|axis| !request.groups.contains(axis));
    if request.rows.is_empty() {
        return Err(CompareError::request(
            "a comparison needs rows",
            "--rows framework, --rows device, --rows device,batch-size; two ids give a verdict on two measurements",
        ));
    }
    request.rows.splice(..0, request.groups.iter().copied());
    let pivot = pivot(stores, &asked.condition, &request)?;
    Ok(Compared { asked, inferred, pivot })
}
