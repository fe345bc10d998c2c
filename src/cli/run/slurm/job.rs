//! The side of a job: the same command on a node, with the part of the plan that is the job's, and with files of its own.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::spool::{PLAN, SubmittedPlan};
use crate::cli::failure::Failure;
use crate::cli::run::plan::Plan;
use dlbench::measure::{FinishedRun, JobFolder};
use dlbench::reading::write_whole;

/// The variable by which a job is told which one it is: its folder in the spool.
pub(super) const VARIABLE: &str = "DLBENCH_SLURM_JOB";

/// The file that tells of the end of a job.
const END: &str = "end.toml";

/// The job that this process is.
#[derive(Debug)]
pub(in crate::cli::run) struct SlurmJob {
    folder: PathBuf,
    configurations: Vec<String>,
}

/// How a job ended that came to its end.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct JobEnd {
    /// Whether somebody stopped it: then the rest is to be measured.
    pub interrupted: bool,
    /// What was not measured, since its worker does other work than was asked for, and why.
    #[serde(default)]
    pub refused: Vec<Refused>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Refused {
    pub configuration: String,
    pub why: String,
}

impl JobEnd {
    /// What the folder of a job tells of its end; `None` where it has not come to it.
    pub fn read(folder: &Path) -> Option<Self> {
        toml::from_str(&std::fs::read_to_string(folder.join(END)).ok()?).ok()
    }
}

impl SlurmJob {
    /// The job that this process is, if it is one.
    ///
    /// # Errors
    ///
    /// When what was submitted cannot be read.
    pub fn here() -> Result<Option<Self>, Failure> {
        let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from) else {
            return Ok(None);
        };
        let number = folder.file_name().and_then(|name| name.to_str()?.parse::<usize>().ok());
        let spool = folder.parent().and_then(Path::parent).unwrap_or(&folder);
        let plan = SubmittedPlan::read(&spool.join(PLAN))?;
        let job = number.and_then(|number| plan.jobs.into_iter().nth(number));
        let configurations = job.map(|job| job.configurations).ok_or_else(|| Failure::Usage {
            message: format!("{} is no folder of a job", folder.display()),
            help: Some(format!("{VARIABLE} is set by the script of a job, and by nobody else")),
        })?;
        Ok(Some(Self { folder, configurations }))
    }

    /// The part of a plan that is this job's.
    ///
    /// # Errors
    ///
    /// When the plan is not the one that was submitted.
    pub fn part_of(&self, plan: Plan) -> Result<Plan, Failure> {
        let points: Vec<_> =
            plan.points.into_iter().filter(|point| self.configurations.contains(&point.title())).collect();
        if points.len() != self.configurations.len() {
            return Err(Failure::usage(
                "the plan here is not the one that was submitted",
                "the knowledge base, the suite or the program has changed since: run the command with --fresh",
            ));
        }
        Ok(Plan { points, ..plan })
    }

    /// Where its rows go.
    pub fn rows(&self) -> PathBuf {
        JobFolder::rows_in(&self.folder)
    }

    /// Where drafts of device entries go.
    pub fn drafts(&self) -> PathBuf {
        JobFolder::drafts_in(&self.folder)
    }

    /// Where it writes what its rows are if nothing comes of it.
    pub fn if_lost(&self) -> PathBuf {
        JobFolder::lost_in(&self.folder)
    }

    /// Tells that it has come to its end.
    ///
    /// # Errors
    ///
    /// When that cannot be written.
    pub fn end(&self, finished: &FinishedRun) -> Result<(), Failure> {
        let refused = finished
            .refused
            .iter()
            .map(|(configuration, why)| Refused { configuration: configuration.clone(), why: why.clone() });
        let end = JobEnd { interrupted: finished.interrupted, refused: refused.collect() };
        let text = toml::to_string(&end).map_err(|error| Failure::Usage { message: error.to_string(), help: None })?;
        Ok(write_whole(&self.folder.join(END), text)?)
    }
}
