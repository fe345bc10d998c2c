//! Locates the knowledge base, lists its files, and reads files up to a size limit.

use std::borrow::Cow;
use std::fs::{File, Metadata};
use std::io::Read as _;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io, thread};

use strum::VariantArray;

use super::ReadError;
use crate::values::text::{nearest, printable_path};
use crate::values::{EntityId, EntityKind};

/// A listed file of the knowledge base; its content has not been read yet.
#[derive(Debug, Clone)]
pub struct KbFile {
    /// Path relative to the knowledge base.
    pub path: PathBuf,
    /// The kind of content, as derived from the path.
    pub kind: FileKind,
    /// Size in bytes.
    pub len: u64,
    /// Modification and change time (ns) and inode as far as the system provides them: changes whenever the file does.
    pub stamp: FileStamp,
}

/// Metadata of a file, before its kind is derived from its path.
#[derive(Debug, Clone)]
pub struct ListedFile {
    /// Path relative to the knowledge base.
    pub path: PathBuf,
    /// Size in bytes.
    pub len: u64,
    /// As in [`KbFile`].
    pub stamp: FileStamp,
    /// Set if it is not a regular file.
    fault: Option<FileFault>,
}

impl From<ListedFile> for KbFile {
    fn from(listed: ListedFile) -> Self {
        let ListedFile { path, len, stamp, fault } = listed;
        Self { kind: kind_at(&path, fault), path, len, stamp }
    }
}

/// What a file contains, as derived from its path alone.
#[derive(Debug, Clone)]
pub enum FileKind {
    /// `catalog/kb.toml`
    Info,
    /// `catalog/hardware-metrics.toml`
    HardwareMetrics,
    /// `catalog/framework-metrics.toml`
    FrameworkMetrics,
    /// `catalog/principles.toml`
    Principles,
    /// `catalog/evidence.toml`
    Evidence,
    /// `catalog/claims.toml`
    Claims,
    /// `catalog/<kind>/<id>.toml`
    Entity(EntityKind, EntityId),
    /// `catalog/collections/<name>.toml`
    Collection,
    /// `catalog/recipes/<source>.toml`: how to import the source's files; only imports read it
    Recipe,
    /// `catalog/suites/<id>.toml`: the plan of `dlbench run --suite`
    Suite(EntityId),
    /// `measurements/<source>/<batch>.toml`
    Measurements(EntityId),
    /// A file that does not belong where it is.
    Misplaced(FileFault),
}

/// What is wrong with a file regardless of its content.
#[derive(Debug, Clone)]
pub struct FileFault {
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub help: String,
    /// The text before the first byte that is not valid UTF-8.
    pub(super) valid: String,
}

impl FileFault {
    /// A fault with its message and the advice on how to fix it.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), valid: String::new() }
    }
}

/// Lists the files of the knowledge base at `root` as [`walk`] does, with the kind of each file.
///
/// # Errors
///
/// As for [`walk`].
pub fn list(root: &Path) -> Result<Vec<KbFile>, ReadError> {
    Ok(walk(root)?.into_iter().map(KbFile::from).collect())
}

/// Lists the files of the knowledge base at `root`, sorted by path. Reads folders and file metadata only.
///
/// Skips hidden files and editor backups (`.x`, `x~`).
///
/// # Errors
///
/// When `catalog/` or `measurements/` is missing or a folder cannot be listed.
pub fn walk(root: &Path) -> Result<Vec<ListedFile>, ReadError> {
    for folder in ["catalog", "measurements"] {
        if !root.join(folder).is_dir() {
            return Err(ReadError::NotAKnowledgeBase {
                path: root.to_owned(),
                why: format!("it has no folder {folder}/"),
            });
        }
    }
    let mut tops = Vec::new();
    for top in ["catalog", "measurements"] {
        tops.extend(entries(root, Path::new(top))?);
    }
    // The entries are sorted, and so are the files of each folder: the flattened list is sorted by path.
    let in_order: Vec<Vec<ListedFile>> = listed(root, tops).into_iter().collect::<Result<_, _>>()?;
    Ok(in_order.into_iter().flatten().collect())
}

/// Threads that list folders. They spend nearly all of their time in system calls, and other threads have an answer to compute.
const LOOKING: usize = 2;

