//! The import request, and why an import failed: all unknown columns and names at once, with the nearest known ones.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::rule_text::OverlongText;
use crate::contribute::recipe::{Recipe, RecipeError};
use crate::model::Facet;
use crate::reading::{ReadError, WriteError};
use crate::stores::database::{Database, DatabaseError};
use crate::stores::resolve::{Resolved, nearest_names};
use crate::values::text::{nearest, or_list, printable_path};
use crate::values::{EntityId, EntityKind};

/// Why an import failed; nothing has been written in that case.
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
        /// The error from the operating system.
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
    /// No file matches the recipe's pattern.
    #[error("no file in {} matches `{pattern}`", printable_path(folder))]
    NoFiles {
        /// The folder that was searched.
        folder: PathBuf,
        /// The recipe's pattern.
        pattern: String,
    },
    /// A file given by the caller matches no pattern of the recipe.
    #[error("{}: {}", printable_path(path), expected_names(patterns))]
    NotOfFormat {
        /// The file.
        path: PathBuf,
        /// The recipe's patterns.
        patterns: Vec<String>,
    },
    /// Names in the recipe's templates that occur in no record.
    #[error("the recipe names what no record has\n{}", lines(columns))]
    UnknownColumns {
        /// Each unknown name with its line and the nearest known names.
        columns: Vec<UnknownColumn>,
    },
    /// Ids in the recipe's constants or on the command line that are not in the catalog.
    #[error("the catalog does not have what the rows name\n{}", lines(ids))]
    UnknownIds {
        /// All such ids.
        ids: Vec<UnknownId>,
    },
    /// The import would remove rows from the existing files, or what people added to them.
    #[error("{}\n{}", would_lose(*corrected), lines(lost))]
    WouldLose {
        /// Each loss, with its file.
        lost: Vec<String>,
        /// Number of lost rows that are in the import under a corrected label.
        corrected: usize,
    },
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The strict reader rejects the imported rows.
    #[error("the imported rows have mistakes")]
    Rejected(ReadError),
}

impl ImportError {
    /// The place in a file (empty if the error concerns no file) and the message.
    pub(super) fn place_and_message(&self) -> (String, String) {
        match self {
            Self::Io { path, error } => (printable_path(path), error.to_string()),
            Self::Malformed { path, line: 0, message } => (printable_path(path), message.clone()),
            Self::Malformed { path, line, message } => (format!("{}:{line}", printable_path(path)), message.clone()),
            other => (String::new(), other.to_string()),
        }
    }
}

/// An id that is not in the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownId {
    /// The field, or `source`.
    pub key: String,
    /// The kind of entity that the id should refer to.
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
        0 => "this would lose rows or comments that the files do not have",
        _ => "the source corrected labels; this would lose the rows that had the old ones",
    }
}

/// Formats each item on its own line.
fn lines<T: std::fmt::Display>(items: &[T]) -> String {
    items.iter().map(|item| format!("  {item}")).collect::<Vec<_>>().join("\n")
}

fn expected_names(patterns: &[String]) -> String {
    let patterns: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
    format!("the format knows its files by their names: expected {}", or_list(&patterns))
}

/// A name that the recipe's templates use and that occurs in no record of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownColumn {
    /// The name, as written in braces.
    pub name: String,
    /// The line of the recipe, counted from 1; 0 where it is not known.
    pub line: usize,
    /// The nearest names that do occur in records, best first.
    pub near: Vec<String>,
}

impl std::fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let near: Vec<String> = self.near.iter().map(|name| format!("`{{{name}}}`")).collect();
        write!(f, "line {}: no record has `{{{}}}`; did you mean {}?", self.line, self.name, or_list(&near))
    }
}

/// Names in the recipe's templates that occur in no record although a similar name does. A name without a similar one
/// is accepted: other files of the source may have it.
pub(super) fn unknown_columns(recipe: &Recipe, seen: &BTreeSet<String>) -> Vec<UnknownColumn> {
    let mut unknown = Vec::new();
    for (name, line) in recipe.names_in_templates() {
        if seen.contains(&name) || recipe.own_names().any(|own| own == name) {
            continue;
        }
        let near: Vec<String> =
            nearest(&name, seen.iter().map(String::as_str), 3).into_iter().map(str::to_owned).collect();
        if !near.is_empty() {
            unknown.push(UnknownColumn { name, line, near });
        }
    }
    unknown
}

/// A name that could not be resolved to a catalog entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnresolvedName {
    /// The kind of thing it names.
    pub facet: Facet,
    /// The source's spelling.
    pub spelling: String,
    /// Number of records that have it.
    pub rows: usize,
    /// The first of those records, as `file:line`.
    pub first: String,
    /// Why it could not be resolved.
    pub why: String,
    /// The ids whose names are nearest, best first.
    pub near: Vec<String>,
}

/// Maximum number of nearest names to suggest.
const NEAR: usize = 3;

impl UnresolvedName {
    /// Describes a name that could not be resolved, found in `rows` records, with the nearest names of the same facet.
    pub(super) fn of(
        store: &Database,
        facet: Facet,
        resolved: &Resolved,
        rows: usize,
        first: &str,
    ) -> Result<Self, DatabaseError> {
        let mut near = resolved.ids.clone();
        if near.is_empty() {
            for name in nearest_names::<Database>(&resolved.input, store, 4 * NEAR)? {
                if name.facet == facet && !near.contains(&name.value) {
                    near.push(name.value);
                }
            }
        }
        near.truncate(NEAR);
        Ok(Self {
            facet,
            spelling: resolved.input.clone(),
            rows,
            first: first.to_owned(),
            why: resolved.why.clone(),
            near,
        })
    }
}

/// What to do with rows that are in the existing files but not in the import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExistingRows {
    /// Refuse: nothing is written if there are any.
    Kept,
    /// Keep rows whose label the source corrected, marked as superseded by the corrected rows; refuse if there are others.
    Superseded,
    /// Drop them, with everything that people added to the files.
    Dropped,
}

/// An import request: the recipe, the files, and the fields that the caller states.
#[derive(Debug)]
pub struct ImportRequest<'r> {
    /// The recipe that reads the files.
    pub recipe: &'r Recipe,
    /// Whether the recipe was written for these files, so that each `{name}` in it must occur in them. A named format
    /// reads several versions of its files, and need not.
    pub is_own_recipe: bool,
    /// The source of the measurements; by default the recipe's own.
    pub source: EntityId,
    /// The folder that the recipe's patterns are relative to.
    pub folder: &'r Path,
    /// The files to read instead of those that the recipe's patterns find.
    pub files: &'r [PathBuf],
    /// Fields that the caller states; they apply to every row.
    pub stated: &'r [(String, String)],
}
