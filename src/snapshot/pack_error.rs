//! Why a knowledge base could not be packed.

use std::io;
use std::path::PathBuf;

/// A knowledge base could not be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A name is no text, so that no archive could name it everywhere.
    #[error("the name of {} is not UTF-8", path.display())]
    Name {
        /// Whose.
        path: PathBuf,
    },
    /// The archive could not be made.
    #[error("cannot pack: {0}")]
    Archive(#[from] io::Error),
    /// The manifest could not be written.
    #[error("cannot pack: {0}")]
    Manifest(#[from] serde_json::Error),
}
