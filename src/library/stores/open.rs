//! The stores of a knowledge base: opened when they are fresh, built when they are not.

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

/// The layout of the stores: another one for every change of the code that says what is stored (`build.rs`).
const LAYOUT: &str = env!("DLBENCH_LAYOUT");

const DATABASE_FILE: &str = "database.sqlite";
const INDEX_FOLDER: &str = "index";

/// How often files are read again that change while they are read.
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

/// What the open stores were built from, and where they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuiltFrom {
    /// Kept in the cache; `fresh` when they were there already.
    Cache {
        /// The folder that holds them.
        folder: PathBuf,
        /// Whether this process had nothing to build.
        fresh: bool,
    },
    /// Built in memory, because the cache could not be used.
    Memory {
        /// Why not.
        why: String,
    },
}

/// The open stores of a knowledge base.
#[derive(Debug)]
pub struct Stores {
    /// The database.
    pub database: Database,
    /// The search.
    pub index: Index,
    /// Hash of the files' contents.
    pub content: String,
    /// What they were built from.
    pub built: BuiltFrom,
    /// Their files in the cache, as they were when they were opened.
    opened: Vec<(PathBuf, FileStamp)>,
}

impl Stores {
    /// Opens the stores of the knowledge base at `root`, building them first when a file has changed.
    ///
    /// `cache_base` is the user's cache folder. When it cannot be used, the stores are built in memory.
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

    /// The stores of the content that the files had when they were looked at last, without looking at them: [`noted_content`]
    /// tells whether it is theirs now. `None` where it is not known, or its stores are not kept.
    pub fn of_latest(root: &Path, cache_base: &Path) -> Option<Self> {
        let cache = Cache::new(cache_base, root, LAYOUT);
        if cache.distrusted().is_some() {
            return None;
        }
        open_generation(&cache, &cache.latest()?, true)
    }

    /// The same stores once more, for another thread, whatever has become of the files since; `None` where they are kept in
    /// memory alone, or the cache has lost them.
    pub fn another(&self) -> Option<Self> {
        match &self.built {
            BuiltFrom::Cache { folder, .. } => open_folder(folder.clone(), &self.content, true),
            BuiltFrom::Memory { .. } => None,
        }
    }

    /// Where they are kept in the cache, and what follows from them may be; `None` of stores in memory.
    pub fn folder(&self) -> Option<&Path> {
        match &self.built {
            BuiltFrom::Cache { folder, .. } => Some(folder),
            BuiltFrom::Memory { .. } => None,
        }
    }

    /// Whether every byte of them in the cache is as it was written.
    pub fn are_whole(&self) -> bool {
        match &self.built {
            BuiltFrom::Cache { folder, .. } => cache::is_unharmed(folder, &self.content),
            BuiltFrom::Memory { .. } => true,
        }
    }

    /// Whether one of their files was written to, or replaced, since they were opened. One that is gone is read as it was.
    pub fn are_touched(&self) -> bool {
        self.opened.iter().any(|(path, seen)| fs::metadata(path).is_ok_and(|meta| stamp(&meta) != *seen))
    }

    /// What changes when other files take their place in the cache, of whatever content.
    pub fn stamp(&self) -> Option<String> {
        match &self.built {
            BuiltFrom::Cache { folder, .. } => cache::stamp_of(folder),
            BuiltFrom::Memory { .. } => None,
        }
    }

    /// Opens the stores as [`Stores::open`] does, after comparing every byte of those in the cache with their checksums; what
    /// is damaged is built anew.
    ///
    /// # Errors
    ///
    /// When the knowledge base cannot be read.
    pub fn verified(root: &Path, cache_base: &Path) -> Result<Self, OpenError> {
        let cache = Cache::new(cache_base, root, LAYOUT);
        let content = cache::of_contents(root, &reading::list(root)?);
        let folder = cache.generation(&content);
        if cache.distrusted().is_none() && folder.exists() && !cache::is_unharmed(&folder, &content) {
            // What cannot be removed cannot be replaced either; building reports it.
            let _ = cache.evict(&content);
        }
        Self::open(root, cache_base)
    }

