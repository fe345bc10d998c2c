//! Comparison: measurements pivoted by any of their aspects, with speed-ups, ranks and notes.

mod best_marks;
mod candidates;
mod compared;
mod compared_columns;
mod document;
mod geometric_mean;
mod interned_fields;
mod labels;
mod like_conditions;
mod lines;
mod names;
mod pair_verdict;
mod pick_candidate;
mod pivot;
mod relative;
mod request;
mod setting_notes;
mod table;
mod table_notes;

pub use compared::{Compared, compare};
pub use document::{CompareDocument, PivotDocument, SCHEMA};
pub use names::{criterion_called, measure_called};
pub use pair_verdict::{FieldOfPair, PairVerdict, pair};
pub use pivot::pivot;
pub use request::{Along, ComparePick, CompareRequest, MeanPolicy, PivotAxis, Ratio};
pub use table::{GeometricMean, Label, Pivot, PivotCell, PivotColumn, PivotNote, PivotRow};

use crate::ask::parse::QueryError;
use crate::stores::database::DatabaseError;
use crate::stores::index::IndexError;

/// Why a comparison failed.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The question has a syntax error, or a store failed while answering it.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The index failed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The request cannot be met.
    #[error("{message}")]
    Request {
        /// The problem.
        message: String,
        /// How to fix the request.
        help: Option<String>,
    },
}

impl CompareError {
    fn request(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Request { message: message.into(), help: Some(help.into()) }
    }
}
