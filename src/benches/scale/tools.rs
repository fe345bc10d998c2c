//! The measured programs, the machine, and the preparation of knowledge bases for them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use wait4::Wait4 as _;
use xxhash_rust::xxh3::Xxh3;

use super::Outcome;

/// Root of the repository.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The measured program.
pub const DLBENCH: &str = env!("CARGO_BIN_EXE_dlbench");

/// Maximum rows for the rivals; with more rows they need hours and 20 GiB.
pub const MOST_FOR_RIVALS: usize = 1_000_000;

/// The folder with everything of one size, and the size.
pub struct SizeFolder(PathBuf, usize);

impl SizeFolder {
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

    /// The file written by the preparation of the rivals; its questions are the same for all sizes.
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

    /// A dlbench command on this knowledge base.
    pub fn dlbench(&self, args: &[&str]) -> Command {
        let mut command = Command::new(DLBENCH);
        command.args(args).env("DLBENCH_KB", self.kb()).env("DLBENCH_CACHE", self.cache()).env("NO_COLOR", "1");
        command
    }

    /// The command that asks `tool` question number `at` (from 1); `ask` is the question in dlbench's words.
    pub fn question_command(&self, tool: Tool, at: usize, ask: &str) -> Outcome<Command> {
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

/// The compared tools.
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

/// The folder for everything that the benchmarks create.
pub fn bench_folder() -> PathBuf {
    Path::new(ROOT).join("target/bench")
}

/// DuckDB's executable, without the Python script that starts it.
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

/// A program built by `cargo build --release --examples`.
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

/// Resources used by a process.
#[derive(Debug, Clone, Copy)]
pub struct Ran {
    pub wall: Duration,
    /// Peak resident memory in bytes, including mapped files that were read; for a pipeline, that of the largest process.
    pub peak: u64,
}

/// Runs a command and discards its output. Exit code 1 (nothing found) is accepted; any other failure is an error.
pub fn run(command: &mut Command) -> Outcome<Ran> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let child = command.spawn().map_err(|error| format!("{command:?}: {error}"))?;
    let ended = child.wait4()?;
    let wall = start.elapsed();
    if ended.status.code().is_none_or(|code| code > 1) {
        return Err(format!("{command:?}: {}", ended.status).into());
    }
    // Until the new program is loaded, Linux also counts the memory of the parent, so this process must stay small.
    Ok(Ran { wall, peak: ended.rusage.maxrss })
}

/// The machine and the versions of the programs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    pub processor: String,
    pub cores: usize,
    pub memory_gib: f64,
    pub system: String,
    pub date: String,
    /// Load average of the minute before the measurement began.
    pub load: f64,
    pub revision: String,
    pub versions: Vec<(String, String)>,
}

impl Machine {
    /// Describes this machine as it is now.
    pub fn here() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let after = |text: &str, key: &str| {
            let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_default();
            line.trim_start_matches(key).trim_matches(['\t', ' ', ':', '=', '"']).to_owned()
        };
        let memory = after(&read("/proc/meminfo"), "MemTotal");
        let memory: f64 = memory.trim_end_matches(" kB").parse().unwrap_or_default();
        let mut versions = vec![("rustc".to_owned(), first_output_line("rustc", &["--version"]))];
        versions.push(("SQLite".to_owned(), rusqlite::version().to_owned()));
        if let Ok(duckdb) = duckdb() {
            versions.push(("DuckDB".to_owned(), first_output_line(&duckdb.to_string_lossy(), &["--version"])));
        }
        if let Ok(ripgrep) = ripgrep() {
            versions.push(("ripgrep".to_owned(), first_output_line(&ripgrep.to_string_lossy(), &["--version"])));
        }
        versions.push((
            "awk".to_owned(),
            first_output_line("sh", &["-c", "readlink -f \"$(command -v awk)\" | sed 's:.*/::'"]),
        ));
        let git = |args: &[&str]| first_output_line("git", &[&["-C", ROOT], args].concat());
        let changed =
            if git(&["status", "--porcelain", "--", "src", "Cargo.toml"]).is_empty() { "" } else { " and changes" };
        Self {
            processor: after(&read("/proc/cpuinfo"), "model name"),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_gib: memory / 1024.0 / 1024.0,
            system: format!(
                "{}, Linux {}",
                after(&read("/etc/os-release"), "PRETTY_NAME"),
                first_output_line("uname", &["-r"])
            ),
            date: first_output_line("date", &["-u", "+%Y-%m-%d"]),
            load: read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok()).unwrap_or_default(),
            revision: format!("{}{changed}", git(&["rev-parse", "--short=10", "HEAD"])),
            versions,
        }
    }
}

/// The first line of a command's output.
fn first_output_line(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}

/// Creates what is missing for `size` rows.
pub fn prepare(size: usize) -> Outcome<()> {
    let place = SizeFolder::of(size);
    fs::create_dir_all(place.folder())?;
    let generate = example("generate")?;
    let like = key(&[&generate], &[Path::new(ROOT).join("catalog"), Path::new(ROOT).join("measurements")])?;
    unless_current(&place.folder().join("kb.key"), &like, || {
        println!("{size} measurements");
        prepare_run(
            Command::new(&generate).args(["--like", ROOT, "--rows", &size.to_string(), "--into"]).arg(place.kb()),
        )
    })?;
    if !place.has_rivals() {
        return Ok(());
    }
    let (rivals, ask_sqlite) = (example("rivals")?, example("ask-sqlite")?);
    let like = format!("{like} {}", key(&[&rivals, &ask_sqlite], &[])?);
    unless_current(&place.folder().join("rivals.key"), &like, || {
        println!("the same rows for the rivals");
        let mut command = Command::new(&rivals);
        command.arg("--kb").arg(place.kb()).arg("--into").arg(place.folder());
        command.arg("--duckdb").arg(duckdb()?).arg("--rg").arg(ripgrep()?).arg("--ask-sqlite").arg(&ask_sqlite);
        prepare_run(&mut command)
    })
}

/// Runs `work` unless the file's content is `key`, then writes `key` to the file.
fn unless_current(file: &Path, key: &str, work: impl FnOnce() -> Outcome<()>) -> Outcome<()> {
    if fs::read_to_string(file).is_ok_and(|noted| noted == key) {
        return Ok(());
    }
    let _ = fs::remove_file(file);
    work()?;
    Ok(fs::write(file, key)?)
}

/// A hash of the programs' bytes and of all files in the folders.
fn key(programs: &[&Path], folders: &[std::path::PathBuf]) -> Outcome<String> {
    let mut hash = Xxh3::new();
    for program in programs {
        hash.update(&fs::read(program)?);
    }
    for folder in folders {
        add(folder, &mut hash)?;
    }
    Ok(format!("{:032x}", hash.digest128()))
}

fn add(folder: &Path, hash: &mut Xxh3) -> Outcome<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.path().is_dir() {
            add(&entry.path(), hash)?;
        } else {
            hash.update(entry.path().as_os_str().as_encoded_bytes());
            hash.update(&fs::read(entry.path())?);
        }
    }
    Ok(())
}

fn prepare_run(command: &mut Command) -> Outcome<()> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}
