//! Loads a knowledge base from a revision of its repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dlbench_snapshot::listed_files;

use super::ChangesError;
use crate::reading::{self, FileFault, KbFile, Loaded, kind_of};

/// Loads the revision from git without touching the working tree.
pub(super) fn at_revision(root: &Path, revision: &str) -> Result<Loaded, ChangesError> {
    // Paths are relative to the knowledge base, wherever in the repository it is.
    let listing =
        git(root, &["ls-tree", "-r", "-z", "--end-of-options", revision, "--", "catalog", "measurements"], b"")?;
    let is_hidden = |path: &str| path.split('/').any(|part| part.starts_with('.') || part.ends_with('~'));
    let blobs: Vec<(PathBuf, String)> = listed_files(&listing)
        .into_iter()
        .filter(|(path, _)| !is_hidden(path))
        .map(|(path, hash)| (PathBuf::from(path), hash))
        .collect();
    let asked: String = blobs.iter().map(|(_, hash)| format!("{hash}\n")).collect();
    let contents = git(root, &["cat-file", "--batch"], asked.as_bytes())?;
    let mut texts: BTreeMap<PathBuf, Result<String, FileFault>> = BTreeMap::new();
    let mut rest = contents.as_slice();
    for (path, _) in &blobs {
        // Each record is `<hash> blob <length>`, the content, and a newline.
        let Some(line) = rest.iter().position(|byte| *byte == b'\n') else { break };
        let head = String::from_utf8_lossy(&rest[..line]);
        let length: usize = head.rsplit(' ').next().and_then(|length| length.parse().ok()).unwrap_or(0);
        let content = rest.get(line + 1..line + 1 + length).unwrap_or_default();
        texts.insert(path.clone(), reading::decoded(content.to_vec()));
        rest = rest.get(line + 2 + length..).unwrap_or_default();
    }
    let files: Vec<KbFile> = texts
        .iter()
        .map(|(path, text)| KbFile {
            kind: kind_of(path),
            path: path.clone(),
            len: text.as_ref().map_or(0, |text| text.len() as u64),
            stamp: [0; 3],
        })
        .collect();
    Ok(reading::load_texts(&files, |file| match &file.kind {
        reading::FileKind::Misplaced(fault) => Err(fault.clone()),
        _ => texts[&file.path].clone(),
    }))
}

/// The output of a git command.
fn git(root: &Path, args: &[&str], input: &[u8]) -> Result<Vec<u8>, ChangesError> {
    dlbench_snapshot::git(root, args, input).map_err(|why| ChangesError::Git { command: args.join(" "), why })
}
