//! Unpacks a snapshot within size limits; manifest, names and digests are untrusted until they have been checked.

use std::collections::BTreeMap;
use std::io::{Read, Write as _};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::sync::mpsc::SyncSender;
use std::{fs, io, thread};

use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tar::{Archive, EntryType};

use crate::{FOLDERS, MANIFEST, Origin};

/// Why a snapshot could not be unpacked.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// The data is not an archive, or is truncated.
    #[error("this is not a whole snapshot: {0}")]
    Archive(#[source] io::Error),
    /// The archive does not begin with a valid manifest.
    #[error("this is not a snapshot: {0}")]
    Manifest(String),
    /// The snapshot has a layout that this program does not read.
    #[error("this snapshot has the layout {found}; this dlbench reads the layout {FORMAT}")]
    Format {
        /// The layout number of the snapshot.
        found: u32,
    },
    /// A snapshot may not contain this entry.
    #[error("the archive holds `{path}`, {what}")]
    Entry {
        /// Path of the entry.
        path: String,
        /// Why the entry is refused.
        what: &'static str,
    },
    /// The archive exceeds the limits for a knowledge base.
    #[error("the archive holds more than {MOST_FILES} files or {MOST_BYTES} bytes")]
    TooLarge,
    /// The archive contains no knowledge base.
    #[error("the archive holds no knowledge base: no file lies below catalog/ or measurements/ in its one folder")]
    NoBase,
    /// A file could not be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// The error from the system.
        #[source]
        error: io::Error,
    },
}

/// Whether an archive is a snapshot, judged by its first entry; repository archives are not.
///
/// # Errors
///
/// If the data is not an archive.
pub fn is_snapshot(archive: &[u8]) -> Result<bool, UnpackError> {
    let mut archive = Archive::new(GzDecoder::new(archive).take(2 * MOST_BYTES));
    match archive.entries().map_err(UnpackError::Archive)?.next() {
        Some(first) => Ok(first.map_err(UnpackError::Archive)?.path_bytes().as_ref() == MANIFEST.as_bytes()),
        None => Err(UnpackError::Manifest("it is empty".to_owned())),
    }
}

/// Reads the manifest of a snapshot, without reading its files.
///
/// # Errors
///
/// If the data is not a snapshot, or has a layout that this program does not know.
pub fn manifest(snapshot: &[u8]) -> Result<Manifest, UnpackError> {
    let mut archive = Archive::new(GzDecoder::new(snapshot));
    let first = archive.entries().map_err(UnpackError::Archive)?.next();
    let mut first =
        first.ok_or_else(|| UnpackError::Manifest("it is empty".to_owned()))?.map_err(UnpackError::Archive)?;
    read_manifest(&mut first)
}

/// Unpacks a snapshot into `folder`, creating it if necessary. Checks each file's digest before writing it; writes nothing outside
/// `folder`, overwrites nothing, and creates no links. After an error, some files may already have been written.
///
/// # Errors
///
/// If the snapshot is damaged, has an entry it may not have, lacks a file of its manifest, or a file cannot be written.
pub fn unpack(snapshot: &[u8], folder: &Path) -> Result<Manifest, UnpackError> {
    // Limits the bytes read, and therefore written, whatever sizes the headers state.
    let mut archive = Archive::new(GzDecoder::new(snapshot).take(2 * MOST_BYTES));
    let mut entries = archive.entries().map_err(UnpackError::Archive)?;
    let mut first =
        entries.next().ok_or_else(|| UnpackError::Manifest("it is empty".to_owned()))?.map_err(UnpackError::Archive)?;
    let manifest = read_manifest(&mut first)?;
    let (files, unwritten) = mpsc::sync_channel(MOST_WAITING);
    // Decompressing takes as long as checking and writing, so each gets a thread.
    let (read, written) = thread::scope(|scope| {
        let writer =
            scope.spawn(move || unwritten.into_iter().try_for_each(|file: PackedFile| file.write_into(folder)));
        let read = read_files(entries, &manifest, &files);
        drop(files);
        (read, writer.join())
    });
    // The writer is behind the reader, so its error concerns the earlier entry.
    written.unwrap_or_else(|panic| resume_unwind(panic))?;
    let missing = read?;
    // Truncation after the last file shows only at the end of the stream.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(UnpackError::Archive)?;
    match missing.into_iter().next() {
        Some(path) => Err(UnpackError::Entry { path, what: "but only by name: the snapshot is damaged" }),
        None => Ok(manifest),
    }
}

/// Maximum files in memory that wait to be written.
const MOST_WAITING: usize = 16;

/// A file from the archive, not yet checked.
struct PackedFile {
    path: String,
    expected: FileDigest,
    content: Vec<u8>,
}

impl PackedFile {
    /// Checks the digest, then writes the file.
    fn write_into(self, folder: &Path) -> Result<(), UnpackError> {
        if FileDigest::of(&self.content) != self.expected {
            let what = "which is not what its manifest says: the snapshot is damaged";
            return Err(UnpackError::Entry { path: self.path, what });
        }
        write(&folder.join(&self.path), &self.content)
    }
}

