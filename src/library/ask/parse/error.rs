//! Why a question has no answer.

use std::ops::Range;

use crate::stores::database::DatabaseError;
use crate::stores::index::IndexError;

/// A mistake in a question, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GrammarError {
    /// What is wrong.
    pub message: String,
    /// The bytes of the question that are wrong.
    pub span: Range<usize>,
    /// What was expected.
    pub label: String,
    /// What to do.
    pub help: Option<String>,
}

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

/// What was asked for, or why there is no answer.
pub type Result<T, E = QueryError> = std::result::Result<T, E>;