/// For each entry the files it consists of: itself or, if it is a folder, its content. In the order of the entries.
fn listed(root: &Path, tops: Vec<DirEntry>) -> Vec<Result<Vec<ListedFile>, ReadError>> {
    let next = AtomicUsize::new(0);
    // A thread that has finished a folder takes the next one.
    let look = || {
        let mut seen = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = tops.get(at) else { return seen };
            let of_folder = || Ok(entries(root, &entry.path)?.into_iter().map(DirEntry::listed).collect());
            seen.push((at, if entry.is_dir { of_folder() } else { Ok(vec![entry.clone().listed()]) }));
        }
    };
    let mut seen = thread::scope(|scope| {
        let others: Vec<_> = (1..LOOKING).map(|_| scope.spawn(look)).collect();
        let mut seen = look();
        seen.extend(others.into_iter().flat_map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))));
        seen
    });
    seen.sort_unstable_by_key(|(at, _)| *at);
    seen.into_iter().map(|(_, files)| files).collect()
}

/// The kind of the file at this path, which is relative to the knowledge base.
pub fn kind_of(path: &Path) -> FileKind {
    kind_at(path, None)
}

/// Like [`kind_of`] for an existing file; `fault` is set if it is not a regular file.
fn kind_at(path: &Path, fault: Option<FileFault>) -> FileKind {
    let names: Vec<Cow<'_, str>> = path.iter().map(|name| name.to_string_lossy()).collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let not_toml = || FileFault::new("not a .toml file", "only .toml files belong here");
    let is_toml = path.extension().is_some_and(|extension| extension == "toml");
    let fault = fault.or_else(|| (!is_toml).then(not_toml));
    let kind = |folder: &str| EntityKind::VARIANTS.iter().copied().find(|kind| kind.plural() == folder);
    match (names.as_slice(), fault) {
        (["catalog", folder, _], _) if kind(folder).is_none() && ![COLLECTIONS, RECIPES, SUITES].contains(folder) => {
            FileKind::Misplaced(unknown_folder(folder))
        }
        (["measurements", _], None) => FileKind::Misplaced(FileFault::new(
            "a file of measurements belongs into the folder of its source",
            "move it to measurements/<source-id>/",
        )),
        (_, Some(fault)) => FileKind::Misplaced(fault),
        (["catalog", "kb.toml"], _) => FileKind::Info,
        (["catalog", "hardware-metrics.toml"], _) => FileKind::HardwareMetrics,
        (["catalog", "framework-metrics.toml"], _) => FileKind::FrameworkMetrics,
        (["catalog", "principles.toml"], _) => FileKind::Principles,
        (["catalog", "evidence.toml"], _) => FileKind::Evidence,
        (["catalog", "claims.toml"], _) => FileKind::Claims,
        (["catalog", COLLECTIONS, _], _) => FileKind::Collection,
        (["catalog", RECIPES, _], _) => FileKind::Recipe,
        (["catalog", folder, name], _) => match (kind(folder), name.trim_end_matches(".toml").parse()) {
            (Some(kind), Ok(id)) => FileKind::Entity(kind, id),
            (None, Ok(id)) if *folder == SUITES => FileKind::Suite(id),
            (_, Err(error)) => FileKind::Misplaced(FileFault::new(
                format!("the file's name {:?} is not an id", name.trim_end_matches(".toml")),
                error.to_string(),
            )),
            (None, Ok(_)) => FileKind::Misplaced(unknown_folder(folder)),
        },
        (["catalog", _], _) => FileKind::Misplaced(FileFault::new(
            "catalog/ has no such file",
            "an entity goes into the folder of its kind, such as catalog/devices/",
        )),
        (["measurements", source, _], _) => match source.parse() {
            Ok(source) => FileKind::Measurements(source),
            Err(_) => FileKind::Misplaced(FileFault::new(
                format!("the folder {source:?} is not a source id"),
                "a source id is the stem of a file in catalog/sources/",
            )),
        },
        _ => FileKind::Misplaced(FileFault::new(
            "no file of a knowledge base lies here",
            "facts go into catalog/<kind>/, numbers into measurements/<source-id>/",
        )),
    }
}

/// Reads the file's text; fails with the file's fault.
pub(super) fn text(root: &Path, listed: &KbFile) -> Result<String, FileFault> {
    if let FileKind::Misplaced(fault) = &listed.kind {
        return Err(fault.clone());
    }
    let too_large = |len: u64| {
        FileFault::new(
            format!("the file has {} MiB, the limit is {} MiB", len >> 20, MAX_FILE_BYTES >> 20),
            "split it into one file per coherent batch",
        )
    };
    if listed.len > MAX_FILE_BYTES {
        return Err(too_large(listed.len));
    }
    let mut bytes = Vec::with_capacity(listed.len as usize);
    let read = File::open(root.join(&listed.path))
        // The file may have grown since it was listed.
        .and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| {
            FileFault::new(format!("cannot read the file: {error}"), "mend its permissions, or remove it")
        })?;
    if read as u64 > MAX_FILE_BYTES {
        return Err(too_large(read as u64));
    }
    decoded(bytes)
}

