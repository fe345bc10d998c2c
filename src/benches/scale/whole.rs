//! Comparisons, a figure and exports over all measurements of this repository's own knowledge base.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use dlbench::KnowledgeBase;
use serde::{Deserialize, Serialize};

use super::Outcome;
use super::results::Times;
use super::tools;
use super::tools::Machine;
use super::tools::{DLBENCH, ROOT, bench_folder};

/// Number of times each task is run.
const ROUNDS: usize = 9;
/// Placeholder for the output folder in the arguments below.
const OUT: &str = "{out}";

/// The limits promised for a task.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Promise {
    /// Maximum time in milliseconds.
    pub ms: f64,
    /// Maximum peak memory in 10^6 bytes, if promised.
    pub megabytes: Option<f64>,
}

const IN_ALL: Promise = Promise { ms: 2000.0, megabytes: Some(150.0) };

/// The tasks: name, arguments and promise.
const TASKS: &[(&str, &[&str], Promise)] = &[
    (
        "heat map: devices by frameworks, as SVG",
        &["plot", "--x", "device", "--y", "framework", "-o", "{out}/heat.svg"],
        Promise { ms: 500.0, megabytes: None },
    ),
    (
        "comparison: devices by networks, as CSV",
        &["compare", "year:1990..", "--rows", "device", "--cols", "network", "-f", "csv", "-o", "{out}/compared.csv"],
        IN_ALL,
    ),
    (
        "comparison: frameworks by precision, as CSV",
        &[
            "compare",
            "year:1990..",
            "--rows",
            "framework",
            "--cols",
            "precision",
            "-f",
            "csv",
            "-o",
            "{out}/compared.csv",
        ],
        IN_ALL,
    ),
    (
        "comparison: classes by metrics, as CSV",
        &["compare", "year:1990..", "--rows", "class", "--cols", "metric", "-f", "csv", "-o", "{out}/compared.csv"],
        IN_ALL,
    ),
    ("rows: all with a date, as CSV", &["query", "year:1990..", "--all", "-f", "csv", "-o", "{out}/rows.csv"], IN_ALL),
    ("export: CSV", &["export", "-f", "csv", "-o", "{out}/csv"], IN_ALL),
    ("export: JSON", &["export", "-f", "json", "-o", "{out}/export.json"], IN_ALL),
    ("export: SQLite", &["export", "-f", "sqlite", "-o", "{out}/export.sqlite"], IN_ALL),
    ("export: Parquet", &["export", "-f", "parquet", "-o", "{out}/parquet"], IN_ALL),
];

/// The results of all tasks.
#[derive(Debug, Serialize, Deserialize)]
pub struct Whole {
    /// Number of measurements in the repository.
    pub measurements: u64,
    pub machine: Machine,
    pub tasks: Vec<Task>,
}

/// The result of one task, run as a separate process.
#[derive(Debug, Serialize, Deserialize)]
pub struct Task {
    pub name: String,
    pub promise: Promise,
    pub ms: Times,
    pub peak_bytes: u64,
    /// Size of its output in bytes.
    pub bytes: u64,
}

fn place() -> PathBuf {
    bench_folder().join("whole")
}

fn results() -> PathBuf {
    place().join("results.json")
}

/// Measures every task in rounds, and writes the results.
pub fn measure() -> Outcome<()> {
    let machine = Machine::here();
    let (cache, out) = (place().join("cache"), place().join("out"));
    fs::create_dir_all(&cache)?;
    let asked = |args: &[&str]| -> Command {
        let mut command = Command::new(DLBENCH);
        command.args(args.iter().map(|arg| arg.replace(OUT, &out.to_string_lossy())));
        command.env("DLBENCH_KB", ROOT).env("DLBENCH_CACHE", &cache).env("NO_COLOR", "1");
        command
    };
    tools::run(&mut asked(&["index"]))?;
    let mut taken: Vec<(Vec<f64>, u64, u64)> = vec![Default::default(); TASKS.len()];
    for round in 0..ROUNDS {
        println!("everything at once: round {} of {ROUNDS}", round + 1);
        for ((_, args, _), (times, peak, bytes)) in TASKS.iter().zip(&mut taken) {
            if out.exists() {
                fs::remove_dir_all(&out)?;
            }
            fs::create_dir_all(&out)?;
            let ran = tools::run(&mut asked(args))?;
            times.push(ran.wall.as_secs_f64() * 1000.0);
            *peak = ran.peak.max(*peak);
            *bytes = super::measure::bytes(&out)?;
        }
    }
    fs::remove_dir_all(&out)?;
    let tasks = TASKS.iter().zip(taken).map(|((name, _, promise), (times, peak_bytes, bytes))| Task {
        name: (*name).to_owned(),
        promise: *promise,
        ms: Times::of(times),
        peak_bytes,
        bytes,
    });
    let tasks = tasks.collect();
    // Done last, because it increases this process's memory.
    let measurements = KnowledgeBase::open_with_cache(ROOT, &cache)?.all_rows()?.len() as u64;
    let whole = Whole { measurements, machine, tasks };
    Ok(fs::write(results(), serde_json::to_string_pretty(&whole)?)?)
}

/// The last results; `None` if there are none.
pub fn kept() -> Outcome<Option<Whole>> {
    match fs::read(results()) {
        Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
        Err(_) => Ok(None),
    }
}
