//! The folder of the derived stores. Each is built in a temporary folder and renamed into place; all can be deleted at any time.
//!
//! `<cache>/<knowledge base>/stamps/<stat hash>` holds the content hash of the files that looked like that, and a checksum of both;
//! `<cache>/<knowledge base>/latest` holds the content hash that the files had when they were looked at last, which is a guess
//! and no more; `<cache>/<knowledge base>/<content hash>-<format>/` holds the stores built from that content.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use crate::reading::write_whole;

/// Stores of other contents are kept this long, for processes that still read them and for switching back and forth.
const KEEP: Duration = Duration::from_secs(3600);

const STAMPS: &str = "stamps";

const LATEST: &str = "latest";

/// Bytes of a knowledge base's own name in that of its cache.
const LONGEST_NAME: usize = 100;

/// The cache of one knowledge base.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    folder: PathBuf,
    format: String,
}

impl Cache {
    /// The cache below `base` (the user's cache folder) for the knowledge base at `root`; `format` names the layout of
    /// the stores, so that programs of different versions do not read each other's.
    pub fn new(base: &Path, root: &Path, format: &str) -> Self {
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let name = root.file_name().map_or_else(|| "kb".into(), |name| name.to_string_lossy());
        // The hash tells folders apart; the name is for people, and no file system takes more than 255 bytes.
        let name = &name[..name.floor_char_boundary(LONGEST_NAME)];
        let hash = xxh3_64(root.as_os_str().as_encoded_bytes());
        Self { folder: base.join(format!("{name}-{hash:016x}")), format: format.to_owned(), root }
    }

    /// Where this knowledge base's stores are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Why what lies there is not to be believed: another user may have put it there, as in a folder for temporary files that
    /// all share. What does not exist yet is made by this user.
    /// Nor is it where it would be taken for a file of the knowledge base.
    pub(super) fn distrusted(&self) -> Option<String> {
        let base = self.folder.parent().unwrap_or(&self.folder);
        if ["catalog", "measurements"].iter().any(|folder| real(base).starts_with(self.root.join(folder))) {
            return Some(format!("{} lies among the files of the knowledge base", base.display()));
        }
        [base, &self.folder].into_iter().find_map(distrusted)
    }

    /// The content hash that was noted for files that look like `stats`.
    pub(super) fn content_of(&self, stats: &str) -> Option<String> {
        let text = fs::read_to_string(self.folder.join(STAMPS).join(stats)).ok()?;
        let (content, _) = text.split_once(' ')?;
        (text == note_of(stats, content)).then(|| content.to_owned())
    }

    /// Notes the content hash of files that look like `stats`.
    pub(super) fn note(&self, stats: &str, content: &str) -> io::Result<()> {
        let stamps = self.folder.join(STAMPS);
        fs::create_dir_all(&stamps)?;
        write_whole(&stamps.join(stats), note_of(stats, content)).map_err(|failed| failed.error)
    }

    /// The content that the files had when they were looked at last: likely that of today.
    pub(super) fn latest(&self) -> Option<String> {
        let content = fs::read_to_string(self.folder.join(LATEST)).ok()?;
        // It becomes a part of a path.
        content.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(content).filter(|content| !content.is_empty())
    }

    /// Notes the content that the files have now. Not noting it costs the next process time, nothing else.
    pub(super) fn note_latest(&self, content: &str) {
        if self.latest().as_deref() != Some(content) {
            let _ = write_whole(&self.folder.join(LATEST), content);
        }
    }

    /// The folder of the stores for a content, whether it exists or not.
    pub(super) fn generation(&self, content: &str) -> PathBuf {
        self.folder.join(format!("{content}-{}", self.format))
    }

    /// A new folder to build in.
    pub(super) fn build_folder(&self) -> io::Result<TempDir> {
        create_private(&self.folder)?;
        tempfile::Builder::new().prefix("building-").tempdir_in(&self.folder)
    }

    /// Moves a finished build into its place. When the place is taken the build comes back.
    pub(super) fn install(&self, build_folder: TempDir, content: &str) -> io::Result<Option<TempDir>> {
        let place = self.generation(content);
        match fs::rename(build_folder.path(), &place) {
            Ok(()) => {
                let _ = build_folder.keep();
                self.sweep(&place);
                Ok(None)
            }
            Err(_) if place.exists() => Ok(Some(build_folder)),
            Err(error) => Err(error),
        }
    }

    /// Takes the stores of a content out of their place at once, then removes them.
    pub(super) fn evict(&self, content: &str) -> io::Result<()> {
        let gone = |error: io::Error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) };
        let place = self.generation(content);
        if place.is_file() {
            return fs::remove_file(place).or_else(gone);
        }
        let bin = match tempfile::Builder::new().prefix("building-").tempdir_in(&self.folder) {
            Ok(bin) => bin,
            Err(error) => return gone(error),
        };
        fs::rename(place, bin.path().join("evicted")).or_else(gone)
    }

    /// Removes what is old: stores of other contents, notes, and folders that a crash left behind.
    fn sweep(&self, current: &Path) {
        let old = |path: &Path| {
            let modified = fs::metadata(path).and_then(|meta| meta.modified());
            modified.is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > KEEP))
        };
        for folder in [self.folder.clone(), self.folder.join(STAMPS)] {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path == current || path.ends_with(STAMPS) || path.ends_with(LATEST) || !old(&path) {
                    continue;
                }
                // What cannot be removed now is removed another time.
                let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            }
        }
    }
}

