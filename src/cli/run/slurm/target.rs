//! Where what the jobs measure goes.

use std::path::{Path, PathBuf};

use dlbench::measure::{Gathering, TargetFolder};
use dlbench::values::EntityId;

/// Where what the jobs measure goes.
#[derive(Debug)]
pub(in crate::cli::run) struct Target<'t> {
    /// The plan's name.
    pub name: &'t str,
    /// The source that the rows belong to.
    pub source: &'t EntityId,
    /// The folder of the files.
    pub folder: &'t Path,
    /// The folder for drafts of device entries.
    pub drafts: &'t Path,
    /// Today.
    pub date: &'t str,
}

impl Target<'_> {
    /// The way in, to all files or to `own` ones alone.
    pub fn gathering<'g>(&'g self, own: Option<&'g [PathBuf]>) -> Gathering<'g> {
        let Self { name, source, folder, drafts, date } = *self;
        Gathering { target: TargetFolder { name, source, folder, date, own }, drafts }
    }
}
