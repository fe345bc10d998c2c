//! Output of all rows in every format: time and memory are bounded, and a document says how many rows it leaves out.

use std::fs::File;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use wait4::Wait4 as _;

use super::RELEASE;
use super::figures::Figures;
use crate::{Dlbench, REPOSITORY};

pub const FORMATS: &[&str] = &["table", "markdown", "html", "latex", "typst", "csv", "json", "ndjson"];

/// How long one format may take.
const LONGEST: Duration = Duration::from_secs(if RELEASE { 5 } else { 120 });

/// Memory of the program, MB.
const MOST_MB: u64 = 200;

/// Asks for everything in these formats.
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
        let ended = command.spawn().and_then(|child| child.wait4()).expect("it runs");
        let (took, megabytes) = (start.elapsed(), ended.rusage.maxrss / 1_000_000);
        figures.count(ended.status.success(), took);
        figures.memory_mib = figures.memory_mib.max(ended.rusage.maxrss >> 20);
        eprintln!("-f {format}: {:.2} s, {megabytes} MB", took.as_secs_f64());
        if !ended.status.success() || took > LONGEST || megabytes > MOST_MB {
            figures.failures.push(format!("-f {format}: {}, {took:?}, {megabytes} MB", ended.status));
        }
    }
    figures
}
