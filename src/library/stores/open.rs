//! Opens the stores of a knowledge base, and builds them if they are missing or outdated.

use std::fs;
use std::path::{Path, PathBuf};

use super::attested::with_evidence;
use super::building::Building;
use super::cache;
use super::cache::Cache;
use super::database::{Database, DatabaseError};
use super::index::{Index, IndexError};
use super::resolve;
use crate::model::{Knowledge, Parts};
use crate::reading::{self, FileStamp, KbFile, ListedFile, ReadError, stamp};

/// The layout of the stores: a hash that changes with the code that defines what is stored (`build.rs`).
const LAYOUT: &str = env!("DLBENCH_LAYOUT");

const DATABASE_FILE: &str = "database.sqlite";
const INDEX_FOLDER: &str = "index";

/// How often the files are read again if they change while being read.
const ATTEMPTS: usize = 5;

/// Why the stores could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The knowledge base could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The database could not be built.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The index could not be built.
    #[error(transparent)]
    Index(#[from] IndexError),
}

/// Where the open stores are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuiltFrom {
    /// In the cache; `fresh` if they existed already.
    Cache {
        /// The folder of the stores.
        folder: PathBuf,
        /// Whether this process did not have to build them.
        fresh: bool,
    },
    /// In memory, because the cache could not be used.
    Memory {
        /// Why the cache could not be used.
        why: String,
    },
}

/// The open stores of a knowledge base.
#[derive(Debug)]
pub struct Stores {
    /// The database.
    pub database: Database,
    /// The search index.
    pub index: Index,
    /// Hash of the files' contents.
    pub content: String,
    /// Where the stores are kept.
    pub built: BuiltFrom,
    /// The files in the cache, with their stamps when they were opened.
    opened: Vec<(PathBuf, FileStamp)>,
}

impl Stores {
    /// Opens the stores of the knowledge base at `root`, building them first if a file has changed.
    ///
    /// `cache_base` is the user's cache folder. If it cannot be used, the stores are built in memory.
    ///
    /// # Errors
    ///
    /// When the knowledge base cannot be read.
    pub fn open(root: &Path, cache_base: &Path) -> Result<Self, OpenError> {
        let cache = Cache::new(cache_base, root, LAYOUT);
        if let Some(why) = cache.distrusted() {
            return Self::without_cache(root, why);
        }
        for _ in 0..ATTEMPTS {
            let state = ListedFiles::of(root)?;
            let stats = cache::of_stats(&state.files);
            if let Some(content) = cache.content_of(&stats)
                && let Some(stores) = open_generation(&cache, &content, true)
            {
                cache.note_latest(&content);
                return Ok(stores);
            }
            let content = cache::of_contents(root, &state.with_kinds());
            if let Some(stores) = open_generation(&cache, &content, true) {
                state.note(&cache, &stats, &content);
                return Ok(stores);
            }
            if let Some(stores) = Self::build(root, &state, &cache, &stats, content)? {
                return Ok(stores);
            }
        }
        Self::without_cache(root, "its files keep changing".to_owned())
    }

    /// Opens the stores of the most recently examined content without examining the files: [`noted_content`] tells whether the
    /// content is still current. `None` if it is not known, or its stores are not in the cache.
    pub fn of_latest(root: &Path, cache_base: &Path) -> Option<Self> {
        let cache = Cache::new(cache_base, root, LAYOUT);
        if cache.distrusted().is_some() {
            return None;
        }
        open_generation(&cache, &cache.latest()?, true)
    }

    /// Opens the same stores again, for another thread, even if the files have changed since; `None` if they are only in memory,
    /// or no longer in the cache.
    pub fn reopen(&self) -> Option<Self> {
        match &self.built {
            BuiltFrom::Cache { folder, .. } => open_folder(folder.clone(), &self.content, true),
            BuiltFrom::Memory { .. } => None,
        }
    }

    /// Their folder in the cache, which may also store results derived from them; `None` for stores in memory.
    pub fn folder(&self) -> Option<&Path> {
        match &self.built {
            BuiltFrom::Cache { folder, .. } => Some(folder),
            BuiltFrom::Memory { .. } => None,
        }
    }