/// Decodes bytes as UTF-8.
///
/// # Errors
///
/// If they are not valid UTF-8.
pub fn decoded(bytes: Vec<u8>) -> Result<String, FileFault> {
    String::from_utf8(bytes).map_err(|error| {
        let end = error.utf8_error().valid_up_to();
        let valid = String::from_utf8_lossy(&error.as_bytes()[..end]).into_owned();
        let line = 1 + valid.matches('\n').count();
        let message = format!("the file is not UTF-8: a wrong byte in line {line}, after {end} bytes");
        FileFault { valid, ..FileFault::new(message, "save it as UTF-8") }
    })
}

/// Larger files are rejected unread: they are a mistake or an attack, and nobody could review them.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// The folder of files that define many small entities of one kind.
const COLLECTIONS: &str = "collections";

/// The folder of the recipes for importing sources.
const RECIPES: &str = "recipes";

/// The folder of the suites for `dlbench run`.
pub(super) const SUITES: &str = "suites";

/// Metadata of one folder entry.
#[derive(Clone)]
struct DirEntry {
    path: PathBuf,
    is_dir: bool,
    is_file: bool,
    len: u64,
    stamp: FileStamp,
}

impl DirEntry {
    fn of(path: PathBuf, meta: &Metadata) -> Self {
        Self { path, is_dir: meta.is_dir(), is_file: meta.is_file(), len: meta.len(), stamp: stamp(meta) }
    }

    fn listed(self) -> ListedFile {
        let message = if self.is_dir {
            Some("found a folder where a file was expected")
        } else if !self.is_file {
            Some("not a regular file")
        } else {
            None
        };
        let fault = message.map(|message| FileFault::new(message, "only .toml files belong here"));
        ListedFile { fault, len: self.len, stamp: self.stamp, path: self.path }
    }
}

/// The visible entries of a folder, sorted by name, with their metadata; links are followed.
fn entries(root: &Path, folder: &Path) -> Result<Vec<DirEntry>, ReadError> {
    let io = |path: PathBuf| move |source| ReadError::Io { path, source };
    let mut found = Vec::new();
    let place = root.join(folder);
    let of_folder = |source| io(place.clone())(source);
    for entry in fs::read_dir(&place).map_err(of_folder)? {
        let entry = entry.map_err(of_folder)?;
        let name = entry.file_name();
        let bytes = name.as_encoded_bytes();
        if bytes.starts_with(b".") || bytes.ends_with(b"~") {
            continue;
        }
        let own = entry.metadata().map_err(|error| io(entry.path())(error))?;
        // Links are followed. A broken link keeps its own metadata and is "not a regular file"; so does one that leads out of
        // the knowledge base, because files out there must not be shown.
        let meta = if own.is_symlink() { target_within(root, &entry.path()).unwrap_or(own) } else { own };
        found.push(DirEntry::of(folder.join(&name), &meta));
    }
    // All paths share the folder, so this sorts by name.
    found.sort_unstable_by(|a, b| a.path.as_os_str().as_encoded_bytes().cmp(b.path.as_os_str().as_encoded_bytes()));
    Ok(found)
}

/// Metadata of a link's target, if the target lies within the knowledge base.
fn target_within(root: &Path, link: &Path) -> Option<Metadata> {
    let target = fs::canonicalize(link).ok()?;
    let is_within = target.starts_with(fs::canonicalize(root).ok()?);
    is_within.then(|| fs::metadata(target).ok()).flatten()
}

fn unknown_folder(name: &str) -> FileFault {
    let kinds: Vec<&str> =
        EntityKind::VARIANTS.iter().map(|kind| kind.plural()).chain([COLLECTIONS, RECIPES, SUITES]).collect();
    let near = nearest(name, kinds.iter().copied(), 1);
    FileFault::new(
        format!("catalog/ has no folder {name}/"),
        match near.first() {
            Some(near) => format!("did you mean catalog/{near}/?"),
            None => format!("the folders are {}", kinds.join(", ")),
        },
    )
}

/// File metadata that is compared to detect changes.
pub type FileStamp = [i128; 3];

/// Modification and change time (ns) and inode as far as the system provides them: changes whenever the file does.
#[cfg(unix)]
pub fn stamp(meta: &Metadata) -> FileStamp {
    use std::os::unix::fs::MetadataExt as _;
    let ns = |s: i64, ns: i64| i128::from(s) * 1_000_000_000 + i128::from(ns);
    [ns(meta.mtime(), meta.mtime_nsec()), ns(meta.ctime(), meta.ctime_nsec()), i128::from(meta.ino())]
}

/// Modification and creation time (ns) as far as the system provides them: changes whenever the file does.
#[cfg(not(unix))]
pub fn stamp(meta: &Metadata) -> FileStamp {
    let since = |time: std::io::Result<std::time::SystemTime>| {
        time.ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok()).map_or(0, |d| d.as_nanos() as i128)
    };
    [since(meta.modified()), since(meta.created()), 0]
}

