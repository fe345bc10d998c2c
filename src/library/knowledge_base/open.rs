//! A knowledge base: opening it, the contents of its stores, and recovery from damage.

use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;
use tempfile::TempDir;

use crate::ask::FigureError;
use crate::ask::compare::CompareError;
use crate::ask::parse::QueryError;
use crate::ask::tables::TableError;
use crate::model::SkippedFile;
use crate::reading::{LocateError, locate};
use crate::stores::database::{Counts, DatabaseError};
use crate::stores::{BuiltFrom, OpenError, Stores};

/// An open knowledge base.
///
/// ```
/// use dlbench::KnowledgeBase;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// let kb = KnowledgeBase::open(".")?;
/// let answer = kb.query("fp16 V100 resnet152")?;
/// assert!(answer.total >= 4);
/// for measurement in &answer.measurements {
///     println!("{}", measurement.id());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct KnowledgeBase {
    pub(super) root: PathBuf,
    /// The cache folder of its stores.
    pub(super) cache: PathBuf,
    pub(super) stores: Stores,
    /// The stores built or reopened after the first ones failed or changed.
    pub(super) renewed: OnceCell<Stores>,
    /// The folder that a snapshot was unpacked to for this process only, because the cache could not be used.
    pub(super) unpacked: Option<TempDir>,
}

/// How stores in the cache are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// Use them where they are up to date.
    Cached,
    /// Rebuild them from scratch.
    Rebuilt,
    /// Compare them with their checksums first, and rebuild damaged ones.
    Verified,
}

impl KnowledgeBase {
    /// The folder of the knowledge base: the given one, else the one in the environment variable `DLBENCH_KB`, else the
    /// nearest folder at or above the working directory that has both `catalog/` and `measurements/`.
    ///
    /// # Errors
    ///
    /// When the given folder is not a knowledge base, or none is found.
    pub fn locate(named: Option<&Path>) -> Result<PathBuf, LocateError> {
        let environment = std::env::var_os("DLBENCH_KB").filter(|path| !path.is_empty()).map(PathBuf::from);
        locate(named, environment.as_deref(), std::env::current_dir)
    }

    /// Opens the knowledge base at `root`, the folder that contains `catalog/` and `measurements/`. Stores derived from
    /// its files are cached in the user's cache folder and rebuilt when a file has changed. Files with mistakes are
    /// left out: [`skipped`](Self::skipped) lists them.
    ///
    /// # Errors
    ///
    /// When the folders cannot be listed, or `catalog/kb.toml` has a mistake.
    pub fn open(root: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::open_with_cache(root, default_cache())
    }

    /// As [`Self::open`], with another cache folder.
    pub fn open_with_cache(root: impl AsRef<Path>, cache: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::open_as(Opening::Cached, root.as_ref(), cache.as_ref())
    }

    /// As [`Self::open_with_cache`], with the way in which stores in the cache are used.
    pub fn open_as(opening: Opening, root: &Path, cache: &Path) -> Result<Self, OpenError> {
        let stores = match opening {
            Opening::Cached => Stores::open(root, cache)?,
            Opening::Rebuilt => Stores::rebuild(root, cache)?,
            Opening::Verified => Stores::verified(root, cache)?,
        };
        Ok(Self::of(stores, root, cache))
    }

    /// Opens the same knowledge base again for another thread, with the same answers even if files have changed since.
    /// `None` where its stores are not in a cache, or the cache no longer has them.
    pub fn reopen(&self) -> Option<Self> {
        if self.unpacked.is_some() {
            return None;
        }
        Some(Self::of(self.stores().reopen()?, &self.root, &self.cache))
    }

    /// Leaves the stores open until the process ends: the system closes them faster than this program would.
    pub fn leave_open(self) {
        std::mem::forget((self.stores, self.renewed));
    }

    pub(super) fn of(stores: Stores, root: &Path, cache: &Path) -> Self {
        Self { root: root.to_owned(), cache: cache.to_owned(), stores, renewed: OnceCell::new(), unpacked: None }
    }

    /// A value that changes when the stores in the cache are replaced, even with the same content; `None` where they
    /// are not in a cache.
    pub fn stores_stamp(&self) -> Option<String> {
        self.stores().stamp()
    }

    /// Why the cache could not be used, so that the stores were built in memory; `None` when it was used.
    pub fn cache_failure(&self) -> Option<&str> {
        match &self.stores().built {
            BuiltFrom::Memory { why } => Some(why),
            BuiltFrom::Cache { .. } => None,
        }
    }

