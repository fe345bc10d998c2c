//! The query: words and filters are read, measurements found, both views joined.

mod answer;
mod ask;
mod best;
mod catalog;
mod clause;
mod explain;
mod facets;
mod filters;
mod grammar;
mod idioms;
mod interpreter;
mod join;
mod near_misses;
mod order;
#[cfg(test)]
mod schema;
mod understand;
mod words;

pub use answer::{Answer, FacetCounts, ReadAs, Suggestion, ValueCount};
pub use ask::{Interpretation, Page, ask, interpret};
pub use catalog::{EntitiesFound, entities};
pub use explain::{Explanation, PlanStep, explain};
pub use facets::facets;
pub use grammar::GrammarError;
#[cfg(test)]
pub use schema::schema_of_tests;

use crate::stores::index::IndexError;
use crate::stores::store::StoreError;

/// The JSON Schema of an [`Answer`] as JSON, and of its measurements, which stand alone in NDJSON.
pub const SCHEMA: &str = include_str!("answer.schema.json");

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The question has a mistake.
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index failed.
    #[error(transparent)]
    Index(#[from] IndexError),
}
