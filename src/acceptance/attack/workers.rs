//! Workers that lie, babble, flood, fall silent, die and leave processes behind: a run ends in time with a message, and its output
//! can be read.

use std::fs;
use std::time::{Duration, Instant};

use super::figures::Figures;
use crate::{KbCopy, REPOSITORY};

/// Time limit for a run in which each answer is awaited for one second.
const LONGEST: Duration = Duration::from_secs(90);

/// Runs `count` hostile workers.
pub fn attack(count: usize) -> Figures {
    let mut figures = Figures::of("hostile workers");
    for seed in 0..count {
        let start = Instant::now();
        let (accepted, wrong) = run(seed);
        figures.count(accepted, start.elapsed());
        if let Some(wrong) = wrong {
            figures.failures.push(format!("worker {seed}: {wrong}"));
        }
        if start.elapsed() > LONGEST {
            figures.failures.push(format!("worker {seed}: {:?}", start.elapsed()));
        }
    }
    figures
}

/// Whether the worker's rows were accepted, and what was wrong.
fn run(seed: usize) -> (bool, Option<String>) {
    let kb = KbCopy::new();
    kb.write("catalog/sources/dlbench-runs.toml", "name = \"Our runs\"\ntype = \"misc\"\n");
    let dlbench = kb.dlbench();
    let mark = format!("hostile-{}-{seed}", std::process::id());
    let worker = format!("python3 {REPOSITORY}/src/acceptance/attack/hostile_worker.py {seed} {mark}");
    let args = [
        "run",
        "deepnet-50",
        "--batch-size",
        "4",
        "--device-id",
        "nova-100",
        "--processes",
        "2",
        "--quick",
        "--time-limit",
        "0.2",
        "--patience",
        "1",
        "--worker",
        &worker,
    ];
    let output = dlbench.command(&args).output().expect("the program starts");
    let ran = dlbench.ran(output);
    let said = [&ran.stdout, &ran.stderr]
        .map(|text| text.chars().any(|c| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c)));
    let left = left_behind(&mark);
    let folder = kb.path("measurements/dlbench-runs");
    let rows: String = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| fs::read_to_string(entry.path()).ok())
        .collect();
    let asked = dlbench.run(&["stats"]);
    let wrong = match () {
        () if ran.code > 2 || ran.stderr.contains("mistake in dlbench itself") => Some(format!("{ran:#?}")),
        () if ran.code == 2 && ran.stderr.trim().is_empty() => Some("refused without a word".to_owned()),
        () if said.contains(&true) => Some(format!("printed raw: {ran:?}")),
        () if !left.is_empty() => Some(format!("left behind: {left:?}")),
        () if asked.code != 0 => Some(format!("what was written cannot be read: {}\n{rows}", asked.stderr)),
        () if rows.contains("1844674407370") => Some(format!("a time that nobody waited for: {rows}")),
        () => None,
    };
    (ran.code == 0, wrong)
}

/// Processes with this word in their arguments that are still running after ten seconds.
pub fn left_behind(word: &str) -> Vec<String> {
    let start = Instant::now();
    loop {
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            if arguments.split(|&byte| byte == 0).any(|argument| argument == word.as_bytes()) {
                found.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        if found.is_empty() || start.elapsed() > Duration::from_secs(10) {
            return found;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
