//! Why there is no site.

use std::path::PathBuf;

use crate::refusal::Refusal;
use dlbench::values::text::some_of;
use dlbench::{ReadError, WriteError};

/// Why there is no site.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The folder holds what is not ours.
    #[error("{} is not what `dlbench site` wrote{}", path.display(), named(files))]
    NotOurs {
        /// The folder.
        path: PathBuf,
        /// What in it is another's, or was edited; none where it is no folder.
        files: Vec<String>,
    },
    /// A page cannot be made.
    #[error(transparent)]
    Page(#[from] Refusal),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The knowledge base cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A value cannot be written as JSON.
    #[error("cannot write the data: {0}")]
    Json(#[from] serde_json::Error),
    /// Rows cannot be written.
    #[error("cannot write the rows: {0}")]
    Csv(String),
    /// A page names something that is not there: a mistake of this program.
    #[error("the page {page} needs {address}, which is not part of a site")]
    Link {
        /// The page.
        page: String,
        /// What it needs.
        address: String,
    },
}

/// Which files, the first ones by name.
fn named(files: &[String]) -> String {
    const MOST: usize = 5;
    if files.is_empty() { String::new() } else { format!(": {}", some_of(files, MOST)) }
}
