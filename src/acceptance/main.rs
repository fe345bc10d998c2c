//! The acceptance tests: run the real program on a miniature knowledge base and on the repository's own.

mod answer;
mod attack;
mod bad_input;
mod cache;
mod canonical;
mod catalog;
mod check;
mod compare;
mod conclusions;
mod contribute;
mod contributed;
mod documents;
mod evidence;
mod export;
mod fair;
mod faults;
mod figures;
#[cfg(target_os = "linux")]
mod frameworks;
mod hostile;
mod hostile_files;
mod import;
mod import_rules;
mod latex;
#[cfg(feature = "mcp")]
mod mcp;
mod mlperf;
mod paper;
mod parsed_source;
mod printed_figures;
mod pull;
mod python_records;
mod query;
mod questions;
mod real_kb;
mod repository;
#[cfg(target_os = "linux")]
mod run;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod site;
#[cfg(target_os = "linux")]
mod slurm;
mod sources;
mod spellings;
mod typeset;
#[cfg(feature = "serve")]
mod visitors;
mod wanted;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use dlbench::ask::answer::Page;
use serde_json::Value;
use tempfile::TempDir;

/// The repository root, which is also a knowledge base.
const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

/// Folder of the source files, which are not in the repository: `DLBENCH_SOURCES`, else `shared/sources` beside the
/// repository. It may not exist.
fn sources_folder() -> PathBuf {
    let named = std::env::var_os("DLBENCH_SOURCES").map(PathBuf::from);
    named.unwrap_or_else(|| Path::new(REPOSITORY).join("../shared/sources"))
}

/// The program with one knowledge base and a temporary cache that is deleted when this is dropped.
struct Dlbench {
    kb: PathBuf,
    cache: PathBuf,
    columns: usize,
    folder: TempDir,
}

/// The result of a run; in its output, the temporary folders are replaced by `<kb>` and `<cache>`.
#[derive(Debug, PartialEq, Eq)]
struct Ran {
    stdout: String,
    stderr: String,
    code: i32,
}

impl Dlbench {
    /// The program on the knowledge base at `kb`, with an empty cache.
    fn on(kb: impl Into<PathBuf>) -> Self {
        let kb = kb.into();
        let folder = TempDir::new().expect("a temporary folder");
        // Building the stores of the real knowledge base takes seconds, so its tests share them.
        let cache = if kb == Path::new(REPOSITORY) { shared_cache() } else { folder.path().join("cache") };
        Self { kb, cache, columns: 100, folder }
    }

    /// The program on the miniature knowledge base.
    fn on_miniature() -> Self {
        Self::on(miniature_kb())
    }

    /// The same program on a terminal with this many columns.
    fn columns(self, columns: usize) -> Self {
        Self { columns, ..self }
    }

    /// The same program with another cache folder.
    fn with_cache(self, cache: impl Into<PathBuf>) -> Self {
        Self { cache: cache.into(), ..self }
    }

    /// The folder for pulled data; does not exist yet.
    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A command that has not been started, isolated from the caller's environment.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dlbench"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env("DLBENCH_KB", &self.kb)
            .env("DLBENCH_CACHE", &self.cache)
            .env("DLBENCH_DATA", self.data())
            .env("NO_COLOR", "1")
            .env("COLUMNS", self.columns.to_string())
            .env_remove("CLICOLOR_FORCE")
            .env("NO_PROXY", "127.0.0.1")
            .stdin(Stdio::null());
        command
    }

    /// Runs the program.
    fn run(&self, args: &[&str]) -> Ran {
        self.ran(self.command(args).output().expect("the program starts"))
    }

    /// Runs the program; panics unless it succeeds without output on standard error.
    fn ok(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args:?}");
        ran.stdout
    }

    /// The answer to a question as JSON, whatever the exit code.
    fn answer(&self, question: &str) -> Value {
        match self.kb == Path::new(REPOSITORY) {
            true => real_kb::asked(question, &Page::of(0, usize::MAX)),
            false => self.json(&["query", "--all", "-f", "json", "--", question]),
        }
    }

    /// The same with only the first page of rows, for conclusions, which are drawn from all rows.
    fn first_page(&self, question: &str) -> Value {
        match self.kb == Path::new(REPOSITORY) {
            true => real_kb::asked(question, &Page::default()),
            false => self.json(&["query", "-f", "json", "--", question]),
        }
    }

    /// The output of a command, parsed as JSON.
    fn json(&self, args: &[&str]) -> Value {
        let ran = self.run(args);
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {ran:#?}"))
    }

    fn ran(&self, output: Output) -> Ran {
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("the program prints UTF-8");
            text.replace(&*self.kb.to_string_lossy(), "<kb>").replace(&*self.cache.to_string_lossy(), "<cache>")
        };
        let code = output.status.code().expect("the program ends by itself");
        // Whether this line is printed depends on the speed of the machine.
        let stderr = text(output.stderr).replace("building the index, once after each change of the files\n", "");
        Ran { stdout: text(output.stdout), stderr, code }
    }
}

