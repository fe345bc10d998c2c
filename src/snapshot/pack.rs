//! Packs the files of a knowledge base.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use tar::{EntryType, Header};

use crate::manifest::FORMAT;
use crate::{FOLDERS, FileDigest, MANIFEST, Manifest, Origin};

/// A knowledge base could not be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A name is no text, so that no archive could name it everywhere.
    #[error("the name of {} is not UTF-8", path.display())]
    Name {
        /// Whose.
        path: PathBuf,
    },
    /// The archive could not be made.
    #[error("cannot pack: {0}")]
    Archive(#[from] io::Error),
    /// The manifest could not be written.
    #[error("cannot pack: {0}")]
    Manifest(#[from] serde_json::Error),
}

/// The snapshot of the knowledge base at `root`, compressed at `level` (0 to 9). Names that begin with a dot and links are
/// passed over, as the reader of a knowledge base does.
///
/// # Errors
///
/// When a file cannot be read, or its name is not UTF-8.
pub fn pack(root: &Path, origin: Origin, level: u32) -> Result<Vec<u8>, PackError> {
    let mut files = BTreeMap::new();
    for folder in FOLDERS {
        collect(&root.join(folder), folder, &mut files)?;
    }
    let digests = files.iter().map(|(path, content)| (path.clone(), FileDigest::of(content))).collect();
    let manifest = Manifest { format: FORMAT, origin, files: digests };

    // No time and no name of a system in the head of the compressed stream: 255 is "unknown".
    let gzip = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::new(level));
    let mut archive = tar::Builder::new(gzip);
    append(&mut archive, MANIFEST, &serde_json::to_vec(&manifest)?)?;
    for (path, content) in &files {
        append(&mut archive, path, content)?;
    }
    Ok(archive.into_inner()?.finish()?)
}

/// The files below a folder by their paths, which begin with `name`.
fn collect(folder: &Path, name: &str, files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), PackError> {
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
            files.insert(name, fs::read(&path).map_err(unread(&path))?);
        }
    }
    Ok(())
}

fn append(archive: &mut tar::Builder<impl Write>, path: &str, content: &[u8]) -> io::Result<()> {
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_mode(0o644);
    header.set_size(content.len() as u64);
    archive.append_data(&mut header, path, content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{manifest, unpack};

    fn base() -> tempfile::TempDir {
        let base = tempfile::TempDir::new().unwrap();
        for (path, content) in [
            ("catalog/kb.toml", "a = 1\n"),
            ("catalog/devices/v100.toml", "b = 2\n"),
            ("measurements/imagined/rows.toml", "c = 3\n"),
            ("measurements/.swap", "of an editor"),
            ("README.md", "not of the knowledge base"),
        ] {
            let path = base.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        base
    }

    #[test]
    fn what_is_packed_comes_back_and_packs_to_the_same_bytes() {
        let base = base();
        let origin = Origin { date: Some("2026-11-22".to_owned()), commit: None };
        let packed = pack(base.path(), origin.clone(), 6).unwrap();
        let there = base.path().join("there");
        let found = unpack(&packed, &there).unwrap();
        assert_eq!(found, manifest(&packed).unwrap());
        assert_eq!(found.origin, origin);
        let paths: Vec<&str> = found.files.keys().map(String::as_str).collect();
        assert_eq!(paths, ["catalog/devices/v100.toml", "catalog/kb.toml", "measurements/imagined/rows.toml"]);
        assert_eq!(fs::read_to_string(there.join("catalog/kb.toml")).unwrap(), "a = 1\n");
        assert_eq!(pack(&there, origin, 6).unwrap(), packed);
    }

    #[test]
    fn a_folder_that_is_no_knowledge_base_is_named() {
        let empty = tempfile::TempDir::new().unwrap();
        let error = pack(empty.path(), Origin::default(), 6).unwrap_err().to_string();
        assert!(error.contains("catalog"), "{error}");
    }
}
