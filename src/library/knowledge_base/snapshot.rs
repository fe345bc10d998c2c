//! Selection of the knowledge base: the given one, the nearest one above, the pulled one, or a snapshot unpacked into the cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use dlbench_snapshot::{Manifest, Origin, PackError, UnpackError, pack, unpack};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use super::{KnowledgeBase, KnowledgeFiles, Opening};
use crate::contribute::check::FixError;
use crate::pull::{Installed, PullError, PulledFolder};
use crate::reading::{LocateError, TemporaryFolder, WriteError, create_folder, lock_folder, write_atomically};
use crate::stores::{OpenError, create_private, distrusted};
use crate::values::text::{printable, printable_path};

/// Why a snapshot of a knowledge base could not be used.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The file is not a snapshot, or is damaged.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// The knowledge base could not be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The pulled knowledge base could not be used.
    #[error(transparent)]
    Pulled(#[from] PullError),
    /// The unpacked knowledge base could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A folder could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Schemas could not be written.
    #[error(transparent)]
    Schemas(#[from] FixError),
    /// The target folder is not empty.
    #[error("{} is not empty", printable_path(path))]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
}

/// A packed knowledge base.
#[derive(Debug)]
pub struct Snapshot {
    /// The archive.
    pub archive: Vec<u8>,
    /// Number of files in it.
    pub files: usize,
}

/// Name prefix of unpacked snapshots in the cache.
const PREFIX: &str = "snapshot-";

/// How long other snapshots are kept, because another program may still use them.
const KEEP: Duration = Duration::from_secs(24 * 3600);

impl KnowledgeBase {
    /// Opens the knowledge base in `snapshot`. It is unpacked into the cache once, and again after files there were
    /// changed or removed. When the cache cannot be used, it is unpacked into a temporary folder for this process.
    ///
    /// # Errors
    ///
    /// When the snapshot is damaged, or the disk is full.
    pub fn open_snapshot(opening: Opening, snapshot: &[u8], cache: &Path) -> Result<Self, SnapshotError> {
        let open = |folder: &Path| Self::open_as(opening, folder, cache);
        let place = Place::of(snapshot, cache);
        if distrusted(cache).is_none() && distrusted(&place.folder).is_none() {
            if let Some(kb) = place.open_unchanged(open) {
                return Ok(kb);
            }
            // The lock keeps a second process from removing files that the first one reads; after waiting, it finds them.
            let _alone = create_private(cache).and_then(|()| lock_folder(cache, || ()));
            if let Some(kb) = place.open_unchanged(open) {
                return Ok(kb);
            }
            if place.fill(snapshot).is_ok()
                && let Ok(kb) = open(&place.folder)
            {
                // Without the note, the next process unpacks the snapshot again.
                let _ = write_atomically(&place.note, kb.content());
                return Ok(kb);
            }
        }
        let folder =
            tempfile::Builder::new().prefix("dlbench-").tempdir().map_err(WriteError::at(std::env::temp_dir()))?;
        unpack(snapshot, folder.path())?;
        let mut kb = open(folder.path())?;
        kb.unpacked = Some(folder);
        Ok(kb)
    }

    /// Packs all files into one; the same files of the same commit give identical bytes.
    ///
    /// # Errors
    ///
    /// When a file cannot be read.
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let archive = pack(&self.root, Origin::of(&self.root), 9)?;
        let files = dlbench_snapshot::manifest(&archive)?.files.len();
        Ok(Snapshot { archive, files })
    }
}

impl KnowledgeFiles {
    /// Creates a knowledge base in `folder` from a snapshot, with the schemas for editors: completely, or not at all.
    ///
    /// # Errors
    ///
    /// When the folder is not empty or cannot be written, or the snapshot is damaged.
    pub fn unpacked(snapshot: &[u8], folder: &Path) -> Result<Manifest, SnapshotError> {
        let is_empty = |folder: &Path| fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        if folder.symlink_metadata().is_ok() && !is_empty(folder) {
            return Err(SnapshotError::NotEmpty { path: folder.to_owned() });
        }
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        create_folder(parent)?;
        let build = TemporaryFolder::below(parent)?;
        let made = build.path().join("kb");
        let manifest = unpack(snapshot, &made)?;
        Self::at(&made).write_schemas()?;
        // Removes an empty folder; fails for one that was filled in the meantime.
        let _ = fs::remove_dir(folder);
        fs::rename(&made, folder).map_err(WriteError::at(folder))?;
        Ok(manifest)
    }
}

/// The place of an unpacked snapshot in the cache.
struct Place {
    cache: PathBuf,
    name: String,
    /// Its files.
    folder: PathBuf,
    /// The hash of their content, written once all of them were complete.
    note: PathBuf,
}

