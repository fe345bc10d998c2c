//! What jobs on other machines measured, taken into the files of this knowledge base: each row whole or not at all, and none twice.

mod job_folder;
mod lost_rows;
mod target_file;

use std::fs;
use std::path::{Path, PathBuf};

pub use job_folder::{JobFolder, JobRow};
pub use target_file::TargetFolder;

use super::plan_point::{MeasuredModel, PlanPoint};
use super::process_record;
use super::results::ResultsError;
use super::session::{FinishedPoint, FinishedRun};
use super::side_by_side::side_by_side;
use crate::model::{Field, Measurement};
use crate::reading::{WriteError, WrittenRow, check_measurements, create_folder, toml_one_line, write_whole};
use crate::values::Outcome;
use target_file::TargetFile;

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
    /// now; a row that stands in one of them already is not added again.
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
                (points[at], processes[at]) = (point, process_record::read(&record));
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
