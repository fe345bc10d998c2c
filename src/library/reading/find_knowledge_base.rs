//! Where the knowledge base is.

use std::path::{Path, PathBuf};

use crate::values::text::printable_path;

/// No knowledge base was found.
#[derive(Debug, thiserror::Error)]
pub enum LocateError {
    /// A folder was named, but it is none.
    #[error("{} (from {origin}) is not a knowledge base: it has no folder {missing}/", printable_path(path))]
    NotOne {
        /// The folder.
        path: PathBuf,
        /// Who named it: `--kb` or `DLBENCH_KB`.
        origin: &'static str,
        /// The folder that is missing.
        missing: &'static str,
    },
    /// None was named, and no ancestor of the working directory is one.
    #[error(
        "no knowledge base here: neither {} nor a folder above it has catalog/ and measurements/",
        printable_path(start)
    )]
    NoneAbove {
        /// Where the search began.
        start: PathBuf,
    },
    /// The working directory is gone, or may not be read.
    #[error("cannot tell the working directory: {0}")]
    WorkingDirectory(#[from] std::io::Error),
}

/// The folder of the knowledge base: the one named on the command line, else the one named by the environment, else the
/// nearest folder at or above `start` that has both `catalog/` and `measurements/`. Nobody asks where `start` is while a folder
/// is named: the working directory may be gone.
///
/// # Errors
///
/// When the named folder is none, or none is found.
pub fn locate(
    named: Option<&Path>,
    environment: Option<&Path>,
    start: impl FnOnce() -> std::io::Result<PathBuf>,
) -> Result<PathBuf, LocateError> {
    for (path, origin) in [(named, "--kb"), (environment, "DLBENCH_KB")] {
        if let Some(path) = path {
            return match missing_folder(path) {
                None => Ok(path.to_owned()),
                Some(missing) => Err(LocateError::NotOne { path: path.to_owned(), origin, missing }),
            };
        }
    }
    let start = start()?;
    start
        .ancestors()
        .find(|folder| missing_folder(folder).is_none())
        .map(Path::to_owned)
        .ok_or_else(|| LocateError::NoneAbove { start: start.to_owned() })
}

fn missing_folder(path: &Path) -> Option<&'static str> {
    ["catalog", "measurements"].into_iter().find(|folder| !path.join(folder).is_dir())
}
