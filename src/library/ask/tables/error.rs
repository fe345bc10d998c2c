//! The error type of catalog tables.

use crate::ask::parse::QueryError;
use crate::stores::database::DatabaseError;
use crate::values::text::{and_list, or_list, printable};

/// Why a table of the catalog cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Measurements could not be queried for evidence.
    #[error(transparent)]
    Evidence(#[from] QueryError),
    /// The request refers to something that does not exist.
    #[error("{message}")]
    Request {
        /// The problem.
        message: String,
        /// How to fix the request.
        help: String,
    },
}

impl TableError {
    pub(super) fn no_column(name: &str, near: &[&str]) -> Self {
        Self::Request {
            message: format!("there is no column `{}`", printable(name.trim())),
            help: match near.len() {
                0 => "`dlbench table` without --columns shows the usual ones".to_owned(),
                1..=3 => format!("did you mean {}?", or_list(near)),
                _ => format!("the columns are {}", and_list(near)),
            },
        }
    }
}
