//! What is imported.

use std::path::{Path, PathBuf};

use crate::contribute::recipe::Recipe;
use crate::values::EntityId;

/// What becomes of rows that stand in the files and that the import does not have.
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
