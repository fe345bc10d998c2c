//! Where things are, and how each tool is asked a question.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Outcome;

/// The repository.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The program that is measured.
pub const DLBENCH: &str = env!("CARGO_BIN_EXE_dlbench");

/// The rivals take part up to so many rows; with more they need hours and 20 GiB.
pub const MOST_FOR_RIVALS: usize = 1_000_000;

/// Everything of one size.
pub struct Place(PathBuf, usize);

impl Place {
    pub fn of(size: usize) -> Self {
        Self(bench_folder().join(size.to_string()), size)
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    pub fn has_rivals(&self) -> bool {
        self.1 <= MOST_FOR_RIVALS
    }

    /// The tools that take part, dlbench first.
    pub fn tools(&self) -> &'static [Tool] {
        if self.has_rivals() { &Tool::ALL } else { &Tool::ALL[..1] }
    }

    /// What the rivals' preparation noted, the questions among it, which are the same for all sizes.
    pub fn prepared(&self) -> PathBuf {
        let size = if self.has_rivals() { self.1 } else { MOST_FOR_RIVALS };
        Self::of(size).folder().join("prepared.json")
    }

    pub fn kb(&self) -> PathBuf {
        self.0.join("kb")
    }

    pub fn cache(&self) -> PathBuf {
        self.0.join("cache")
    }

    pub fn results(&self) -> PathBuf {
        self.0.join("results.json")
    }

    /// dlbench on this knowledge base.
    pub fn dlbench(&self, args: &[&str]) -> Command {
        let mut command = Command::new(DLBENCH);
        command.args(args).env("DLBENCH_KB", self.kb()).env("DLBENCH_CACHE", self.cache()).env("NO_COLOR", "1");
        command
    }

    /// How `tool` is asked the question number `at` (from 1), which dlbench is asked in the words of `ask`.
    pub fn asked(&self, tool: Tool, at: usize, ask: &str) -> Outcome<Command> {
        let question = |name: &str| self.0.join("questions").join(format!("{at:02}-{name}"));
        Ok(match tool {
            Tool::Dlbench => self.dlbench(&["query", "--facets", "--", ask]),
            Tool::Sqlite => {
                let mut command = Command::new(example("ask-sqlite")?);
                command.arg(self.0.join("rows.sqlite")).arg(question("sqlite.txt"));
                command
            }
            Tool::Duckdb => {
                let mut command = Command::new(duckdb()?);
                command.args(["-init", "/dev/null", "-noheader", "-list", "-separator", "\t", "-nullvalue", "", "-f"]);
                command.arg(question("duckdb.sql"));
                command
            }
            Tool::Ripgrep => {
                let mut command = Command::new("sh");
                command.arg(question("ripgrep.sh"));
                command
            }
        })
    }
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    Dlbench,
    Sqlite,
    Duckdb,
    Ripgrep,
}

impl Tool {
    pub const ALL: [Self; 4] = [Self::Dlbench, Self::Sqlite, Self::Duckdb, Self::Ripgrep];

    pub fn name(self) -> &'static str {
        match self {
            Self::Dlbench => "dlbench",
            Self::Sqlite => "SQLite FTS5",
            Self::Duckdb => "DuckDB",
            Self::Ripgrep => "ripgrep",
        }
    }
}

/// Where everything lies that the benchmarks make.
pub fn bench_folder() -> PathBuf {
    Path::new(ROOT).join("target/bench")
}

/// DuckDB's own program, without the Python script that leads to it.
pub fn duckdb() -> Outcome<PathBuf> {
    let folder = bench_folder().join("tools/lib");
    let found = find(&folder, "duckdb_cli/duckdb");
    found.ok_or_else(|| format!("there is no DuckDB below {}: run `make bench`", folder.display()).into())
}

pub fn ripgrep() -> Outcome<PathBuf> {
    let program = bench_folder().join("tools/bin/rg");
    if program.is_file() {
        Ok(program)
    } else {
        Err(format!("there is no {}: run `make bench`", program.display()).into())
    }
}

/// One of the programs that `cargo build --release --examples` makes.
pub fn example(name: &str) -> Outcome<PathBuf> {
    let folder = Path::new(DLBENCH).parent().ok_or("a program lies in a folder")?;
    let program = folder.join("examples").join(name);
    if program.is_file() {
        Ok(program)
    } else {
        Err(format!("there is no {}: run `make bench`", program.display()).into())
    }
}

fn find(folder: &Path, end: &str) -> Option<PathBuf> {
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if path.is_file() && path.ends_with(end) {
            return Some(path);
        }
        if path.is_dir()
            && let Some(found) = find(&path, end)
        {
            return Some(found);
        }
    }
    None
}
