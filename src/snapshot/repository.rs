//! Unpacks the archive that a Git host makes of a repository: the whole checkout in one top folder, as `git archive` writes it.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::GzDecoder;
use tar::{Archive, EntryType};

use crate::origin::is_digest;
use crate::unpack::write;
use crate::unpack::{MOST_BYTES, MOST_COMMENT_BYTES, MOST_FILES};
use crate::unpack::{is_kb_path, is_plain};
use crate::{FOLDERS, UnpackError};

/// The origin that a repository archive claims. It cannot be verified, because the archive has no digests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepositoryArchive {
    /// The commit hash in hexadecimal, if the archive states one.
    pub commit: Option<String>,
    /// Commit time in seconds since 1970: the modification time of every file, if all are the same.
    pub committed_s: Option<u64>,
}

/// Unpacks the knowledge base in a repository archive into `folder`, creating it if necessary. Writes no file outside `folder` and
/// overwrites none. Skips the rest of the repository, symbolic links and names that begin with a dot, as
/// [`pack`](crate::pack) does. After an error, some files may already have been written.
///
/// # Errors
///
/// If the archive is damaged, has several top folders or no knowledge base, or a file cannot be written.
pub fn unpack_repository(archive: &[u8], folder: &Path) -> Result<RepositoryArchive, UnpackError> {
    let mut archive = Archive::new(GzDecoder::new(archive).take(2 * MOST_BYTES));
    let mut commit = None;
    let mut top: Option<String> = None;
    let mut bytes = 0_u64;
    let mut written = BTreeSet::new();
    let mut times = BTreeSet::new();
    for entry in archive.entries().map_err(UnpackError::Archive)? {
        let mut entry = entry.map_err(UnpackError::Archive)?;
        let kind = entry.header().entry_type();
        if kind == EntryType::XGlobalHeader {
            commit = commit.or(stated_commit(&mut entry).map_err(UnpackError::Archive)?);
            continue;
        }
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let refused = |what| UnpackError::Entry { path: path.clone(), what };
        let (first, inside) = path.split_once('/').unwrap_or((&path, ""));
        if !is_plain(first) || top.as_ref().is_some_and(|top| top != first) {
            return Err(refused("which is not in the one folder that the archive of a Git host has at its top"));
        }
        top.get_or_insert_with(|| first.to_owned());
        let mut parts = inside.split('/');
        let is_elsewhere = parts.next().is_none_or(|part| !FOLDERS.contains(&part));
        let is_hidden = parts.any(|part| part.starts_with('.'));
        if is_elsewhere || is_hidden || matches!(kind, EntryType::Directory | EntryType::Symlink) {
            continue;
        }
        if kind != EntryType::Regular {
            return Err(refused("which is not a plain file"));
        }
        if !is_kb_path(inside) {
            return Err(refused("which is not a file of a knowledge base"));
        }
        if !written.insert(inside.to_owned()) {
            return Err(refused("twice"));
        }
        let mut content = Vec::new();
        entry.by_ref().take(MOST_BYTES + 1).read_to_end(&mut content).map_err(UnpackError::Archive)?;
        bytes = bytes.saturating_add(content.len() as u64);
        if bytes > MOST_BYTES || written.len() > MOST_FILES {
            return Err(UnpackError::TooLarge);
        }
        times.insert(entry.header().mtime().map_err(UnpackError::Archive)?);
        write(&folder.join(inside), &content)?;
    }
    // Read to the end, where gzip has the checksum of the whole stream.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(UnpackError::Archive)?;
    if written.is_empty() {
        return Err(UnpackError::NoBase);
    }
    let committed_s = times.first().copied().filter(|_| times.len() == 1);
    Ok(RepositoryArchive { commit, committed_s })
}