/// Sends all files of the manifest to the writer thread; returns the paths that the archive lacks.
fn read_files(
    entries: tar::Entries<'_, impl Read>,
    manifest: &Manifest,
    files: &SyncSender<PackedFile>,
) -> Result<Vec<String>, UnpackError> {
    let mut missing = manifest.files.clone();
    for entry in entries {
        let mut entry = entry.map_err(UnpackError::Archive)?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let refused = |what| UnpackError::Entry { path: path.clone(), what };
        if entry.header().entry_type() != EntryType::Regular {
            return Err(refused("which is not a plain file"));
        }
        let expected = missing.remove(&path).ok_or_else(|| refused("which its manifest does not name, or twice"))?;
        let mut content = Vec::new();
        // One extra byte shows that the file is longer than its manifest states.
        entry
            .by_ref()
            .take(expected.bytes.saturating_add(1))
            .read_to_end(&mut content)
            .map_err(UnpackError::Archive)?;
        // The receiver is gone: the writer has failed and returns the error.
        if files.send(PackedFile { path, expected, content }).is_err() {
            break;
        }
    }
    Ok(missing.into_keys().collect())
}

fn read_manifest(entry: &mut tar::Entry<'_, impl Read>) -> Result<Manifest, UnpackError> {
    if entry.path_bytes().as_ref() != MANIFEST.as_bytes() {
        return Err(UnpackError::Manifest(format!("its first entry is not {MANIFEST}")));
    }
    let mut text = Vec::new();
    entry.take(MOST_MANIFEST_BYTES).read_to_end(&mut text).map_err(UnpackError::Archive)?;
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|error| UnpackError::Manifest(format!("{MANIFEST}: {error}")))?;
    if manifest.format != FORMAT {
        return Err(UnpackError::Format { found: manifest.format });
    }
    if !manifest.origin.is_well_formed() {
        return Err(UnpackError::Manifest(format!("{MANIFEST}: its day or its commit is none")));
    }
    let bytes = manifest.files.values().fold(0_u64, |sum, file| sum.saturating_add(file.bytes));
    if manifest.files.len() > MOST_FILES || bytes > MOST_BYTES {
        return Err(UnpackError::TooLarge);
    }
    match manifest.files.keys().find(|path| !is_kb_path(path)) {
        Some(path) => Err(UnpackError::Entry { path: path.clone(), what: "which is not a file of a knowledge base" }),
        None => Ok(manifest),
    }
}

/// Writes a new file and never overwrites: on a case-insensitive file system another entry may have taken the name.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<(), UnpackError> {
    let failed = |error| UnpackError::Write { path: path.to_owned(), error };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(&failed)?;
    }
    fs::File::create_new(path).and_then(|mut file| file.write_all(content)).map_err(failed)
}

/// The manifest of a snapshot: its first entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The layout number of the archive.
    pub format: u32,
    /// The commit that the snapshot was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The files, keyed by their path from the top of the knowledge base, with `/` as separator.
    pub files: BTreeMap<String, FileDigest>,
}

/// Expected size and hash of a file in a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDigest {
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the content, in hexadecimal.
    pub sha256: String,
}

/// The archive layout that this program writes, and the only one it reads.
pub(crate) const FORMAT: u32 = 1;

impl FileDigest {
    /// The digest of some content.
    pub fn of(content: &[u8]) -> Self {
        let sha256 = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        Self { bytes: content.len() as u64, sha256 }
    }
}

/// Maximum total size of the files in a snapshot, in bytes.
pub const MOST_BYTES: u64 = 1 << 30;

/// Maximum size of a manifest in bytes: twice that of [`MOST_FILES`] entries with long names.
pub(crate) const MOST_MANIFEST_BYTES: u64 = 64 << 20;

/// Maximum number of files in a snapshot.
pub const MOST_FILES: usize = 200_000;

/// Maximum number of path components below the top folder. A knowledge base needs two; each extra folder takes time to create.
pub(crate) const MOST_PATH_PARTS: usize = 16;

/// Maximum header size in which a commit is looked for, in bytes; the comment of `git archive` is far smaller.
pub(crate) const MOST_COMMENT_BYTES: u64 = 1 << 16;

/// Whether a path leads into one of the [`FOLDERS`] by components that are valid on every system.
pub(crate) fn is_kb_path(path: &str) -> bool {
    let mut parts = path.split('/');
    let is_below = parts.next().is_some_and(|first| FOLDERS.contains(&first));
    is_below && (1..=MOST_PATH_PARTS).contains(&parts.clone().take(MOST_PATH_PARTS + 1).count()) && parts.all(is_plain)
}

