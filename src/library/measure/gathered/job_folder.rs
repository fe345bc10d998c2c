//! What a job left in its folder: the files of rows that it measured, and those of rows that it wrote in case nothing came of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::measure::environment::Environment;
use crate::measure::process_record;
use crate::reading::WriteError;

/// The folder of a job, as far as its rows go.
#[derive(Debug)]
pub struct JobFolder {
    folder: PathBuf,
    measured: Vec<JobRow>,
    if_lost: Vec<JobRow>,
}

/// A row that a job wrote.
#[derive(Debug, Clone)]
pub struct JobRow {
    /// The title of its configuration.
    pub title: String,
    /// The id of its device.
    pub device: String,
    /// Whether it has all processes that it was planned with, or failed.
    pub is_complete: bool,
    /// How many processes it has.
    pub processes: usize,
    /// Its number in its file, counted from 0.
    pub place: usize,
    /// Its file.
    pub file: Arc<JobFile>,
}

/// A file of rows, and what it tells of its machine.
#[derive(Debug)]
pub struct JobFile {
    path: PathBuf,
    /// Its text.
    pub text: String,
    /// The machine.
    pub environment: Environment,
}

impl JobFolder {
    /// Where a job writes what it measures, and in `devices` below it drafts of entries.
    pub fn rows_in(folder: &Path) -> PathBuf {
        folder.join("rows")
    }

    /// Where drafts of device entries are written.
    pub fn drafts_in(folder: &Path) -> PathBuf {
        Self::rows_in(folder).join("devices")
    }

    /// Where a job writes what its rows are if nothing comes of it.
    pub fn lost_in(folder: &Path) -> PathBuf {
        folder.join("lost")
    }

    /// What lies in the folder of a job; of what it never wrote there is none.
    ///
    /// # Errors
    ///
    /// When a file is there and cannot be read.
    pub fn read(folder: &Path) -> Result<Self, WriteError> {
        let (measured, if_lost) = (rows_of(&Self::rows_in(folder))?, rows_of(&Self::lost_in(folder))?);
        Ok(Self { folder: folder.to_owned(), measured, if_lost })
    }

    /// Of each configuration its best row, a complete one before others and then the one with the most processes; with `partial`
    /// also of those that have no complete one.
    pub fn measured(&self, partial: bool) -> Vec<&JobRow> {
        let mut best: Vec<&JobRow> = Vec::new();
        for row in self.measured.iter().filter(|row| partial || row.is_complete) {
            let rank = |row: &JobRow| (row.is_complete, row.processes);
            match best.iter_mut().find(|known| known.title == row.title) {
                Some(known) if rank(row) > rank(known) => *known = row,
                Some(_) => {}
                None => best.push(row),
            }
        }
        best
    }

    /// What the rows are if nothing comes of the job.
    pub fn if_lost(&self) -> impl Iterator<Item = &JobRow> {
        self.if_lost.iter()
    }

    /// Processes that were measured so far: what grows while a job gets on.
    pub fn processes(&self) -> usize {
        self.measured(true).iter().map(|row| row.processes.max(usize::from(row.is_complete))).sum()
    }

    /// How many complete rows there are beyond one of each configuration: two jobs measured the same.
    pub fn duplicates(&self) -> usize {
        let complete = self.measured.iter().filter(|row| row.is_complete).count();
        complete - self.measured(false).len()
    }

    /// Drafts of device entries.
    pub fn drafts(&self) -> Vec<PathBuf> {
        toml_files(&Self::drafts_in(&self.folder)).unwrap_or_default()
    }
}

impl JobRow {
    /// The file that it stands in.
    pub fn origin(&self) -> &Path {
        &self.file.path
    }
}

fn toml_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let listed = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        listed => listed?,
    };
    let paths = listed.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    Ok(files)
}

fn rows_of(folder: &Path) -> Result<Vec<JobRow>, WriteError> {
    let mut rows = Vec::new();
    for path in toml_files(folder).map_err(WriteError::at(folder))? {
        let text = fs::read_to_string(&path).map_err(WriteError::at(&path))?;
        let table: toml::Table = text.parse().unwrap_or_default();
        let environment = table.get("environment").and_then(toml::Value::as_table).map(Environment::of_file);
        let file = Arc::new(JobFile { path, text, environment: environment.unwrap_or_default() });
        let runs = table.get("run").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
        for (place, run) in runs.iter().enumerate() {
            let Some(record) = run.get("record").and_then(toml::Value::as_table) else { continue };
            let text = |table: &toml::Table, key: &str| table.get(key)?.as_str().map(str::to_owned);
            let Some(title) = text(record, "point") else { continue };
            let device = run.as_table().and_then(|run| text(run, "device")).unwrap_or_default();
            let processes = process_record::read(record).len();
            let planned = record.get("planned-processes").and_then(toml::Value::as_integer).unwrap_or_default();
            let is_complete = run.get("outcome").is_some() || processes as i64 >= planned.max(1);
            rows.push(JobRow { title, device, is_complete, processes, place, file: Arc::clone(&file) });
        }
    }
    Ok(rows)
}
