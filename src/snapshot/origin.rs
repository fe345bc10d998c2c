//! What a snapshot was made from, asked of git about a checkout that may be of somebody else, and which files it holds.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use crate::FOLDERS;

/// What a snapshot was made from; what is not known is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The day of the commit, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The commit, abbreviated by git; with `-dirty` behind it where files differ from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

impl Origin {
    /// What git says of the checkout whose top is `root`; nothing where there is no git, or `root` is in no checkout.
    pub fn of(root: &Path) -> Self {
        let said =
            |arguments: &[&str]| Some(String::from_utf8(git(root, arguments, b"").ok()?).ok()?.trim().to_owned());
        // A knowledge base in a folder of somebody's other repository is not of that repository's commits.
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

/// Whether the files that a snapshot would hold are, byte for byte, those of the commit. `git status` would say it of the files as
/// the filters of the checkout make them, and these are programs.
fn is_as_committed(root: &Path) -> bool {
    let committed = git(root, &["ls-tree", "-r", "-z", "HEAD", "--", crate::FOLDERS[0], crate::FOLDERS[1]], b"");
    let (Ok(committed), Ok(here)) = (committed, files(root)) else { return false };
    // Of what has such a name git would look for another file.
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
    /// Whether day and commit look as [`Origin::of`] writes them. What a snapshot says of itself is shown to people, and days
    /// are compared as texts.
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

/// Whether a text can be the digest of a commit, or its beginning.
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

/// The files that a snapshot holds, by their paths in it.
pub(crate) fn files(root: &Path) -> Result<BTreeMap<String, PathBuf>, PackError> {
    let mut files = BTreeMap::new();
    for folder in FOLDERS {
        collect(&root.join(folder), folder, &mut files)?;
    }
    Ok(files)
}

/// The files below a folder by their paths, which begin with `name`.
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

/// A knowledge base could not be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A name is no text, so that no archive could name it everywhere.
    #[error("the name of {} is not UTF-8", path.display())]
    Name {
        /// Whose.
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

    /// A checkout whose settings name programs that note that they ran, in a folder.
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

        /// Whether what a setting names has run since this was asked last.
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
        // Its time is another one, so that git would look into it.
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
