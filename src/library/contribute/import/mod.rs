//! Importing: other people's result files become rows that pass the strict reader, and nothing is left out in silence.

mod draft;
mod files;
mod formats;
pub mod nvidia_smi;
mod report;
mod tables;
mod template;
mod write;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub use crate::contribute::recipe::{Recipe, RecipeError};
use crate::reading::{ReadError, WriteError, create_folder, write_whole};
use crate::stores::store::{Store, StoreError};
use crate::values::EntityId;
use crate::values::text::or_list;
use draft::Drafter;
pub use formats::{FORMATS, Format, recipe_of};
pub use report::{Change, LeftOut, Report};

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

/// What is imported: which recipe, from where, and what the caller states beside it.
#[derive(Debug)]
pub struct Request<'r> {
    /// How the files are read.
    pub recipe: &'r Recipe,
    /// The source whose measurements they are; the recipe's own unless said otherwise.
    pub source: EntityId,
    /// The folder that the recipe's patterns are relative to.
    pub folder: &'r Path,
    /// The files to read instead of those that the recipe's patterns find.
    pub files: &'r [PathBuf],
    /// Fields that the caller states: they hold for every row.
    pub stated: &'r [(String, String)],
}

/// The imported files, ready to be written, and the account of every row.
#[derive(Debug)]
pub struct Imported {
    /// Text of each file by its name.
    pub files: BTreeMap<String, String>,
    /// Rows read, written and left out.
    pub report: Report,
}

/// Reads everything and writes nothing.
///
/// # Errors
///
/// Malformed input with file and line, or rows that the strict reader refuses.
pub fn import(request: &Request<'_>, store: &Store) -> Result<Imported, ImportError> {
    let mut report = Report::default();
    let mut drafter = Drafter::new(store, request.stated);
    let mut batches: BTreeMap<String, Vec<draft::Draft>> = BTreeMap::new();
    for (part, paths) in files::of_parts(request)? {
        let compiled = part.compiled()?;
        let mut found = 0;
        for path in &paths {
            let bytes = fs::read(path).map_err(|error| ImportError::Io { path: path.clone(), error })?;
            let name = path.strip_prefix(request.folder).unwrap_or(path);
            let malformed = |mistake: tables::Mistake| ImportError::Malformed {
                path: name.to_owned(),
                line: mistake.line,
                message: mistake.message,
            };
            let records = tables::records(&bytes, name, path, &compiled).map_err(malformed)?;
            found += records.len();
            for record in records {
                report.read += 1;
                match drafter.draft(&compiled, &record)? {
                    Ok(draft) => batches.entry(draft.batch.clone()).or_default().push(draft),
                    Err(reason) => report.leave_out(reason, &record.place),
                }
            }
        }
        if found == 0 {
            let path = paths
                .first()
                .map_or(PathBuf::new(), |path| path.strip_prefix(request.folder).unwrap_or(path).to_owned());
            return Err(ImportError::Malformed {
                path,
                line: 0,
                message: format!("expected {}", tables::expected(&compiled)),
            });
        }
    }
    let mut files = BTreeMap::new();
    let mut seen = BTreeMap::new();
    for (batch, mut drafts) in batches {
        drafts.retain(|draft| match seen.insert(draft.identity(&request.source), batch.clone()) {
            None => true,
            Some(_) => {
                report.leave_out("duplicate of a row before it".to_owned(), &draft.place);
                false
            }
        });
        if drafts.is_empty() {
            continue;
        }
        report.written += drafts.len();
        files.insert(format!("{batch}.toml"), write::file(&drafts));
    }
    for (name, text) in &files {
        let path = Path::new("measurements").join(request.source.as_str()).join(name);
        crate::reading::check_measurements(&path, text, &request.source).map_err(ImportError::Rejected)?;
    }
    Ok(Imported { files, report })
}

/// Writes the files into `folder`, each whole or not at all, and says what changed there.
///
/// # Errors
///
/// When a file cannot be written; files before it are complete.
pub fn install(imported: &Imported, source: &EntityId, folder: &Path) -> Result<Change, ImportError> {
    let mut change = Change::default();
    for (name, text) in &imported.files {
        let path = folder.join(name);
        let before = fs::read_to_string(&path).unwrap_or_default();
        change.add(&before, text, source);
        if before == *text {
            continue;
        }
        create_folder(folder)?;
        write_whole(&path, text)?;
    }
    Ok(change)
}

fn expected_names(patterns: &[String]) -> String {
    let patterns: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
    format!("the format knows its files by their names: expected {}", or_list(&patterns))
}
