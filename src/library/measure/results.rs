//! The file of a run: rewritten atomically after every process, and continued by a later run if it is incomplete.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::plan::PlanPoint;
use super::process_run::{Attempt, MeasuredConfiguration, ProcessAttempt, ProcessRun, levels};
use super::rows;
use super::stop_rule::RunLimits;
use crate::model::{Field, Measurement};
use crate::reading::{
    FileKind, ReadError, WriteError, WrittenRow, check_measurements, create_folder, rewrite, toml_one_line, with_run_at,
};
use crate::values::EntityId;

/// The growing file of rows.
#[derive(Debug)]
pub struct Results {
    files: RunFiles,
    path: PathBuf,
    source: EntityId,
    /// Content of the file when this run last read or wrote it; empty if there was no file.
    held: String,
    /// The text to which the next row is added.
    text: String,
    /// The text of a file without rows.
    header: String,
    /// The rows of earlier runs when this run began, by title.
    earlier: BTreeMap<String, EarlierRow>,
    /// The titles of the rows in the order of the file.
    titles: Vec<String>,
    /// The rows that this run wrote, in the order of their first processes.
    own: Vec<(String, WrittenRow)>,
    label: String,
}

/// A row of an earlier run.
#[derive(Debug, Clone, Default)]
pub struct EarlierRow {
    /// Batch size.
    pub batch: Option<u32>,
    /// Its processes; empty if one failed, and in files from before there were several processes.
    pub processes: Vec<ProcessRun>,
}

/// Why a file could not be written or continued.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// A file could not be read or written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The strict reader rejects the rows: a bug in this program or in the worker.
    #[error("the rows do not pass the strict reader")]
    Rejected(ReadError),
}

impl Results {
    /// Opens the newest file of a plan in a folder if it is of this machine and shares rows with `wanted`, else a new
    /// one. `name` is the plan's name, `device` the id of the first measured device.
    pub fn open(
        folder: &Path,
        source: &EntityId,
        (name, device, date): (&str, &str, &str),
        wanted: &BTreeSet<String>,
        environment: &Environment,
        fresh: bool,
    ) -> Result<Self, ResultsError> {
        create_folder(folder)?;
        let files = RunFiles { folder: folder.to_owned(), name: name.to_owned(), device: device.to_owned() };
        let header = environment.header();
        let taken = files.taken()?;
        if let (false, Some((_, path))) = (fresh, taken.last()) {
            let text = fs::read_to_string(path).map_err(WriteError::at(path))?;
            let kept = EarlierRun::of(&text);
            // A complete file is opened as well: the caller finds that nothing is left to measure.
            let has_any = kept.titles.iter().any(|title| wanted.contains(title));
            if environment.matches_earlier(&kept.environment) && (has_any || kept.titles.is_empty()) {
                let label = kept.label.unwrap_or_else(|| name.to_owned());
                let (path, source) = (path.clone(), source.clone());
                let (titles, earlier, own) = (kept.titles, kept.rows, Vec::new());
                return Ok(Self { files, path, source, held: text.clone(), text, header, earlier, titles, own, label });
            }
        }
        let (path, label) = files.next(date, &taken);
        let (source, text) = (source.clone(), header.clone());
        let (titles, earlier, own) = (Vec::new(), BTreeMap::new(), Vec::new());
        Ok(Self { files, path, source, held: String::new(), text, header, earlier, titles, own, label })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The row of an earlier run with this title.
    pub fn earlier(&self, title: &str) -> Option<&EarlierRow> {
        self.earlier.get(title)
    }

    /// Adds or replaces the row of a point, with the label of the file, and writes the file. On failure, the file keeps its old
    /// content.
    ///
    /// If another process has written to the file in the meantime, that file is left alone, and this run continues in the next
    /// file, which gets all rows of this run.
    pub fn set(&mut self, title: &str, row: WrittenRow, date: &str) -> Result<Measurement, ResultsError> {
        match self.own.iter_mut().find(|(other, _)| other == title) {
            Some((_, old)) => *old = row,
            None => self.own.push((title.to_owned(), row)),
        }
        loop {
            let (mut text, mut titles) = (self.text.clone(), self.titles.clone());
            // Rows that are in the file already are skipped; a new file gets all of them.
            let lacking = |other: &str| other == title || !self.titles.iter().any(|kept| kept == other);
            for (title, row) in self.own.iter().filter(|(other, _)| lacking(other)) {
                let place = titles.iter().position(|other| other == title).unwrap_or(titles.len());
                if place == titles.len() {
                    titles.push(title.clone());
                }
                let mut row = row.clone();
                row.set(Field::Label, toml_one_line(&self.label));
                text = with_run_at(&text, place, &row, &FileKind::Measurements(self.source.clone()));
            }
            let rows = check_measurements(&self.path, &text, &self.source).map_err(ResultsError::Rejected)?;
            let mut is_ours = false;
            rewrite(&self.path, |now| {
                is_ours = now.unwrap_or_default() == self.held;
                is_ours.then(|| text.clone())
            })?;
            if is_ours {
                self.held.clone_from(&text);
                (self.text, self.titles) = (text, titles);
                let place = self.titles.iter().position(|other| other == title);
                // The strict reader returns the rows in the order of the file.
                return Ok(place.and_then(|place| rows.into_iter().nth(place)).expect("the row was just written"));
            }
            (self.path, self.label) = self.files.next(date, &self.files.taken()?);
            self.held.clear();
            self.titles.clear();
            self.text.clone_from(&self.header);
        }
    }
}

/// The date and number of a file, and its path.
pub(super) type TakenFile = ((String, u32), PathBuf);

/// The files of a plan for one device in a folder: `<name>-<device>-<date>.toml`, `…-2.toml` and so on.
#[derive(Debug)]
pub(super) struct RunFiles {
    pub folder: PathBuf,
    pub name: String,
    pub device: String,
}

impl RunFiles {
    /// The existing files, sorted by date, then by number.
    pub fn taken(&self) -> Result<Vec<TakenFile>, WriteError> {
        let start = format!("{}-{}-", self.name, self.device);
        let listed = fs::read_dir(&self.folder).map_err(WriteError::at(&self.folder))?;
        let mut taken: Vec<TakenFile> = listed
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name();
                let place = name.to_str()?.strip_prefix(&start)?.strip_suffix(".toml")?;
                Some((date_and_number(place)?, entry.path()))
            })
            .collect();
        taken.sort();
        Ok(taken)
    }

    /// The path of the next file, and its label, which distinguishes its rows from those of other runs.
    pub fn next(&self, date: &str, taken: &[TakenFile]) -> (PathBuf, String) {
        let highest = taken.iter().map(|((_, number), _)| *number).max().unwrap_or(0);
        let (suffix, label) = match highest + 1 {
            1 => (String::new(), self.name.clone()),
            n => (format!("-{n}"), format!("{} {n}", self.name)),
        };
        (self.folder.join(format!("{}-{}-{date}{suffix}.toml", self.name, self.device)), label)
    }
}

