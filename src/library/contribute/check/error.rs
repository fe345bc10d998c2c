//! Why files could not be mended or formatted.

use crate::reading::{ReadError, WriteError};

/// Why fixing stopped.
#[derive(Debug, thiserror::Error)]
pub enum FixError {
    /// The folders could not be listed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}
