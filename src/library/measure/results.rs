//! The file of a run: written anew after every configuration, whole or not at all, and continued when it is not complete.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::environment::Environment;
use crate::model::Measurement;
use crate::reading::{
    FileKind, ReadError, WriteError, WrittenRow, check_measurements, create_folder, toml_one_line, with_run,
    write_whole_synced,
};
use crate::values::EntityId;

/// Facts that must be the same for a file to be continued: it is one machine with one software.
const SAME: &[&str] = &["cpu-model", "cores-logical", "memory-mib", "kernel", "worker", "gpu-name", "gpu-driver"];

/// A file of rows that grows.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    source: EntityId,
    text: String,
    done: BTreeSet<String>,
    label: String,
}

/// Why a file could not be written or continued.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The file system.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A row that the strict reader refuses: a mistake of this program or of the worker.
    #[error("the rows do not pass the strict reader")]
    Rejected(ReadError),
}

impl Results {
    /// The file of a plan in a folder: the newest one that lacks some of `wanted` and comes from this machine, or a new
    /// one. `name` is the plan's, `device` the id of what it measures first.
    pub fn open(
        folder: &Path,
        source: &EntityId,
        (name, device, date): (&str, &str, &str),
        wanted: &BTreeSet<String>,
        environment: &Environment,
        fresh: bool,
    ) -> Result<Self, ResultsError> {
        create_folder(folder)?;
        let stem = format!("{name}-{device}");
        let mut taken: Vec<PathBuf> = fs::read_dir(folder)
            .map_err(WriteError::at(folder))?
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                let rest = path.file_name().and_then(|file| file.to_str()?.strip_prefix(&format!("{stem}-")));
                rest.is_some_and(|rest| rest.ends_with(".toml") && rest.starts_with(|c: char| c.is_ascii_digit()))
            })
            .collect();
        taken.sort();
        if let (false, Some(path)) = (fresh, taken.last()) {
            let text = fs::read_to_string(path).map_err(WriteError::at(path))?;
            let kept = EarlierRun::of(&text);
            if kept.is_of(environment) {
                let label = kept.label.unwrap_or_else(|| name.to_owned());
                let results = Self { path: path.clone(), source: source.clone(), text, done: kept.done, label };
                // A complete one is kept, too: the caller sees that nothing is left to do.
                if !wanted.is_disjoint(&results.done) || results.done.is_empty() {
                    return Ok(results);
                }
            }
        }
        let number = taken.len() + 1;
        let (suffix, label) = match number {
            1 => (String::new(), name.to_owned()),
            n => (format!("-{n}"), format!("{name} {n}")),
        };
        let path = folder.join(format!("{stem}-{date}{suffix}.toml"));
        let mut text = String::from("[environment]\n");
        for (key, value) in environment.facts() {
            text.push_str(&format!("{key} = {}\n", toml_one_line(value)));
        }
        Ok(Self { path, source: source.clone(), text, done: BTreeSet::new(), label })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What tells its rows from those of other runs.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Whether a point stands in it, by its title.
    pub fn has(&self, title: &str) -> bool {
        self.done.contains(title)
    }

    /// Adds a row and writes the file. When that fails, the file is what it was before.
    pub fn add(&mut self, title: &str, row: &WrittenRow) -> Result<Measurement, ResultsError> {
        let text = with_run(&self.text, row, &FileKind::Measurements(self.source.clone()));
        let rows = check_measurements(&self.path, &text, &self.source).map_err(ResultsError::Rejected)?;
        write_whole_synced(&self.path, &text)?;
        self.text = text;
        self.done.insert(title.to_owned());
        // The strict reader gives the rows in the file's order.
        Ok(rows.into_iter().next_back().expect("a row was just added"))
    }
}

/// What an earlier file holds, as far as continuing it goes.
struct EarlierRun {
    environment: toml::Table,
    done: BTreeSet<String>,
    label: Option<String>,
}

impl EarlierRun {
    fn of(text: &str) -> Self {
        let file: toml::Table = text.parse().unwrap_or_default();
        let environment = file.get("environment").and_then(toml::Value::as_table).cloned().unwrap_or_default();
        let runs = file.get("run").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
        let title = |run: &toml::Value| Some(run.get("record")?.get("point")?.as_str()?.to_owned());
        let label = runs.first().and_then(|run| Some(run.get("label")?.as_str()?.to_owned()));
        Self { environment, done: runs.iter().filter_map(title).collect(), label }
    }

    fn is_of(&self, environment: &Environment) -> bool {
        SAME.iter().all(|key| self.environment.get(*key).and_then(toml::Value::as_str) == environment.get(key))
    }
}
