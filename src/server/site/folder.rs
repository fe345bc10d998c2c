//! A folder that is written completely or not at all, and replaces only a folder written in this way.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::error::SiteError;
use dlbench::WriteError;
use dlbench::reading::{TemporaryFolder, exchange_folders, read_unlinked, written_hash};

/// The file that marks a folder as a generated site.
const MARK: &str = "dlbench-site.json";

/// The content of [`MARK`].
#[derive(Debug, Serialize, Deserialize)]
struct Mark {
    /// The hash of the knowledge base's content.
    content: String,
    /// The program with its version.
    written_by: String,
    /// The hash of each other file of the site, by its path with `/`.
    files: BTreeMap<String, String>,
}

/// A new folder, built beside its destination.
pub(super) struct NewFolder {
    /// Keeps the temporary folder until the new one is in place.
    _build: TemporaryFolder,
    made: PathBuf,
    folder: PathBuf,
    files: Mutex<BTreeMap<String, String>>,
}

impl NewFolder {
    /// A new folder whose destination is `folder`, which must be absent, empty or a generated site.
    ///
    /// # Errors
    ///
    /// When something else is there, or it cannot be written.
    pub fn beside(folder: &Path) -> Result<Self, SiteError> {
        may_be_replaced(folder)?;
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(WriteError::at(parent))?;
        let build = TemporaryFolder::below(parent)?;
        let made = build.path().join("site");
        fs::create_dir(&made).map_err(WriteError::at(&made))?;
        Ok(Self { _build: build, made, folder: folder.to_owned(), files: Mutex::default() })
    }

    /// Writes a file into it.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), WriteError> {
        let path = self.made.join(name);
        let parent = path.parent().unwrap_or(&self.made);
        fs::create_dir_all(parent).map_err(WriteError::at(parent))?;
        fs::write(&path, content).map_err(WriteError::at(&path))?;
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), written_hash(content));
        Ok(())
    }

    /// Writes the list of its files, by which the next build recognises them; `content` is the knowledge base's hash.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn mark(&self, content: &str, written_by: String) -> Result<(), SiteError> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mark = serde_json::to_string_pretty(&Mark { content: content.to_owned(), written_by, files })?;
        Ok(self.write(MARK, format!("{mark}\n").as_bytes())?)
    }

    /// Moves it to its destination, and deletes the previous folder only after that.
    ///
    /// # Errors
    ///
    /// When something else is there by now, or the system refuses.
    pub fn put(self) -> Result<(), SiteError> {
        may_be_replaced(&self.folder)?;
        // The previous folder is now in the temporary folder, and is deleted with it.
        Ok(exchange_folders(&self.made, &self.folder).map_err(WriteError::at(&self.folder))?)
    }
}

/// Checks that replacing the folder loses nothing: it is absent, empty, or a generated site with all files unchanged.
///
/// # Errors
///
/// When something would be lost, or this cannot be determined.
fn may_be_replaced(folder: &Path) -> Result<(), SiteError> {
    let not_ours = |files| SiteError::NotOurs { path: folder.to_owned(), files };
    match folder.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(found) if found.is_dir() => {}
        _ => return Err(not_ours(Vec::new())),
    }
    let mark = read_unlinked(&folder.join(MARK)).ok().and_then(|mark| serde_json::from_slice::<Mark>(&mark).ok());
    let written = mark.map_or_else(BTreeMap::new, |mark| mark.files);
    let mut others = Vec::new();
    add_others(folder, "", &written, &mut others).map_err(WriteError::at(folder))?;
    others.sort();
    if others.is_empty() { Ok(()) } else { Err(not_ours(others)) }
}

/// Collects the files and folders below `at` that are not as they were written.
fn add_others(folder: &Path, at: &str, written: &BTreeMap<String, String>, others: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(at))? {
        let entry = entry?;
        let name = format!("{at}{}", entry.file_name().to_string_lossy());
        let below = format!("{name}/");
        if entry.file_type()?.is_dir() {
            match written.range(below.clone()..).next().is_some_and(|(path, _)| path.starts_with(&below)) {
                true => add_others(folder, &below, written, others)?,
                false => others.push(below),
            }
            continue;
        }
        let as_written = |then: &String| read_unlinked(&entry.path()).is_ok_and(|now| written_hash(&now) == *then);
        // A mark without a list of files is not trusted.
        let is_mark = name == MARK && !written.is_empty();
        if !is_mark && !written.get(&name).is_some_and(as_written) {
            others.push(name);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_put_into_a_site_is_kept() {
        let place = tempfile::TempDir::new().unwrap();
        let folder = place.path().join("site");
        let build = || {
            let new = NewFolder::beside(&folder)?;
            new.write("index.html", b"a")?;
            new.write("devices/v100.html", b"b")?;
            new.mark("0a1b", "dlbench".to_owned())?;
            new.put()
        };
        build().unwrap();
        build().unwrap();
        for added in [".git/config", "CNAME", "devices/own.html", "index.html", "own/"] {
            let path = folder.join(added);
            match added.ends_with('/') {
                true => fs::create_dir(&path).unwrap(),
                false => {
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(&path, "a person's").unwrap();
                }
            }
            let told = build().unwrap_err().to_string();
            let named = if added == ".git/config" { ".git/" } else { added };
            assert!(told.ends_with(&format!(": {named}")), "{told}");
            if added.ends_with('/') {
                continue;
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), "a person's");
            match added {
                ".git/config" => fs::remove_dir_all(folder.join(".git")).unwrap(),
                "index.html" => fs::write(&path, "a").unwrap(),
                _ => fs::remove_file(&path).unwrap(),
            }
        }
    }
}
