//! `dlbench run` with a worker that computes nothing: plans, results, resuming, and everything that can go wrong.

use std::fs;
use std::io::Read as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Dlbench, KbCopy, REPOSITORY, Ran};

/// A knowledge base with a suite, and the mock worker.
struct Bench {
    kb: KbCopy,
    dlbench: Dlbench,
}

const SUITE: &str = r#"
name = "Two by two"
time-limit-s = 1

[[part]]
networks = ["deepnet-50", "deepnet-101"]
stages = ["eval", "train"]
precisions = ["fp32"]
batch-sizes = [16]
"#;

impl Bench {
    fn new() -> Self {
        let kb = KbCopy::new();
        kb.write("catalog/suites/square.toml", SUITE);
        kb.write("catalog/sources/dlbench-runs.toml", "name = \"Our runs\"\ntype = \"misc\"\n");
        let dlbench = kb.dlbench();
        Self { kb, dlbench }
    }

    fn worker(&self, mischief: &str) -> String {
        format!("python3 {REPOSITORY}/src/acceptance/mock_worker.py {mischief}")
    }

    fn command(&self, mischief: &str, more: &[&str]) -> Command {
        let worker = self.worker(mischief);
        self.command_of(&[&["--worker", &worker], more].concat())
    }

    /// The run command without a worker; the test adds its own.
    fn command_of(&self, more: &[&str]) -> Command {
        let mut args = vec!["run", "--device-id", "nova-100"];
        if !more.contains(&"--time-limit") {
            args.extend(["--time-limit", "1"]);
        }
        // Other tests run at the same time, so do not wait for an idle machine.
        if !more.contains(&"--wait") {
            args.extend(["--wait", "0"]);
        }
        if !more.contains(&"--processes") {
            args.extend(["--processes", "1"]);
        }
        if !more.contains(&"--spread") {
            args.push("--quick");
        }
        // The seed determines the order of the plan in the first round.
        args.extend(["--seed", "6"]);
        args.extend(more);
        self.dlbench.command(&args)
    }

    fn run(&self, mischief: &str, more: &[&str]) -> Ran {
        self.dlbench.ran(self.command(mischief, more).output().expect("the program starts"))
    }

    /// The result files.
    fn files(&self) -> Vec<PathBuf> {
        let folder = self.kb.path("measurements/dlbench-runs");
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        files
    }

    fn text(&self) -> String {
        let files = self.files();
        assert_eq!(files.len(), 1, "{files:?}");
        fs::read_to_string(&files[0]).expect("a result")
    }

    /// The process ids of all workers so far.
    fn pids(&self) -> Vec<u32> {
        let text = fs::read_to_string(self.kb.path("pids")).unwrap_or_default();
        text.lines().map(|line| line.parse().expect("a process id")).collect()
    }

    fn with_pids(&self, mischief: &str) -> String {
        format!("pids={} {mischief}", self.kb.path("pids").display())
    }
}

/// Asserts that the files written by runs pass the check, whatever disturbed the runs.
fn nothing_is_wrong_with_runs(dlbench: &Dlbench) {
    let checked = dlbench.run(&["check"]).stdout;
    let in_runs =
        |finding: &str| finding.lines().nth(1).is_some_and(|place| place.contains("measurements/dlbench-runs"));
    assert!(!checked.split("error[").skip(1).any(in_runs), "{checked}");
}

fn rows(text: &str) -> usize {
    text.matches("[[run]]").count()
}

/// Running processes of a process group (zombies do not count).
fn alive(group: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("Linux").flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        // State, parent, process group.
        if fields.get(2) == Some(&group.to_string().as_str()) && fields[0] != "Z" {
            found.push(pid);
        }
    }
    found
}