/// Whether a file name is valid on every system and not hidden.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && name.chars().all(|c| !c.is_control() && !matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|'))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use tar::{Builder, Header};

    use super::*;
    use crate::Origin;
    use crate::unpack::MOST_PATH_PARTS;

    /// Path and content of a file in a snapshot.
    type File<'a> = (&'a str, &'a [u8]);

    /// Builds a snapshot whose manifest promises one list of files and which contains another.
    fn snapshot(promised: &[File<'_>], held: &[(EntryType, File<'_>)]) -> Vec<u8> {
        let files = promised.iter().map(|(path, content)| ((*path).to_owned(), FileDigest::of(content))).collect();
        let manifest = Manifest { format: FORMAT, origin: Origin::default(), files };
        let manifest = serde_json::to_vec(&manifest).unwrap();
        archive([(EntryType::Regular, (MANIFEST, manifest.as_slice()))].iter().chain(held))
    }

    fn archive<'a>(entries: impl IntoIterator<Item = &'a (EntryType, File<'a>)>) -> Vec<u8> {
        let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (kind, (path, content)) in entries {
            let mut header = Header::new_gnu();
            header.set_entry_type(*kind);
            header.set_size(content.len() as u64);
            // Bypasses the tar crate's checks, as an attacker would.
            header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_cksum();
            archive.append(&header, *content).unwrap();
        }
        archive.into_inner().unwrap().finish().unwrap()
    }

    fn refusal(snapshot: &[u8]) -> String {
        let folder = tempfile::TempDir::new().unwrap();
        let inside = folder.path().join("inside");
        let error = unpack(snapshot, &inside).unwrap_err().to_string();
        let outside: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(outside.iter().all(|name| name == "inside"), "{outside:?}");
        error
    }

    #[test]
    fn no_file_leaves_the_folder() {
        for path in [
            "../escaped",
            "catalog/../../escaped",
            "/tmp/escaped",
            "catalog//a",
            "catalog",
            "other/a",
            "catalog/.git/config",
            "catalog/a\\..\\b",
            "catalog/c:d",
            &format!("catalog{}", "/a".repeat(MOST_PATH_PARTS + 1)),
            "",
        ] {
            let error = refusal(&snapshot(&[(path, b"a")], &[(EntryType::Regular, (path, b"a"))]));
            assert!(error.contains("not a file of a knowledge base"), "{path}: {error}");
        }
    }

    #[test]
    fn what_the_manifest_does_not_say_is_refused() {
        let a: File<'_> = ("catalog/a.toml", b"a = 1");
        let other: File<'_> = ("catalog/a.toml", b"a = 2");
        let longer: File<'_> = ("catalog/a.toml", b"a = 1 # and more");
        let file = EntryType::Regular;
        for (what, held) in [
            ("damaged", vec![(file, other)]),
            ("damaged", vec![(file, longer)]),
            ("only by name", vec![]),
            ("does not name, or twice", vec![(file, a), (file, a)]),
            ("does not name", vec![(file, a), (file, ("catalog/b.toml", b"b"))]),
            ("plain file", vec![(EntryType::Symlink, a)]),
            ("plain file", vec![(EntryType::Link, a)]),
            ("plain file", vec![(EntryType::Directory, a)]),
        ] {
            let error = refusal(&snapshot(&[a], &held));
            assert!(error.contains(what), "{what}: {error}");
        }
    }

    #[test]
    fn what_is_no_snapshot_is_told() {
        let whole = snapshot(&[("catalog/a.toml", b"a")], &[(EntryType::Regular, ("catalog/a.toml", b"a"))]);
        for cut in 0..whole.len() {
            refusal(&whole[..cut]);
        }
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(b"not an archive").unwrap();
        refusal(&gzip.finish().unwrap());
        let file = EntryType::Regular;
        assert!(refusal(&archive(&[(file, ("catalog/a.toml", b"a".as_slice()))])).contains("first entry"));
        assert!(refusal(&archive(&[(file, (MANIFEST, b"{".as_slice()))])).contains("not a snapshot"));
        for origin in ["\"date\": \"\u{1b}[2J\"", "\"date\": \"2026-11-2x\"", "\"commit\": \"a commit\""] {
            let manifest = format!("{{\"format\": 1, {origin}, \"files\": {{}}}}").replace('\u{1b}', "\\u001b");
            assert!(refusal(&archive(&[(file, (MANIFEST, manifest.as_bytes()))])).contains("is none"), "{origin}");
        }
        let later = br#"{"format": 2, "files": {}}"#.as_slice();
        assert!(refusal(&archive(&[(file, (MANIFEST, later))])).contains("the layout 2"));
    }

    #[test]
    fn a_snapshot_that_promises_too_much_is_refused_before_anything_is_written() {
        let huge = FileDigest { bytes: u64::MAX / 4, sha256: String::new() };
        let files = BTreeMap::from([("catalog/a.toml".to_owned(), huge)]);
        let manifest = Manifest { format: FORMAT, origin: Origin::default(), files };
        let manifest = serde_json::to_vec(&manifest).unwrap();
        let error = refusal(&archive(&[(EntryType::Regular, (MANIFEST, manifest.as_slice()))]));
        assert!(error.contains("more than"), "{error}");
    }
}
