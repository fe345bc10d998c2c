//! The folder of a paper: nothing that an author wrote is lost.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use super::lock::{Lock, LockError};
use crate::reading::{WriteError, create_folder, write_whole};
use crate::values::text::and_list;

/// The file that says what the others were made of.
const LOCK: &str = "dlbench.lock";

/// Why the folder of a paper could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PaperError {
    /// Files that would be replaced are not as this program left them.
    #[error("{} in {} would be lost: dlbench did not write it so", and_list(files), folder.display())]
    Edited {
        /// The files, by their paths in the folder.
        files: Vec<String>,
        /// The folder.
        folder: PathBuf,
    },
    /// The lock cannot be understood.
    #[error("{}: {error}", path.display())]
    Lock {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        error: LockError,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A folder that may hold a paper already.
#[derive(Debug)]
pub struct PaperFolder {
    path: PathBuf,
    /// The hash of every file that was written before.
    written: BTreeMap<String, String>,
}

impl PaperFolder {
    /// The folder at this path, which need not be there yet.
    ///
    /// # Errors
    ///
    /// When its lock cannot be read.
    pub fn open(path: &Path) -> Result<Self, PaperError> {
        let written = if path.join(LOCK).exists() { lock_in(path)?.files } else { BTreeMap::new() };
        Ok(Self { path: path.to_owned(), written })
    }

    /// Writes files, each whole or not at all, and the lock as the last one. Files of an earlier paper that are no longer
    /// made go, unless somebody edited them: those stay and are returned.
    ///
    /// # Errors
    ///
    /// When a file that would be replaced is not as this program left it, unless that is `forced`; when writing fails.
    pub fn write(
        &self,
        files: Vec<(String, Vec<u8>)>,
        mut lock: Lock,
        forced: bool,
    ) -> Result<Vec<PathBuf>, PaperError> {
        let mut edited: Vec<String> = Vec::new();
        for (name, content) in &files {
            let as_left = |found: &[u8]| found == content || self.written.get(name) == Some(&hash(found));
            if read(&self.path.join(name))?.is_some_and(|found| !as_left(&found)) {
                edited.push(name.clone());
            }
        }
        if !edited.is_empty() && !forced {
            return Err(PaperError::Edited { files: edited, folder: self.path.clone() });
        }
        for (name, content) in &files {
            let path = self.path.join(name);
            if let Some(folder) = path.parent() {
                create_folder(folder)?;
            }
            write_whole(&path, content)?;
            lock.files.insert(name.clone(), hash(content));
        }
        write_whole(&self.path.join(LOCK), lock.written())?;
        let mut kept = Vec::new();
        for (name, hash_then) in self.written.iter().filter(|(name, _)| !lock.files.contains_key(*name)) {
            let path = self.path.join(name);
            match read(&path)? {
                Some(found) if hash(&found) == *hash_then => {
                    fs::remove_file(&path).map_err(WriteError::at(path))?;
                }
                Some(_) => kept.push(path),
                None => {}
            }
        }
        Ok(kept)
    }
}

/// The lock of the paper in a folder.
///
/// # Errors
///
/// When there is none, or it cannot be read.
pub fn lock_in(folder: &Path) -> Result<Lock, PaperError> {
    let path = folder.join(LOCK);
    let text = fs::read_to_string(&path).map_err(|error| PaperError::Unread { path: path.clone(), error })?;
    Lock::parse(&text).map_err(|error| PaperError::Lock { path, error })
}

/// The files of a paper that are not as this program left them: what became of each.
///
/// # Errors
///
/// When a file cannot be read.
pub fn edited_files(folder: &Path, lock: &Lock) -> Result<Vec<(String, &'static str)>, PaperError> {
    let mut edited = Vec::new();
    for (name, then) in &lock.files {
        match read(&folder.join(name))? {
            None => edited.push((name.clone(), "is gone")),
            Some(found) if hash(&found) != *then => edited.push((name.clone(), "was edited by hand")),
            Some(_) => {}
        }
    }
    Ok(edited)
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, PaperError> {
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(PaperError::Unread { path: path.to_owned(), error }),
    }
}

fn hash(content: &[u8]) -> String {
    format!("{:032x}", xxh3_128(content))
}
