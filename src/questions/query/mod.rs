//! The query: words and filters are read, measurements found, both views joined.

mod answer;
mod ask;
mod clause;
mod explain;
mod filters;
mod grammar;
mod idioms;
mod join;
mod near_misses;
mod understand;

pub use answer::{Answer, AnsweredMeasurement, CatalogAnswer, JoinedFramework, Note, ReadAs, Suggestion};
pub use ask::{Page, ask};
pub use explain::{Explanation, PlanStep, explain};
pub use grammar::GrammarError;

use crate::derived::index::IndexError;
use crate::derived::store::StoreError;

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
