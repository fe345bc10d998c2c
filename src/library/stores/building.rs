//! How far this process is with building stores, for whoever waits at a terminal.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Builds that are going on.
static BUILDS: AtomicUsize = AtomicUsize::new(0);
/// Rows that the index has taken.
static INDEXED: AtomicUsize = AtomicUsize::new(0);
/// Rows that it will have; 0 as long as files are read.
static ROWS: AtomicUsize = AtomicUsize::new(0);

/// How far a build is: `indexed` of `rows` rows, both 0 as long as files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildProgress {
    /// Rows that the index has taken.
    pub indexed: usize,
    /// Rows that it will have.
    pub rows: usize,
}

/// How far this process is with building stores, which takes some seconds; `None` where it builds none.
pub fn build_progress() -> Option<BuildProgress> {
    let is_building = BUILDS.load(Ordering::Relaxed) > 0;
    let progress = || BuildProgress { indexed: INDEXED.load(Ordering::Relaxed), rows: ROWS.load(Ordering::Relaxed) };
    is_building.then(progress)
}

/// The index has taken so many rows of all.
pub(super) fn indexed(row: usize, rows: usize) {
    INDEXED.store(row, Ordering::Relaxed);
    ROWS.store(rows, Ordering::Relaxed);
}

/// A build, counted until it ends.
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