    /// Files with mistakes: answers use neither them nor the measurements that refer to their entities.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn skipped(&self) -> Result<Vec<SkippedFile>, DatabaseError> {
        self.with_stores(|stores| stores.database.skipped())
    }

    /// The contents of the stores, and when and from what they were built.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn status(&self) -> Result<StoresStatus, DatabaseError> {
        self.with_stores(|stores| StoresStatus::of(&self.root, stores))
    }

    /// Hash of the content of the files, independent of their location.
    pub fn content(&self) -> &str {
        &self.stores().content
    }

    /// Number of measurements, and of entities of each kind.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn counts(&self) -> Result<Counts, DatabaseError> {
        self.with_stores(|stores| stores.database.counts())
    }

    /// The folder of the files.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// The default cache folder: `DLBENCH_CACHE`, else `dlbench` in the user's cache folder, else in the system's folder
/// for temporary files.
pub fn default_cache() -> PathBuf {
    match std::env::var_os("DLBENCH_CACHE") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => dirs::cache_dir().unwrap_or_else(std::env::temp_dir).join("dlbench"),
    }
}

/// An error that can distinguish a failed store from a mistake in the query.
pub trait StoreFailure {
    /// Whether a store failed.
    fn is_of_store(&self) -> bool;
}

impl StoreFailure for DatabaseError {
    fn is_of_store(&self) -> bool {
        true
    }
}

impl StoreFailure for OpenError {
    fn is_of_store(&self) -> bool {
        matches!(self, Self::Database(_) | Self::Index(_))
    }
}

impl StoreFailure for QueryError {
    fn is_of_store(&self) -> bool {
        matches!(self, Self::Database(_) | Self::Index(_))
    }
}

impl StoreFailure for CompareError {
    fn is_of_store(&self) -> bool {
        match self {
            Self::Query(error) => error.is_of_store(),
            Self::Database(_) | Self::Index(_) => true,
            Self::Request { .. } => false,
        }
    }
}

impl StoreFailure for FigureError {
    fn is_of_store(&self) -> bool {
        matches!(self, Self::Query(error) if error.is_of_store())
    }
}

impl StoreFailure for TableError {
    fn is_of_store(&self) -> bool {
        match self {
            Self::Database(_) => true,
            Self::Evidence(error) => error.is_of_store(),
            Self::Request { .. } => false,
        }
    }
}

impl KnowledgeBase {
    /// The stores in use.
    pub(super) fn stores(&self) -> &Stores {
        self.renewed.get().unwrap_or(&self.stores)
    }

    /// Runs `ask` on the stores. If a store fails, or its files were modified since they were opened, reopens or rebuilds the
    /// stores, at most once per open knowledge base, and runs `ask` again: damaged stores may fail, panic or return anything.
    pub(super) fn with_stores<T, E: StoreFailure>(&self, mut ask: impl FnMut(&Stores) -> Result<T, E>) -> Result<T, E> {
        let answer = catch_unwind(AssertUnwindSafe(|| ask(self.stores())));
        let failed = matches!(&answer, Ok(Err(error)) if error.is_of_store());
        if self.renewed.get().is_none()
            && (failed || answer.is_err() || self.stores.are_modified())
            && let Some(stores) = self.replacement_stores(failed)
        {
            return ask(self.renewed.get_or_init(|| stores));
        }
        answer.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Replacements for stores that failed, panicked or were modified; `None` where the stores are intact, so that new
    /// ones would not help.
    fn replacement_stores(&self, failed: bool) -> Option<Stores> {
        self.stores.folder()?;
        if failed || !self.stores.are_intact() {
            return Stores::rebuild(&self.root, &self.cache).ok();
        }
        if self.stores.are_modified() { self.stores.reopen() } else { None }
    }
}

/// The contents of the stores, and when and from what they were built.
#[derive(Debug, Clone, Serialize)]
pub struct StoresStatus {
    /// Number of measurements and entities.
    #[serde(flatten)]
    pub counts: Counts,
    /// The folder of the files.
    pub knowledge_base: String,
    /// Hash of the files' content.
    pub content: String,
    /// The folder of the stores, or `memory`.
    pub stores: String,
    /// When the stores were built, in UTC to the second.
    pub built_at: Option<String>,
    /// Whether this process built them.
    pub built_now: bool,
}

impl StoresStatus {
    pub(super) fn of(root: &Path, stores: &Stores) -> Result<Self, DatabaseError> {
        let root = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let (place, built_at, built_now) = match &stores.built {
            BuiltFrom::Cache { folder, fresh } => {
                let built = std::fs::metadata(folder).and_then(|meta| meta.modified()).ok();
                (folder.display().to_string(), built, !fresh)
            }
            BuiltFrom::Memory { .. } => ("memory".to_owned(), Some(SystemTime::now()), true),
        };
        Ok(Self {
            counts: stores.database.counts()?,
            knowledge_base: root.display().to_string(),
            content: stores.content.clone(),
            stores: place,
            built_at: built_at
                .and_then(|time| jiff::Timestamp::try_from(time).ok())
                .and_then(|time| time.round(jiff::Unit::Second).ok())
                .map(|time| time.to_string()),
            built_now,
        })
    }
}