    /// Whether their files in the cache match their checksums.
    pub fn are_intact(&self) -> bool {
        match &self.built {
            BuiltFrom::Cache { folder, .. } => cache::verify_again(folder, &self.content),
            BuiltFrom::Memory { .. } => true,
        }
    }

    /// Whether one of their files was modified or replaced since they were opened. Deleted files stay readable and do not count.
    pub fn are_modified(&self) -> bool {
        self.opened.iter().any(|(path, seen)| fs::metadata(path).is_ok_and(|meta| stamp(&meta) != *seen))
    }

    /// A text that changes whenever the stores in the cache folder are replaced, even with the same content.
    pub fn stamp(&self) -> Option<String> {
        match &self.built {
            BuiltFrom::Cache { folder, .. } => cache::stamp_of(folder),
            BuiltFrom::Memory { .. } => None,
        }
    }

    /// Opens the stores like [`Stores::open`], but first verifies the checksums of the files in the cache; damaged stores are
    /// rebuilt.
    ///
    /// # Errors
    ///
    /// When the knowledge base cannot be read.
    pub fn verified(root: &Path, cache_base: &Path) -> Result<Self, OpenError> {
        let cache = Cache::new(cache_base, root, LAYOUT);
        let content = cache::of_contents(root, &reading::list(root)?);
        let folder = cache.generation(&content);
        if cache.distrusted().is_none() && folder.exists() && !cache::verify_again(&folder, &content) {
            // If it cannot be removed, it cannot be replaced either, and building reports that.
            let _ = cache.evict(&content);
        }
        Self::open(root, cache_base)
    }

    /// Builds the stores from scratch, whatever the cache contains.
    pub fn rebuild(root: &Path, cache_base: &Path) -> Result<Self, OpenError> {
        let cache = Cache::new(cache_base, root, LAYOUT);
        if let Some(why) = cache.distrusted() {
            return Self::without_cache(root, why);
        }
        for _ in 0..ATTEMPTS {
            let state = ListedFiles::of(root)?;
            let stats = cache::of_stats(&state.files);
            let content = cache::of_contents(root, &state.with_kinds());
            // If it cannot be removed, it cannot be replaced either, and building reports that.
            let _ = cache.evict(&content);
            if let Some(stores) = Self::build(root, &state, &cache, &stats, content)? {
                return Ok(stores);
            }
        }
        Self::without_cache(root, "its files keep changing".to_owned())
    }

    /// Builds the stores; `None` if a file changed between hashing and reading, so that the hash does not match.
    fn build(
        root: &Path,
        state: &ListedFiles,
        cache: &Cache,
        stats: &str,
        content: String,
    ) -> Result<Option<Self>, OpenError> {
        let _building = Building::begins();
        let knowledge = reading::read_sound(root, &state.with_kinds())?;
        if !state.is_unchanged(root, stats, &content)? {
            return Ok(None);
        }
        let parts = parts_of(&knowledge);
        let names = resolve::collect(&knowledge, &parts);
        let kept = (|| {
            // The final sizes are not known in advance: under a file size limit, do not start to write files.
            reading::may_grow_to(u64::MAX)?;
            let build_folder = cache.build_folder()?;
            let index_folder = build_folder.path().join(INDEX_FOLDER);
            fs::create_dir(&index_folder)?;
            let (database, index) = rayon::join(
                || Database::create(&build_folder.path().join(DATABASE_FILE), &knowledge, &parts, &names),
                || Index::create(&index_folder, &knowledge, &parts),
            );
            database.map_err(std::io::Error::other)?;
            index.map_err(std::io::Error::other)?;
            cache::write(build_folder.path(), &content)?;
            settle(cache, build_folder, &content)
        })();
        let why = match kept {
            Ok(stores) => {
                state.note(cache, stats, &content);
                // Freeing the memory of a million rows takes a while, so it is done in the background.
                std::thread::spawn(move || drop((knowledge, names, parts)));
                return Ok(Some(stores));
            }
            Err(error) => error.to_string(),
        };
        let why = format!("{}: {why}", cache.folder().display());
        Self::in_memory(&knowledge, content, why).map(Some)
    }

