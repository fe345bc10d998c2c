//! Rows joined with the catalog, in the order that a question asks for.

use super::interpreted::{Interpreted, interpret};
use super::join::{catalog_of, entities_of};
use super::order::{last_protocols, order_of};
use crate::ask::execute::Outcome;
use crate::ask::parse::QueryError;
use crate::rows::{EntityCache, JoinedCatalog, JoinedRow};
use crate::stores::Stores;
use crate::stores::index::Hits;

/// Rows, and the catalog entities that they reference.
#[derive(Debug, Clone)]
pub struct RowsWithCatalog {
    /// The rows.
    pub measurements: Vec<JoinedRow>,
    /// The entities that the rows reference.
    pub catalog: JoinedCatalog,
}

/// All rows that a question finds, in the requested order.
///
/// # Errors
///
/// A mistake in the question with its position, or a store failure.
pub fn all_rows(stores: &Stores, text: &str) -> Result<RowsWithCatalog, QueryError> {
    rows_in_order(stores, &interpret(stores, text)?)
}

/// The rows of a parsed question, in the requested order.
///
/// # Errors
///
/// When a store fails.
pub fn rows_in_order(stores: &Stores, asked: &Interpreted) -> Result<RowsWithCatalog, QueryError> {
    let (skip, take) = (asked.question.skip.unwrap_or(0), asked.question.take.unwrap_or(usize::MAX));
    let order = order_of(stores, &asked.question, &Outcome::default())?;
    let (last, _) = last_protocols(stores)?;
    let hits = stores.index.measurements(&asked.condition, order, &last, skip, take)?;
    joined_rows(stores, &hits.rows)
}

/// Rows of the store, in the given order.
///
/// # Errors
///
/// When a store fails.
pub fn joined_rows(stores: &Stores, rows: &[u64]) -> Result<RowsWithCatalog, QueryError> {
    let measurements = EntityCache::default().join(&stores.database, stores.database.measurements(rows)?)?;
    let (catalog, _) = catalog_of(stores, &Hits::default(), entities_of(&measurements), &measurements)?;
    Ok(RowsWithCatalog { measurements, catalog })
}