/// No knowledge base was found.
#[derive(Debug, thiserror::Error)]
pub enum LocateError {
    /// The given folder is not a knowledge base.
    #[error("{} (from {origin}) is not a knowledge base: it has no folder {missing}/", printable_path(path))]
    NotOne {
        /// The folder.
        path: PathBuf,
        /// What gave the folder: `--kb` or `DLBENCH_KB`.
        origin: &'static str,
        /// The folder that is missing.
        missing: &'static str,
    },
    /// No folder was given, and neither the working directory nor a folder above it is a knowledge base.
    #[error(
        "no knowledge base here: neither {} nor a folder above it has catalog/ and measurements/",
        printable_path(start)
    )]
    NoneAbove {
        /// Where the search began.
        start: PathBuf,
    },
    /// The working directory was deleted or is not readable.
    #[error("cannot tell the working directory: {0}")]
    WorkingDirectory(#[from] std::io::Error),
}

/// The folder of the knowledge base: the one given on the command line, else the one in the environment, else the
/// nearest folder at or above `start` that has both `catalog/` and `measurements/`. `start` is called only if no folder is
/// given, because the working directory may have been deleted.
///
/// # Errors
///
/// When the given folder is not a knowledge base, or none is found.
pub fn locate(
    named: Option<&Path>,
    environment: Option<&Path>,
    start: impl FnOnce() -> std::io::Result<PathBuf>,
) -> Result<PathBuf, LocateError> {
    for (path, origin) in [(named, "--kb"), (environment, "DLBENCH_KB")] {
        if let Some(path) = path {
            return match missing_folder(path) {
                None => Ok(path.to_owned()),
                Some(missing) => Err(LocateError::NotOne { path: path.to_owned(), origin, missing }),
            };
        }
    }
    let start = start()?;
    start
        .ancestors()
        .find(|folder| missing_folder(folder).is_none())
        .map(Path::to_owned)
        .ok_or_else(|| LocateError::NoneAbove { start: start.to_owned() })
}

fn missing_folder(path: &Path) -> Option<&'static str> {
    ["catalog", "measurements"].into_iter().find(|folder| !path.join(folder).is_dir())
}

/// Size limit in bytes, above that of any real result file, recipe or specification.
const MOST_BYTES: u64 = 256 << 20;

/// Reads a file of limited size.
///
/// # Errors
///
/// When it cannot be read, is larger than the limit, or is a folder, a device or a pipe, which may never end.
pub fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    // Checked before opening: opening a pipe blocks until another process writes to it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut content = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it has more than {} MiB", MOST_BYTES >> 20)));
    }
    Ok(content)
}

/// Like [`read_limited`], decoded as text.
///
/// # Errors
///
/// As for [`read_limited`], and when it is not UTF-8.
pub fn read_text_limited(path: &Path) -> io::Result<String> {
    in_utf8(read_limited(path)?)
}

/// Like [`read_limited`], but rejects links. For files whose content is shown and that may come from other people: a link
/// among them could expose a file that is not theirs.
///
/// # Errors
///
/// As for [`read_limited`], and when the file is a link.
pub fn read_unlinked(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    read_limited(path)
}

/// Like [`read_unlinked`], decoded as text.
///
/// # Errors
///
/// As for [`read_unlinked`], and when it is not UTF-8.
pub fn read_text_unlinked(path: &Path) -> io::Result<String> {
    in_utf8(read_unlinked(path)?)
}

fn in_utf8(content: Vec<u8>) -> io::Result<String> {
    String::from_utf8(content).map_err(|_| io::Error::other("it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_never_end_is_not_read() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("a");
        std::fs::write(&file, "a").unwrap();
        assert_eq!(read_text_limited(&file).unwrap(), "a");
        File::create(&file).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert_eq!(read_limited(&file).unwrap_err().to_string(), "it has more than 256 MiB");
        assert_eq!(read_limited(folder.path()).unwrap_err().to_string(), "not a regular file");
        if Path::new("/dev/zero").exists() {
            assert_eq!(read_limited(Path::new("/dev/zero")).unwrap_err().to_string(), "not a regular file");
        }
        #[cfg(unix)]
        {
            let (small, link) = (folder.path().join("small"), folder.path().join("link"));
            std::fs::write(&small, "b").unwrap();
            std::os::unix::fs::symlink("small", &link).unwrap();
            assert_eq!(read_text_limited(&link).unwrap(), read_text_unlinked(&small).unwrap());
            assert_eq!(read_text_unlinked(&link).unwrap_err().to_string(), "not a regular file");
        }
    }
}