/// The date and number in a file name after its prefix; `None` for other files. Numbers count across dates.
fn date_and_number(place: &str) -> Option<(String, u32)> {
    const DATE: usize = "2026-01-31".len();
    let (date, rest) = place.split_at_checked(DATE)?;
    let is_date = date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let number = if rest.is_empty() { 1 } else { rest.strip_prefix('-')?.parse().ok()? };
    is_date.then(|| (date.to_owned(), number))
}

/// The content of an earlier file that is needed to continue it.
struct EarlierRun {
    environment: toml::Table,
    /// Titles in the order of the file; empty for rows without one.
    titles: Vec<String>,
    rows: BTreeMap<String, EarlierRow>,
    label: Option<String>,
}

impl EarlierRun {
    fn of(text: &str) -> Self {
        let file: toml::Table = text.parse().unwrap_or_default();
        let environment = file.get("environment").and_then(toml::Value::as_table).cloned().unwrap_or_default();
        let runs = file.get("run").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
        let record = |run: &toml::Value| run.get("record")?.as_table().cloned();
        let title = |run: &toml::Value| Some(record(run)?.get("point")?.as_str()?.to_owned());
        let row = |run: &toml::Value| EarlierRow {
            batch: run.get("batch-size").and_then(toml::Value::as_integer).and_then(|batch| u32::try_from(batch).ok()),
            processes: record(run).as_ref().map(rows::read).unwrap_or_default(),
        };
        Self {
            environment,
            titles: runs.iter().map(|run| title(run).unwrap_or_default()).collect(),
            rows: runs.iter().filter_map(|run| Some((title(run)?, row(run)))).collect(),
            label: runs.first().and_then(|run| Some(run.get("label")?.as_str()?.to_owned())),
        }
    }
}

