//! The knowledge base that `dlbench pull` fetched.

use std::path::{Path, PathBuf};

use super::{KnowledgeBase, Opening, SnapshotError};
use crate::pull::{Installed, PulledFolder};

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
