//! The origin of a snapshot, from git; the checkout may be untrusted. Also lists the files that a snapshot packs.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use crate::FOLDERS;

/// The commit that a snapshot was made from; unknown fields are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The date of the commit, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The commit hash, abbreviated to ten digits, with the suffix `-dirty` if files differ from the commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

impl Origin {
    /// Reads the origin from the checkout whose top folder is `root`; empty if git is missing or `root` is not such a folder.
    pub fn of(root: &Path) -> Self {
        let said =
            |arguments: &[&str]| Some(String::from_utf8(git(root, arguments, b"").ok()?).ok()?.trim().to_owned());
        // A knowledge base in a subfolder of another repository does not belong to that repository's commits.
        if said(&["rev-parse", "--show-prefix"]).is_none_or(|prefix| !prefix.is_empty()) {
            return Self::default();
        }
        Self {
            date: said(&["log", "-1", "--format=%cs"]).filter(|date| !date.is_empty()),
            commit: said(&["rev-parse", "--short=10", "HEAD"])
                .map(|commit| if is_as_committed(root) { commit } else { format!("{commit}-dirty") }),
        }
    }
}

/// Whether the files to be packed are byte for byte those of the commit. `git status` is not used because it compares files after
/// the filters of the checkout, and filters are programs.
fn is_as_committed(root: &Path) -> bool {
    let committed = git(root, &["ls-tree", "-r", "-z", "HEAD", "--", crate::FOLDERS[0], crate::FOLDERS[1]], b"");
    let (Ok(committed), Ok(here)) = (committed, files(root)) else { return false };
    // `hash-object --stdin-paths` would read such a name as a different path.
    if here.keys().any(|path| path.contains(['\n', '\r', '"'])) {
        return false;
    }
    let is_hidden = |path: &str| path.split('/').any(|part| part.starts_with('.'));
    let mut committed = listed_files(&committed);
    committed.retain(|(path, _)| !is_hidden(path));
    committed.sort();
    let asked: String = here.keys().map(|path| format!("{path}\n")).collect();
    let Ok(hashes) = git(root, &["hash-object", "--no-filters", "--stdin-paths"], asked.as_bytes()) else {
        return false;
    };
    let hashes = String::from_utf8_lossy(&hashes);
    let mut hashes = hashes.lines();
    here.len() == committed.len()
        && here.keys().zip(&committed).all(|(path, (name, hash))| path == name && hashes.next() == Some(hash))
}

impl Origin {
    /// Whether date and commit have the format that [`Origin::of`] writes. A snapshot's own claims are shown to users, and dates
    /// are compared as strings.
    pub(crate) fn is_well_formed(&self) -> bool {
        let is_day = |date: &String| {
            date.len() == "2026-11-22".len()
                && date
                    .bytes()
                    .enumerate()
                    .all(|(at, b)| if matches!(at, 4 | 7) { b == b'-' } else { b.is_ascii_digit() })
        };
        let is_commit = |commit: &String| is_digest(commit.strip_suffix("-dirty").unwrap_or(commit));
        self.date.as_ref().is_none_or(is_day) && self.commit.as_ref().is_none_or(is_commit)
    }
}

/// Whether a string can be a commit hash or an abbreviation of one.
pub(crate) fn is_digest(text: &str) -> bool {
    (4..=64).contains(&text.len()) && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

impl std::fmt::Display for Origin {
    /// `of 2026-11-22 (commit c0f74a5bb1)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.date, &self.commit) {
            (Some(date), Some(commit)) => write!(f, "of {date} (commit {commit})"),
            (Some(date), None) => write!(f, "of {date}"),
            (None, Some(commit)) => write!(f, "of commit {commit}"),
            (None, None) => f.write_str("of an unknown day"),
        }
    }
}

/// Settings that override those of the checkout, because they may name programs: a file-system monitor, hooks, a signature
/// checker. The last one makes git ignore a bare repository that lies among the files of another repository.
const SETTINGS: &[&str] =
    &["core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false", "safe.bareRepository=explicit"];

