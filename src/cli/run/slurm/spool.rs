//! The spool: the folder through which the process that submits and its jobs know of each other, on a file system that all nodes see.
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
use dlbench::reading::{FolderLock, WriteError, create_folder, lock_folder, write_whole};

/// The file of the plan.
pub(super) const PLAN: &str = "plan.toml";

/// The folder of all spools, below that of the measurement files; what begins with a dot is no part of a knowledge base.
const SPOOLS: &str = ".slurm";

/// What was submitted.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct SubmittedPlan {
    /// What tells it from other plans of its name: 16 hexadecimal digits.
    pub digest: String,
    /// Each job, by its number.
    #[serde(rename = "job")]
    pub jobs: Vec<PlannedJob>,
}

/// What one job measures.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct PlannedJob {
    /// The titles of its configurations.
    pub configurations: Vec<String>,
}

/// What became of the jobs so far.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct State {
    /// What Slurm was given, in order.
    #[serde(default, rename = "submission")]
    pub submissions: Vec<Submission>,
    /// The jobs whose rows have been taken in.
    #[serde(default, rename = "gathered")]
    pub gathered: Vec<GatheredJob>,
}

/// An array of jobs.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Submission {
    /// Slurm's number of the array.
    pub array: u64,
    /// The jobs in it …
    pub jobs: Vec<usize>,
    /// … and how many processes of each had been measured by then.
    pub processes: Vec<usize>,
}

/// A job whose rows have been taken in.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct GatheredJob {
    /// Its number.
    pub job: usize,
    /// The files that hold its rows.
    pub files: Vec<PathBuf>,
}

/// The spool of a plan. While it is open no other process submits the same plan.
#[derive(Debug)]
pub(super) struct Spool {
    folder: PathBuf,
    /// Where its number among those of the plan is not 1, it is a repetition.
    pub number: usize,
    _alone: Option<FolderLock>,
}

impl SubmittedPlan {
    /// The plan of some points: the workers of one configuration, which are measured in turns, make a job.
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

    /// The plan in a file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(|error| Failure::Unread { path: path.to_owned(), error })?;
        toml::from_str(&text).map_err(|error| {
            Failure::usage(
                format!("{} is no plan of jobs: {}", path.display(), error.message()),
                "--fresh submits the plan anew",
            )
        })
    }
}

impl State {
    /// How often a job was submitted since it last got on; `processes` is how far it is now.
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

    /// Where the rows of a job are, if they have been taken in and the files are still there.
    pub fn files_of(&self, job: usize) -> Option<&[PathBuf]> {
        let gathered = self.gathered.iter().find(|gathered| gathered.job == job)?;
        gathered.files.iter().all(|file| file.is_file()).then_some(gathered.files.as_slice())
    }
}

impl Spool {
    /// The spool of a plan below the folder of its measurement files: the newest one, or with `fresh` a new one. `waiting` is called
    /// where another process has it.
    pub fn open(
        folder: &Path,
        name: &str,
        plan: &SubmittedPlan,
        fresh: bool,
        waiting: impl FnOnce(),
    ) -> Result<Self, Failure> {
        let spools = folder.join(SPOOLS);
        create_folder(&spools)?;
        // Nobody wants it among the files of a repository.
        write_whole(&spools.join(".gitignore"), "*\n")?;
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
        write_whole(&folder.join(PLAN), text)?;
        // Jobs run elsewhere and in a folder of their own.
        let folder = folder.canonicalize().map_err(WriteError::at(&folder))?;
        Ok(Self { folder, number, _alone: Some(locked) })
    }

    /// One that is only shown.
    pub fn shown(folder: &Path, name: &str, plan: &SubmittedPlan) -> Self {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        Self { folder: folder.join(SPOOLS).join(format!("{name}-{}-1", plan.digest)), number: 1, _alone: None }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of a job.
    pub fn job(&self, job: usize) -> PathBuf {
        self.folder.join("jobs").join(job.to_string())
    }

    /// What became of the jobs so far.
    pub fn state(&self) -> State {
        let text = fs::read_to_string(self.folder.join("state.toml")).unwrap_or_default();
        // It is written whole; what it does not tell is found out again from the queue and the folders of the jobs.
        toml::from_str(&text).unwrap_or_default()
    }

    /// Keeps what became of the jobs.
    pub fn keep(&self, state: &State) -> Result<(), Failure> {
        Ok(write_whole(&self.folder.join("state.toml"), to_toml(state)?)?)
    }

    /// With which status the program of a job ended when it last ran; `None` where it was not the program that ended it.
    pub fn exit_status(&self, job: usize) -> Option<i32> {
        fs::read_to_string(self.job(job).join("exit")).ok()?.trim().parse().ok()
    }

    /// What the last attempt of a job said last, and where that stands.
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
