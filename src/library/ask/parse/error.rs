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
    /// The byte range of the mistake in the question.
    pub span: Range<usize>,
    /// What was expected.
    pub label: String,
    /// How to fix it, if known.
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

/// The result of a query.
pub type Result<T, E = QueryError> = std::result::Result<T, E>;
