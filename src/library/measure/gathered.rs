//! Collects the rows that jobs on other machines measured into the files of this knowledge base: each row whole, and once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use super::plan::{MeasuredModel, PlanPoint};
use super::results::ResultsError;
use super::rows;
use super::session::{FinishedPoint, FinishedRun};
use super::side_by_side::side_by_side;
use crate::measure::environment::Environment;
use crate::measure::process_run::Attempt;
use crate::measure::results::{Results, RunFiles};
use crate::measure::rows::{RunContext, row_of};
use crate::measure::session::{Session, SessionError};
use crate::model::{Field, Measurement};
use crate::reading::{
    FileKind, ReadError, WriteError, WrittenRow, check_measurements, create_folder, rewrite, toml_one_line,
    with_run_taken, write_atomically,
};
use crate::stores::database::Database;
use crate::values::{EntityId, Outcome};

/// The destination of the rows and drafts of jobs.
#[derive(Debug)]
pub struct Gathering<'g> {
    /// The folder of the measurement files.
    pub target: TargetFolder<'g>,
    /// The folder for drafts of device entries.
    pub drafts: &'g Path,
}

/// The fate of a job that ended without a result in every attempt.
#[derive(Debug, Clone)]
pub struct LostJob {
    /// The outcome to record for its configurations.
    pub outcome: Outcome,
    /// What is known about its end.
    pub message: String,
}

impl Gathering<'_> {
    /// Adds the rows that a job measured; for a lost job, also adds a row with its outcome for each configuration that was not
    /// measured. Returns the files that now contain the rows. A row that is in one of them already is not added again.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or written, or a row fails the strict reader: then no row is added to that file.
    pub fn take(&self, job: &JobFolder, lost: Option<&LostJob>) -> Result<Vec<PathBuf>, ResultsError> {
        self.take_drafts(job)?;
        let changes = lost.map(|lost| {
            let mut changes = WrittenRow::default();
            changes.set(Field::Outcome, toml_one_line(&lost.outcome.to_string()));
            changes.set_record("message", toml_one_line(&lost.message));
            changes
        });
        let measured = job.measured(lost.is_none());
        let is_measured = |row: &&JobRow| measured.iter().any(|known| known.title == row.title);
        let mut rows: Vec<(&JobRow, WrittenRow)> = measured.iter().map(|row| (*row, WrittenRow::default())).collect();
        if let Some(changes) = changes {
            rows.extend(job.if_lost().filter(|row| !is_measured(row)).map(|row| (row, changes.clone())));
        }
        let mut files: Vec<PathBuf> = Vec::new();
        // All rows of one job file come from one machine.
        while let Some((first, _)) = rows.first() {
            let origin = first.origin();
            let (of_file, others): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(row, _)| row.origin() == origin);
            let path = TargetFile { folder: &self.target, rows: &of_file }.add()?;
            if !files.contains(&path) {
                files.push(path);
            }
            rows = others;
        }
        Ok(files)
    }

    /// Copies the drafts of device entries from a job, unless a draft of that name exists.
    fn take_drafts(&self, job: &JobFolder) -> Result<(), ResultsError> {
        for draft in job.drafts() {
            let Some(name) = draft.file_name() else { continue };
            let path = self.drafts.join(name);
            if path.symlink_metadata().is_ok() {
                continue;
            }
            let text = fs::read_to_string(&draft).map_err(WriteError::at(&draft))?;
            create_folder(self.drafts)?;
            write_atomically(&path, text)?;
        }
        Ok(())
    }

    /// The rows of a plan in these files, and its points with the networks that were run: for a family, the worker's member.
    ///
    /// # Errors
    ///
    /// When a file cannot be read.
    pub fn finished(
        &self,
        points: &[PlanPoint],
        files: &[PathBuf],
    ) -> Result<(FinishedRun, Vec<PlanPoint>), ResultsError> {
        let mut points = points.to_vec();
        let mut rows = Vec::new();
        let mut processes = vec![Vec::new(); points.len()];
        for path in files {
            let text = fs::read_to_string(path).map_err(WriteError::at(path))?;
            let read = check_measurements(path, &text, self.target.source).map_err(ResultsError::Rejected)?;
            let table: toml::Table = text.parse().unwrap_or_default();
            let runs = table.get("run").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
            // The strict reader returns the rows in the order of the file.
            for (row, run) in read.into_iter().zip(runs) {
                let record = run.get("record").and_then(toml::Value::as_table).cloned().unwrap_or_default();
                let title = record.get("point").and_then(toml::Value::as_str).unwrap_or_default();
                let of_row = |point: &PlanPoint| as_run(point, &row).filter(|run| run.title() == title);
                let found = points.iter().enumerate().find_map(|(at, point)| Some((at, of_row(point)?)));
                let Some((at, point)) = found else { continue };
                let number = |key: &str| record.get(key).and_then(|value| value.as_float().or(as_whole(value)));
                let half_width = number("half-width-pct").map(|percent| percent / 100.0);
                (points[at], processes[at]) = (point, rows::read(&record));
                rows.push(FinishedPoint { at, row, half_width });
            }
        }
        rows.sort_by_key(|finished| finished.at);
        let compared = side_by_side(points.iter().zip(processes.iter().map(Vec::as_slice)));
        let path = files.first().cloned().unwrap_or_else(|| self.target.folder.to_owned());
        let (before, refused, drafts) = (0, Vec::new(), Vec::new());
        Ok((FinishedRun { path, rows, before, refused, compared, drafts, interrupted: false }, points))
    }
}

