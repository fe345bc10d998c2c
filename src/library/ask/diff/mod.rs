//! What changed between two states of a knowledge base: entities and measurements, in words and numbers.

mod changes;
mod described;
mod imported_file;
mod revision;

pub use changes::{ChangeKind, Changes, EntityChange, FactChange, MeasurementChange, between, compare};
pub use imported_file::{FieldValues, ImportedFile, MOST_TOLD_ONE_BY_ONE, MetricRange, NotableValue};

use crate::reading::ReadError;

/// Why two states could not be compared.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    /// The working tree could not be listed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// `git` could not be run, or refused.
    #[error("git {command}: {why}")]
    Git {
        /// What it was asked.
        command: String,
        /// What it said.
        why: String,
    },
}