/// What is noted for files that look like `stats`: a note of other files, or a damaged one, has another checksum.
fn note_of(stats: &str, content: &str) -> String {
    format!("{content} {:016x}", xxh3_64(format!("{stats} {content}").as_bytes()))
}

/// A path without links, of which the last parts need not exist yet.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = path.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    match there {
        Some((above, real)) => real.join(path.strip_prefix(above).unwrap_or(Path::new(""))),
        None => path,
    }
}

/// Why what lies in a folder is not to be believed; `None` where it is this user's alone, or does not exist yet.
pub fn distrusted(folder: &Path) -> Option<String> {
    Some(format!("{} {}", folder.display(), foreign(folder)?))
}

/// Why a folder may hold what another user wrote.
#[cfg(unix)]
fn foreign(folder: &Path) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt as _;
    let found = fs::metadata(folder).ok()?;
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Some("belongs to another user");
    }
    (found.mode() & 0o002 != 0).then_some("may be written to by every user")
}

/// Elsewhere the user's cache folder is the user's alone.
#[cfg(not(unix))]
fn foreign(_folder: &Path) -> Option<&'static str> {
    None
}

/// Creates a folder and those above it, for this user alone.
///
/// # Errors
///
/// What the system said.
pub fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_long_name_is_cut_between_its_letters_and_the_hash_tells_it_apart() {
        let base = tempfile::TempDir::new().unwrap();
        let of = |name: String| Cache::new(base.path(), &Path::new("/nowhere").join(name), "v1");
        let (one, other) = (of("é".repeat(120)), of(format!("{}x", "é".repeat(119))));
        assert_ne!(one.folder(), other.folder());
        assert!(one.folder().file_name().unwrap().len() < 130 && one.build_folder().is_ok());
    }

    #[test]
    fn a_note_of_other_files_or_a_damaged_one_counts_for_nothing() {
        let base = tempfile::TempDir::new().unwrap();
        let cache = Cache::new(base.path(), Path::new("kb"), "v1");
        cache.note("0a", "c1").unwrap();
        assert_eq!(cache.content_of("0a").as_deref(), Some("c1"));
        let [noted, other] = ["0a", "0b"].map(|stats| cache.folder().join("stamps").join(stats));
        fs::copy(&noted, other).unwrap();
        assert_eq!(cache.content_of("0b"), None, "of other files");
        for text in ["c1".to_owned(), fs::read_to_string(&noted).unwrap().replace("c1", "c2")] {
            fs::write(&noted, &text).unwrap();
            assert_eq!(cache.content_of("0a"), None, "{text}");
        }
    }

    #[test]
    fn what_the_content_was_last_is_noted_and_a_damaged_note_is_none() {
        let base = tempfile::TempDir::new().unwrap();
        let cache = Cache::new(base.path(), Path::new("kb"), "v1");
        assert_eq!(cache.latest(), None);
        cache.note("0a", "c1").unwrap();
        for content in ["c1", "c2"] {
            cache.note_latest(content);
            assert_eq!(cache.latest().as_deref(), Some(content));
        }
        for damaged in ["", "../c1", "c1\n", "\0"] {
            fs::write(cache.folder().join("latest"), damaged).unwrap();
            assert_eq!(cache.latest(), None, "{damaged:?}");
        }
    }

    #[test]
    fn a_cache_among_the_files_of_the_knowledge_base_is_not_used() {
        let root = tempfile::TempDir::new().unwrap();
        fs::create_dir(root.path().join("catalog")).unwrap();
        let inside = Cache::new(&root.path().join("catalog/cache"), root.path(), "v1");
        assert!(inside.distrusted().is_some_and(|why| why.contains("among the files")));
        assert_eq!(Cache::new(&root.path().join(".cache"), root.path(), "v1").distrusted(), None);
    }

    #[test]
    fn a_folder_that_every_user_may_write_to_is_not_believed() {
        let base = tempfile::TempDir::new().unwrap();
        let cache = Cache::new(base.path(), Path::new("kb"), "v1");
        assert_eq!(cache.distrusted(), None, "nothing is there yet");
        drop(cache.build_folder().unwrap());
        assert_eq!(cache.distrusted(), None);
        for folder in [base.path(), cache.folder()] {
            let own = fs::metadata(folder).unwrap().permissions();
            fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).unwrap();
            let why = cache.distrusted().unwrap();
            assert!(why.starts_with(&folder.display().to_string()) && why.contains("every user"), "{why}");
            fs::set_permissions(folder, own).unwrap();
        }
    }
}
