//! Runs one target in a separate process, which ends if an input takes too long or memory runs out, and reports the input.

use std::env;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use wait4::Wait4 as _;

use super::RELEASE;
use super::figures::Figures;
use super::targets;

/// Environment variable with the target and the range of inputs for the process.
const TASK: &str = "DLBENCH_ATTACK_TARGET";

/// Time limit per input.
const LONGEST: Duration = Duration::from_secs(if RELEASE { 2 } else { 20 });

/// Memory limit of a process, in MiB.
const MOST_MIB: u64 = 500;

/// Maximum inputs per process; after a failure, a new process continues with the next input.
const PORTION: usize = 20_000;

#[derive(Debug, Serialize, Deserialize)]
struct Task {
    target: String,
    from: usize,
    to: usize,
    /// Where the process writes its figures, and before that the number of the current input.
    report: std::path::PathBuf,
}

/// Runs `count` inputs of a target.
pub fn in_a_process(target: &str, count: usize) -> Figures {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let mut all = Figures::of(target);
    let mut from = 0;
    while from < count {
        let report = folder.path().join("report");
        let task = Task { target: target.to_owned(), from, to: (from + PORTION).min(count), report: report.clone() };
        let mut command = Command::new(env::current_exe().expect("this program"));
        command.args(["--exact", "attack::the_long_form", "--ignored", "--nocapture", "--test-threads", "1"]);
        command.env(TASK, serde_json::to_string(&task).expect("a task"));
        command.env("RAYON_NUM_THREADS", "1").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let ended = command.spawn().and_then(|child| child.wait4()).expect("it runs");
        let text = fs::read_to_string(&report).unwrap_or_default();
        let memory = ended.rusage.maxrss >> 20;
        all.memory_mib = all.memory_mib.max(memory);
        if memory > MOST_MIB {
            all.failures.push(format!("{target}: {memory} MiB within the inputs {from} to {}", task.to));
        }
        from = match serde_json::from_str::<Figures>(&text) {
            Ok(figures) => {
                all.inputs += figures.inputs;
                all.accepted += figures.accepted;
                all.slowest_ms = all.slowest_ms.max(figures.slowest_ms);
                all.failures.extend(figures.failures);
                task.to
            }
            Err(_) => {
                let at = text.trim().parse().unwrap_or(from);
                all.failures.push(format!("{target}: input {at} ended the process: {}", ended.status));
                all.inputs += at + 1 - from;
                at + 1
            }
        };
    }
    all
}

/// Runs the task if this process was started by [`in_a_process`]; otherwise returns false.
pub fn is_part_of_another() -> bool {
    let Ok(task) = env::var(TASK) else { return false };
    let task: Task = serde_json::from_str(&task).expect("a task");
    let target = targets::all().into_iter().find(|target| target.name == task.target).expect("a target");
    static BEGAN_MS: AtomicU64 = AtomicU64::new(0);
    let start = Instant::now();
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_millis(100));
            let began = BEGAN_MS.load(Ordering::Relaxed);
            if began > 0 && start.elapsed().as_millis() as u64 > began + LONGEST.as_millis() as u64 {
                // The parent reads the number of the input from the report.
                std::process::abort();
            }
        }
    });
    let report = task.report.clone();
    let figures = targets::attack(&target, task.from..task.to, &mut |at, input| {
        fs::write(&report, at.to_string()).expect("a report");
        BEGAN_MS.store(if input.is_empty() { 0 } else { start.elapsed().as_millis() as u64 + 1 }, Ordering::Relaxed);
    });
    fs::write(&task.report, serde_json::to_string(&figures).expect("figures")).expect("a report");
    true
}