/// Runs git on the checkout that contains `root`, with `input` on standard input, and returns its output. No program named by the
/// checkout runs and nothing is fetched, provided that the git command itself converts no files: `status`, `diff` and `add` run the
/// filters of a checkout; `rev-parse`, `log --format`, `ls-tree`, `cat-file` and `hash-object --no-filters` do not.
///
/// # Errors
///
/// The system's message if git cannot be run, or git's own message if it fails.
pub fn git(root: &Path, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let mut git = Command::new("git");
    git.arg("--no-pager").arg("-C").arg(root);
    for setting in SETTINGS {
        git.args(["-c", setting]);
    }
    // git would fetch a missing object, through a program that the checkout may name. Older versions know only the second variable.
    git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
    git.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = git.spawn().map_err(|error| error.to_string())?;
    let (asks, answers) = (child.stdin.take(), child.stdout.take());
    let mut printed = Vec::new();
    // git writes output while it still reads input, so write and read concurrently.
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

/// Parses the output of `git ls-tree -r -z` into paths and content hashes. Symbolic links and submodules are not files and are
/// skipped.
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

/// The files that a snapshot of `root` contains, keyed by their paths in the snapshot.
pub(crate) fn files(root: &Path) -> Result<BTreeMap<String, PathBuf>, PackError> {
    let mut files = BTreeMap::new();
    for folder in FOLDERS {
        collect(&root.join(folder), folder, &mut files)?;
    }
    Ok(files)
}

/// Adds the files below `folder`, keyed by paths that begin with `name`.
fn collect(folder: &Path, name: &str, files: &mut BTreeMap<String, PathBuf>) -> Result<(), PackError> {
    let unread = |path: &Path| {
        let path = path.to_owned();
        |error| PackError::Read { path, error }
    };
    for entry in fs::read_dir(folder).map_err(unread(folder))? {
        let entry = entry.map_err(unread(folder))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(unread(&path))?;
        let file_name = entry.file_name();
        let Some(file_name) = file_name.to_str() else { return Err(PackError::Name { path }) };
        let name = format!("{name}/{file_name}");
        if file_name.starts_with('.') {
            continue;
        } else if kind.is_dir() {
            collect(&path, &name, files)?;
        } else if kind.is_file() {
            files.insert(name, path);
        }
    }
    Ok(())
}

/// Why a knowledge base could not be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// The error from the system.
        #[source]
        error: io::Error,
    },
    /// A file name is not UTF-8, so an archive could not store it portably.
    #[error("the name of {} is not UTF-8", path.display())]
    Name {
        /// The path.
        path: PathBuf,
    },
    /// The archive could not be made.
    #[error("cannot pack: {0}")]
    Archive(#[from] io::Error),
    /// The manifest could not be written.
    #[error("cannot pack: {0}")]
    Manifest(#[from] serde_json::Error),
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;
    use std::process::Command;

    use super::*;

    /// A checkout whose settings name programs; each program leaves a file when it runs.
    struct Checkout {
        folder: tempfile::TempDir,
    }

    impl Checkout {
        fn new() -> Self {
            let checkout = Self { folder: tempfile::TempDir::new().unwrap() };
            for name in ["catalog", "measurements"] {
                fs::create_dir(checkout.path(name)).unwrap();
                fs::write(checkout.path(&format!("{name}/a.toml")), "schema = 1\n").unwrap();
            }
            checkout
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn git(&self, arguments: &[&str]) -> String {
            let mut git = Command::new("git");
            git.arg("-C").arg(self.folder.path());
            git.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"]);
            String::from_utf8(git.args(arguments).output().unwrap().stdout).unwrap()
        }

        /// Whether a program named by a setting has run since the last call.
        fn ran(&self) -> bool {
            fs::remove_file(self.path("ran")).is_ok()
        }

        fn name_programs(&self, settings: &[&str]) {
            let program = self.path("program");
            fs::write(&program, format!("#!/bin/sh\ntouch '{}'\nexit 1\n", self.path("ran").display())).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            for setting in settings {
                self.git(&["config", setting, program.to_str().unwrap()]);
            }
        }
    }

    #[test]
    fn no_program_that_a_checkout_names_is_run() {
        let checkout = Checkout::new();
        checkout.git(&["init", "-q"]);
        checkout.git(&["add", "."]);
        checkout.git(&["commit", "-q", "-m", "a"]);
        assert!(Origin::of(checkout.folder.path()).commit.is_some_and(|commit| !commit.ends_with("-dirty")));
        checkout.name_programs(&["core.fsmonitor", "filter.x.clean", "filter.x.process"]);
        fs::write(checkout.path(".gitattributes"), "* filter=x\n").unwrap();
        // A different modification time, so that git would compare the content.
        let changed = fs::File::options().write(true).open(checkout.path("catalog/a.toml")).unwrap();
        changed.set_modified(std::time::UNIX_EPOCH).unwrap();
        let origin = Origin::of(checkout.folder.path());
        assert!(!checkout.ran());
        assert!(origin.commit.is_some_and(|commit| !commit.ends_with("-dirty")), "its content is the same");
        checkout.git(&["status", "--porcelain"]);
        assert!(checkout.ran(), "what is tested is there");
        fs::write(checkout.path("measurements/b.toml"), "").unwrap();
        let origin = Origin::of(checkout.folder.path());
        assert!(!checkout.ran() && origin.commit.is_some_and(|commit| commit.ends_with("-dirty")), "a new file");
    }

    #[test]
    fn no_signature_is_tested_and_nothing_is_fetched() {
        let checkout = Checkout::new();
        checkout.git(&["init", "-q"]);
        checkout.git(&["add", "."]);
        checkout.git(&["commit", "-q", "-m", "a"]);
        let signature = "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n\n";
        let signed = checkout.git(&["cat-file", "commit", "HEAD"]).replacen("\n\n", signature, 1);
        fs::write(checkout.path("commit"), signed).unwrap();
        let commit = checkout.git(&["hash-object", "-t", "commit", "-w", "commit"]);
        checkout.git(&["reset", "-q", "--soft", commit.trim()]);
        checkout.name_programs(&["gpg.program", "remote.there.uploadpack"]);
        for (setting, value) in [
            ("log.showSignature", "true"),
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", "there"),
            ("remote.there.promisor", "true"),
            ("remote.there.url", "/"),
            ("protocol.file.allow", "always"),
        ] {
            checkout.git(&["config", setting, value]);
        }
        let tree = checkout.git(&["rev-parse", "HEAD:catalog"]);
        let (folder, name) = tree.trim().split_at(2);
        fs::remove_file(checkout.path(".git/objects").join(folder).join(name)).unwrap();
        let origin = Origin::of(checkout.folder.path());
        assert!(!checkout.ran());
        assert!(origin.date.is_some() && origin.commit.is_some_and(|commit| commit.ends_with("-dirty")), "not known");
        for what_is_tested in [&["log", "-1"][..], &["ls-tree", "-r", "HEAD"]] {
            checkout.git(what_is_tested);
            assert!(checkout.ran(), "{what_is_tested:?}");
        }
    }

    #[test]
    fn files_of_a_folder_that_look_like_a_repository_are_none() {
        let checkout = Checkout::new();
        checkout.git(&["init", "-q", "--bare", "."]);
        fs::write(checkout.path("config"), "[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\n")
            .unwrap();
        let inside = ["--git-dir=.", "--work-tree=."];
        checkout.git(&[&inside[..], &["add", "-f", "catalog", "measurements"]].concat());
        checkout.git(&[&inside[..], &["commit", "-q", "-m", "a"]].concat());
        assert_ne!(checkout.git(&["rev-parse", "HEAD"]), "", "what is tested is there");
        assert_eq!(Origin::of(checkout.folder.path()), Origin::default());
    }
}
