//! A plan as jobs of a cluster: submitted, watched and taken in, whatever is ended meanwhile. By a Slurm of a few lines everywhere, and by
//! a real one of two nodes where there is one (`make test-slurm`).

mod cluster;
mod fake;
mod real;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Dlbench, KbCopy, REPOSITORY, Ran};
use cluster::Cluster;

/// A knowledge base with a suite, the mock worker, and a cluster.
struct Bench {
    kb: KbCopy,
    dlbench: Dlbench,
    cluster: Cluster,
    /// How long each process of the worker is to take, s, about.
    seconds: f64,
}

impl Bench {
    /// With a suite of two networks at these batch sizes, in inference and in training.
    fn new(cluster: Cluster, batch_sizes: &str, seconds: f64) -> Self {
        let kb = KbCopy::new();
        kb.write("catalog/sources/dlbench-runs.toml", "name = \"Our runs\"\ntype = \"misc\"\n");
        let suite = "name = \"All\"\nprocesses = 2\n\n[[part]]\nnetworks = [\"deepnet-50\", \"deepnet-101\"]\nstages = [\"eval\", \"train\"]\n\
                     precisions = [\"fp32\"]\n";
        kb.write("catalog/suites/all.toml", format!("{suite}batch-sizes = [{batch_sizes}]\n"));
        let dlbench = kb.dlbench();
        Self { kb, dlbench, cluster, seconds }
    }

    fn command(&self, mischief: &str, more: &[&str]) -> Command {
        let pids = self.kb.path("pids");
        // A goal that is never reached: every process takes its share of the time.
        let worker = format!("python3 {REPOSITORY}/src/acceptance/mock_worker.py pids={} {mischief}", pids.display());
        let seconds = (2.0 * self.seconds).to_string();
        let common =
            ["run", "--suite", "all", "--slurm", "--device-id", "nova-100", "--wait", "0", "--worker", &worker];
        let limits = ["--goal", "0.000001", "--time-limit", &seconds];
        let mut command = self.dlbench.command(&[&common[..], &limits, more].concat());
        self.cluster.around(&mut command);
        command
    }

    fn run(&self, mischief: &str, more: &[&str]) -> Ran {
        self.dlbench.ran(self.command(mischief, more).output().expect("the program starts"))
    }

    /// Runs it beside the test.
    fn start(&self, mischief: &str) -> Child {
        let log = fs::File::options().create(true).append(true).open(self.kb.path("submitting.txt")).expect("a file");
        let mut command = self.command(mischief, &[]);
        command.stdout(Stdio::null()).stderr(log).spawn().expect("the program starts")
    }

    fn files(&self) -> Vec<PathBuf> {
        let listed = fs::read_dir(self.kb.path("measurements/dlbench-runs")).into_iter().flatten();
        let mut files: Vec<PathBuf> = listed.map(|entry| entry.expect("an entry").path()).collect();
        files.retain(|file| file.extension().is_some_and(|end| end == "toml"));
        files.sort();
        files
    }

    /// The rows, each with the title of its configuration.
    fn rows(&self) -> Vec<(String, toml::Value)> {
        let text = |file: &PathBuf| fs::read_to_string(file).expect("a measurement file");
        let runs = |text: String| -> Vec<toml::Value> {
            let file: toml::Table = text.parse().expect("TOML");
            file.get("run").and_then(toml::Value::as_array).cloned().unwrap_or_default()
        };
        let rows = self.files().iter().map(text).flat_map(runs).collect::<Vec<_>>();
        rows.into_iter().map(|row| (row["record"]["point"].as_str().expect("a title").to_owned(), row)).collect()
    }

    /// The spools, in the order of their numbers.
    fn spools(&self) -> Vec<PathBuf> {
        let listed = fs::read_dir(self.kb.path("measurements/dlbench-runs/.slurm")).into_iter().flatten();
        let mut spools: Vec<PathBuf> =
            listed.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
        spools.sort();
        spools
    }

    /// Waits until something holds.
    fn wait_for(&self, what: &str, holds: impl Fn() -> bool) {
        let since = Instant::now();
        while !holds() {
            let log = fs::read_to_string(self.kb.path("submitting.txt")).unwrap_or_default();
            assert!(since.elapsed() < Duration::from_secs(180), "waited in vain for {what}: {log}");
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Every configuration has one row with all of its processes, in one file that passes the check.
    fn has_everything_once(&self, configurations: usize) {
        let rows = self.rows();
        let titles: BTreeSet<&str> = rows.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!((rows.len(), titles.len()), (configurations, configurations), "{titles:#?}");
        assert_eq!(self.files().len(), 1, "{:?}", self.files());
        for (title, row) in &rows {
            assert_eq!(row.get("outcome"), None, "{title}");
            assert_eq!(row["record"]["process"].as_array().map(Vec::len), Some(2), "{title}");
        }
        let checked = self.dlbench.run(&["check", "measurements/dlbench-runs"]);
        assert!(!checked.stdout.contains("error["), "{}", checked.stdout);
    }
}