/// A Python that has a package: the one installed by `make test`, else the machine's.
fn python_with(package: &str) -> Option<PathBuf> {
    let own = Path::new(REPOSITORY).join("target/tools/bin/python");
    [own, PathBuf::from("python3")].into_iter().find(|python| {
        let import = format!("import {package}");
        let asked = Command::new(python).args(["-c", &import]).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    })
}

/// The cache of the real knowledge base, emptied when the tests start.
fn shared_cache() -> PathBuf {
    static CACHE: OnceLock<PathBuf> = OnceLock::new();
    let cache = CACHE.get_or_init(|| {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real-kb");
        let _ = fs::remove_dir_all(&cache);
        // Build it once, before many tests query it in parallel. Errors show up in those tests.
        let mut index = Command::new(env!("CARGO_BIN_EXE_dlbench"));
        let _ = index.args(["index", "--kb", REPOSITORY]).env("DLBENCH_CACHE", &cache).output();
        cache
    });
    cache.clone()
}

/// The text of the Makefile and of the files that it includes.
fn makefiles() -> String {
    let files = ["Makefile", "src/acceptance/tests.mk", "src/benches/bench.mk"];
    files.map(|file| fs::read_to_string(Path::new(REPOSITORY).join(file)).expect(file)).join("\n")
}

/// The miniature knowledge base: a few invented entities of each kind.
fn miniature_kb() -> PathBuf {
    Path::new(REPOSITORY).join("src/acceptance/kb")
}

/// A copy of the miniature knowledge base that tests may damage.
struct KbCopy {
    folder: TempDir,
}

impl KbCopy {
    fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        copy(&miniature_kb(), folder.path());
        Self { folder }
    }

    /// The program on this copy.
    fn dlbench(&self) -> Dlbench {
        Dlbench::on(self.folder.path())
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Replaces a text that occurs exactly once in a file.
    fn replace(&self, file: &str, old: &str, new: &str) -> &Self {
        let text = fs::read_to_string(self.path(file)).expect(file);
        assert_eq!(text.matches(old).count(), 1, "{old:?} stands once in {file}");
        self.write(file, text.replace(old, new))
    }

    /// Appends to a file.
    fn append(&self, file: &str, more: &str) -> &Self {
        let text = fs::read_to_string(self.path(file)).expect(file);
        self.write(file, text + more)
    }

    /// Writes a file, creating its folder if necessary.
    fn write(&self, file: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("files lie in folders")).expect("a folder");
        fs::write(path, content).expect(file);
        self
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the miniature knowledge base") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a copy");
        }
    }
}

/// A row of an answer without the `best` marks, which depend on the other rows.
fn without_best(row: &Value) -> Value {
    let mut row = row.clone();
    row.as_object_mut().and_then(|row| row.remove("best")).expect("an answer says what is best");
    row
}

/// The strings in a JSON array, or the values of one key of its objects.
fn texts<'v>(array: &'v Value, key: &str) -> Vec<&'v str> {
    let items = array.as_array().unwrap_or_else(|| panic!("no array: {array}"));
    items.iter().map(|item| if key.is_empty() { item } else { &item[key] }).filter_map(Value::as_str).collect()
}

/// The texts of an answer's remarks with this code.
fn notes<'v>(answer: &'v Value, code: &str) -> Vec<&'v str> {
    let notes = answer
        .get("remarks")
        .unwrap_or(&answer["notes"])
        .as_array()
        .expect("an answer has remarks, a comparison notes");
    notes.iter().filter(|note| note["code"] == code).filter_map(|note| note["text"].as_str()).collect()
}
