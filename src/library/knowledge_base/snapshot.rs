//! Which knowledge base answers: the one that is named, the nearest one above, the pulled one, or a snapshot, unpacked into the cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use dlbench_snapshot::{Manifest, Origin, PackError, UnpackError, pack, unpack};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use super::{KnowledgeBase, KnowledgeFiles, Opening};
use crate::contribute::check::FixError;
use crate::pull::{Installed, PullError, PulledFolder};
use crate::reading::{LocateError, TemporaryFolder, WriteError, create_folder, lock_folder, write_whole};
use crate::stores::{OpenError, create_private, distrusted};
use crate::values::text::{printable, printable_path};

/// A knowledge base that comes as one file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The file is none, or is damaged.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// The knowledge base could not be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// What was pulled could not be used.
    #[error(transparent)]
    Pulled(#[from] PullError),
    /// What was unpacked could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A folder could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Schemas could not be written.
    #[error(transparent)]
    Schemas(#[from] FixError),
    /// The folder that should be made holds something.
    #[error("{} is not empty", printable_path(path))]
    NotEmpty {
        /// Which.
        path: PathBuf,
    },
}

/// A packed knowledge base.
#[derive(Debug)]
pub struct Snapshot {
    /// The archive.
    pub archive: Vec<u8>,
    /// How many files it holds.
    pub files: usize,
}

/// What unpacked snapshots are called in the cache.
const PREFIX: &str = "snapshot-";

/// Other snapshots are kept this long, for another program that still uses its own.
const KEEP: Duration = Duration::from_secs(24 * 3600);

impl KnowledgeBase {
    /// Opens the knowledge base in `snapshot`. It is unpacked into the cache once; what was changed or removed there since is
    /// unpacked again. When the cache cannot be used, it is unpacked into a temporary folder for this process.
    ///
    /// # Errors
    ///
    /// When the snapshot is damaged, or there is no room for it.
    pub fn open_snapshot(opening: Opening, snapshot: &[u8], cache: &Path) -> Result<Self, SnapshotError> {
        let open = |folder: &Path| Self::open_as(opening, folder, cache);
        let place = Place::of(snapshot, cache);
        if distrusted(cache).is_none() && distrusted(&place.folder).is_none() {
            if let Some(kb) = place.unharmed(open) {
                return Ok(kb);
            }
            // Who comes second would take away what the first is reading, and finds it whole when it has waited.
            let _alone = create_private(cache).and_then(|()| lock_folder(cache, || ()));
            if let Some(kb) = place.unharmed(open) {
                return Ok(kb);
            }
            if place.fill(snapshot).is_ok()
                && let Ok(kb) = open(&place.folder)
            {
                // Without the note it is unpacked again the next time.
                let _ = write_whole(&place.note, kb.content());
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

    /// Everything in one file; the same files of the same commit make the same bytes.
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
    /// Makes a knowledge base in `folder` from a snapshot, with the schemas that editors read: whole, or not at all.
    ///
    /// # Errors
    ///
    /// When the folder holds something or cannot be written, or the snapshot is damaged.
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
        // An empty folder gives way; one that was filled in the meantime does not.
        let _ = fs::remove_dir(folder);
        fs::rename(&made, folder).map_err(WriteError::at(folder))?;
        Ok(manifest)
    }
}

/// Where a snapshot is unpacked in the cache.
struct Place {
    cache: PathBuf,
    name: String,
    /// Its files.
    folder: PathBuf,
    /// The hash of their content, once they were all there.
    note: PathBuf,
}

impl Place {
    fn of(snapshot: &[u8], cache: &Path) -> Self {
        let name = format!("{PREFIX}{:016x}", xxh3_64(snapshot));
        let [folder, note] = [name.clone(), format!("{name}.content")].map(|name| cache.join(name));
        Self { cache: cache.to_owned(), name, folder, note }
    }

    /// The knowledge base that was unpacked before, if its content is what it was.
    fn unharmed(&self, open: impl Fn(&Path) -> Result<KnowledgeBase, OpenError>) -> Option<KnowledgeBase> {
        let content = fs::read_to_string(&self.note).ok()?;
        open(&self.folder).ok().filter(|kb| kb.content() == content)
    }

    /// Unpacks the snapshot beside its place and moves it there.
    fn fill(&self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        let at = |error| WriteError::at(&self.cache)(error);
        create_private(&self.cache).map_err(at)?;
        let build = self.temporary().map_err(at)?;
        let made = build.path().join("kb");
        unpack(snapshot, &made)?;
        if fs::rename(&made, &self.folder).is_err() {
            // What is there is not whole, or another process was faster: it goes, at once.
            let _ = fs::rename(&self.folder, build.path().join("harmed"));
            fs::rename(&made, &self.folder).map_err(WriteError::at(&self.folder))?;
        }
        self.sweep();
        Ok(())
    }

    fn temporary(&self) -> std::io::Result<TempDir> {
        tempfile::Builder::new().prefix(PREFIX).tempdir_in(&self.cache)
    }

    /// Removes what other snapshots left: their files, their notes and their stores, whose names begin alike.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.cache).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_other = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && !name.starts_with(&self.name));
            let modified = entry.metadata().and_then(|meta| meta.modified());
            let is_old = modified.is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > KEEP));
            if is_other && is_old {
                // What cannot be removed now is removed another time.
                let path = entry.path();
                let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            }
        }
    }
}

