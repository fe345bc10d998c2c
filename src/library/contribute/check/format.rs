//! Files in canonical form.

use std::path::{Path, PathBuf};

use super::error::FixError;
use crate::reading::{self, FileKind, canonical, rewrite};

/// What became of the files that were to be formatted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FormatReport {
    /// Those that changed, or would, in the order of their paths.
    pub changed: Vec<PathBuf>,
    /// Those that have no form, because they cannot be read as TOML or belong to no folder.
    pub left: Vec<PathBuf>,
    /// How many there are in all.
    pub files: usize,
}

/// Puts files into canonical form: all, or those among `paths` (relative to `root`). With `dry_run` nothing is written.
///
/// # Errors
///
/// When the folders cannot be listed, or a file cannot be written.
pub fn format(root: &Path, paths: &[PathBuf], dry_run: bool) -> Result<FormatReport, FixError> {
    let mut files = reading::list(root)?;
    files.retain(|file| paths.is_empty() || paths.iter().any(|path| file.path.starts_with(path)));
    let loaded = reading::load(root, &files);
    let mut report = FormatReport { files: files.len(), ..FormatReport::default() };
    for (listed, file) in &loaded.files {
        // What cannot be read as TOML has no form; the check tells what is wrong with it.
        let broken = matches!(listed.kind, FileKind::Misplaced(_)) || file.text.is_empty();
        let Some(formed) = canonical(&file.text, &listed.kind).filter(|_| !broken) else {
            report.left.push(listed.path.clone());
            continue;
        };
        if formed == file.text {
            continue;
        }
        report.changed.push(listed.path.clone());
        if !dry_run {
            // What somebody added meanwhile is formed with it.
            rewrite(&root.join(&listed.path), |now| canonical(now?, &listed.kind))?;
        }
    }
    Ok(report)
}
