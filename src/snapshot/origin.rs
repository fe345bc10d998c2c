//! What a snapshot was made from.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::git::{git, listed_files};
use crate::packed_files::files;

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

#[cfg(all(test, unix))]
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
