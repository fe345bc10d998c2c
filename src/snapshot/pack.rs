//! Packs the files of a knowledge base.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use tar::{EntryType, Header};

use crate::origin::files;
use crate::unpack::FORMAT;
use crate::{FileDigest, MANIFEST, Manifest, Origin, PackError};

/// Packs the knowledge base at `root` into a snapshot, compressed at `level` (0 to 9). Skips symbolic links and names that begin
/// with a dot, as the reader of a knowledge base does.
///
/// # Errors
///
/// If a file cannot be read, or its name is not UTF-8.
pub fn pack(root: &Path, origin: Origin, level: u32) -> Result<Vec<u8>, PackError> {
    let read = |(name, path): (String, PathBuf)| match fs::read(&path) {
        Ok(content) => Ok((name, content)),
        Err(error) => Err(PackError::Read { path, error }),
    };
    let files: BTreeMap<String, Vec<u8>> = files(root)?.into_iter().map(read).collect::<Result<_, _>>()?;
    let digests = files.iter().map(|(path, content)| (path.clone(), FileDigest::of(content))).collect();
    let manifest = Manifest { format: FORMAT, origin, files: digests };

    // The gzip header states no time and no operating system (255 is "unknown").
    let gzip = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::new(level));
    let mut archive = tar::Builder::new(gzip);
    append(&mut archive, MANIFEST, &serde_json::to_vec(&manifest)?)?;
    for (path, content) in &files {
        append(&mut archive, path, content)?;
    }
    Ok(archive.into_inner()?.finish()?)
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
