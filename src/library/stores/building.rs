//! The progress of building stores in this process, for display in a terminal.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of builds in progress.
static BUILDS: AtomicUsize = AtomicUsize::new(0);
/// Number of rows indexed.
static INDEXED: AtomicUsize = AtomicUsize::new(0);
/// Number of rows to index; 0 while files are being read.
static ROWS: AtomicUsize = AtomicUsize::new(0);

/// Progress of a build: `indexed` of `rows` rows, both 0 while files are being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildProgress {
    /// Number of rows indexed.
    pub indexed: usize,
    /// Number of rows to index.
    pub rows: usize,
}

/// The progress of building stores in this process, which takes some seconds; `None` if no build is in progress.
pub fn build_progress() -> Option<BuildProgress> {
    let is_building = BUILDS.load(Ordering::Relaxed) > 0;
    let progress = || BuildProgress { indexed: INDEXED.load(Ordering::Relaxed), rows: ROWS.load(Ordering::Relaxed) };
    is_building.then(progress)
}

/// Records the number of rows indexed so far.
pub(super) fn indexed(row: usize, rows: usize) {
    INDEXED.store(row, Ordering::Relaxed);
    ROWS.store(rows, Ordering::Relaxed);
}

/// A build in progress, which counts until it is dropped.
pub(super) struct Building;

impl Building {
    pub(super) fn begins() -> Self {
        indexed(0, 0);
        BUILDS.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        BUILDS.fetch_sub(1, Ordering::Relaxed);
    }
}
