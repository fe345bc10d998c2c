//! Why a question has no answer.

use super::grammar::GrammarError;
use crate::stores::index::IndexError;
use crate::stores::store::StoreError;

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
