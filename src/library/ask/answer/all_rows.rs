//! Rows with what the catalog says of them, for what is made of rows alone: nothing is concluded, and none is marked as the best.

use super::ask::hits_of;
use super::join::{entities_of, join};
use crate::ask::question::{QueryError, understand};
use crate::rows::{EntityCache, JoinedCatalog, JoinedRow};
use crate::stores::Stores;
use crate::stores::index::Hits;

/// Rows, and what the catalog says of what they name.
#[derive(Debug, Clone)]
pub struct RowsWithCatalog {
    /// The rows.
    pub measurements: Vec<JoinedRow>,
    /// The entities that they name.
    pub catalog: JoinedCatalog,
}

/// All rows that a question finds, in the order that it asks for.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn all_rows(stores: &Stores, question: &str) -> Result<RowsWithCatalog, QueryError> {
    let understood = understand(question, stores)?;
    let (offset, limit) = (understood.offset.unwrap_or(0), understood.limit.unwrap_or(usize::MAX));
    let (hits, _) = hits_of(stores, &understood, offset, limit)?;
    joined_rows(stores, &hits.rows)
}

/// Some rows of the store, in their order.
///
/// # Errors
///
/// When a store fails.
pub fn joined_rows(stores: &Stores, rows: &[u64]) -> Result<RowsWithCatalog, QueryError> {
    let measurements = EntityCache::default().join(&stores.database, stores.database.measurements(rows)?)?;
    let catalog = join(stores, &Hits::default(), entities_of(&measurements), &measurements, &mut Vec::new())?;
    Ok(RowsWithCatalog { measurements, catalog })
}
