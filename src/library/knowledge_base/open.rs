//! A knowledge base: where it lies, how it is opened, and what it holds.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::status::StoresStatus;
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
