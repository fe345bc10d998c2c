//! Which files a snapshot holds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{FOLDERS, PackError};

/// The files that a snapshot holds, by their paths in it.
pub(crate) fn files(root: &Path) -> Result<BTreeMap<String, PathBuf>, PackError> {
    let mut files = BTreeMap::new();
    for folder in FOLDERS {
        collect(&root.join(folder), folder, &mut files)?;
    }
    Ok(files)
}

/// The files below a folder by their paths, which begin with `name`.
fn collect(folder: &Path, name: &str, files: &mut BTreeMap<String, PathBuf>) -> Result<(), PackError> {
    let unread = |path: &Path| {
        let path = path.to_owned();
        |error| PackError::Read { path, error }
    };
    for entry in fs::read_dir(folder).map_err(unread(folder))? {
        let entry = entry.map_err(unread(folder))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(unread(&path))?;
        let file_name = entry.file_name();
        let Some(file_name) = file_name.to_str() else { return Err(PackError::Name { path }) };
        let name = format!("{name}/{file_name}");
        if file_name.starts_with('.') {
            continue;
        } else if kind.is_dir() {
            collect(&path, &name, files)?;
        } else if kind.is_file() {
            files.insert(name, path);
        }
    }
    Ok(())
}