impl Place {
    fn of(snapshot: &[u8], cache: &Path) -> Self {
        let name = format!("{PREFIX}{:016x}", xxh3_64(snapshot));
        let [folder, note] = [name.clone(), format!("{name}.content")].map(|name| cache.join(name));
        Self { cache: cache.to_owned(), name, folder, note }
    }

    /// The knowledge base that was unpacked earlier, if its content is unchanged.
    fn open_unchanged(&self, open: impl Fn(&Path) -> Result<KnowledgeBase, OpenError>) -> Option<KnowledgeBase> {
        let content = fs::read_to_string(&self.note).ok()?;
        open(&self.folder).ok().filter(|kb| kb.content() == content)
    }

    /// Unpacks the snapshot into a temporary folder and moves it into place.
    fn fill(&self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        let at = |error| WriteError::at(&self.cache)(error);
        create_private(&self.cache).map_err(at)?;
        let build = self.temporary().map_err(at)?;
        let made = build.path().join("kb");
        unpack(snapshot, &made)?;
        if fs::rename(&made, &self.folder).is_err() {
            // An incomplete folder, or one from a faster process, is in the way: replaces it.
            let _ = fs::rename(&self.folder, build.path().join("harmed"));
            fs::rename(&made, &self.folder).map_err(WriteError::at(&self.folder))?;
        }
        self.sweep();
        Ok(())
    }

    fn temporary(&self) -> std::io::Result<TempDir> {
        tempfile::Builder::new().prefix(PREFIX).tempdir_in(&self.cache)
    }

    /// Removes old files, notes and stores of other snapshots, all of which begin with the prefix.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.cache).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_other = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && !name.starts_with(&self.name));
            let modified = entry.metadata().and_then(|meta| meta.modified());
            let is_old = modified.is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > KEEP));
            if is_other && is_old {
                // Files that cannot be removed now are removed another time.
                let path = entry.path();
                let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            }
        }
    }
}

impl KnowledgeBase {
    /// Opens the knowledge base that was pulled last, as [`open_snapshot`](Self::open_snapshot) does, and returns its
    /// description; `None` where none was pulled, or the built-in one was selected again.
    ///
    /// # Errors
    ///
    /// When the pulled one exists but cannot be used.
    pub fn open_pulled(
        opening: Opening,
        data: &Path,
        cache: &Path,
    ) -> Result<Option<(Self, Installed)>, SnapshotError> {
        let Some((installed, snapshot)) = PulledFolder::at(data).active()? else { return Ok(None) };
        Ok(Some((Self::open_snapshot(opening, &snapshot, cache)?, installed)))
    }
}

/// The default folder for pulled knowledge bases: `DLBENCH_DATA`, else `dlbench` in the user's data folder. It is not a
/// cache: its content cannot be restored without a network. `None` where the system has no data folder.
pub fn default_data() -> Option<PathBuf> {
    match std::env::var_os("DLBENCH_DATA") {
        Some(folder) if !folder.is_empty() => Some(PathBuf::from(folder)),
        _ => Some(dirs::data_local_dir()?.join("dlbench")),
    }
}

/// The knowledge base built into a program, for use outside of a knowledge base's folder.
#[derive(Debug, Clone, Copy)]
pub struct BuiltInSnapshot {
    /// The packed snapshot.
    pub snapshot: &'static [u8],
    /// The date and the commit, in words: `of 2026-11-22 (commit c0f74a5bb1)`.
    pub origin: &'static str,
    /// The date, `YYYY-MM-DD`, if known.
    pub date: Option<&'static str>,
}

impl BuiltInSnapshot {
    /// Whether it is newer than `day`; false if either date is unknown.
    pub fn is_newer_than(self, day: Option<&str>) -> bool {
        matches!((self.date, day), (Some(own), Some(day)) if own > day)
    }
}

/// A knowledge base with remarks on how it was found.
#[derive(Debug)]
pub struct FoundKnowledgeBase {
    /// The open knowledge base.
    pub kb: KnowledgeBase,
    /// Which one is used if there is none here or above: `the built-in one of 2026-11-22 (commit c0f74a5bb1)`.
    pub elsewhere: Option<String>,
    /// Why the pulled one could not be used, and what to do.
    pub warning: Option<String>,
}

