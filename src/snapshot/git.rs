//! Asks git about a checkout that may be somebody else's.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

/// Settings that hold whatever those of the checkout say, since these may name programs: one that tells which files have changed,
/// one for each event, one that tests signatures. A repository among the files of another one is none that anybody made by `git`.
const SETTINGS: &[&str] =
    &["core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false", "safe.bareRepository=explicit"];

/// What git prints about the checkout that `root` is in, when it is given `input`. No program runs that the checkout names and
/// nothing is fetched, provided that the command itself converts no files: `status`, `diff` and `add` run the filters of a
/// checkout; `rev-parse`, `log --format`, `ls-tree`, `cat-file` and `hash-object --no-filters` do not.
///
/// # Errors
///
/// What the system said when there is no git, or what git said.
pub fn git(root: &Path, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let mut git = Command::new("git");
    git.arg("--no-pager").arg("-C").arg(root);
    for setting in SETTINGS {
        git.args(["-c", setting]);
    }
    // An object that is missing would be fetched, by a program that the checkout may name. Older versions know only the second.
    git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
    git.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = git.spawn().map_err(|error| error.to_string())?;
    let (asks, answers) = (child.stdin.take(), child.stdout.take());
    let mut printed = Vec::new();
    // It prints while it is still asked.
    let asked = std::thread::scope(|scope| {
        let writing = scope.spawn(move || asks.map_or(Ok(()), |mut asks| asks.write_all(input)));
        let read = answers.map_or(Ok(0), |mut answers| answers.read_to_end(&mut printed));
        writing.join().map_or(Ok(()), |written| written).and(read.map(|_| ()))
    });
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    asked.map_err(|error| error.to_string())?;
    Ok(printed)
}

/// The files that a listing of `git ls-tree -r -z` names: the path of each with the hash of its content. Links and other
/// repositories are no files.
pub fn listed_files(listing: &[u8]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in listing.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
        let entry = String::from_utf8_lossy(entry);
        let Some((meta, path)) = entry.split_once('\t') else { continue };
        let mut words = meta.split(' ');
        if let (Some("100644" | "100755"), Some("blob"), Some(hash)) = (words.next(), words.next(), words.next()) {
            files.push((path.to_owned(), hash.to_owned()));
        }
    }
    files
}
