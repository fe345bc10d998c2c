//! The query: words and filters are read, measurements found, both views joined.

mod answer;
mod ask;
mod clause;
mod filters;
mod grammar;
mod join;
mod near_misses;
mod understand;

pub use answer::{Answer, AnsweredMeasurement, CatalogAnswer, JoinedFramework, Note, ReadAs, Suggestion};
pub use ask::{Page, ask};
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