/// The point with the network of a row.
fn as_run(point: &PlanPoint, row: &Measurement) -> Option<PlanPoint> {
    let subject = match (&point.subject, row.text(Field::Network)) {
        (MeasuredModel::Network(_), Some(network)) => MeasuredModel::Network(network.parse().ok()?),
        (subject, _) => subject.clone(),
    };
    Some(PlanPoint { subject, ..point.clone() })
}

fn as_whole(value: &toml::Value) -> Option<f64> {
    value.as_integer().map(|whole| whole as f64)
}

/// The rows in the folder of a job.
#[derive(Debug)]
pub struct JobFolder {
    folder: PathBuf,
    measured: Vec<JobRow>,
    if_lost: Vec<JobRow>,
}

/// A row that a job has written.
#[derive(Debug, Clone)]
pub struct JobRow {
    /// The title of its configuration.
    pub title: String,
    /// The id of its device.
    pub device: String,
    /// Whether it has all its planned processes, or failed.
    pub is_complete: bool,
    /// Number of its processes.
    pub processes: usize,
    /// Its index in its file, from 0.
    pub place: usize,
    /// Its file.
    pub file: Arc<JobFile>,
}

/// A file of rows with the environment of its machine.
#[derive(Debug)]
pub struct JobFile {
    path: PathBuf,
    /// Its text.
    pub text: String,
    /// The recorded environment.
    pub environment: Environment,
}

impl JobFolder {
    /// The folder for the rows that a job measures; its subfolder `devices` is for drafts of device entries.
    pub fn rows_in(folder: &Path) -> PathBuf {
        folder.join("rows")
    }

    /// The folder for drafts of device entries.
    pub fn drafts_in(folder: &Path) -> PathBuf {
        Self::rows_in(folder).join("devices")
    }

    /// The folder for the rows to be used if the job is lost.
    pub fn lost_in(folder: &Path) -> PathBuf {
        folder.join("lost")
    }

    /// Reads the folder of a job; missing files and folders count as empty.
    ///
    /// # Errors
    ///
    /// When a file exists but cannot be read.
    pub fn read(folder: &Path) -> Result<Self, WriteError> {
        let (measured, if_lost) = (rows_of(&Self::rows_in(folder))?, rows_of(&Self::lost_in(folder))?);
        Ok(Self { folder: folder.to_owned(), measured, if_lost })
    }

    /// The best row of each configuration: complete rows before others, then the row with the most processes. Configurations
    /// without a complete row are included only with `partial`.
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

    /// The rows to be used if the job is lost.
    pub fn if_lost(&self) -> impl Iterator<Item = &JobRow> {
        self.if_lost.iter()
    }