impl KnowledgeBase {
    /// Opens the knowledge base that was pulled last, as [`open_snapshot`](Self::open_snapshot) does, and says what it is;
    /// `None` where none was, or the one that the program carries answers in its place again.
    ///
    /// # Errors
    ///
    /// When it is there and cannot be used.
    pub fn open_pulled(
        opening: Opening,
        data: &Path,
        cache: &Path,
    ) -> Result<Option<(Self, Installed)>, SnapshotError> {
        let Some((installed, snapshot)) = PulledFolder::at(data).active()? else { return Ok(None) };
        Ok(Some((Self::open_snapshot(opening, &snapshot, cache)?, installed)))
    }
}

/// Where what was pulled is kept unless said otherwise: `DLBENCH_DATA`, else `dlbench` in the user's folder for data. It is no
/// cache: what is there cannot be made again without a network. `None` where the system knows no such folder.
pub fn default_data() -> Option<PathBuf> {
    match std::env::var_os("DLBENCH_DATA") {
        Some(folder) if !folder.is_empty() => Some(PathBuf::from(folder)),
        _ => Some(dirs::data_local_dir()?.join("dlbench")),
    }
}

/// A knowledge base that a program carries, for folders where there is none.
#[derive(Debug, Clone, Copy)]
pub struct Carried {
    /// The file.
    pub snapshot: &'static [u8],
    /// The day and the commit, in words: `of 2026-11-22 (commit c0f74a5bb1)`.
    pub origin: &'static str,
    /// The day, `YYYY-MM-DD`, if it is known.
    pub date: Option<&'static str>,
}

impl Carried {
    /// Whether it is of a later day than what is of this one; days that are not known are not.
    pub fn is_newer_than(self, day: Option<&str>) -> bool {
        matches!((self.date, day), (Some(own), Some(day)) if own > day)
    }
}

/// The knowledge base that was found, and what must be said of how.
#[derive(Debug)]
pub struct FoundKnowledgeBase {
    /// It, open.
    pub kb: KnowledgeBase,
    /// Where there is none here or above: which one answers, as in `the built-in one of 2026-11-22 (commit c0f74a5bb1)`.
    pub elsewhere: Option<String>,
    /// Why what was pulled could not be used, and what to do.
    pub warning: Option<String>,
}

/// No knowledge base could be opened.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// There is none.
    #[error(transparent)]
    Locate(#[from] LocateError),
    /// Its files cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// What is carried cannot be unpacked or opened.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

impl KnowledgeBase {
    /// Opens the folder that is named, else the one that [`locate`](Self::locate) finds, else what was pulled, else what is
    /// carried. Derived stores are kept in `cache`.
    ///
    /// # Errors
    ///
    /// When the folder that is named is none, there is none at all, or it cannot be opened.
    pub fn find(
        named: Option<&Path>,
        carried: Option<Carried>,
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
                let newer = carried.filter(|carried| carried.is_newer_than(pulled.origin.date.as_deref()));
                let newer =
                    newer.map(|carried| format!("; the built-in one {} is newer: `dlbench pull`", carried.origin));
                let elsewhere = format!("the pulled one {}{}", pulled.origin, newer.unwrap_or_default());
                return Ok(FoundKnowledgeBase { kb, elsewhere: Some(elsewhere), warning: None });
            }
            Some(Err(error)) => Some(format!(
                "what was pulled cannot be used: {}\nhelp: `dlbench pull` fetches it again",
                printable(&error.to_string())
            )),
            Some(Ok(None)) | None => None,
        };
        let carried = carried.ok_or(none)?;
        let kb = Self::open_snapshot(opening, carried.snapshot, cache)?;
        Ok(FoundKnowledgeBase { kb, elsewhere: Some(format!("the built-in one {}", carried.origin)), warning })
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
