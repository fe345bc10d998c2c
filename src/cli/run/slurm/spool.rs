//! The spool: the folder through which the submitting process and its jobs communicate, on a file system shared by all nodes.
//!
//! ```text
//! measurements/<source>/.slurm/<plan>-<digest>-<number>/
//!   plan.toml            which configurations each job measures
//!   job.sh               the script of the jobs
//!   state.toml           what was submitted, and what has been taken into the measurement files
//!   logs/<job>_<task>.txt
//!   jobs/<n>/            a job's own: rows/, lost/, attempts, exit, end.toml
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cli::failure::Failure;
use dlbench::measure::{PlanPoint, plan_digest};
use dlbench::reading::{FolderLock, WriteError, create_folder, lock_folder, write_atomically};

/// The plan's file name.
pub(super) const PLAN: &str = "plan.toml";

/// The folder of all spools, below that of the measurement files; names that begin with a dot are not part of a knowledge base.
const SPOOLS: &str = ".slurm";

/// A submitted plan.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct SubmittedPlan {
    /// Distinguishes it from other plans with the same name: 16 hexadecimal digits.
    pub digest: String,
    /// The jobs, in the order of their numbers.
    #[serde(rename = "job")]
    pub jobs: Vec<PlannedJob>,
}

/// The configurations that one job measures.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct PlannedJob {
    /// The titles of its configurations.
    pub configurations: Vec<String>,
}

/// The progress of the jobs.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct State {
    /// Submissions to Slurm, in order.
    #[serde(default, rename = "submission")]
    pub submissions: Vec<Submission>,
    /// Jobs whose rows were gathered.
    #[serde(default, rename = "gathered")]
    pub gathered: Vec<GatheredJob>,
}

/// An array of jobs.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Submission {
    /// Slurm's id of the array.
    pub array: u64,
    /// The submitted jobs.
    pub jobs: Vec<usize>,
    /// The number of processes of each job that had been measured by then.
    pub processes: Vec<usize>,
}

/// A job whose rows were gathered.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct GatheredJob {
    /// Its number.
    pub job: usize,
    /// The files that contain its rows.
    pub files: Vec<PathBuf>,
}

/// The spool of a plan. While it is open, no other process can submit the same plan.
#[derive(Debug)]
pub(super) struct Spool {
    folder: PathBuf,
    /// The number among the plan's spools; above 1, it is a repetition.
    pub number: usize,
    _alone: Option<FolderLock>,
}

impl SubmittedPlan {
    /// The plan for these points. All workers of a configuration, which are measured alternately, form one job.
    pub fn of(points: &[PlanPoint], settings: &str) -> Self {
        let mut works: Vec<String> = Vec::new();
        let mut jobs: Vec<PlannedJob> = Vec::new();
        for point in points {
            let work = PlanPoint { worker: None, ..point.clone() }.title();
            match works.iter().position(|known| *known == work) {
                Some(place) => jobs[place].configurations.push(point.title()),
                None => {
                    works.push(work);
                    jobs.push(PlannedJob { configurations: vec![point.title()] });
                }
            }
        }
        Self { digest: plan_digest(points, settings), jobs }
    }

    /// Reads a plan file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(|error| Failure::Unread { path: path.to_owned(), error })?;
        toml::from_str(&text).map_err(|error| {
            Failure::usage(
                format!("{} is not a plan of jobs: {}", path.display(), error.message()),
                "--fresh submits the plan anew",
            )
        })
    }
}

impl State {
    /// Number of submissions of a job since it last made progress; `processes` is its current progress.
    pub fn tries(&self, job: usize, processes: usize) -> usize {
        let of_job = |submission: &Submission| {
            let place = submission.jobs.iter().position(|other| *other == job)?;
            submission.processes.get(place).copied()
        };
        self.submissions.iter().rev().filter_map(of_job).take_while(|then| *then == processes).count()
    }

    /// Whether a job was ever submitted.
    pub fn was_submitted(&self, job: usize) -> bool {
        self.submissions.iter().any(|submission| submission.jobs.contains(&job))
    }

    /// The files of a job's rows, if they were gathered and still exist.
    pub fn files_of(&self, job: usize) -> Option<&[PathBuf]> {
        let gathered = self.gathered.iter().find(|gathered| gathered.job == job)?;
        gathered.files.iter().all(|file| file.is_file()).then_some(gathered.files.as_slice())
    }
}

