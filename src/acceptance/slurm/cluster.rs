//! The clusters that jobs are handed to: a Slurm of a few lines, and a real one.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::REPOSITORY;

/// A cluster that goes when this goes.
pub(super) struct Cluster {
    folder: TempDir,
    is_real: bool,
}

impl Cluster {
    /// Programs that are called as Slurm's are.
    pub fn fake() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let program = Path::new(REPOSITORY).join("src/acceptance/slurm/fake_slurm.py");
        fs::create_dir(folder.path().join("orders")).expect("a folder");
        fs::create_dir(folder.path().join("bin")).expect("a folder");
        for name in ["sbatch", "squeue", "sacct"] {
            symlink(&program, folder.path().join("bin").join(name)).expect("a link");
        }
        Self { folder, is_real: false }
    }

    /// A Slurm of two nodes; where it cannot be had it is said why.
    pub fn real() -> Result<Self, String> {
        let folder = TempDir::new().expect("a temporary folder");
        let cluster = Self { folder, is_real: true };
        let started = cluster.script("start", &[]);
        if started.is_empty() { Ok(cluster) } else { Err(started) }
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// What befalls a running task of the fake cluster, and how often, as soon as a file of this pattern is there.
    pub fn order(&self, task: usize, what: &str, first: &Path) {
        fs::write(self.path("orders").join(task.to_string()), format!("{what} {}", first.display())).expect("an order");
    }

    /// Makes a command use this cluster and no other.
    pub fn around(&self, command: &mut Command) {
        if self.is_real {
            command.env("SLURM_CONF", self.path("slurm.conf"));
            return;
        }
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.path("bin").display())).env("FAKE_SLURM", self.folder.path());
    }

    /// What one of Slurm's own programs prints.
    pub fn asked(&self, words: &[&str]) -> String {
        let mut command = Command::new(words[0]);
        self.around(&mut command);
        let output = command.args(&words[1..]).output().expect("it starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs the script of the real cluster; what it complains of.
    pub fn script(&self, what: &str, more: &[&str]) -> String {
        let script = Path::new(REPOSITORY).join("src/acceptance/slurm/cluster.sh");
        let ended = Command::new(script).arg(what).arg(self.folder.path()).args(more).output().expect("bash starts");
        if ended.status.success() { String::new() } else { String::from_utf8_lossy(&ended.stderr).into_owned() }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if self.is_real {
            self.script("stop", &[]);
        }
    }
}
