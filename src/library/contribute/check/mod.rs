//! What is wrong with a knowledge base, or with some of its files; and mending what can be mended by itself.

mod column_heads;
mod error;
mod exceptions;
mod format;
mod root_cause;
mod run;
#[cfg(test)]
mod samples;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::contribute::rule_interface::LintOptions;
use crate::model::{Code, Diagnostic, Fix, Severity};
use crate::reading::{self, KbFile, Loaded, ReadError, kind_of, load_with, rewrite};
pub use error::FixError;
pub use format::{FormatReport, format};
pub use run::run_rules;

/// The code of a file that is not in canonical form: written last, because other fixes change the text.
const FORM: Code = Code::new(501);

/// Fixes can uncover further ones; after so many rounds something turns in a circle.
const MOST_ROUNDS: usize = 8;

/// What was checked and what was found.
#[derive(Debug)]
pub struct CheckReport {
    /// The findings, by path and place.
    pub findings: Vec<Diagnostic>,
    /// Files that were asked about.
    pub files: usize,
    /// Measurements in them.
    pub measurements: usize,
    /// Everything that was read.
    pub loaded: Loaded,
}

impl CheckReport {
    /// How many findings of a severity there are.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Checks the knowledge base at `root`, or only those of its files that are among `paths` (relative to `root`; a folder
/// means the files in it). Everything is read and compared all the same, so that a file's findings are those of the whole.
///
/// # Errors
///
/// When the folders cannot be listed.
pub fn check(root: &Path, paths: &[PathBuf], options: &LintOptions) -> Result<CheckReport, ReadError> {
    let files = reading::list(root)?;
    if paths.is_empty() {
        let loaded = reading::load(root, &files);
        return Ok(report(loaded, &LintOptions { whole: true, ..options.clone() }, |_| true));
    }
    let asked: BTreeSet<PathBuf> = files
        .iter()
        .map(|file| file.path.clone())
        .filter(|file| paths.iter().any(|path| file.starts_with(path)))
        .collect();
    let loaded = reading::load(root, &files);
    let options = LintOptions { whole: true, texts: Some(asked.clone()), ..options.clone() };
    Ok(report(loaded, &options, |path| asked.contains(path)))
}

/// Checks the knowledge base at `root` as if the file at `path` held `text`, and tells of that file. Nothing is written.
///
/// # Errors
///
/// When the folders cannot be listed.
pub fn check_with(root: &Path, path: &Path, text: &str, options: &LintOptions) -> Result<Vec<Diagnostic>, ReadError> {
    let mut files: Vec<KbFile> = reading::list(root)?.into_iter().filter(|file| file.path != path).collect();
    files.push(KbFile { path: path.to_owned(), kind: kind_of(path), len: text.len() as u64, stamp: [0; 3] });
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let loaded = load_with(root, &files, path, text);
    let options = LintOptions { whole: true, texts: Some([path.to_owned()].into()), ..options.clone() };
    Ok(report(loaded, &options, |asked| asked == path).findings)
}

/// Checks what was loaded; `asked` tells of which files.
pub fn report(loaded: Loaded, options: &LintOptions, asked: impl Fn(&Path) -> bool) -> CheckReport {
    let mut findings = run_rules(&loaded, options);
    // What concerns two files is told with either.
    findings.retain(|finding| {
        asked(&finding.primary.file.path) || finding.related.iter().any(|place| asked(&place.file.path))
    });
    let files = loaded.files.iter().filter(|(file, _)| asked(&file.path)).count();
    let measurements = loaded.rows.iter().filter(|row| asked(&row.file().path)).count();
    CheckReport { findings, files, measurements, loaded }
}

/// Makes every change that mends a finding by itself, again and again until none is left; each file is written whole or
/// not at all. The paths that were changed.
///
/// # Errors
///
/// When the folders cannot be listed or a file cannot be written; files before it are complete.
pub fn fix(root: &Path, paths: &[PathBuf], options: &LintOptions) -> Result<BTreeSet<PathBuf>, FixError> {
    let mut changed = BTreeSet::new();
    for _ in 0..MOST_ROUNDS {
        let found = check(root, paths, options)?;
        let mut by_file: BTreeMap<&Path, Vec<&Diagnostic>> = BTreeMap::new();
        for finding in found.findings.iter().filter(|finding| finding.fix.is_some()) {
            by_file.entry(&finding.primary.file.path).or_default().push(finding);
        }
        if by_file.is_empty() {
            break;
        }
        for (path, findings) in by_file {
            let other = findings.iter().any(|finding| finding.code != FORM);
            let fixes: Vec<&Fix> = findings
                .iter()
                .filter(|finding| (finding.code != FORM) == other)
                .filter_map(|finding| finding.fix.as_ref())
                .collect();
            let checked = &findings[0].primary.file.text;
            // What somebody wrote meanwhile is checked in the next round.
            let mended = |now: Option<&str>| (now == Some(checked)).then(|| together(&fixes).applied_to(checked));
            if rewrite(&root.join(path), mended)? {
                changed.insert(path.to_owned());
            }
        }
    }
    Ok(changed)
}

/// The changes that do not overlap, the first of those that do.
fn together(fixes: &[&Fix]) -> Fix {
    let mut edits: Vec<_> = fixes.iter().flat_map(|fix| fix.edits.iter().cloned()).collect();
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let mut end = 0;
    edits.retain(|(span, _)| {
        let free = span.start >= end;
        end = if free { span.end } else { end };
        free
    });
    Fix { title: String::new(), edits }
}
