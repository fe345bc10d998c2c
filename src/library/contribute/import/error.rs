//! What is imported, and why an import failed: unknown columns and names all at once, with what is near.

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
        0 => "this would lose rows or comments that the files do not have",
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

/// A name that a recipe's templates use and no record of its files has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownColumn {
    /// The name, as it is in braces.
    pub name: String,
    /// The line of the recipe, counted from 1; 0 where it is not known.
    pub line: usize,
    /// The names that records have and that are nearest, best first.
    pub near: Vec<String>,
}

impl std::fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let near: Vec<String> = self.near.iter().map(|name| format!("`{{{name}}}`")).collect();
        write!(f, "line {}: no record has `{{{}}}`; did you mean {}?", self.line, self.name, or_list(&near))
    }
}

/// Names in the recipe's templates that no record has but one of a near name. A name that nothing is near to stands for what
/// other files of the source have.
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

/// A name that leads to no entity of the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnresolvedName {
    /// What it is a name of.
    pub facet: Facet,
    /// The source's spelling.
    pub spelling: String,
    /// How many records have it.
    pub rows: usize,
    /// Where the first of them is, as `file:line`.
    pub first: String,
    /// Why it is not resolved.
    pub why: String,
    /// The ids whose names are nearest, best first.
    pub near: Vec<String>,
}

/// So many near names help; more are noise.
const NEAR: usize = 3;

impl UnresolvedName {
    /// A name as it was read, of so many records.
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

/// What becomes of rows that are in the files and that the import does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExistingRows {
    /// Nothing is written while there are any.
    Kept,
    /// Rows whose label the source corrected stay, superseded by the corrected ones; nothing is written while there are others.
    Superseded,
    /// They are dropped, with what people added to the files.
    Dropped,
}

/// What is imported: which recipe, from where, and what the caller states beside it.
#[derive(Debug)]
pub struct ImportRequest<'r> {
    /// How the files are read.
    pub recipe: &'r Recipe,
    /// Whether it was written for these files: then each `{name}` in it must be a name of theirs. A named format reads
    /// several versions of its files.
    pub is_own_recipe: bool,
    /// The source whose measurements they are; the recipe's own unless said otherwise.
    pub source: EntityId,
    /// The folder that the recipe's patterns are relative to.
    pub folder: &'r Path,
    /// The files to read instead of those that the recipe's patterns find.
    pub files: &'r [PathBuf],
    /// Fields that the caller states: they hold for every row.
    pub stated: &'r [(String, String)],
}
