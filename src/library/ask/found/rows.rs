//! Rows with what the catalog says of them, in the order that a question asks for.

use super::interpreted::{Interpreted, interpret};
use super::join::{entities_of, join};
use crate::ask::parse::{Is, QueryError, Question, Term};
use crate::model::Part;
use crate::model::{Aspect, Field};
use crate::rows::{EntityCache, JoinedCatalog, JoinedRow};
use crate::stores::Stores;
use crate::stores::database::{AspectColumn, DatabaseError};
use crate::stores::index::{Condition, Hits, Sort, SortKey};

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
pub fn all_rows(stores: &Stores, text: &str) -> Result<RowsWithCatalog, QueryError> {
    rows_in_order(stores, &interpret(stores, text)?)
}

/// The rows of a question that was read, in the order that it asks for.
///
/// # Errors
///
/// When a store fails.
pub fn rows_in_order(stores: &Stores, asked: &Interpreted) -> Result<RowsWithCatalog, QueryError> {
    let (skip, take) = (asked.question.skip.unwrap_or(0), asked.question.take.unwrap_or(usize::MAX));
    let (hits, _) = hits_of(stores, &asked.question, &asked.condition, skip, take)?;
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

/// The rows that meet a condition in the order that a question asks for, those last that do not stand as they were published; and
/// the column that says so.
pub(in crate::ask) fn hits_of(
    stores: &Stores,
    question: &Question,
    condition: &Condition,
    skip: usize,
    take: usize,
) -> Result<(Hits, AspectColumn), QueryError> {
    let order = match question.sort {
        Some((aspect, descending)) => Some(Sort { by: sort_key(stores, aspect)?, descending }),
        None => named_first(stores, question)?,
    };
    let standings = stores.database.aspect(Aspect::Field(Field::Standing))?;
    let last = standings.shares_with(|_| true);
    let hits = stores.index.measurements(condition, order, &last, skip, take)?;
    Ok((hits, standings))
}

/// Where the values are by which rows are sorted.
fn sort_key(stores: &Stores, by: Aspect) -> Result<SortKey, DatabaseError> {
    Ok(match (by, by.part()) {
        (Aspect::Metric(metric), _) => SortKey::Metric(metric),
        (Aspect::Field(field), None) => SortKey::Field(field),
        (shared, Some(part)) => SortKey::Shared(part, ranks(&stores.database.aspect(shared)?, shared.is_numeric())),
        (_, None) => SortKey::Shared(Part::Setup, Vec::new()),
    })
}

/// The place of each share in the order of numbers or of the alphabet.
fn ranks(column: &AspectColumn, numeric: bool) -> Vec<Option<f64>> {
    let mut values: Vec<&str> = column.values().collect();
    values.sort_unstable();
    let rank = |value: &str| match numeric {
        true => value.parse().ok(),
        false => values.binary_search(&value).ok().map(|place| place as f64),
    };
    column.shares().map(|value| value.and_then(rank)).collect()
}

/// Rows of the network that is named come before those of its relatives, else rows of the device before those of its variants.
fn named_first(stores: &Stores, question: &Question) -> Result<Option<Sort>, QueryError> {
    for field in [Field::Network, Field::Device] {
        let Some((_, kind)) = Field::of_entities().find(|(naming, _)| *naming == field) else { continue };
        let named = question.subject.terms.iter().find_map(|term| match term {
            Term::Test(test) if test.key.key() == field.key() => match &test.is {
                Is::OneOf(ids) => ids.first(),
                _ => None,
            },
            _ => None,
        });
        let (Some(named), Some(part)) = (named, field.part()) else { continue };
        if stores.database.descendants(kind, named)?.len() > 1 {
            let column = stores.database.aspect(Aspect::Field(field))?;
            let rank = |value: Option<&str>| Some(if value == Some(named.as_str()) { 0.0 } else { 1.0 });
            let ranks = column.shares().map(rank).collect();
            return Ok(Some(Sort { by: SortKey::Shared(part, ranks), descending: false }));
        }
    }
    Ok(None)
}
