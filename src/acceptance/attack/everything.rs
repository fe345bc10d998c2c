//! Prints all rows in every format: time and memory are limited, and a document says how many rows it leaves out.

use std::fs::{self, File};
use std::process::{Child, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::RELEASE;
use super::figures::Figures;
use crate::{Dlbench, REPOSITORY};

pub const FORMATS: &[&str] = &["table", "markdown", "html", "latex", "typst", "csv", "json", "ndjson"];

/// Time limit per format.
const LONGEST: Duration = Duration::from_secs(if RELEASE { 5 } else { 120 });

/// Limit of the program's peak memory, in MB. Debug builds need a fifth more (LaTeX: 199 instead of 164).
const MOST_MB: u64 = if RELEASE { 200 } else { 240 };

/// Queries all rows in these formats.
pub fn attack(formats: &[&str]) -> Figures {
    let mut figures = Figures::of("everything at once");
    let dlbench = Dlbench::on(REPOSITORY);
    dlbench.run(&["index"]);
    let folder = TempDir::new().expect("a temporary folder");
    for format in formats {
        let path = folder.path().join(format);
        let mut command = dlbench.command(&["query", "gpu", "--all", "-f", format]);
        command.stdout(File::create(&path).expect("a file")).stderr(Stdio::null());
        let start = Instant::now();
        let (status, peak) = watched(command.spawn().expect("it runs"));
        let (took, megabytes) = (start.elapsed(), peak / 1_000_000);
        figures.count(status.success(), took);
        figures.memory_mib = figures.memory_mib.max(peak >> 20);
        eprintln!("-f {format}: {:.2} s, {megabytes} MB", took.as_secs_f64());
        if !status.success() || took > LONGEST || megabytes > MOST_MB {
            figures.failures.push(format!("-f {format}: {status}, {took:?}, {megabytes} MB"));
        }
    }
    figures
}

/// The exit status and peak memory of a process, in bytes. `wait4` would also count the memory of this process before `exec`.
fn watched(mut child: Child) -> (ExitStatus, u64) {
    let place = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let told = fs::read_to_string(&place).unwrap_or_default();
        let kilobytes =
            told.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or_default() * 1024);
        if let Some(status) = child.try_wait().expect("it is ours") {
            return (status, peak);
        }
        sleep(Duration::from_millis(10));
    }
}