/// Reads the commit hash from the comment that `git archive` puts into the first header.
fn stated_commit(entry: &mut tar::Entry<'_, impl Read>) -> io::Result<Option<String>> {
    if entry.size() > MOST_COMMENT_BYTES {
        return Ok(None);
    }
    for extension in entry.pax_extensions()?.into_iter().flatten() {
        let extension = extension?;
        if extension.key() == Ok("comment")
            && let Ok(comment) = extension.value()
            && comment.len() >= 40
            && is_digest(comment)
        {
            return Ok(Some(comment.to_owned()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use tar::{Builder, Header};

    use super::*;
    use crate::{Origin, is_snapshot, pack};

    const COMMIT: &str = "c0f74a5bb1c0f74a5bb1c0f74a5bb1c0f74a5bb1";

    /// Builds an archive like those of `git archive`; each file has its own time.
    fn archive(entries: &[(EntryType, &str, &[u8], u64)]) -> Vec<u8> {
        let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        let comment = format!("52 comment={COMMIT}\n");
        let global = (EntryType::XGlobalHeader, "pax_global_header", comment.as_bytes(), 0);
        for (kind, path, content, time) in [global].iter().chain(entries) {
            let mut header = Header::new_ustar();
            header.set_entry_type(*kind);
            header.set_size(content.len() as u64);
            header.set_mtime(*time);
            // Bypasses the tar crate's checks, as an attacker would.
            header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_cksum();
            archive.append(&header, *content).unwrap();
        }
        archive.into_inner().unwrap().finish().unwrap()
    }

    const FILE: EntryType = EntryType::Regular;

    #[test]
    fn the_knowledge_base_of_a_repository_is_unpacked_with_its_day_and_commit() {
        let packed = archive(&[
            (EntryType::Directory, "dlbench-main/", b"", 7),
            (FILE, "dlbench-main/README.md", b"not of the knowledge base", 7),
            (FILE, "dlbench-main/catalog/kb.toml", b"a = 1", 7),
            (FILE, "dlbench-main/catalog/.hidden", b"no", 7),
            (EntryType::Symlink, "dlbench-main/catalog/link", b"", 7),
            (FILE, "dlbench-main/measurements/a/rows.toml", b"b = 2", 7),
        ]);
        assert!(!is_snapshot(&packed).unwrap());
        let folder = tempfile::TempDir::new().unwrap();
        let found = unpack_repository(&packed, folder.path()).unwrap();
        assert_eq!(found, RepositoryArchive { commit: Some(COMMIT.to_owned()), committed_s: Some(7) });
        assert_eq!(fs::read_to_string(folder.path().join("catalog/kb.toml")).unwrap(), "a = 1");
        assert_eq!(fs::read_to_string(folder.path().join("measurements/a/rows.toml")).unwrap(), "b = 2");
        let names: Vec<_> = fs::read_dir(folder.path().join("catalog")).unwrap().flatten().collect();
        assert_eq!((names.len(), folder.path().join("README.md").exists()), (1, false));
        assert!(is_snapshot(&pack(folder.path(), Origin::default(), 1).unwrap()).unwrap());
    }

    #[test]
    fn times_that_differ_are_no_day() {
        let packed = archive(&[(FILE, "a/catalog/a.toml", b"", 7), (FILE, "a/catalog/b.toml", b"", 8)]);
        let folder = tempfile::TempDir::new().unwrap();
        assert_eq!(unpack_repository(&packed, folder.path()).unwrap().committed_s, None);
    }

    #[test]
    fn what_leaves_its_folder_is_twice_or_is_no_file_is_refused() {
        for (told, entries) in [
            ("one folder", &[(FILE, "../catalog/a.toml", &b"a"[..], 0)][..]),
            ("one folder", &[(FILE, "/catalog/a.toml", b"a", 0)]),
            ("one folder", &[(FILE, "a/catalog/a.toml", b"a", 0), (FILE, "b/catalog/b.toml", b"b", 0)]),
            ("not a file of a knowledge base", &[(FILE, "a/catalog//a.toml", b"a", 0)]),
            ("not a file of a knowledge base", &[(FILE, "a/catalog/c:d", b"a", 0)]),
            ("twice", &[(FILE, "a/catalog/a.toml", b"a", 0), (FILE, "a/catalog/a.toml", b"b", 0)]),
            ("plain file", &[(EntryType::Link, "a/catalog/a.toml", b"", 0)]),
            ("no knowledge base", &[(FILE, "a/README.md", b"a", 0)]),
            ("no knowledge base", &[(FILE, "catalog/a.toml", b"a", 0)]),
            ("no knowledge base", &[(FILE, "a/catalog/../../../escaped", b"a", 0)]),
        ] {
            let folder = tempfile::TempDir::new().unwrap();
            let inside = folder.path().join("inside");
            let error = unpack_repository(&archive(entries), &inside).unwrap_err().to_string();
            assert!(error.contains(told), "{told}: {error}");
            let outside: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().map(|e| e.file_name()).collect();
            assert!(outside.iter().all(|name| name == "inside"), "{outside:?}");
        }
    }

    #[test]
    fn what_was_cut_off_is_refused_wherever_that_was() {
        let whole = archive(&[(FILE, "a/catalog/a.toml", b"a = 1", 0)]);
        for cut in 0..whole.len() {
            let folder = tempfile::TempDir::new().unwrap();
            assert!(unpack_repository(&whole[..cut], folder.path()).is_err(), "{cut} of {}", whole.len());
        }
    }
}