impl Spool {
    /// Opens the newest spool of a plan below the folder of its measurement files, or with `fresh` a new one. `waiting`
    /// is called if another process holds the lock.
    pub fn open(
        folder: &Path,
        name: &str,
        plan: &SubmittedPlan,
        fresh: bool,
        waiting: impl FnOnce(),
    ) -> Result<Self, Failure> {
        let spools = folder.join(SPOOLS);
        create_folder(&spools)?;
        // Keeps the spools out of git.
        write_atomically(&spools.join(".gitignore"), "*\n")?;
        let numbered = |number: usize| spools.join(format!("{name}-{}-{number}", plan.digest));
        let there = (1..).take_while(|number| numbered(*number).join(PLAN).is_file()).last().unwrap_or(0);
        let number = if fresh { there + 1 } else { there.max(1) };
        let folder = numbered(number);
        create_folder(&folder.join("logs"))?;
        let locked = lock_folder(&folder, waiting).map_err(WriteError::at(&folder))?;
        for job in 0..plan.jobs.len() {
            create_folder(&folder.join("jobs").join(job.to_string()))?;
        }
        let text = to_toml(plan)?;
        write_atomically(&folder.join(PLAN), text)?;
        // Jobs run on other nodes and in their own folders, so the path must be absolute.
        let folder = folder.canonicalize().map_err(WriteError::at(&folder))?;
        Ok(Self { folder, number, _alone: Some(locked) })
    }

    /// A spool for display only.
    pub fn shown(folder: &Path, name: &str, plan: &SubmittedPlan) -> Self {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        Self { folder: folder.join(SPOOLS).join(format!("{name}-{}-1", plan.digest)), number: 1, _alone: None }
    }

    /// The folder of the spool.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of a job.
    pub fn job(&self, job: usize) -> PathBuf {
        self.folder.join("jobs").join(job.to_string())
    }

    /// The progress of the jobs.
    pub fn state(&self) -> State {
        let text = fs::read_to_string(self.folder.join("state.toml")).unwrap_or_default();
        // Missing or unreadable state is reconstructed from the queue and the folders of the jobs.
        toml::from_str(&text).unwrap_or_default()
    }

    /// Saves the progress of the jobs.
    pub fn save_state(&self, state: &State) -> Result<(), Failure> {
        Ok(write_atomically(&self.folder.join("state.toml"), to_toml(state)?)?)
    }

    /// Exit status of the last run of a job's program; `None` where the program did not exit by itself.
    pub fn exit_status(&self, job: usize) -> Option<i32> {
        fs::read_to_string(self.job(job).join("exit")).ok()?.trim().parse().ok()
    }

    /// The last message of a job's latest attempt, and the path of its log.
    pub fn last_words(&self, job: usize) -> Option<(String, PathBuf)> {
        let attempts = fs::read_to_string(self.job(job).join("attempts")).ok()?;
        let name = attempts.lines().last()?.split(' ').next()?.to_owned();
        let path = self.folder.join("logs").join(format!("{name}.txt"));
        let text = fs::read_to_string(&path).ok()?;
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        let line = lines().rfind(|line| line.starts_with("error")).or_else(|| lines().next_back());
        Some((line.unwrap_or("nothing").to_owned(), path))
    }
}

fn to_toml(value: &impl Serialize) -> Result<String, Failure> {
    toml::to_string(value).map_err(|error| Failure::Usage { message: error.to_string(), help: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_tried_again_as_long_as_it_gets_on() {
        let of = |array, processes| Submission { array, jobs: vec![2, 5], processes: vec![0, processes] };
        let state = State { submissions: vec![of(1, 0), of(2, 3), of(3, 3)], gathered: Vec::new() };
        assert_eq!([state.tries(5, 3), state.tries(5, 4), state.tries(2, 0), state.tries(7, 0)], [2, 0, 3, 0]);
        assert_eq!([state.was_submitted(5), state.was_submitted(6)], [true, false]);
        let text = to_toml(&state).unwrap();
        assert_eq!(toml::from_str::<State>(&text).unwrap().submissions[1].processes, [0, 3], "{text}");
    }
}
