//! Rows with what the catalog says of them, for what is made of rows alone: nothing is concluded, and none is marked as the best.

use super::ask::rows_like;
use super::join::{catalog_of, entities_of};
use super::order::{last_protocols, order_of};
use crate::ask::execute::Outcome;
use crate::ask::parse::{QueryError, parse};
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
    let asked = parse(question, &stores.database)?;
    let (offset, limit) = (asked.skip.unwrap_or(0), asked.take.unwrap_or(usize::MAX));
    let sort = order_of(stores, &asked, &Outcome::default())?;
    let (last, _) = last_protocols(stores)?;
    let hits = stores.index.measurements(&rows_like(stores, &asked)?, sort, &last, offset, limit)?;
    joined_rows(stores, &hits.rows)
}

/// Some rows of the store, in their order.
///
/// # Errors
///
/// When a store fails.
pub fn joined_rows(stores: &Stores, rows: &[u64]) -> Result<RowsWithCatalog, QueryError> {
    let measurements = EntityCache::default().join(&stores.database, stores.database.measurements(rows)?)?;
    let (catalog, _) = catalog_of(stores, &Hits::default(), entities_of(&measurements), &measurements)?;
    Ok(RowsWithCatalog { measurements, catalog })
}
