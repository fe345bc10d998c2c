//! The same tests on a real Slurm with two nodes on this machine: `make test-slurm`.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

use tempfile::TempDir;

use super::Bench;
use crate::REPOSITORY;

/// A real cluster, if requested and available; otherwise prints a conspicuous message.
fn cluster() -> Option<Cluster> {
    let not_tested = |why: &str| eprintln!("*** NOT TESTED: jobs on a real Slurm: {why}");
    if std::env::var_os("DLBENCH_TEST_SLURM").is_none() {
        not_tested("`make test-slurm` starts one");
        return None;
    }
    Cluster::real().map_err(|why| not_tested(why.trim())).ok()
}

/// Twenty configurations as jobs; the submitting process, a job and a node's daemon are killed meanwhile.
#[test]
fn real_slurm_nothing_is_lost_by_whatever_is_killed() {
    let Some(cluster) = cluster() else { return };
    let bench = Bench::new(cluster, "1, 2, 3, 4, 5", 1.5);
    let mut submitting = bench.start("");
    bench.wait_for("two rows", || bench.rows().len() >= 2);
    submitting.kill().expect("it lives");
    submitting.wait().expect("it ended");
    let before = bench.rows().len();
    // Jobs continue without it; the next submitting process collects their results.
    thread::sleep(Duration::from_secs(5));
    let mut submitting = bench.start("");
    bench.wait_for("more rows", || bench.rows().len() > before + 1);

    // Kill a job: its script and all its processes.
    let of_spool = format!("--name={}", job_name(&bench));
    let running = || bench.cluster.asked(&["squeue", "--noheader", "--states=RUNNING", &of_spool, "--format=%A"]);
    bench.wait_for("a running job", || !running().is_empty());
    let job = running().lines().next().expect("one runs").trim().to_owned();
    assert_eq!(bench.cluster.script("end", &[&job]), "");

    // Kill a node's daemon with all its processes; the node comes back later. Slurm delays a requeued job by two minutes, which the
    // test shortens.
    let log = || fs::read_to_string(bench.kb.path("submitting.txt")).expect("its words");
    bench.wait_for("the killed job to be submitted again", || log().contains("1 of them again"));
    assert_eq!(bench.cluster.script("lose", &["node1"]), "");
    let node = || bench.cluster.asked(&["sinfo", "--noheader", "--nodes=node1", "--format=%T"]);
    bench.wait_for("the loss of node1", || node().starts_with("down"));
    assert_eq!(bench.cluster.script("node", &["node1"]), "");
    let delayed = || bench.cluster.asked(&["squeue", "--noheader", "--array", &of_spool, "--format=%i %r"]);
    bench.wait_for("the job of node1", || delayed().contains("BeginTime"));
    let requeued =
        delayed().lines().find_map(|line| line.trim().strip_suffix(" BeginTime").map(str::to_owned)).expect("its id");
    bench.cluster.asked(&["scontrol", "update", &format!("JobId={requeued}"), "StartTime=now"]);

    let status = submitting.wait().expect("it ends");
    let log = log();
    assert_eq!(status.code(), Some(0), "{log}");
    bench.has_everything_once(20);
    let attempts = |job: usize| fs::read_to_string(bench.spools()[0].join(format!("jobs/{job}/attempts"))).unwrap();
    let all: Vec<String> = (0..20).map(attempts).collect();
    assert!(all.iter().any(|attempts| attempts.contains("restart 1")), "the job of the lost node began anew: {all:#?}");
    assert!(all.iter().any(|attempts| attempts.contains("node1")), "{all:#?}");
    assert!(all.iter().any(|attempts| attempts.contains("node2")), "{all:#?}");
    println!("{log}");
}

/// Nothing is lost at a job's time limit: it is notified a minute before, and the next job measures the rest.
#[test]
fn real_slurm_takes_the_options_and_refuses_wrong_ones() {
    let Some(cluster) = cluster() else { return };
    let bench = Bench::new(cluster, "1", 0.3);
    let wrong = bench.run("", &["--sbatch=--partition=nowhere"]);
    assert_eq!(wrong.code, 2, "{wrong:#?}");
    assert!(wrong.stderr.contains("sbatch failed: ") && wrong.stderr.contains("partition"), "{}", wrong.stderr);
    let right =
        bench.run("", &["--sbatch=--time=5", "--slurm-setup=export GREETING=hello", "--slurm-setup=echo $GREETING"]);
    assert_eq!(right.code, 0, "{right:#?}");
    bench.has_everything_once(4);
    let log = fs::read_to_string(bench.spools()[0].join("logs/1_0.txt")).expect("a log");
    assert!(log.starts_with("hello\n"), "{log}");
}

/// The name of the jobs in the queue.
fn job_name(bench: &Bench) -> String {
    let spool = bench.spools().pop().expect("a spool");
    format!("dlbench-{}.0", spool.file_name().expect("a name").to_string_lossy())
}

/// A cluster that is stopped when this is dropped.
pub(super) struct Cluster {
    folder: TempDir,
    is_real: bool,
}

impl Cluster {
    /// Fake programs with the names of Slurm's.
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

    /// Starts a Slurm with two nodes; the error says why it cannot.
    pub fn real() -> Result<Self, String> {
        let folder = TempDir::new().expect("a temporary folder");
        let cluster = Self { folder, is_real: true };
        let started = cluster.script("start", &[]);
        if started.is_empty() { Ok(cluster) } else { Err(started) }
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Orders what happens to a running task of the fake cluster, and how often, once a file matching the pattern exists.
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

    /// The output of one of Slurm's programs.
    pub fn asked(&self, words: &[&str]) -> String {
        let mut command = Command::new(words[0]);
        self.around(&mut command);
        let output = command.args(&words[1..]).output().expect("it starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs the script of the real cluster; returns its errors.
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
