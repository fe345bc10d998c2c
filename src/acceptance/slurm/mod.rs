//! A plan run as cluster jobs: submitted, watched and collected, whatever is killed meanwhile. Uses a minimal fake Slurm
//! everywhere, and a real one with two nodes if available (`make test-slurm`).

mod real;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use real::Cluster;

use crate::{Dlbench, KbCopy, REPOSITORY, Ran};

/// A knowledge base with a suite, the mock worker, and a cluster.
struct Bench {
    kb: KbCopy,
    dlbench: Dlbench,
    cluster: Cluster,
    /// Approximate time of each worker process, in seconds.
    seconds: f64,
}

impl Bench {
    /// A suite of two networks at these batch sizes, in inference and training.
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
        // A goal that is never reached, so that every process uses its share of the time.
        let worker = format!("python3 {REPOSITORY}/src/acceptance/mock_worker.py pids={} {mischief}", pids.display());
        let seconds = (2.0 * self.seconds).to_string();
        let common = [
            "run",
            "--suite",
            "all",
            "--slurm",
            "--device-id",
            "nova-100",
            "--wait",
            "0",
            "--quick",
            "--worker",
            &worker,
        ];
        let limits = ["--goal", "0.000001", "--time-limit", &seconds];
        let mut command = self.dlbench.command(&[&common[..], &limits, more].concat());
        self.cluster.around(&mut command);
        command
    }

    fn run(&self, mischief: &str, more: &[&str]) -> Ran {
        self.dlbench.ran(self.command(mischief, more).output().expect("the program starts"))
    }

    /// Starts the command in the background.
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

    /// The spool folders in order of their numbers.
    fn spools(&self) -> Vec<PathBuf> {
        let listed = fs::read_dir(self.kb.path("measurements/dlbench-runs/.slurm")).into_iter().flatten();
        let mut spools: Vec<PathBuf> =
            listed.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
        spools.sort();
        spools
    }

    /// Polls until a condition holds, for at most 180 s.
    fn wait_for(&self, what: &str, holds: impl Fn() -> bool) {
        let since = Instant::now();
        while !holds() {
            let log = fs::read_to_string(self.kb.path("submitting.txt")).unwrap_or_default();
            assert!(since.elapsed() < Duration::from_secs(180), "waited in vain for {what}: {log}");
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Asserts that every configuration has one row with all its processes, in one file that passes the check.
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

/// Four configurations, each in its own job.
fn bench() -> Bench {
    Bench::new(Cluster::fake(), "1", 0.3)
}

/// Orders what happens to a job once it has recorded the machine it measures on.
fn befalls(bench: &Bench, job: usize, what: &str) {
    let lost = format!("measurements/dlbench-runs/.slurm/*/jobs/{job}/lost/*.toml");
    bench.cluster.order(job, what, &bench.kb.path(&lost));
}

#[test]
fn a_plan_becomes_jobs_whose_rows_are_taken_in() {
    let bench = bench();
    let ran = bench.run("", &[]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    bench.has_everything_once(4);
    assert!(ran.stderr.contains("4 jobs were submitted as 1") && ran.stderr.contains("4 of 4: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("4 rows are in <kb>/measurements/dlbench-runs/all-nova-100-"), "{}", ran.stderr);
    assert!(ran.stdout.contains("deepnet-101 train fp32") && ran.stdout.contains("measured here"), "{}", ran.stdout);
    // No spool file counts as a measurement, and queries find the rows.
    assert_eq!(bench.dlbench.answer("status:measured")["total"], 4);
    let again = bench.run("", &[]);
    assert!(again.code == 0 && again.stderr.contains("already; --fresh measures again"), "{again:#?}");
    assert!(!again.stderr.contains("submitted"), "{}", again.stderr);
    let fresh = bench.run("", &["--fresh"]);
    assert!(fresh.code == 0 && fresh.stderr.contains("4 jobs were submitted as 2"), "{fresh:#?}");
    assert_eq!((bench.files().len(), bench.rows().len(), bench.spools().len()), (2, 8, 2));
}

#[test]
fn what_would_be_submitted_is_shown_and_nothing_is_written() {
    let bench = bench();
    let more = ["--dry-run", "--sbatch=--time=2:00:00", "--sbatch=--gres=gpu:1", "--slurm-setup=module load cuda"];
    let ran = bench.run("", &more);
    assert_eq!(ran.code, 0, "{ran:#?}");
    for part in [
        "# sbatch --parsable '--job-name=dlbench-all-",
        " '--array=0-3' ",
        "# 3: deepnet-101 train fp32 batch 1 cpu\n",
        "#SBATCH --exclusive\n",
        "#SBATCH --requeue\n",
        "#SBATCH --time=2:00:00\n#SBATCH --gres=gpu:1\n",
        "\nmodule load cuda\n",
        " run --suite all --slurm ",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("--dry-run"), "{}", ran.stdout);
    assert!(bench.spools().is_empty() && bench.files().is_empty());
    assert!(ran.stdout.starts_with("#!/bin/bash\n"), "sbatch takes it: {}", ran.stdout);
    let script = bench.kb.path("shown.sh");
    fs::write(&script, &ran.stdout).unwrap();
    assert!(Command::new("bash").arg("-n").arg(&script).status().unwrap().success(), "{}", ran.stdout);
}

#[test]
fn a_submitting_process_that_is_killed_loses_nothing() {
    let bench = bench();
    let mut submitting = bench.start("");
    bench.wait_for("a row", || !bench.rows().is_empty());
    submitting.kill().expect("it lives");
    submitting.wait().expect("it ended");
    let before = bench.rows().len();
    let ran = bench.run("", &[]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(before < 4 && !ran.stderr.contains("submitted"), "{before}: {}", ran.stderr);
    bench.has_everything_once(4);
}

#[test]
fn a_killed_job_is_submitted_again_and_one_of_a_failed_node_starts_anew_by_itself() {
    let bench = bench();
    befalls(&bench, 1, "FAILED 1");
    befalls(&bench, 2, "NODE_FAIL 1");
    let ran = bench.run("", &[]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(ran.stderr.contains("1 job was submitted as 2, 1 of them again"), "{}", ran.stderr);
    bench.has_everything_once(4);
    let attempts = fs::read_to_string(bench.spools()[0].join("jobs/2/attempts")).unwrap();
    assert!(attempts.contains("1_2 restart 0 on node") && attempts.contains("1_2 restart 1 on node"), "{attempts}");
}

#[test]
fn what_no_job_comes_to_the_end_of_is_a_row_with_its_outcome() {
    let bench = Bench::new(Cluster::fake(), "1", 2.0);
    befalls(&bench, 0, "FAILED 3");
    befalls(&bench, 1, "OUT_OF_MEMORY 1");
    let ran = bench.run("", &[]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let rows = bench.rows();
    let outcome = |title: &str| {
        let row = &rows.iter().find(|(other, _)| other == title).expect(title).1;
        let message = row["record"].get("message").and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        (row.get("outcome").and_then(toml::Value::as_str).unwrap_or_default().to_owned(), message)
    };
    let crashed = outcome("deepnet-50 eval fp32 batch 1 cpu");
    assert_eq!(
        (crashed.0.as_str(), crashed.1.as_str()),
        ("crashed", "its Slurm job ended FAILED after 3 tries without a result")
    );
    assert_eq!(outcome("deepnet-50 train fp32 batch 1 cpu").0, "oom");
    assert_eq!(outcome("deepnet-101 eval fp32 batch 1 cpu").0, "");
    assert_eq!(outcome("deepnet-101 train fp32 batch 1 cpu").0, "");
    assert_eq!((rows.len(), bench.files().len()), (4, 1));
}

#[test]
fn a_mistake_on_the_nodes_is_told_with_the_words_of_the_job_and_tried_again_by_the_next_command() {
    let bench = bench();
    let ran = bench.run("protocol=99", &[]);
    assert_eq!(ran.code, 2, "{ran:#?}");
    assert!(ran.stderr.contains("4 jobs of 4 came to nothing"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("ended with status 2: error: ") && ran.stderr.contains("/logs/1_0.txt"),
        "{}",
        ran.stderr
    );
    assert!(bench.files().is_empty());
    let again = bench.run("protocol=99", &[]);
    assert!(again.code == 2 && again.stderr.contains("4 of them again"), "{again:#?}");
}

#[test]
fn a_controller_that_does_not_answer_loses_no_job() {
    let bench = bench();
    let mut submitting = bench.start("");
    bench.wait_for("a row", || !bench.rows().is_empty());
    fs::write(bench.cluster.path("down"), "").unwrap();
    let log = || fs::read_to_string(bench.kb.path("submitting.txt")).unwrap();
    bench.wait_for("a warning", || log().contains("Unable to contact slurm controller"));
    fs::remove_file(bench.cluster.path("down")).unwrap();
    assert_eq!(submitting.wait().expect("it ends").code(), Some(0), "{}", log());
    bench.has_everything_once(4);
    assert!(!log().contains("again,") && !log().contains("of them again"), "{}", log());
}

#[test]
fn where_there_is_no_slurm_it_is_said() {
    let bench = bench();
    let mut command = bench.command("", &[]);
    command.env("PATH", "/nonexistent");
    let ran = bench.dlbench.ran(command.output().expect("it starts"));
    assert_eq!(ran.code, 2, "{ran:#?}");
    assert!(ran.stderr.contains("cannot run squeue") && ran.stderr.contains("submitted to Slurm"), "{}", ran.stderr);
}