    /// Builds the stores in memory from one reading: for files that keep changing, or without a usable cache.
    fn without_cache(root: &Path, why: String) -> Result<Self, OpenError> {
        let files = reading::list(root)?;
        let knowledge = reading::read_sound(root, &files)?;
        Self::in_memory(&knowledge, cache::of_contents(root, &files), why)
    }

    fn in_memory(knowledge: &Knowledge, content: String, why: String) -> Result<Self, OpenError> {
        let parts = parts_of(knowledge);
        let names = resolve::collect(knowledge, &parts);
        Ok(Self {
            database: Database::in_memory(knowledge, &parts, &names)?,
            index: Index::in_memory(knowledge, &parts)?,
            content,
            built: BuiltFrom::Memory { why },
            opened: Vec::new(),
        })
    }
}

/// The content hash of the files at `root` by their metadata, without reading them; `None` if they must be read or cannot be
/// listed.
pub fn noted_content(root: &Path, cache_base: &Path) -> Option<String> {
    let cache = Cache::new(cache_base, root, LAYOUT);
    cache.content_of(&cache::of_stats(&reading::walk(root).ok()?))
}

/// The shared parts of the measurements, including the computed evidence fields.
fn parts_of(knowledge: &Knowledge) -> Parts {
    with_evidence(Parts::of(&knowledge.measurements), &knowledge.measurements, &knowledge.catalog)
}

/// The files as listed, without their kinds.
struct ListedFiles {
    files: Vec<ListedFile>,
    /// Whether their stamps will reveal every later change. Determined at listing time: a file that was too young when it
    /// was listed may change without a new stamp, however old it is when this is checked.
    settled: bool,
}

impl ListedFiles {
    fn of(root: &Path) -> Result<Self, OpenError> {
        let files = reading::walk(root)?;
        let settled = cache::settled(&files) && cache::stamps_distinguish(root, &files);
        Ok(Self { files, settled })
    }

    /// The files with their kinds.
    fn with_kinds(&self) -> Vec<KbFile> {
        self.files.iter().cloned().map(KbFile::from).collect()
    }

    /// Whether the files still have the listed metadata and the hashed contents.
    fn is_unchanged(&self, root: &Path, stats: &str, content: &str) -> Result<bool, OpenError> {
        let same = cache::of_stats(&reading::walk(root)?) == stats;
        Ok(same && (self.settled || cache::of_contents(root, &self.with_kinds()) == content))
    }

    /// Records the content hash of the files. A failure only costs the next process the time to hash them.
    fn note(&self, cache: &Cache, stats: &str, content: &str) {
        if self.settled {
            let _ = cache.note(stats, content);
            cache.note_latest(content);
        }
    }
}

/// Installs a build and opens the stores. Other processes may do so at the same time: their builds are equivalent, but damaged
/// stores are replaced.
fn settle(cache: &Cache, build_folder: tempfile::TempDir, content: &str) -> std::io::Result<Stores> {
    const ATTEMPTS: usize = 50;
    let mut build_folder = Some(build_folder);
    for _ in 0..ATTEMPTS {
        if let Some(stores) = open_generation(cache, content, false) {
            return Ok(stores);
        }
        match build_folder.take() {
            Some(built) => {
                build_folder = cache.install(built, content)?;
                if build_folder.is_some() && open_generation(cache, content, false).is_none() {
                    cache.evict(content)?;
                }
            }
            // Another process considered our build damaged and is about to replace it.
            None => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    }
    Err(std::io::Error::other("other processes keep replacing the stores"))
}

/// Opens the stores of a content in the cache; `None` if they are missing or damaged and must be built.
fn open_generation(cache: &Cache, content: &str, fresh: bool) -> Option<Stores> {
    open_folder(cache.generation(content), content, fresh)
}

fn open_folder(folder: PathBuf, content: &str, fresh: bool) -> Option<Stores> {
    let opened = cache::verified_files(&folder, content)?;
    let database = Database::open(&folder.join(DATABASE_FILE)).ok()?;
    let index = Index::open(&folder.join(INDEX_FOLDER)).ok()?;
    Some(Stores { database, index, content: content.to_owned(), built: BuiltFrom::Cache { folder, fresh }, opened })
}
