//! Why an import failed.

use std::path::PathBuf;

use super::template::OverlongText;
use super::unknown_column::UnknownColumn;
use crate::contribute::recipe::RecipeError;
use crate::reading::{ReadError, WriteError};
use crate::stores::database::DatabaseError;
use crate::values::EntityKind;
use crate::values::text::{or_list, printable_path};

/// Why nothing was imported. No file has been written then.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The recipe has a mistake.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A template of the recipe becomes too long.
    #[error(transparent)]
    Overlong(#[from] OverlongText),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file could not be read.
    #[error("{}: {error}", printable_path(path))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A file is not of the format.
    #[error("{}{}: {message}", printable_path(path), if *line == 0 { String::new() } else { format!(":{line}") })]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1; 0 where it is the whole file.
        line: usize,
        /// What was expected.
        message: String,
    },
    /// The recipe's files are not there.
    #[error("no file in {} matches `{pattern}`", printable_path(folder))]
    NoFiles {
        /// Where they were looked for.
        folder: PathBuf,
        /// The recipe's pattern.
        pattern: String,
    },
    /// A file that is named is none that the recipe reads.
    #[error("{}: {}", printable_path(path), expected_names(patterns))]
    NotOfFormat {
        /// The file.
        path: PathBuf,
        /// The recipe's patterns.
        patterns: Vec<String>,
    },
    /// Names in the recipe's templates that no record has.
    #[error("the recipe names what no record has\n{}", lines(columns))]
    UnknownColumns {
        /// Each with its line and what it may be a slip of.
        columns: Vec<UnknownColumn>,
    },
    /// Ids, in constants of the recipe or on the command line, that the catalog does not have.
    #[error("the catalog does not have what the rows name\n{}", lines(ids))]
    UnknownIds {
        /// All of them.
        ids: Vec<UnknownId>,
    },
    /// The files hold what a further import would lose: rows, or what people added to them.
    #[error("{}\n{}", would_lose(*corrected), lines(lost))]
    WouldLose {
        /// Each thing with its file.
        lost: Vec<String>,
        /// How many rows have only another label now.
        corrected: usize,
    },
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The rows do not pass the strict reader.
    #[error("the imported rows have mistakes")]
    Rejected(ReadError),
}

impl ImportError {
    /// The place in a file and what is wrong there, of an error that concerns one.
    pub(super) fn place_and_message(&self) -> (String, String) {
        match self {
            Self::Io { path, error } => (printable_path(path), error.to_string()),
            Self::Malformed { path, line: 0, message } => (printable_path(path), message.clone()),
            Self::Malformed { path, line, message } => (format!("{}:{line}", printable_path(path)), message.clone()),
            other => (String::new(), other.to_string()),
        }
    }
}

/// An id that the catalog does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownId {
    /// The field, or `source`.
    pub key: String,
    /// What it should be an id of.
    pub kind: EntityKind,
    /// The id.
    pub id: String,
    /// The nearest ids, best first.
    pub near: Vec<String>,
}

impl std::fmt::Display for UnknownId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: there is no {} `{}`", self.key, self.kind.noun(), self.id)?;
        if !self.near.is_empty() {
            write!(f, "; did you mean {}?", or_list(&self.near))?;
        }
        match self.kind {
            EntityKind::Source => {
                let joint = if self.near.is_empty() { ";" } else { "" };
                write!(f, "{joint} `dlbench new source` makes a new one")
            }
            _ => Ok(()),
        }
    }
}

fn would_lose(corrected: usize) -> &'static str {
    match corrected {
        0 => "this would lose what people added",
        _ => "the source corrected labels; this would lose the rows that had the old ones",
    }
}

/// Each on a line of its own.
fn lines<T: std::fmt::Display>(items: &[T]) -> String {
    items.iter().map(|item| format!("  {item}")).collect::<Vec<_>>().join("\n")
}

fn expected_names(patterns: &[String]) -> String {
    let patterns: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
    format!("the format knows its files by their names: expected {}", or_list(&patterns))
}
