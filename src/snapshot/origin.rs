//! What a snapshot was made from.

use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

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
        let git = |arguments: &[&str]| {
            // The settings of a checkout may name a program that git starts to learn which files have changed.
            let unwatched = ["-c", "core.fsmonitor=false"];
            let out = Command::new("git").arg("-C").arg(root).args(unwatched).args(arguments).output().ok()?;
            let text = String::from_utf8(out.stdout).ok().filter(|_| out.status.success())?;
            Some(text.trim().to_owned())
        };
        // A knowledge base in a folder of somebody's other repository is not of that repository's commits.
        if git(&["rev-parse", "--show-prefix"]).is_none_or(|prefix| !prefix.is_empty()) {
            return Self::default();
        }
        let of_files = ["status", "--porcelain", "--", crate::FOLDERS[0], crate::FOLDERS[1]];
        let dirty = git(&of_files).is_none_or(|changed| !changed.is_empty());
        Self {
            date: git(&["log", "-1", "--format=%cs"]).filter(|date| !date.is_empty()),
            commit: git(&["rev-parse", "--short=10", "HEAD"])
                .map(|commit| if dirty { format!("{commit}-dirty") } else { commit }),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_program_that_a_checkout_names_is_run() {
        let folder = tempfile::TempDir::new().unwrap();
        let git =
            |arguments: &[&str]| Command::new("git").arg("-C").arg(folder.path()).args(arguments).output().unwrap();
        let ran = folder.path().join("ran");
        std::fs::create_dir(folder.path().join("catalog")).unwrap();
        std::fs::write(folder.path().join("catalog/kb.toml"), "schema = 1\n").unwrap();
        git(&["init", "-q"]);
        git(&["add", "catalog"]);
        git(&["config", "core.fsmonitor", &format!("touch {}; false", ran.display())]);
        git(&["status", "--porcelain"]);
        assert!(ran.exists(), "what is tested is there");
        std::fs::remove_file(&ran).unwrap();
        let _ = Origin::of(folder.path());
        assert!(!ran.exists());
    }
}
