//! What the figures were measured on and with.

use std::fs;
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::tools::{ROOT, duckdb, ripgrep};

/// The machine and the programs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    pub processor: String,
    pub cores: usize,
    pub memory_gib: f64,
    pub system: String,
    pub date: String,
    /// Programs that ran or wanted to run, the mean of the minute before the measurement began.
    pub load: f64,
    pub revision: String,
    pub versions: Vec<(String, String)>,
}

impl Machine {
    /// This machine, now.
    pub fn here() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let after = |text: &str, key: &str| {
            let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_default();
            line.trim_start_matches(key).trim_matches(['\t', ' ', ':', '=', '"']).to_owned()
        };
        let memory = after(&read("/proc/meminfo"), "MemTotal");
        let memory: f64 = memory.trim_end_matches(" kB").parse().unwrap_or_default();
        let mut versions = vec![("rustc".to_owned(), said("rustc", &["--version"]))];
        versions.push(("SQLite".to_owned(), rusqlite::version().to_owned()));
        if let Ok(duckdb) = duckdb() {
            versions.push(("DuckDB".to_owned(), said(&duckdb.to_string_lossy(), &["--version"])));
        }
        if let Ok(ripgrep) = ripgrep() {
            versions.push(("ripgrep".to_owned(), said(&ripgrep.to_string_lossy(), &["--version"])));
        }
        versions.push(("awk".to_owned(), said("sh", &["-c", "readlink -f \"$(command -v awk)\" | sed 's:.*/::'"])));
        let git = |args: &[&str]| said("git", &[&["-C", ROOT], args].concat());
        let changed =
            if git(&["status", "--porcelain", "--", "src", "Cargo.toml"]).is_empty() { "" } else { " and changes" };
        Self {
            processor: after(&read("/proc/cpuinfo"), "model name"),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_gib: memory / 1024.0 / 1024.0,
            system: format!("{}, Linux {}", after(&read("/etc/os-release"), "PRETTY_NAME"), said("uname", &["-r"])),
            date: said("date", &["-u", "+%Y-%m-%d"]),
            load: read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok()).unwrap_or_default(),
            revision: format!("{}{changed}", git(&["rev-parse", "--short=10", "HEAD"])),
            versions,
        }
    }
}

/// The first line that a command says.
fn said(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}