    /// Number of processes measured so far, which shows the progress of a job.
    pub fn processes(&self) -> usize {
        self.measured(true).iter().map(|row| row.processes.max(usize::from(row.is_complete))).sum()
    }

    /// Number of complete rows beyond one per configuration, which are duplicates of two jobs.
    pub fn duplicates(&self) -> usize {
        let complete = self.measured.iter().filter(|row| row.is_complete).count();
        complete - self.measured(false).len()
    }

    /// The drafts of device entries.
    pub fn drafts(&self) -> Vec<PathBuf> {
        toml_files(&Self::drafts_in(&self.folder)).unwrap_or_default()
    }
}

impl JobRow {
    /// The path of its file.
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
            let processes = rows::read(record).len();
            let planned = record.get("planned-processes").and_then(toml::Value::as_integer).unwrap_or_default();
            let is_complete = run.get("outcome").is_some() || processes as i64 >= planned.max(1);
            rows.push(JobRow { title, device, is_complete, processes, place, file: Arc::clone(&file) });
        }
    }
    Ok(rows)
}

/// The message of a row until more is known about the end of its job.
const MESSAGE: &str = "the job ended without a word";

impl Session<'_> {
    /// Writes a row with the outcome `crashed` for each point with a known batch into a folder, replacing the folder's content.
    pub(crate) fn write_rows_if_lost(&self, store: &Database, folder: &Path) -> Result<(), SessionError> {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(ResultsError::from(WriteError::at(folder)(error)).into());
            }
            _ => {}
        }
        let (devices, environment) = self.devices(store)?;
        let first = self.points.first().map_or("", |point| devices[&point.device].id.as_str());
        let place = (self.name, first, self.date);
        let wanted: BTreeSet<String> = self.points.iter().map(PlanPoint::title).collect();
        let mut results = Results::open(folder, self.source, place, &wanted, &environment, true)?;
        // A point for the largest batch that fits has no known batch yet.
        for (point, batch) in self.points.iter().filter_map(|point| Some((point, point.batch?))) {
            let message = MESSAGE.to_owned();
            let attempted = Attempt::Failed { outcome: Outcome::Crashed, message, batch };
            let found = &devices[&point.device];
            let worker = self.workers.of(point);
            let shared = RunContext { worker, date: self.date, environment: &environment, limits: self.limits };
            let row = row_of(point, &attempted, (&found.id, &found.raw), &shared);
            results.set(&point.title(), row, self.date)?;
        }
        Ok(())
    }
}

/// The files to which rows are added.
#[derive(Debug)]
pub struct TargetFolder<'g> {
    /// The plan's name, which is in the names of files and the labels of rows.
    pub name: &'g str,
    /// The source of the rows.
    pub source: &'g EntityId,
    /// The folder.
    pub folder: &'g Path,
    /// Today's date.
    pub date: &'g str,
    /// For a fresh run, the only files that may be extended; `None` allows all.
    pub own: Option<&'g [PathBuf]>,
}

/// Rows of one machine to be added to a file, each with its changed values.
struct TargetFile<'t> {
    pub folder: &'t TargetFolder<'t>,
    /// Never empty.
    pub rows: &'t [(&'t JobRow, WrittenRow)],
}

/// Maximum number of new files to try.
const MOST_FILES: usize = 100;

/// The result of an attempt to add the rows to a file.
enum AddOutcome {
    /// The file contains the rows.
    Contained,
    /// The file is of another machine, or has other rows of these configurations.
    Conflicting,
}