fn wait_until(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < limit, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn nobody_stays(pids: &[u32]) {
    assert!(!pids.is_empty(), "no worker was started");
    for &pid in pids {
        wait_until("the worker's processes are gone", Duration::from_secs(10), || alive(pid).is_empty());
    }
}

#[test]
fn a_suite_gives_rows_that_the_next_question_finds() {
    let bench = Bench::new();
    let ran = bench.run("", &["--suite", "square"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let text = bench.text();
    assert_eq!(rows(&text), 4);
    for part in [
        "[environment]",
        "cpu-model",
        "samples-ms = [0.016",
        "latency-ms = 0.016",
        "status = \"measured\"",
        "[[run.record.process]]",
        "Too few processes: 1, so nobody knows",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let answer = bench.dlbench.answer("status:measured deepnet-50 eval");
    assert_eq!(answer["total"], 1, "{answer}");
    let row = &answer["measurements"][0];
    assert_eq!((&row["device"], &row["framework"]), (&"nova-100".into(), &"firelight".into()));
    assert_eq!(row["label"], "square");
    assert!(ran.stdout.contains("measured here") && ran.stdout.contains("invented-2020:"), "{}", ran.stdout);
}

#[test]
fn what_a_worker_runs_into_is_a_row_and_the_suite_goes_on() {
    for (mischief, outcome, message) in [
        ("die-on=deepnet-50", "crashed", "the floor gave way"),
        ("unsupported-on=deepnet-50", "unsupported", "this is not a thing"),
        ("hang-on=deepnet-50", "timeout", "answered nothing"),
    ] {
        let bench = Bench::new();
        let ran = bench.run(&bench.with_pids(mischief), &["--suite", "square", "--patience", "1"]);
        assert_eq!(ran.code, 0, "{mischief}: {ran:#?}");
        let text = bench.text();
        assert_eq!((rows(&text), text.matches(&format!("outcome = \"{outcome}\"")).count()), (4, 2), "{text}");
        assert!(text.contains(message), "{text}");
        nobody_stays(&bench.pids());
    }
}

#[test]
fn a_worker_that_does_not_speak_the_protocol_ends_the_run_and_says_so() {
    let bench = Bench::new();
    let ran = bench.run("babble-on=deepnet-101", &["--suite", "square"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("does not speak the protocol"), "{}", ran.stderr);
    assert_eq!(rows(&bench.text()), 2, "what was measured before is kept");
    let ran = bench.run("protocol=7", &["--suite", "square"]);
    assert!(ran.code == 2 && ran.stderr.contains("version 7"), "{ran:#?}");
}

#[test]
fn what_a_worker_claims_floods_or_leaves_behind_does_no_harm() {
    let bench = Bench::new();
    for (mischief, told) in
        [("boast-on=deepnet-101", "iterations took"), ("flood-on=deepnet-101", "a line of more than 4 MiB")]
    {
        let ran = bench.run(mischief, &["deepnet-50", "deepnet-101"]);
        assert!(ran.code == 2 && ran.stderr.contains(told), "{mischief}: {ran:#?}");
        assert_eq!(rows(&bench.text()), 1, "what was measured before is kept");
    }
    let left = bench.kb.path("left-behind");
    let ran = bench.run(&format!("leave-on=deepnet-50 left={}", left.display()), &["deepnet-50", "--fresh"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let pids = fs::read_to_string(&left).expect("children that left their session");
    assert!(pids.lines().count() >= 2, "{pids}");
    for pid in pids.lines() {
        let is_gone = || fs::read(format!("/proc/{pid}/environ")).map_or(true, |environment| environment.is_empty());
        wait_until("what left the session is gone", Duration::from_secs(10), is_gone);
    }
}

#[test]
fn the_probe_is_waited_for_no_longer_than_anything_else() {
    let bench = Bench::new();
    let start = Instant::now();
    let ran = bench.run("silent-in=probe", &["deepnet-50", "--patience", "1"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    // The time limit was ten minutes.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn the_first_word_of_a_worker_is_waited_for_as_long_as_patience_allows() {
    let bench = Bench::new();
    let start = Instant::now();
    let ran = bench.run("silent-in=hello", &["deepnet-50", "--patience", "1"]);
    assert!(ran.code == 2 && ran.stderr.contains("answered nothing for 5 s"), "{ran:#?}");
    // The time limit was two minutes.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let ran = bench.run("", &["deepnet-50", "--patience", "1e300"]);
    assert_eq!(ran.code, 0, "more than a clock counts: {ran:#?}");
}

#[test]
fn a_run_that_was_stopped_is_continued_and_a_complete_one_is_left_alone() {
    let bench = Bench::new();
    let mischief = bench.with_pids("sleep=0.05");
    let mut child =
        bench.command(&mischief, &["--suite", "square"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let folder = bench.kb.path("measurements/dlbench-runs");
    wait_until("a row is written", Duration::from_secs(60), || {
        fs::read_dir(&folder).into_iter().flatten().flatten().any(|e| e.path().extension().is_some_and(|x| x == "toml"))
    });
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(interrupt.success());
    let status = child.wait().unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("the same command measures the rest"), "{stderr}");
    nobody_stays(&bench.pids());
    let before = bench.text();
    assert!((1..4).contains(&rows(&before)), "{before}");

    let ran = bench.run("", &["--suite", "square"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(ran.stderr.contains("already in the file"), "{}", ran.stderr);
    let after = bench.text();
    assert!(after.starts_with(&before) && rows(&after) == 4, "{after}");

    let ran = bench.run("", &["--suite", "square"]);
    assert_eq!(ran.code, 0, "what is complete is done");
    assert!(ran.stderr.contains("--fresh"), "{}", ran.stderr);
    assert_eq!(bench.text(), after);

    let ran = bench.run("", &["--suite", "square", "--fresh"]);
    assert_eq!((ran.code, bench.files().len()), (0, 2), "{ran:#?}");
    assert_eq!(bench.dlbench.answer("status:measured")["total"], 8);
}

/// The processes of each row of a file: the row's point, and each process's place and samples.
fn processes(text: &str) -> Vec<(String, Vec<(i64, toml::Value)>)> {
    let file: toml::Table = text.parse().expect("TOML");
    let runs = file["run"].as_array().expect("rows");
    runs.iter()
        .map(|run| {
            let record = &run["record"];
            let all = record["process"].as_array().expect("processes");
            let of_each =
                all.iter().map(|one| (one["place"].as_integer().expect("a place"), one["samples-ms"].clone()));
            (record["point"].as_str().expect("a point").to_owned(), of_each.collect())
        })
        .collect()
}

#[test]
fn a_configuration_is_measured_by_fresh_processes_between_those_of_the_others() {
    let bench = Bench::new();
    let mischief = bench.with_pids("differ=0.1");
    let ran = bench.run(&mischief, &["deepnet-50", "deepnet-101", "--processes", "3", "--goal", "30"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(ran.stderr.contains("of 3 processes)") && ran.stderr.contains("ms ± "), "{}", ran.stderr);
    assert!(ran.stdout.contains('±'), "{}", ran.stdout);
    let text = bench.text();
    let rows = processes(&text);
    assert_eq!(rows.len(), 2);
    for (point, all) in &rows {
        let rounds: Vec<i64> = all.iter().map(|(place, _)| (place - 1) / 2).collect();
        assert_eq!(rounds, [0, 1, 2], "{point}: one in each round, {text}");
    }
    for part in ["processes = 3", "process-deviation = ", "interval-ms = ", "levels-ms = ["] {
        assert_eq!(text.matches(part).count(), if part == "processes = 3" { 4 } else { 2 }, "{part}: {text}");
    }
    // One process for the greeting, one for the probe, and six for measurements.
    assert_eq!(bench.pids().len(), 8);
    // The wider goal was met; a narrower one takes more processes, if they fit into the time limit.
    let ran = bench.run(&mischief, &["deepnet-50", "--processes", "3", "--goal", "12", "--time-limit", "20"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let texts: Vec<String> = bench.files().iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let more = texts.iter().flat_map(|text| processes(text)).map(|(_, all)| all.len()).max();
    assert!(more > Some(3), "{more:?} {}", ran.stderr);
}

#[test]
fn memory_that_is_kept_is_another_configuration_with_other_page_faults() {
    let bench = Bench::new();
    let ran = bench.run("", &["deepnet-50", "--allocator", "system,kept"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let text = bench.text();
    let [system, kept] = [1, 2].map(|at| text.split("[[run]]").nth(at).unwrap_or_default());
    for (row, parts) in [
        (system, ["allocator = \"system\"", "minor-faults = 1570.0", "system-ms = 0.00050000"]),
        (kept, ["allocator = \"kept\"", "minor-faults = 0.0", "with memory kept batch 16"]),
    ] {
        assert!(parts.iter().all(|part| row.contains(part)), "{parts:?}: {row}");
    }
    assert_eq!(bench.dlbench.answer("status:measured allocator:kept")["total"], 1);
}

#[test]
fn memory_is_that_of_the_iterations_and_a_loss_that_is_none_is_told() {
    let bench = Bench::new();
    let ran = bench.run("prepare-mib=300 diverge=yes", &["deepnet-50", "--stage", "eval,train"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let answer = bench.dlbench.answer("status:measured");
    for row in answer["measurements"].as_array().expect("rows") {
        let memory = row["metrics"]["memory_mib"].as_f64().expect("its memory");
        assert!((1.0..150.0).contains(&memory), "what preparing took is not part of it: {row}");
        let is_told = row["caveats"].as_str().is_some_and(|caveats| caveats.contains("Loss not finite"));
        assert_eq!(is_told, row["stage"] == "train", "{row}");
    }
    assert!(bench.text().contains("library-memory-mib = "), "{}", bench.text());
}

#[test]
fn a_throughput_is_that_of_iterations_without_a_wait() {
    let bench = Bench::new();
    let ran = bench.run("", &["deepnet-50", "--timing", "throughput", "--processes", "2"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let answer = bench.dlbench.answer("status:measured");
    let row = &answer["measurements"][0];
    // A batch of 16 in 16 microseconds.
    let rate = row["metrics"]["throughput_per_s"].as_f64().expect("a throughput");
    assert!((999_000.0..1_001_000.0).contains(&rate), "{row}");
    assert!(row["metrics"]["latency_ms"].is_null(), "nothing says how long one takes: {row}");
    let text = bench.text();
    assert!(text.contains("iterations = ") && text.contains("eval fp32 throughput batch 16"), "{text}");
    let refused = bench.run("", &["deepnet-50", "--timing", "throughput", "--protocol", "u39kun-2018"]);
    assert!(refused.code == 2 && refused.stderr.contains("times each iteration"), "{refused:#?}");
}

#[test]
fn a_machine_that_only_looks_alike_and_one_with_another_allocator_measure_for_themselves() {
    let bench = Bench::new();
    // Quoted as in a shell: the name has a space.
    let worker = bench.kb.path("mock worker.py");
    fs::copy(Path::new(REPOSITORY).join("src/acceptance/mock_worker.py"), &worker).unwrap();
    let worker = format!("python3 '{}'", worker.display());
    let args = ["deepnet-50", "--worker", &worker];
    let run = |variables: &[(&str, &str)]| {
        let ran =
            bench.dlbench.ran(bench.command_of(&args).envs(variables.iter().copied()).output().expect("it starts"));
        assert_eq!(ran.code, 0, "{ran:#?}");
        bench.files().len()
    };
    assert_eq!(run(&[]), 1);
    let file = &bench.files()[0];
    let text = fs::read_to_string(file).unwrap();
    let machine = text.lines().find(|line| line.starts_with("machine = ")).expect("the file knows its machine");
    fs::write(file, text.replace(machine, "machine = \"0123456789abcdef\"")).unwrap();
    assert_eq!(run(&[]), 2, "the same processor, memory and system, and another machine");
    assert_eq!(run(&[]), 2);
    let tuned = [("MALLOC_ARENA_MAX", "1"), ("OMP_WAIT_POLICY", "passive")];
    assert_eq!(run(&tuned), 3);
    let texts: Vec<String> = bench.files().iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    for fact in ["env-malloc-arena-max = \"1\"", "env-omp-wait-policy = \"passive\""] {
        assert_eq!(texts.iter().filter(|text| text.contains(fact)).count(), 1, "{fact}");
    }
}

#[test]
fn what_a_worker_states_of_how_it_computed_stands_in_the_row() {
    let bench = Bench::new();
    let ran = bench.run("spike=yes", &["deepnet-50", "--energy=0.2"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let answer = bench.dlbench.answer("status:measured mode:eager cudnn-benchmark:on");
    let row = &answer["measurements"][0];
    assert_eq!((&row["api_language"], &row["software"]), (&"Python".into(), &"mock 1".into()), "{answer}");
    assert_eq!(row["device"], "nova-100", "what is the plan's is not a worker's to state");
    // If nothing meters the CPU's energy, that is reported and no figure is invented.
    let text = bench.text();
    let is_metered = text.contains("metered-s = ");
    assert_eq!(ran.stderr.contains("meters the energy of cpu: the rows are without it"), !is_metered, "{}", ran.stderr);
    assert_eq!(text.contains("metered = \"device\"") && text.contains("meter = \"RAPL: "), is_metered, "{text}");
    nothing_is_wrong_with_runs(&bench.dlbench);
    let ran = bench.run("states=perhaps", &["deepnet-50", "--fresh"]);
    assert!(ran.code == 2 && ran.stderr.contains("none of on, off"), "{ran:#?}");
    assert_eq!(bench.run("", &["deepnet-50", "--energy=0"]).code, 2);
}

#[test]
fn each_epoch_is_told_when_it_ends_and_kept() {
    let bench = Bench::new();
    let data = bench.kb.path("images");
    fs::create_dir(&data).unwrap();
    let args = ["deepnet-50", "--protocol", "benchm-dl", "--data", data.to_str().expect("a plain path")];
    let ran = bench.run("", &args);
    assert_eq!(ran.code, 0, "{ran:#?}");
    for number in 1..=10 {
        assert!(ran.stderr.contains(&format!("epoch {number} of 10 took ")), "{}", ran.stderr);
    }
    let [(_, of_row)] = &processes(&bench.text())[..] else { panic!("one row") };
    assert_eq!(of_row[0].1.as_array().map(Vec::len), Some(10), "{}", bench.text());
}

#[test]
fn a_run_that_was_stopped_between_processes_keeps_those_that_are_whole() {
    let bench = Bench::new();
    let plan = ["deepnet-50", "deepnet-101", "--processes", "2"];
    let mut child =
        bench.command("sleep=0.002", &plan).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    wait_until("both have a process", Duration::from_secs(60), || {
        bench.files().first().is_some_and(|file| rows(&fs::read_to_string(file).unwrap_or_default()) == 2)
    });
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill").success());
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let before = bench.text();
    assert!(before.contains("Too few processes: 1 of 2, because the run was stopped"), "{before}");
    let ran = bench.run("", &plan);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let after = bench.text();
    assert!(!after.contains("Too few processes"), "{after}");
    for ((point, whole), (same, all)) in processes(&before).iter().zip(processes(&after)) {
        assert_eq!((point, all.len()), (&same, 2));
        assert_eq!(whole[..], all[..whole.len()], "{point}");
    }
    let ran = bench.run("", &plan);
    assert!(ran.code == 0 && ran.stderr.contains("2 configurations are in "), "{ran:#?}");
    assert_eq!(bench.text(), after);
}

#[test]
fn a_busy_machine_is_waited_for_and_a_run_says_so() {
    let bench = Bench::new();
    let all = std::thread::available_parallelism().map_or(1, |all| all.get());
    let mut burners: Vec<_> =
        (0..all).map(|_| Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("a shell")).collect();
    let ran = bench.run("", &["--suite", "square", "--stage", "eval", "--wait", "1.5"]);
    for burner in &mut burners {
        burner.kill().and_then(|()| burner.wait()).expect("it ends");
    }
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(ran.stderr.contains("waiting up to 2 s for them to end (--wait)"), "{}", ran.stderr);
    assert!(bench.text().contains("Busy machine: "), "what could not be waited for is said of the rows");
    assert!(ran.stdout.contains(" !") && ran.stdout.contains("! with caveats"), "{}", ran.stdout);
    for option in ["--wait", "--spread"] {
        assert_eq!(bench.run("", &["--suite", "square", option, "-1"]).code, 2);
    }
}

/// Fake energy counters in Linux's format, growing like those of a package of 20 W, its memory of 5 W and a platform of 40 W.
struct Counters {
    folder: tempfile::TempDir,
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Counters {
    fn new() -> Self {
        const ZONES: [(&str, &str, f64); 3] =
            [("intel-rapl:0", "package-0", 20.0), ("intel-rapl:0:0", "dram", 5.0), ("intel-rapl:1", "psys", 40.0)];
        let folder = tempfile::TempDir::new().unwrap();
        let (root, begin) = (folder.path().to_owned(), Instant::now());
        for (id, name, _) in ZONES {
            fs::create_dir_all(root.join(id)).unwrap();
            fs::write(root.join(id).join("name"), name).unwrap();
        }
        let count = move || {
            for (id, _, watts) in ZONES {
                let zone = root.join(id);
                fs::write(zone.join("new"), format!("{:.0}", begin.elapsed().as_secs_f64() * watts * 1e6)).unwrap();
                // Rename, so that no reader sees half a number.
                fs::rename(zone.join("new"), zone.join("energy_uj")).unwrap();
            }
        };
        count();
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            while !asked.load(Ordering::Relaxed) {
                count();
                thread::sleep(Duration::from_millis(1));
            }
        });
        Self { folder, stop, thread: Some(thread) }
    }
}

impl Drop for Counters {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}

#[test]
fn energy_is_told_by_part() {
    let (bench, counters) = (Bench::new(), Counters::new());
    let mut command = bench.command("sleep=0.005", &["deepnet-50", "--batch-size", "4", "--energy=1.5"]);
    let ran = bench.dlbench.ran(command.env("DLBENCH_POWERCAP", counters.folder.path()).output().unwrap());
    assert_eq!(ran.code, 0, "{ran:#?}");
    let file: toml::Table = bench.text().parse().unwrap();
    let row = &file["run"][0];
    let value = |key: &str| row[key].as_float().or_else(|| Some(row[key].as_integer()? as f64)).unwrap();
    let [of_all, cpu, ram, platform] =
        ["energy-per-item-j", "cpu-energy-per-item-j", "ram-energy-per-item-j", "platform-energy-per-item-j"]
            .map(value);
    assert!((of_all / (cpu + ram) - 1.0).abs() < 1e-3, "{of_all} of {cpu} and {ram}");
    assert!((cpu / ram - 4.0).abs() < 0.4 && (platform / cpu - 2.0).abs() < 0.2, "{cpu} {ram} {platform}");
    assert!((value("power-w") - 25.0).abs() < 2.5, "{row}");
    assert_eq!(row["metered"].as_str(), Some("device"));
    assert_eq!(row["record"]["meter"].as_str(), Some("RAPL: package-0, dram, psys"));
    let process = &row["record"]["process"][0];
    let over_time: Vec<f64> = process["power-w"].as_array().unwrap().iter().map(|w| w.as_float().unwrap()).collect();
    assert!(over_time.len() >= 4 && over_time.iter().all(|watts| (watts - 25.0).abs() < 10.0), "{over_time:?}");
    nothing_is_wrong_with_runs(&bench.dlbench);
}

#[test]
fn processes_are_spread_over_the_time_that_was_asked_for() {
    let bench = Bench::new();
    let ran = bench.run("", &["deepnet-50", "--processes", "3", "--goal", "50", "--spread", "4"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert_eq!(ran.stderr.matches("the next round of processes begins in").count(), 2, "{}", ran.stderr);
    let began: Vec<u64> =
        bench.text().lines().filter_map(|line| line.strip_prefix("began-s = ")?.parse().ok()).collect();
    assert_eq!(began.len(), 3, "{}", bench.text());
    assert!(began[2] - began[0] >= 3, "whole seconds of a time of four: {began:?}");
    assert!(bench.text().contains("spread-s = \"4\""), "{}", bench.text());
}

#[test]
fn two_runs_beside_each_other_keep_all_their_rows() {
    let bench = Bench::new();
    let children: Vec<_> = (0..2)
        .map(|_| bench.command("", &["--suite", "square"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
        .collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    let texts: Vec<String> = bench.files().iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    // A run that started later may have found the results complete.
    let rows: usize = texts.iter().map(|text| rows(text)).sum();
    assert!(rows == 8 || (rows == 4 && texts.len() == 1), "{rows} rows in {} files", texts.len());
    let checked = bench.dlbench.run(&["check"]);
    assert!(!checked.stdout.contains("DL0103"), "no row appears twice under one identity\n{}", checked.stdout);
}

#[test]
fn killing_the_parent_leaves_no_worker_and_no_half_written_file() {
    let bench = Bench::new();
    let mischief = bench.with_pids("hang-on=deepnet-101");
    let mut child =
        bench.command(&mischief, &["--suite", "square"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // One worker sent the greeting, one ran the probe, two measured deepnet-50; the next one hangs.
    wait_until("two rows are written", Duration::from_secs(60), || {
        bench.files().first().is_some_and(|file| rows(&fs::read_to_string(file).unwrap_or_default()) == 2)
    });
    let before = bench.pids().len();
    wait_until("the hanging worker runs", Duration::from_secs(30), || {
        bench.pids().len() > before - 1 && {
            let last = *bench.pids().last().expect("a worker");
            // The worker, its guard, and the worker's child.
            alive(last).len() >= 3
        }
    });
    let hanging = *bench.pids().last().expect("a worker");
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    // The worker's child also ends.
    wait_until("the worker's group is gone", Duration::from_secs(15), || alive(hanging).is_empty());
    assert_eq!(rows(&bench.text()), 2);
    assert_eq!(bench.dlbench.answer("status:measured")["total"], 2);
    assert_eq!(bench.run("", &["--suite", "square"]).code, 0);
    assert_eq!(rows(&bench.text()), 4);
}

#[test]
fn killing_the_worker_costs_one_configuration() {
    let bench = Bench::new();
    let mischief = bench.with_pids("hang-on=deepnet-50");
    let child =
        bench.command(&mischief, &["--suite", "square"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    for killed in 0..2 {
        wait_until("a worker hangs", Duration::from_secs(60), || {
            let pids = bench.pids();
            pids.last().is_some_and(|&pid| alive(pid).len() >= 3)
        });
        let pid = *bench.pids().last().expect("a worker");
        assert!(Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap().success(), "{killed}");
        wait_until("its group is gone", Duration::from_secs(10), || alive(pid).is_empty());
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = bench.text();
    assert_eq!((rows(&text), text.matches("outcome = \"crashed\"").count()), (4, 2), "{text}");
    assert!(text.contains("signal 9"), "{text}");
}

#[test]
fn a_full_disk_is_told_and_nothing_is_half_written() {
    let bench = Bench::new();
    assert_eq!(bench.run("", &["--suite", "square", "--stage", "eval"]).code, 0);
    let before = bench.text();
    // The system refuses to let files grow past the limit, as on a full disk: two rows fit, four do not.
    let limit = before.len() / 1024 + 1;
    let inner = bench.command("", &["--suite", "square"]);
    let mut limited = Command::new("bash");
    limited.arg("-c").arg(format!("trap '' XFSZ; ulimit -f {limit}; exec \"$@\"")).arg("bash").arg(inner.get_program());
    limited.args(inner.get_args()).current_dir(std::env::temp_dir());
    limited.envs(inner.get_envs().filter_map(|(key, value)| Some((key, value?))));
    // Build the stores first, so that only the result file grows.
    bench.dlbench.ok(&["index"]);
    let ran = bench.dlbench.ran(limited.output().unwrap());
    assert_eq!(ran.code, 2, "{ran:#?}");
    assert!(ran.stderr.contains("cannot write") && ran.stderr.contains("make room"), "{}", ran.stderr);
    assert_eq!(bench.text(), before, "the file is as it was");
    let folder = bench.kb.path("measurements/dlbench-runs");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "no temporary file is left");
    assert_eq!(bench.run("", &["--suite", "square"]).code, 0);
    assert_eq!(rows(&bench.text()), 4);
}

#[test]
fn the_largest_batch_that_fits_is_found() {
    let bench = Bench::new();
    let ran = bench.run("oom-above-64-on=deepnet-50", &["deepnet-50", "--batch-size", "48,max"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let text = bench.text();
    assert!(text.contains("batch-size = 48") && text.contains("batch-size = 64"), "{text}");
}

#[test]
fn a_known_number_is_repeated_and_set_side_by_side() {
    let bench = Bench::new();
    let known = bench.dlbench.answer("source:invented-2020 deepnet-50 eval");
    let id = known["measurements"][0]["id"].as_str().expect("a measurement").to_owned();
    let ran = bench.run("", &["--reproduce", &id]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(ran.stdout.contains(&id) && ran.stdout.contains("differs"), "{}", ran.stdout);
    let missing = bench.run("", &["--reproduce", "nobody:0000000000"]);
    assert!(missing.code == 2 && missing.stderr.contains("no measurements"), "{missing:#?}");
}

#[test]
fn a_protocol_is_kept_and_recorded() {
    let bench = Bench::new();
    let ran = bench.run("", &["deepnet-50", "--stage", "train", "--protocol", "u39kun-2018"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let text = bench.text();
    for part in ["protocol = \"u39kun-2018\"", "n = 20", "statistic = \"mean\""] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let warm_up = text.lines().find_map(|line| line.strip_prefix("warm-up-ms = ")).expect("warm-up is kept");
    assert_eq!(warm_up.matches(',').count() + 1, 20);
}

#[test]
fn a_device_that_the_catalog_does_not_know_gets_a_draft() {
    let bench = Bench::new();
    let worker = bench.worker("");
    let args = ["run", "deepnet-50", "--time-limit", "1", "--wait", "0", "--processes", "1", "--worker", &worker];
    let ran = bench.dlbench.run(&args);
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(ran.stderr.contains("a draft of its entry is in"), "{}", ran.stderr);
    assert_eq!(bench.dlbench.answer("status:measured")["total"], 1);
}

#[test]
fn mistakes_are_told_before_anything_is_measured() {
    let bench = Bench::new();
    bench.kb.write(
        "catalog/networks/deepnet-150.toml",
        "name = \"DeepNet-150\"\n[[sources]]\nsource = \"imagined-2018\"\n",
    );
    for (args, told) in [
        (&["--suite", "sqare"][..], "did you mean `square`?"),
        (&["deepnt-50"], "deepnet-50"),
        (&["deepnet-150"], "the worker cannot run `deepnet-150`"),
        (&["deepnet"], "name deepnet-101 or deepnet-50"),
        (&["deepnet-50", "--device", "cuda:0"], "no device `cuda:0`"),
        (&["deepnet-50", "--precision", "tf32", "--dry-run"], "does not compute in tf32 on cpu"),
        (&[], "what to measure is missing"),
        (&["deepnet-50", "--protocol", "benchm"], "possible values: u39kun-2018, benchmarker, benchm-dl"),
        (&["deepnet-50", "--batch-size", "0"], "is not a batch size"),
        (&["deepnet-50", "--protocol", "benchm-dl", "--stage", "eval"], "one of training"),
        (&["deepnet-50", "--goal", "0"], "above 0"),
        (&["deepnet-50", "--processes", "0"], "--processes is above 0"),
        (&["deepnet-50", "--data", "/dev/null/none"], "/dev/null/none is not a folder"),
    ] {
        let ran = bench.run("", args);
        assert_eq!(ran.code, 2, "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(told), "{args:?}: {}", ran.stderr);
    }
    let unlinked = "sh -c 'echo error while loading shared libraries: libtorch_cpu.so: no such file >&2; exit 127'";
    let ran = bench.dlbench.run(&["run", "deepnet-50", "--worker", unlinked]);
    assert!(ran.code == 2 && ran.stderr.contains("DLBENCH_LIBTORCH names an installation"), "{ran:#?}");
    let ran = bench.dlbench.run(&["run", "deepnet-50", "--worker", "/dev/null/worker"]);
    let unclosed = bench.dlbench.run(&["run", "deepnet-50", "--worker", "mock 'worker"]);
    assert!(unclosed.code == 2 && unclosed.stderr.contains("--worker is not a command"), "{unclosed:#?}");
    assert!(
        ran.code == 2 && (ran.stderr.contains("/dev/null/worker") || ran.stderr.contains("cannot start")),
        "{ran:#?}"
    );
    assert!(bench.files().is_empty());
}

#[test]
fn of_a_family_the_member_that_the_worker_has_is_run() {
    let bench = Bench::new();
    bench
        .kb
        .write("catalog/networks/squarenet.toml", "name = \"SquareNet\"\n[[sources]]\nsource = \"imagined-2018\"\n");
    let deepnet = fs::read_to_string(bench.kb.path("catalog/networks/deepnet-50.toml")).unwrap();
    let text = deepnet.replace("family = \"deepnet\"", "family = \"squarenet\"");
    assert_ne!(deepnet, text);
    bench.kb.write("catalog/networks/deepnet-50.toml", text);
    let ran = bench.run("", &["squarenet"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(ran.stderr.contains("squarenet is run as deepnet-50"), "{}", ran.stderr);
    assert!(bench.text().contains("network = \"deepnet-50\""));
}

#[test]
fn a_protocol_is_another_configuration_of_the_same_suite() {
    let bench = Bench::new();
    assert_eq!(bench.run("", &["--suite", "square", "--stage", "eval"]).code, 0);
    let ran = bench.run("", &["--suite", "square", "--stage", "eval", "--protocol", "u39kun-2018"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let rows: usize = bench.files().iter().map(|file| rows(&fs::read_to_string(file).unwrap())).sum();
    assert_eq!(rows, 4);
}

#[test]
fn without_a_worker_it_says_what_to_type() {
    let bench = Bench::new();
    let alone = bench.kb.path("alone");
    fs::create_dir(&alone).unwrap();
    let program = alone.join("dlbench");
    fs::copy(env!("CARGO_BIN_EXE_dlbench"), &program).unwrap();
    let like = bench.dlbench.command(&["run", "deepnet-50"]);
    let mut command = Command::new(&program);
    command.arg0("dlbench").args(like.get_args()).envs(like.get_envs().filter_map(|(k, v)| Some((k, v?))));
    let ran = bench.dlbench.ran(command.output().unwrap());
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("make runner"), "{}", ran.stderr);
}

#[test]
fn a_broken_suite_and_a_broken_record_are_shown_with_their_places() {
    let bench = Bench::new();
    bench.kb.write("catalog/suites/square.toml", SUITE.replace("\"train\"", "\"trane\"").replace("[16]", "[0]"));
    let ran = bench.dlbench.run(&["run", "--suite", "square"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("trane") && ran.stderr.contains("a whole number of 1 or more"), "{}", ran.stderr);
    // Errors of form are reported before unknown names.
    for (before, after, told) in
        [("[16]", "[]", "at least one"), ("deepnet-101", "deepnet-1001", "no network `deepnet-1001`")]
    {
        bench.kb.write("catalog/suites/square.toml", SUITE.replace(before, after));
        let ran = bench.dlbench.run(&["run", "--suite", "square"]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
    }
    bench.kb.write("catalog/suites/square.toml", SUITE);
    let row = "[[run]]\nlatency-ms = 1\n[run.record]\nsamples-ms = [1.0, \"x\"]\noutliers = [2]\nspread = 1\n";
    bench.kb.write("measurements/dlbench-runs/x.toml", row);
    let ran = bench.dlbench.run(&["check"]);
    for told in ["expected a number of 0 or more", "past the 1 samples", "unknown key `spread`"] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    let ran = bench.dlbench.run(&["index"]);
    assert!(ran.stderr.contains("measurements/dlbench-runs/x.toml:4 is left out"), "{}", ran.stderr);
}

/// Uses the worker that was built with these tests, as `make test` does.
#[cfg(feature = "libtorch")]
#[test]
fn the_libtorch_worker_measures_and_its_rows_are_found() {
    let kb = KbCopy::new();
    kb.write(
        "catalog/suites/tiny.toml",
        SUITE.replace("\"deepnet-50\", \"deepnet-101\"", "\"lenet\"").replace("[16]", "[2]"),
    );
    kb.write("catalog/sources/dlbench-runs.toml", "name = \"Our runs\"\ntype = \"misc\"\n");
    kb.write("catalog/networks/lenet.toml", "name = \"LeNet\"\n[[sources]]\nsource = \"imagined-2018\"\n");
    kb.write("catalog/frameworks/pytorch.toml", "name = \"PyTorch\"\n[[sources]]\nsource = \"imagined-2018\"\n");
    let dlbench = kb.dlbench();
    let worker = Path::new(env!("CARGO_BIN_EXE_dlbench")).with_file_name("dlbench-runner");
    let worker = worker.to_str().expect("a plain path");
    let ran = dlbench.run(&[
        "run",
        "--suite",
        "tiny",
        "--quick",
        "--device-id",
        "nova-100",
        "--wait",
        "0",
        "--processes",
        "2",
        "--worker",
        worker,
    ]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let answer = dlbench.answer("status:measured lenet");
    assert_eq!(answer["total"], 2, "{answer}");
    nothing_is_wrong_with_runs(&dlbench);
    for row in answer["measurements"].as_array().expect("rows") {
        assert!(row["metrics"]["latency_ms"].as_f64().expect("a latency") > 0.0, "{row}");
        assert!(row["metrics"]["memory_mib"].as_f64().expect("its memory") > 10.0, "{row}");
    }
}

/// A disturbed run is flagged: other processes keep a CPU core busy.
#[test]
fn a_busy_machine_is_told_as_a_caveat() {
    let bench = Bench::new();
    let mut busy: Vec<_> = (0..2)
        .map(|_| Command::new("bash").args(["-c", "while :; do :; done"]).stdout(Stdio::null()).spawn().unwrap())
        .collect();
    let ran = bench.run("sleep=0.001", &["deepnet-50"]);
    for child in &mut busy {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(bench.text().contains("Busy machine: other processes used"), "{}", bench.text());
    let answer = bench.dlbench.answer("status:measured");
    let caveats = answer["measurements"][0]["caveats"].as_str().expect("caveats come with the row");
    assert!(caveats.contains("Busy machine"), "{caveats}");
    assert!(answer["remarks"].to_string().contains("has a caveat (busy machine"), "{}", answer["remarks"]);
}

/// What `make same-against-same` runs, on a small scale.
#[test]
fn complete_runs_of_the_same_are_counted_on_a_page() {
    let bench = Bench::new();
    let script = Path::new(REPOSITORY).join("src/benches/runner/same_against_same.py");
    let page = bench.kb.path("page.md");
    let mut command = Command::new("python3");
    command.arg("-B").arg(script).args(["--dlbench", env!("CARGO_BIN_EXE_dlbench"), "--device-id", "nova-100"]);
    command.arg("--kb").arg(bench.kb.path(".")).args(["--worker", &bench.worker("")]).arg("--output").arg(&page);
    command.args(["--runs", "4", "--rounds", "2", "--networks", "deepnet-50", "--batch-size", "16", "--wait", "0"]);
    let inner = bench.dlbench.command(&["run"]);
    command.envs(inner.get_envs().filter_map(|(key, value)| Some((key, value?))));
    let ran = bench.dlbench.ran(command.output().expect("Python"));
    assert_eq!(ran.code, 0, "{ran:#?}");
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains("4 runs of the same configurations"), "{page}");
    assert!(page.contains("| deepnet-50 eval fp32 batch 16 cpu |"), "{page}");
}

#[test]
fn the_mock_worker_is_the_one_that_the_protocol_page_names() {
    let page = fs::read_to_string(Path::new(REPOSITORY).join("src/protocol/PROTOCOL.md")).unwrap();
    assert!(page.contains("`mock_worker.py`"));
}