/// The state of a configuration during a run.
#[derive(Debug, Default)]
pub(super) struct PointState {
    /// The processes that ran, including those of earlier runs.
    pub processes: Vec<ProcessRun>,
    /// Batch size; `None` until the largest that fits is known.
    pub batch: Option<u32>,
    wanted: usize,
    needs_more: bool,
    has_failed: bool,
}

impl PointState {
    /// The state at the start of a run, based on the row of an earlier run if there is one.
    pub fn of(point: &PlanPoint, earlier: Option<&EarlierRow>, limits: &RunLimits) -> Self {
        let mut state = Self { batch: point.batch, needs_more: true, ..Self::default() };
        state.wanted = point.method.processes(limits);
        if let Some(earlier) = earlier {
            state.batch = earlier.batch.or(point.batch);
            state.processes.clone_from(&earlier.processes);
            state.judge(point, limits);
            // A configuration without processes has failed before, and is not retried.
            state.has_failed = state.processes.is_empty();
            state.needs_more &= !state.has_failed;
        }
        state
    }

    /// The next round in which it runs, counted from 0, which is its number of processes. `None` if it is complete.
    pub fn round(&self) -> Option<usize> {
        self.needs_more.then_some(self.processes.len())
    }

    /// Expected number of its processes.
    pub fn expected(&self) -> usize {
        if self.needs_more { self.wanted } else { self.processes.len() }
    }

    /// Adds a process, with its position in the run, and returns the result of the configuration.
    pub fn add(&mut self, point: &PlanPoint, attempted: ProcessAttempt, place: usize, limits: &RunLimits) -> Attempt {
        let planned = point.method.processes(limits);
        let (ready, batch) = match attempted {
            ProcessAttempt::Failed { outcome, message, batch } => {
                (self.needs_more, self.has_failed) = (false, true);
                let message = match self.processes.len() {
                    0 => message,
                    before => format!("process {}: {message}", before + 1),
                };
                return Attempt::Failed { outcome, message, batch };
            }
            ProcessAttempt::Measured(ready, batch, run) => {
                self.processes.push(ProcessRun { place, ..*run });
                (ready, batch)
            }
        };
        self.batch = Some(batch);
        self.judge(point, limits);
        Attempt::Measured(Box::new(MeasuredConfiguration::of(&ready, batch, &self.processes, (point.method, planned))))
    }

    /// Excludes it from the run, because its worker does other work than requested.
    pub fn refuse(&mut self) {
        (self.needs_more, self.has_failed) = (false, true);
    }

    /// Its processes; empty if one has failed.
    pub fn complete_processes(&self) -> &[ProcessRun] {
        if self.has_failed { &[] } else { &self.processes }
    }

    /// Decides from the processes so far how many it needs.
    fn judge(&mut self, point: &PlanPoint, limits: &RunLimits) {
        let planned = point.method.processes(limits);
        let ran = self.processes.len();
        self.wanted = planned;
        if ran >= planned {
            let whole_s: f64 = self.processes.iter().filter_map(|process| process.whole_s).sum();
            let levels = levels(&self.processes, point.method, planned);
            self.wanted = point.method.stop.processes(planned, &levels, whole_s / ran.max(1) as f64, limits);
        }
        self.needs_more = ran < self.wanted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> RunFiles {
        RunFiles { folder: folder.to_owned(), name: "smoke".to_owned(), device: "cpu-x".to_owned() }
    }

    #[test]
    fn files_stand_in_the_order_of_their_dates_and_numbers() {
        let folder = tempfile::TempDir::new().unwrap();
        for name in [
            "smoke-cpu-x-2026-01-02-10",
            "smoke-cpu-x-2026-01-02-2",
            "smoke-cpu-x-2026-01-02",
            "smoke-cpu-xl-2026-01-02",
        ] {
            fs::write(folder.path().join(format!("{name}.toml")), "").unwrap();
        }
        let taken = files(folder.path()).taken().unwrap();
        let numbers: Vec<u32> = taken.iter().map(|((_, number), _)| *number).collect();
        assert_eq!(numbers, [1, 2, 10]);
        let (path, label) = files(folder.path()).next("2026-01-03", &taken);
        assert_eq!(
            (path.file_name().unwrap().to_str().unwrap(), label.as_str()),
            ("smoke-cpu-x-2026-01-03-11.toml", "smoke 11")
        );
    }
}
