//! What jobs on other machines measured, taken into the files of this knowledge base: each row whole or not at all, and none twice.

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
    with_run_taken, write_whole,
};
use crate::stores::database::Database;
use crate::values::{EntityId, Outcome};

/// Where what jobs measured is taken into.
#[derive(Debug)]
pub struct Gathering<'g> {
    /// The files of rows.
    pub target: TargetFolder<'g>,
    /// The folder for drafts of device entries.
    pub drafts: &'g Path,
}

/// What became of a job that ended without a word, as often as it was tried.
#[derive(Debug, Clone)]
pub struct LostJob {
    /// What its configurations are recorded with.
    pub outcome: Outcome,
    /// What is known of its end.
    pub message: String,
}

impl Gathering<'_> {
    /// Takes in what a job measured; where it is lost, what it did not measure gets a row that says so. The files that hold the rows
    /// now; a row that is in one of them already is not added again.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or written, or a row does not pass the strict reader: then none of that file is taken in.
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
        // The rows of one file are of one machine.
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

    /// The entries of devices that a job drafted, where there are none of them yet.
    fn take_drafts(&self, job: &JobFolder) -> Result<(), ResultsError> {
        for draft in job.drafts() {
            let Some(name) = draft.file_name() else { continue };
            let path = self.drafts.join(name);
            if path.symlink_metadata().is_ok() {
                continue;
            }
            let text = fs::read_to_string(&draft).map_err(WriteError::at(&draft))?;
            create_folder(self.drafts)?;
            write_whole(&path, text)?;
        }
        Ok(())
    }

    /// What files hold of a plan, and its points as they were run: a family as the member that the worker had.
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
            // The strict reader gives the rows in the file's order.
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

/// A point with the network of a row.
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
    /// The file that it is in.
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

/// What is in the place of a message until more is known.
const MESSAGE: &str = "the job ended without a word";

impl Session<'_> {
    /// Writes a row with the outcome `crashed` for each point whose batch is known into a folder of its own, in the place of all that lay there.
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
        // Of the largest batch that fits nobody knows yet what it is.
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

/// The folder of the files that rows are added to.
#[derive(Debug)]
pub struct TargetFolder<'g> {
    /// The plan's name, which files and rows bear.
    pub name: &'g str,
    /// The source that the rows belong to.
    pub source: &'g EntityId,
    /// The folder.
    pub folder: &'g Path,
    /// Today.
    pub date: &'g str,
    /// The only files that may be continued, where everything is measured again; all where absent.
    pub own: Option<&'g [PathBuf]>,
}

/// Rows of one machine on their way into a file, each with what it states instead.
struct TargetFile<'t> {
    pub folder: &'t TargetFolder<'t>,
    /// At least one.
    pub rows: &'t [(&'t JobRow, WrittenRow)],
}

/// So many new files are tried.
const MOST_FILES: usize = 100;

/// What becomes of an attempt to add the rows to a file.
enum Attempted {
    /// They are in it.
    Stands,
    /// The file is of another machine, or has other rows of these configurations.
    IsOfAnother,
}

impl TargetFile<'_> {
    /// Adds the rows that are not there yet, and tells where all of them stand.
    pub fn add(&self) -> Result<PathBuf, ResultsError> {
        let TargetFolder { folder, name, date, own, .. } = *self.folder;
        create_folder(folder)?;
        let device = self.rows.first().map_or_else(String::new, |(row, _)| row.device.clone());
        let files = RunFiles { folder: folder.to_owned(), name: name.to_owned(), device };
        // Another process may take the place of a new file first; then there is another one to look at.
        for _ in 0..MOST_FILES {
            let taken = files.taken()?;
            for (_, path) in taken.iter().rev().filter(|(_, path)| own.is_none_or(|own| own.contains(path))) {
                if let Attempted::Stands = self.add_to(path, None)? {
                    return Ok(path.clone());
                }
            }
            let (path, label) = files.next(date, &taken);
            if let Attempted::Stands = self.add_to(&path, Some(&label))? {
                return Ok(path);
            }
        }
        Err(WriteError::at(folder)(io::Error::other("other processes take every new file")).into())
    }

    /// Adds the rows to a file that is there, or with a `label` to one that is not.
    fn add_to(&self, path: &Path, label: Option<&str>) -> Result<Attempted, ResultsError> {
        let mut rejected: Option<ReadError> = None;
        let mut attempted = Attempted::IsOfAnother;
        rewrite(path, |now| {
            let before = match (now.filter(|now| !now.is_empty()), label) {
                (Some(now), None) => now.to_owned(),
                (None, Some(_)) => self.environment().header(),
                _ => return None,
            };
            let known: toml::Table = before.parse().ok()?;
            let told = known.get("environment").and_then(toml::Value::as_table).cloned().unwrap_or_default();
            if label.is_none() && !self.environment().is_that_of(&told) {
                return None;
            }
            let text = self.added(before, &known, label.unwrap_or(self.folder.name))?;
            attempted = Attempted::Stands;
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

    /// The text of a file with the rows; `None` where another row of one of the configurations is in it.
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

    /// A knowledge base's folders, and those of jobs.
    struct Bench {
        folder: tempfile::TempDir,
        source: EntityId,
    }

    /// A row with so many of two processes.
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

        /// The folder of a job with rows of a machine.
        fn job(&self, name: &str, machine: &str, folders: &[(&str, String)]) -> JobFolder {
            let job = self.folder.path().join(name);
            for (folder, rows) in folders {
                create_folder(&job.join(folder)).unwrap();
                let text = format!("[environment]\nmachine = \"{machine}\"\ncpu-model = \"X\"\n\n{rows}");
                write_whole(&job.join(folder).join("all-nova-2026-01-02.toml"), text).unwrap();
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
        // Whoever was killed before it could say so takes them in once more.
        assert_eq!((bench.take(&one, None, None), bench.text(first)), (vec![first.to_owned()], text.clone()));
        // Another machine has a file of its own, and so has another row of the same configuration.
        let other = bench.job("3", "b", &[("rows", row("deepnet-50", 7.0, 2))]);
        assert_eq!(bench.take(&other, None, None), [second]);
        assert!(bench.text(second).contains("label = \"all 2\""), "{}", bench.text(second));
        let again = bench.job("4", "a", &[("rows", row("deepnet-50", 9.0, 2))]);
        assert_eq!(bench.take(&again, None, None), ["all-nova-2026-01-03-3.toml"]);
        assert_eq!(bench.text(first), text);
        // Where everything is measured anew no other file is continued.
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
