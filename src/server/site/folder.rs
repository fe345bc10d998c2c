//! A folder that is written whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::error::SiteError;
use dlbench::WriteError;

/// The file that tells a site of ours from a folder of somebody's own.
pub(super) const MARK: &str = "dlbench-site.json";

/// A folder beside the one that it will be.
pub(super) struct NewFolder {
    build: TempDir,
    made: PathBuf,
    folder: PathBuf,
}

impl NewFolder {
    /// A new folder that will stand at `folder`, where nothing may be but a site of ours.
    ///
    /// # Errors
    ///
    /// When something else is there, or it cannot be written.
    pub fn beside(folder: &Path) -> Result<Self, SiteError> {
        if !may_be_replaced(folder) {
            return Err(SiteError::NotOurs { path: folder.to_owned() });
        }
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(WriteError::at(parent))?;
        let build = tempfile::Builder::new().prefix(".dlbench-").tempdir_in(parent).map_err(WriteError::at(parent))?;
        let made = build.path().join("site");
        fs::create_dir(&made).map_err(WriteError::at(&made))?;
        Ok(Self { build, made, folder: folder.to_owned() })
    }

    /// Writes a file of it.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), WriteError> {
        let path = self.made.join(name);
        let parent = path.parent().unwrap_or(&self.made);
        fs::create_dir_all(parent).map_err(WriteError::at(parent))?;
        fs::write(&path, content).map_err(WriteError::at(&path))
    }

    /// Puts it in its place; what was there goes only when it stands.
    ///
    /// # Errors
    ///
    /// When something else has come there in the meantime, or the system refuses.
    pub fn put(self) -> Result<(), SiteError> {
        if !may_be_replaced(&self.folder) {
            return Err(SiteError::NotOurs { path: self.folder });
        }
        let failed = WriteError::at(&self.folder);
        let old = self.build.path().join("old");
        let had_one = self.folder.symlink_metadata().is_ok();
        if had_one && let Err(error) = fs::rename(&self.folder, &old) {
            return Err(failed(error).into());
        }
        fs::rename(&self.made, &self.folder).map_err(|error| {
            if had_one {
                // What cannot be put back is left beside it: the folder of the build must then stay.
                let _ = fs::rename(&old, &self.folder);
            }
            SiteError::from(failed(error))
        })
    }
}

/// Whether nothing is lost with what is there: nothing, an empty folder, or a site of ours.
fn may_be_replaced(folder: &Path) -> bool {
    if folder.symlink_metadata().is_err() {
        return true;
    }
    let is_empty = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    let is_link = folder.symlink_metadata().is_ok_and(|found| found.is_symlink());
    !is_link && (is_empty || folder.join(MARK).is_file())
}