/// Why no knowledge base could be opened.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// None was found.
    #[error(transparent)]
    Locate(#[from] LocateError),
    /// Its files cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A snapshot cannot be unpacked or opened.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

impl KnowledgeBase {
    /// Opens the given folder, else the one that [`locate`](Self::locate) finds, else the pulled one, else the built-in
    /// one. Derived stores are cached in `cache`.
    ///
    /// # Errors
    ///
    /// When the given folder is not a knowledge base, none is found, or it cannot be opened.
    pub fn find(
        named: Option<&Path>,
        built_in: Option<BuiltInSnapshot>,
        opening: Opening,
        cache: &Path,
    ) -> Result<FoundKnowledgeBase, FindError> {
        let none = match Self::locate(named) {
            Ok(root) => {
                let kb = Self::open_as(opening, &root, cache)?;
                return Ok(FoundKnowledgeBase { kb, elsewhere: None, warning: None });
            }
            Err(none @ LocateError::NoneAbove { .. }) => none,
            Err(error) => return Err(error.into()),
        };
        let warning = match default_data().map(|data| Self::open_pulled(opening, &data, cache)) {
            Some(Ok(Some((kb, pulled)))) => {
                let newer = built_in.filter(|built_in| built_in.is_newer_than(pulled.origin.date.as_deref()));
                let newer =
                    newer.map(|built_in| format!("; the built-in one {} is newer: `dlbench pull`", built_in.origin));
                let elsewhere = format!("the pulled one {}{}", pulled.origin, newer.unwrap_or_default());
                return Ok(FoundKnowledgeBase { kb, elsewhere: Some(elsewhere), warning: None });
            }
            Some(Err(error)) => Some(format!(
                "what was pulled cannot be used: {}\nhelp: `dlbench pull` fetches it again",
                printable(&error.to_string())
            )),
            Some(Ok(None)) | None => None,
        };
        let built_in = built_in.ok_or(none)?;
        let kb = Self::open_snapshot(opening, built_in.snapshot, cache)?;
        Ok(FoundKnowledgeBase { kb, elsewhere: Some(format!("the built-in one {}", built_in.origin)), warning })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIATURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../acceptance/kb");

    /// A snapshot of the miniature knowledge base, its content, and a cache.
    fn packed() -> (Vec<u8>, String, TempDir) {
        let cache = TempDir::new().unwrap();
        let kb = KnowledgeBase::open_with_cache(MINIATURE, cache.path().join("of the folder")).unwrap();
        (kb.snapshot().unwrap().archive, kb.content().to_owned(), cache)
    }

    fn opened(snapshot: &[u8], cache: &Path) -> KnowledgeBase {
        KnowledgeBase::open_snapshot(Opening::Cached, snapshot, cache).unwrap()
    }

    #[test]
    fn what_was_packed_answers_and_stays_unpacked() {
        let (snapshot, content, cache) = packed();
        for built_now in [true, false] {
            let kb = opened(&snapshot, cache.path());
            assert_eq!(kb.content(), content);
            assert_eq!(kb.status().unwrap().built_now, built_now);
        }
    }

    #[test]
    fn what_was_harmed_in_the_cache_is_unpacked_again() {
        let (snapshot, content, cache) = packed();
        let root = opened(&snapshot, cache.path()).root().to_owned();
        let gone = root.join("measurements");
        for harm in
            [&(|| fs::remove_dir_all(&gone).unwrap()) as &dyn Fn(), &|| fs::remove_dir_all(&root).unwrap(), &|| {
                fs::write(root.join("catalog/kb.toml"), "not = 'ours'").unwrap()
            }]
        {
            harm();
            assert_eq!(opened(&snapshot, cache.path()).content(), content);
            assert!(gone.is_dir());
        }
    }

    #[test]
    fn without_a_cache_it_is_unpacked_for_this_process() {
        let (snapshot, content, cache) = packed();
        let file = cache.path().join("a file");
        fs::write(&file, "in the way").unwrap();
        let kb = opened(&snapshot, &file);
        let root = kb.root().to_owned();
        assert_eq!(kb.content(), content);
        assert!(kb.query("v100").is_ok() && root.is_dir());
        drop(kb);
        assert!(!root.exists());
    }

    #[test]
    fn a_folder_is_filled_whole_or_not_at_all() {
        let (snapshot, _, there) = packed();
        let [new, empty, full] = ["a/new", "empty", "full"].map(|name| there.path().join(name));
        fs::create_dir(&empty).unwrap();
        fs::create_dir(&full).unwrap();
        fs::write(full.join("mine.txt"), "mine").unwrap();
        for folder in [&new, &empty] {
            KnowledgeFiles::unpacked(&snapshot, folder).unwrap();
            assert!(folder.join("catalog/kb.toml").is_file() && folder.join(".schemas").is_dir());
        }
        let error = KnowledgeFiles::unpacked(&snapshot, &full).unwrap_err().to_string();
        assert!(error.ends_with("full is not empty"), "{error}");
        let cut = there.path().join("cut");
        KnowledgeFiles::unpacked(&snapshot[..snapshot.len() / 2], &cut).unwrap_err();
        assert!(!cut.exists());
        let left: Vec<_> = fs::read_dir(there.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().starts_with('.')), "{left:?}");
    }
}
