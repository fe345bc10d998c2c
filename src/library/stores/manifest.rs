//! The manifest of a finished build: of which content it is, file names, lengths and checksums, so that missing, truncated and
//! damaged files, and those of another content, are noticed before anything is read from them.
//!
//! Lengths are looked at each time. Checksums are compared when the files may have changed since they were compared last:
//! after the computer was started anew (what was not yet on the disk when it stopped is zeros now), and when the file
//! system says that one was touched.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::reading::{FileStamp, stamp, write_whole};

const FILE: &str = "manifest";
/// Holds [`seen_state`] as it was when the checksums were compared.
const VERIFIED: &str = "verified";

/// Notes the files below `folder`, which were built from the content with this hash.
pub(super) fn write(folder: &Path, content: &str) -> io::Result<()> {
    let mut text = head(content);
    note(folder, "", &mut text)?;
    fs::write(folder.join(FILE), text)
}

/// The first line.
fn head(content: &str) -> String {
    format!("content {content}\n")
}

/// Whether all files are there as the manifest says, and it says that they were built from this content.
pub(super) fn holds(folder: &Path, content: &str) -> bool {
    held_files(folder, content).is_some()
}

/// The files of a build and what the file system says of each; `None` where they are not as the manifest says, or it says that
/// they were built from another content.
pub(super) fn held_files(folder: &Path, content: &str) -> Option<Vec<(PathBuf, FileStamp)>> {
    let text = fs::read_to_string(folder.join(FILE)).ok()?;
    let text = text.strip_prefix(&head(content))?;
    let files = text.lines().map(ManifestFile::parse).collect::<Option<Vec<_>>>()?;
    let found = |file: &ManifestFile<'_>| {
        let path = folder.join(file.name);
        let meta = fs::metadata(&path).ok().filter(|meta| meta.len() == file.length)?;
        Some((path, stamp(&meta)))
    };
    let found = files.iter().map(found).collect::<Option<Vec<_>>>().filter(|found| !found.is_empty())?;
    let seen = seen_state(found.iter().map(|(_, stamp)| stamp));
    if fs::read_to_string(folder.join(VERIFIED)).is_ok_and(|verified| verified == seen) {
        return Some(found);
    }
    let unharmed = files.iter().all(|file| file.is_unharmed(folder));
    if unharmed {
        // Where it cannot be written, each process compares.
        let _ = write_whole(&folder.join(VERIFIED), &seen);
    }
    unharmed.then_some(found)
}

/// What the file system says of the manifest: another one for another build.
pub(super) fn stamp_of(folder: &Path) -> Option<String> {
    let [modified, changed, number] = stamp(&fs::metadata(folder.join(FILE)).ok()?);
    Some(format!("{modified} {changed} {number}"))
}

/// Compares the checksums of all files, whatever was noted of an earlier comparison.
pub(super) fn is_unharmed(folder: &Path, content: &str) -> bool {
    let _ = fs::remove_file(folder.join(VERIFIED));
    holds(folder, content)
}

/// A line of the manifest.
struct ManifestFile<'m> {
    length: u64,
    checksum: u64,
    name: &'m str,
}

impl<'m> ManifestFile<'m> {
    fn parse(line: &'m str) -> Option<Self> {
        let mut parts = line.splitn(3, ' ');
        let length = parts.next()?.parse().ok()?;
        let checksum = u64::from_str_radix(parts.next()?, 16).ok()?;
        Some(Self { length, checksum, name: parts.next()? })
    }

    fn is_unharmed(&self, folder: &Path) -> bool {
        fs::read(folder.join(self.name)).is_ok_and(|content| xxh3_64(&content) == self.checksum)
    }
}

/// What changes when files may have: since when the computer runs, and what the file system says of each.
fn seen_state<'s>(files: impl Iterator<Item = &'s FileStamp>) -> String {
    let mut seen = running_since();
    for [modified, changed, number] in files {
        let _ = write!(seen, " {modified} {changed} {number}");
    }
    seen
}

/// What differs each time the computer is started.
fn running_since() -> String {
    let linux = fs::read_to_string("/proc/sys/kernel/random/boot_id").map(|id| id.trim().to_owned());
    linux.unwrap_or_else(|_| sysinfo::System::boot_time().unwrap_or_default().to_string())
}

fn note(folder: &Path, prefix: &str, text: &mut String) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder.join(prefix))?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        // Locks come and go.
        if name.ends_with(".lock") {
            continue;
        }
        if entry.metadata()?.is_dir() {
            note(folder, &name, text)?;
        } else {
            let content = fs::read(entry.path())?;
            let _ = writeln!(text, "{} {:016x} {name}", content.len(), xxh3_64(&content));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build() -> tempfile::TempDir {
        let folder = tempfile::TempDir::new().unwrap();
        fs::create_dir(folder.path().join("index")).unwrap();
        fs::write(folder.path().join("store"), "twelve bytes").unwrap();
        fs::write(folder.path().join("index/terms"), "terms").unwrap();
        write(folder.path(), "0a1b").unwrap();
        folder
    }

    #[test]
    fn a_flipped_bit_and_a_missing_file_are_noticed_after_the_files_held() {
        let folder = build();
        assert!(holds(folder.path(), "0a1b") && holds(folder.path(), "0a1b"));
        let store = folder.path().join("store");
        fs::write(&store, "twelve bytfs").unwrap();
        assert!(!holds(folder.path(), "0a1b"), "a file of the same length");
        fs::write(&store, "twelve bytes").unwrap();
        assert!(holds(folder.path(), "0a1b"));
        fs::remove_file(folder.path().join("index/terms")).unwrap();
        assert!(!holds(folder.path(), "0a1b"));
    }

    #[test]
    fn a_computer_that_was_started_anew_is_not_believed() {
        let folder = build();
        assert!(holds(folder.path(), "0a1b"));
        // The same stamps, as after a power cut: the note of another start does not count.
        let verified = folder.path().join(VERIFIED);
        let noted = fs::read_to_string(&verified).unwrap();
        fs::write(&verified, noted.replacen(&running_since(), "another start", 1)).unwrap();
        assert!(holds(folder.path(), "0a1b"));
        assert_eq!(fs::read_to_string(&verified).unwrap(), noted);
    }

    #[test]
    fn a_manifest_that_is_no_manifest_holds_nothing() {
        let folder = build();
        for text in ["", "12 store\n", "12 zz store\n", "\n"] {
            for text in [text.to_owned(), head("0a1b") + text] {
                fs::write(folder.path().join(FILE), &text).unwrap();
                assert!(!holds(folder.path(), "0a1b"), "{text:?}");
            }
        }
    }

    #[test]
    fn the_stores_of_another_content_are_none_of_this_one() {
        let folder = build();
        assert!(holds(folder.path(), "0a1b") && !holds(folder.path(), "0a1") && !holds(folder.path(), "ffff"));
        assert!(is_unharmed(folder.path(), "0a1b") && !is_unharmed(folder.path(), "ffff"));
    }
}
