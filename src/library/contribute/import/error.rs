//! Why an import failed.

use std::path::PathBuf;

use crate::contribute::recipe::RecipeError;
use crate::reading::{ReadError, WriteError};
use crate::stores::store::StoreError;
use crate::values::text::or_list;

/// Why nothing was imported. No file has been written then.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The recipe has a mistake.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file could not be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A file is not of the format.
    #[error("{}{}: {message}", path.display(), if *line == 0 { String::new() } else { format!(":{line}") })]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1; 0 where it is the whole file.
        line: usize,
        /// What was expected.
        message: String,
    },
    /// The recipe's files are not there.
    #[error("no file in {} matches `{pattern}`", folder.display())]
    NoFiles {
        /// Where they were looked for.
        folder: PathBuf,
        /// The recipe's pattern.
        pattern: String,
    },
    /// A file that is named is none that the recipe reads.
    #[error("{}: {}", path.display(), expected_names(patterns))]
    NotOfFormat {
        /// The file.
        path: PathBuf,
        /// The recipe's patterns.
        patterns: Vec<String>,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The rows do not pass the strict reader.
    #[error("the imported rows have mistakes")]
    Rejected(ReadError),
}

fn expected_names(patterns: &[String]) -> String {
    let patterns: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
    format!("the format knows its files by their names: expected {}", or_list(&patterns))
}
