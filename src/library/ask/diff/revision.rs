//! A knowledge base as a revision of its repository has it.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::ChangesError;
use crate::reading::{self, FileFault, KbFile, Loaded, kind_of};

/// Reads it from git without touching the working tree.
pub(super) fn at_revision(root: &Path, revision: &str) -> Result<Loaded, ChangesError> {
    // Paths are relative to the knowledge base, wherever in the repository it is.
    let listing =
        git(root, &["ls-tree", "-r", "-z", "--end-of-options", revision, "--", "catalog", "measurements"], b"")?;
    let mut blobs: Vec<(PathBuf, String)> = Vec::new();
    for entry in listing.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
        let entry = String::from_utf8_lossy(entry);
        let Some((meta, path)) = entry.split_once('\t') else { continue };
        let mut words = meta.split(' ');
        let hidden = path.split('/').any(|part| part.starts_with('.') || part.ends_with('~'));
        if let (Some("100644" | "100755"), Some("blob"), Some(hash), false) =
            (words.next(), words.next(), words.next(), hidden)
        {
            blobs.push((PathBuf::from(path), hash.to_owned()));
        }
    }
    let asked: String = blobs.iter().map(|(_, hash)| format!("{hash}\n")).collect();
    let contents = git(root, &["cat-file", "--batch"], asked.as_bytes())?;
    let mut texts: BTreeMap<PathBuf, Result<String, FileFault>> = BTreeMap::new();
    let mut rest = contents.as_slice();
    for (path, _) in &blobs {
        // `<hash> blob <length>`, the content, a line end.
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

/// What git prints.
fn git(root: &Path, args: &[&str], input: &[u8]) -> Result<Vec<u8>, ChangesError> {
    let failed = |why: String| ChangesError::Git { command: args.join(" "), why };
    let mut child = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    let (asks, answers) = (child.stdin.take(), child.stdout.take());
    let mut printed = Vec::new();
    // It prints while it is still asked.
    let asked = std::thread::scope(|scope| {
        let writing = scope.spawn(move || asks.map_or(Ok(()), |mut asks| asks.write_all(input)));
        let read = answers.map_or(Ok(0), |mut answers| answers.read_to_end(&mut printed));
        writing.join().map_or(Ok(()), |written| written).and(read.map(|_| ()))
    });
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    asked.map_err(|error| failed(error.to_string()))?;
    Ok(printed)
}