impl TargetFile<'_> {
    /// Adds the rows that are missing, and returns the file that contains all of them.
    pub fn add(&self) -> Result<PathBuf, ResultsError> {
        let TargetFolder { folder, name, date, own, .. } = *self.folder;
        create_folder(folder)?;
        let device = self.rows.first().map_or_else(String::new, |(row, _)| row.device.clone());
        let files = RunFiles { folder: folder.to_owned(), name: name.to_owned(), device };
        // Another process may create the new file first; then the loop looks at the files again.
        for _ in 0..MOST_FILES {
            let taken = files.taken()?;
            for (_, path) in taken.iter().rev().filter(|(_, path)| own.is_none_or(|own| own.contains(path))) {
                if let AddOutcome::Contained = self.add_to(path, None)? {
                    return Ok(path.clone());
                }
            }
            let (path, label) = files.next(date, &taken);
            if let AddOutcome::Contained = self.add_to(&path, Some(&label))? {
                return Ok(path);
            }
        }
        Err(WriteError::at(folder)(io::Error::other("other processes take every new file")).into())
    }

    /// Adds the rows to an existing file or, with a `label`, to a new one.
    fn add_to(&self, path: &Path, label: Option<&str>) -> Result<AddOutcome, ResultsError> {
        let mut rejected: Option<ReadError> = None;
        let mut attempted = AddOutcome::Conflicting;
        rewrite(path, |now| {
            let before = match (now.filter(|now| !now.is_empty()), label) {
                (Some(now), None) => now.to_owned(),
                (None, Some(_)) => self.environment().header(),
                _ => return None,
            };
            let known: toml::Table = before.parse().ok()?;
            let told = known.get("environment").and_then(toml::Value::as_table).cloned().unwrap_or_default();
            if label.is_none() && !self.environment().matches_earlier(&told) {
                return None;
            }
            let text = self.added(before, &known, label.unwrap_or(self.folder.name))?;
            attempted = AddOutcome::Contained;
            match check_measurements(path, &text, self.folder.source) {
                Ok(_) => Some(text),
                Err(error) => {
                    rejected = Some(error);
                    None
                }
            }
        })?;
        match rejected {
            Some(error) => Err(ResultsError::Rejected(error)),
            None => Ok(attempted),
        }
    }

    /// The text of the file with the rows; `None` if it has a different row of one of the configurations.
    fn added(&self, before: String, known: &toml::Table, label: &str) -> Option<String> {
        let kind = FileKind::Measurements(self.folder.source.clone());
        let runs = known.get("run").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
        let label = runs.first().and_then(|run| run.get("label")?.as_str()).unwrap_or(label);
        let mut text = before;
        for (row, changes) in self.rows {
            let mut changes = changes.clone();
            changes.set(Field::Label, toml_one_line(label));
            let from = (row.file.text.as_str(), row.place);
            let standing = runs.iter().find(|run| title_of(run) == Some(row.title.as_str()));
            match standing {
                None => text = with_run_taken(&text, from, &changes, &kind)?,
                Some(standing) => {
                    let alone: toml::Table = with_run_taken("", from, &changes, &kind)?.parse().ok()?;
                    if alone.get("run")?.as_array()?.first() != Some(standing) {
                        return None;
                    }
                }
            }
        }
        Some(text)
    }

    fn environment(&self) -> &Environment {
        &self.rows[0].0.file.environment
    }
}