    /// Builds the stores from nothing, whatever the cache holds.
    pub fn rebuild(root: &Path, cache_base: &Path) -> Result<Self, OpenError> {
        let cache = Cache::new(cache_base, root, LAYOUT);
        if let Some(why) = cache.distrusted() {
            return Self::without_cache(root, why);
        }
        for _ in 0..ATTEMPTS {
            let state = ListedFiles::of(root)?;
            let stats = cache::of_stats(&state.files);
            let content = cache::of_contents(root, &state.with_kinds());
            // What cannot be removed cannot be replaced either; building reports it.
            let _ = cache.evict(&content);
            if let Some(stores) = Self::build(root, &state, &cache, &stats, content)? {
                return Ok(stores);
            }
        }
        Self::without_cache(root, "its files keep changing".to_owned())
    }

    /// `None` when a file changed between its hash and its reading: what was read is not what the hash says.
    fn build(
        root: &Path,
        state: &ListedFiles,
        cache: &Cache,
        stats: &str,
        content: String,
    ) -> Result<Option<Self>, OpenError> {
        let _building = Building::begins();
        let knowledge = reading::read_sound(root, &state.with_kinds())?;
        if !state.still_holds(root, stats, &content)? {
            return Ok(None);
        }
        let parts = parts_of(&knowledge);
        let names = resolve::collect(&knowledge, &parts);
        let kept = (|| {
            // How large they become is not known before: where files may not grow at will none is begun.
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
                // Giving back the memory of a million rows takes a while that nobody needs to wait for.
                std::thread::spawn(move || drop((knowledge, names, parts)));
                return Ok(Some(stores));
            }
            Err(error) => error.to_string(),
        };
        let why = format!("{}: {why}", cache.folder().display());
        Self::in_memory(&knowledge, content, why).map(Some)
    }

    /// The stores of what one reading found, kept nowhere: of files that never held still, or without a place to keep them.
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

/// The content of the files at `root` as far as what the file system says of them tells it, without reading any; `None` where
/// they must be read, or cannot be listed.
pub fn noted_content(root: &Path, cache_base: &Path) -> Option<String> {
    let cache = Cache::new(cache_base, root, LAYOUT);
    cache.content_of(&cache::of_stats(&reading::walk(root).ok()?))
}

/// What measurements share, with what is computed of each.
fn parts_of(knowledge: &Knowledge) -> Parts {
    with_evidence(Parts::of(&knowledge.measurements), &knowledge.measurements, &knowledge.catalog)
}

/// The files as they were listed.
struct ListedFiles {
    files: Vec<ListedFile>,
    /// Whether they were old enough then for their stamps to tell every later change. Asked at once: a file that is young
    /// when it is listed may change with the same stamp, however old it is when that is found out.
    settled: bool,
}

impl ListedFiles {
    fn of(root: &Path) -> Result<Self, OpenError> {
        let files = reading::walk(root)?;
        let settled = cache::settled(&files) && cache::are_telling(root, &files);
        Ok(Self { files, settled })
    }

    /// The files with what each should hold.
    fn with_kinds(&self) -> Vec<KbFile> {
        self.files.iter().cloned().map(KbFile::from).collect()
    }

    /// Whether the files are those that were listed, with the contents that were hashed.
    fn still_holds(&self, root: &Path, stats: &str, content: &str) -> Result<bool, OpenError> {
        let same = cache::of_stats(&reading::walk(root)?) == stats;
        Ok(same && (self.settled || cache::of_contents(root, &self.with_kinds()) == content))
    }

    /// Notes which content the files have. Not noting it costs the next process a hash of the files, nothing else.
    fn note(&self, cache: &Cache, stats: &str, content: &str) {
        if self.settled {
            let _ = cache.note(stats, content);
            cache.note_latest(content);
        }
    }
}

/// Puts a build into its place and opens what is there then. Other processes may do the same at the same time: theirs is
/// as good as ours, but what is damaged must make room.
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
            // Somebody took ours for damaged and is about to put their own there.
            None => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    }
    Err(std::io::Error::other("other processes keep replacing the stores"))
}

/// The stores of a content as the cache has them; `None` when they are missing or damaged, and must be built.
fn open_generation(cache: &Cache, content: &str, fresh: bool) -> Option<Stores> {
    open_folder(cache.generation(content), content, fresh)
}

fn open_folder(folder: PathBuf, content: &str, fresh: bool) -> Option<Stores> {
    let opened = cache::held_files(&folder, content)?;
    let database = Database::open(&folder.join(DATABASE_FILE)).ok()?;
    let index = Index::open(&folder.join(INDEX_FOLDER)).ok()?;
    Some(Stores { database, index, content: content.to_owned(), built: BuiltFrom::Cache { folder, fresh }, opened })
}
