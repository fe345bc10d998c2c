//! The differences between two states of a knowledge base: entities and measurements.

mod changes;
mod described;
mod imported_file;
mod revision;

pub use changes::{ChangeKind, Changes, EntityChange, FactChange, MeasurementChange, between, compare};
pub use imported_file::{FieldValues, ImportedFile, MAX_LISTED_MEASUREMENTS, MetricRange, NotableValue};

use crate::reading::ReadError;

/// Why two states could not be compared.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    /// The working tree could not be listed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// `git` could not be run, or failed.
    #[error("git {command}: {why}")]
    Git {
        /// The git command.
        command: String,
        /// The error message.
        why: String,
    },
}
