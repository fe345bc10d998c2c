//! Why a question has no answer.

use super::grammar::GrammarError;
use crate::stores::database::DatabaseError;
use crate::stores::index::IndexError;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The question has a mistake.
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The index failed.
    #[error(transparent)]
    Index(#[from] IndexError),
}
