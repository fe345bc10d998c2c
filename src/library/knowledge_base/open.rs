//! A knowledge base: how it is opened, what its stores hold, and what happens if they are damaged.

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
    /// Where its stores are kept.
    pub(super) cache: PathBuf,
    pub(super) stores: Stores,
    /// Those that were built when the others turned out to be damaged.
    pub(super) renewed: OnceCell<Stores>,
    /// Where its files lie for this process alone, when it came as one file and the cache could not be used.
    pub(super) unpacked: Option<TempDir>,
}

/// What is made of the stores that the cache holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// They are used where they are fresh.
    Cached,
    /// They are built from nothing.
    Rebuilt,
    /// They are compared with their checksums first; what is damaged is built anew.
    Verified,
}

impl KnowledgeBase {
    /// The folder of the knowledge base: the one that is named, else the one that the environment names in `DLBENCH_KB`,
    /// else the nearest folder at or above the working directory that has both `catalog/` and `measurements/`.
    ///
    /// # Errors
    ///
    /// When the folder that is named is none, or none is found.
    pub fn locate(named: Option<&Path>) -> Result<PathBuf, LocateError> {
        let environment = std::env::var_os("DLBENCH_KB").filter(|path| !path.is_empty()).map(PathBuf::from);
        locate(named, environment.as_deref(), std::env::current_dir)
    }

    /// Opens the knowledge base at `root`, the folder that holds `catalog/` and `measurements/`. What is derived from
    /// its files is kept in the user's cache folder and built again when a file has changed. Files with mistakes are left
    /// out: [`skipped`](Self::skipped) names them.
    ///
    /// # Errors
    ///
    /// When the folders cannot be listed, or `catalog/kb.toml` has a mistake.
    pub fn open(root: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::open_with_cache(root, default_cache())
    }

    /// The same with another cache folder.
    pub fn open_with_cache(root: impl AsRef<Path>, cache: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::open_as(Opening::Cached, root.as_ref(), cache.as_ref())
    }

    /// The same, saying what is made of the stores in the cache.
    pub fn open_as(opening: Opening, root: &Path, cache: &Path) -> Result<Self, OpenError> {
        let stores = match opening {
            Opening::Cached => Stores::open(root, cache)?,
            Opening::Rebuilt => Stores::rebuild(root, cache)?,
            Opening::Verified => Stores::verified(root, cache)?,
        };
        Ok(Self::of(stores, root, cache))
    }

    /// The same knowledge base once more, for another thread: it gives the same answers, whatever has become of the files since.
    /// `None` where its stores are kept nowhere, or the cache has lost them.
    pub fn another(&self) -> Option<Self> {
        if self.unpacked.is_some() {
            return None;
        }
        Some(Self::of(self.stores().another()?, &self.root, &self.cache))
    }

    /// Leaves what is open to the end of the process, which the system comes to sooner than this program would close it all.
    pub fn leave_open(self) {
        std::mem::forget((self.stores, self.renewed));
    }

    pub(super) fn of(stores: Stores, root: &Path, cache: &Path) -> Self {
        Self { root: root.to_owned(), cache: cache.to_owned(), stores, renewed: OnceCell::new(), unpacked: None }
    }

    /// What changes when other stores take the place of those in the cache, though the content be the same; `None` where nothing
    /// is kept.
    pub fn stores_stamp(&self) -> Option<String> {
        self.stores().stamp()
    }

    /// Why the cache could not be used, so that everything was built in memory; `None` when it was used.
    pub fn cache_failure(&self) -> Option<&str> {
        match &self.stores().built {
            BuiltFrom::Memory { why } => Some(why),
            BuiltFrom::Cache { .. } => None,
        }
    }

    /// Files with mistakes: no answer uses them, nor measurements of what they describe.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn skipped(&self) -> Result<Vec<SkippedFile>, DatabaseError> {
        self.asked(|stores| stores.database.skipped())
    }

    /// What the stores hold, and when and from what they were built.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn status(&self) -> Result<StoresStatus, DatabaseError> {
        self.asked(|stores| StoresStatus::of(&self.root, stores))
    }

    /// Hash of the content of the files: the same content has the same hash, wherever the files lie.
    pub fn content(&self) -> &str {
        &self.stores().content
    }

    /// How many measurements there are, and how many entities of each kind.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn counts(&self) -> Result<Counts, DatabaseError> {
        self.asked(|stores| stores.database.counts())
    }

    /// The folder that holds the files.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// Where derived stores are kept unless said otherwise: `DLBENCH_CACHE`, else `dlbench` in the user's cache folder, else
/// in the system's folder for temporary files.
pub fn default_cache() -> PathBuf {
    match std::env::var_os("DLBENCH_CACHE") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => dirs::cache_dir().unwrap_or_else(std::env::temp_dir).join("dlbench"),
    }
}

/// An error of which it can be told whether a store failed rather than the question.
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
    /// The stores that answer.
    pub(super) fn stores(&self) -> &Stores {
        self.renewed.get().unwrap_or(&self.stores)
    }

    /// Asks the stores. Where one fails, or their files were written to since they were opened, they are opened or built again,
    /// once for as long as the knowledge base is open, and asked again: what is damaged may fail, panic or tell anything.
    pub(super) fn asked<T, E: StoreFailure>(&self, mut ask: impl FnMut(&Stores) -> Result<T, E>) -> Result<T, E> {
        let answer = catch_unwind(AssertUnwindSafe(|| ask(self.stores())));
        let failed = matches!(&answer, Ok(Err(error)) if error.is_of_store());
        if self.renewed.get().is_none()
            && (failed || answer.is_err() || self.stores.are_touched())
            && let Some(stores) = self.mended(failed)
        {
            return ask(self.renewed.get_or_init(|| stores));
        }
        answer.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Stores in the place of those that failed, panicked or were touched; `None` where these are as they were written, so that
    /// others would do no better.
    fn mended(&self, failed: bool) -> Option<Stores> {
        self.stores.folder()?;
        if failed || !self.stores.are_whole() {
            return Stores::rebuild(&self.root, &self.cache).ok();
        }
        if self.stores.are_touched() { self.stores.another() } else { None }
    }
}

/// What the stores hold, and when and from what they were built.
#[derive(Debug, Clone, Serialize)]
pub struct StoresStatus {
    /// How many measurements and entities there are.
    #[serde(flatten)]
    pub counts: Counts,
    /// The folder of the files.
    pub knowledge_base: String,
    /// Hash of their content.
    pub content: String,
    /// The folder of the stores, or `memory`.
    pub stores: String,
    /// When they were built, in UTC to the second.
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
