//! Why a site could not be built.

use std::path::PathBuf;

use crate::refusal::Refusal;
use dlbench::values::text::some_of;
use dlbench::{ReadError, WriteError};

/// Why a site could not be built.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The folder contains files that are not from a generated site.
    #[error("{} was not written by `dlbench site`{}", path.display(), named(files))]
    NotOurs {
        /// The folder.
        path: PathBuf,
        /// The foreign or edited files in it; empty where it is not a folder.
        files: Vec<String>,
    },
    /// A page cannot be generated.
    #[error(transparent)]
    Page(#[from] Refusal),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The knowledge base cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A value cannot be serialised as JSON.
    #[error("cannot write the data: {0}")]
    Json(#[from] serde_json::Error),
    /// Rows cannot be written.
    #[error("cannot write the rows: {0}")]
    Csv(String),
    /// A page refers to something that does not exist: a bug of this program.
    #[error("the page {page} needs {address}, which is not part of a site")]
    Link {
        /// The page.
        page: String,
        /// The missing address.
        address: String,
    },
}

/// The first of the files, by name.
fn named(files: &[String]) -> String {
    const MOST: usize = 5;
    if files.is_empty() { String::new() } else { format!(": {}", some_of(files, MOST)) }
}