fn title_of(run: &toml::Value) -> Option<&str> {
    run.get("record")?.get("point")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::EntityId;

    /// The folders of a knowledge base and of jobs.
    struct Bench {
        folder: tempfile::TempDir,
        source: EntityId,
    }

    /// A row with this number of its two planned processes.
    fn row(network: &str, latency_ms: f64, processes: usize) -> String {
        let process = |place: usize| {
            format!("[[run.record.process]]\nplace = {place}\nwarm-up-ms = []\nsamples-ms = [{latency_ms:?}]\n")
        };
        let about = about(network);
        format!(
            "[[run]]\n{about}statistic = \"median\"\nn = {processes}\nlatency-ms = {latency_ms:?}\n\n[run.record]\n\
             point = \"{network} eval fp32 batch 16 cpu\"\nplanned-processes = 2\n{}",
            (1..=processes).map(process).collect::<String>()
        )
    }

    fn about(network: &str) -> String {
        format!(
            "framework = \"firelight\"\ndevice = \"nova\"\ndevice-count = 1\nnetwork = \"{network}\"\nstage = \"eval\"\n\
             precision = \"fp32\"\nbatch-size = 16\nlabel = \"all\"\ndate = 2026-01-02\nstatus = \"measured\"\n"
        )
    }

    fn lost(network: &str) -> String {
        let record = format!("point = \"{network} eval fp32 batch 16 cpu\"\nmessage = \"?\"\n");
        format!("[[run]]\n{}outcome = \"crashed\"\n\n[run.record]\n{record}", about(network))
    }

    impl Bench {
        fn new() -> Self {
            Self { folder: tempfile::tempdir().unwrap(), source: "our-runs".parse().unwrap() }
        }

        /// Writes the folder of a job with rows of this machine.
        fn job(&self, name: &str, machine: &str, folders: &[(&str, String)]) -> JobFolder {
            let job = self.folder.path().join(name);
            for (folder, rows) in folders {
                create_folder(&job.join(folder)).unwrap();
                let text = format!("[environment]\nmachine = \"{machine}\"\ncpu-model = \"X\"\n\n{rows}");
                write_atomically(&job.join(folder).join("all-nova-2026-01-02.toml"), text).unwrap();
            }
            JobFolder::read(&job).unwrap()
        }

        fn take(&self, job: &JobFolder, lost: Option<&LostJob>, own: Option<&[PathBuf]>) -> Vec<String> {
            let (files, drafts) = (self.folder.path().join("files"), self.folder.path().join("drafts"));
            let target = TargetFolder { name: "all", source: &self.source, folder: &files, date: "2026-01-03", own };
            let taken = Gathering { target, drafts: &drafts }.take(job, lost).unwrap();
            taken.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
        }

        fn text(&self, file: &str) -> String {
            fs::read_to_string(self.folder.path().join("files").join(file)).unwrap()
        }
    }

    #[test]
    fn rows_of_one_machine_stand_in_one_file_each_of_them_once() {
        let bench = Bench::new();
        let (first, second) = ("all-nova-2026-01-03.toml", "all-nova-2026-01-03-2.toml");
        let one = bench.job("1", "a", &[("rows", row("deepnet-18", 5.0, 2))]);
        let two = bench.job("2", "a", &[("rows", row("deepnet-50", 7.5, 2))]);
        assert_eq!(
            (bench.take(&one, None, None), bench.take(&two, None, None)),
            (vec![first.to_owned()], vec![first.to_owned()])
        );
        let text = bench.text(first);
        assert!(text.matches("[[run]]").count() == 2 && text.matches("[environment]").count() == 1, "{text}");
        // A process that was killed before it could report the rows adds them once more.
        assert_eq!((bench.take(&one, None, None), bench.text(first)), (vec![first.to_owned()], text.clone()));
        // Another machine gets a file of its own, and so does a different row of the same configuration.
        let other = bench.job("3", "b", &[("rows", row("deepnet-50", 7.0, 2))]);
        assert_eq!(bench.take(&other, None, None), [second]);
        assert!(bench.text(second).contains("label = \"all 2\""), "{}", bench.text(second));
        let again = bench.job("4", "a", &[("rows", row("deepnet-50", 9.0, 2))]);
        assert_eq!(bench.take(&again, None, None), ["all-nova-2026-01-03-3.toml"]);
        assert_eq!(bench.text(first), text);
        // A fresh run does not extend other files.
        let fresh = bench.job("5", "a", &[("rows", row("deepnet-101", 9.0, 2))]);
        assert_eq!(bench.take(&fresh, None, Some(&[])), ["all-nova-2026-01-03-4.toml"]);
    }

    #[test]
    fn what_a_lost_job_did_not_measure_is_a_row_with_its_outcome() {
        let bench = Bench::new();
        let rows = row("deepnet-18", 5.0, 2) + &row("deepnet-50", 7.5, 1);
        let in_case = lost("deepnet-18") + &lost("deepnet-50");
        let job = bench.job("1", "a", &[("rows", rows), ("lost", in_case)]);
        assert_eq!((job.processes(), job.duplicates()), (3, 0));
        let of = LostJob { outcome: Outcome::Oom, message: "no memory".to_owned() };
        let [file] = &bench.take(&job, Some(&of), None)[..] else { panic!("one file") };
        let text = bench.text(file);
        assert!(text.contains("latency-ms = 5.0") && !text.contains("7.5"), "{text}");
        assert!(text.contains("outcome = \"oom\"") && text.contains("message = \"no memory\""), "{text}");
        assert_eq!(text.matches("outcome").count(), 1, "{text}");
    }
}
