//! The folder of a paper: nothing that an author wrote is lost.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use crate::cli::failure::Failure;
use crate::cli::screen::Screen;
use dlbench::ask::paper::Lock;
use dlbench::reading::{WriteError, create_folder, write_whole};
use dlbench::values::text::and_list;

/// The file that says what the others were made of.
const LOCK: &str = "dlbench.lock";

/// A folder that may hold a paper already.
pub(super) struct Folder {
    path: PathBuf,
    /// The hash of every file that was written before.
    written: BTreeMap<String, String>,
}

impl Folder {
    /// The folder at this path, which need not be there yet.
    ///
    /// # Errors
    ///
    /// When its lock cannot be read.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let written = if path.join(LOCK).exists() { lock(path)?.files } else { BTreeMap::new() };
        Ok(Self { path: path.to_owned(), written })
    }

    /// Writes files, each whole or not at all, and the lock as the last one. Files of an earlier paper that are no longer
    /// made go, unless somebody edited them.
    ///
    /// # Errors
    ///
    /// When a file that would be replaced is not as this program left it, unless that is `forced`; when writing fails.
    pub fn write(
        &self,
        files: Vec<(String, Vec<u8>)>,
        mut lock: Lock,
        forced: bool,
        screen: &Screen,
    ) -> Result<(), Failure> {
        let mut edited: Vec<&str> = Vec::new();
        for (name, content) in &files {
            let as_left = |found: &[u8]| found == content || self.written.get(name) == Some(&hash(found));
            if read(&self.path.join(name))?.is_some_and(|found| !as_left(&found)) {
                edited.push(name);
            }
        }
        if !edited.is_empty() && !forced {
            return Err(Failure::usage(
                format!("{} in {} would be lost: dlbench did not write it so", and_list(&edited), self.path.display()),
                "write to another folder, or replace what is there with --force",
            ));
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
        for (name, hash_then) in self.written.iter().filter(|(name, _)| !lock.files.contains_key(*name)) {
            let path = self.path.join(name);
            match read(&path)? {
                Some(found) if hash(&found) == *hash_then => {
                    fs::remove_file(&path).map_err(WriteError::at(path))?;
                }
                Some(_) => screen.warn(&format!("{} is no longer made, but was edited: it stays", path.display())),
                None => {}
            }
        }
        Ok(())
    }
}

/// The lock of the paper in a folder.
///
/// # Errors
///
/// When there is none, or it cannot be read.
pub(super) fn lock(folder: &Path) -> Result<Lock, Failure> {
    let path = folder.join(LOCK);
    let text = fs::read_to_string(&path).map_err(|error| Failure::Unread { path: path.clone(), error })?;
    Lock::parse(&text).map_err(|error| {
        Failure::usage(format!("{}: {error}", path.display()), "`dlbench paper -o` into an empty folder writes it anew")
    })
}

/// The files of a paper that are not as this program left them: what became of each.
///
/// # Errors
///
/// When a file cannot be read.
pub(super) fn edited(folder: &Path, lock: &Lock) -> Result<Vec<(String, &'static str)>, Failure> {
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

fn read(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::Unread { path: path.to_owned(), error }),
    }
}

fn hash(content: &[u8]) -> String {
    format!("{:032x}", xxh3_128(content))
}
