//! The jobs' script and its submission (man sbatch), and the job's side: the same command on a node, with its part of the plan.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dlbench::measure::{FinishedRun, Gathering, JobFolder, TargetFolder};
use dlbench::reading::write_atomically;
use dlbench::values::EntityId;
use serde::{Deserialize, Serialize};

use super::super::args::SlurmArgs;
use super::spool::{PLAN, Spool, SubmittedPlan};
use crate::cli::failure::Failure;
use crate::cli::global::{arguments, own_command};
use crate::cli::run::plan::Plan;

/// Number of jobs in an array: `MaxArraySize` is 1001 by default, and task numbers must be below it (man slurm.conf).
pub(super) const ARRAY: usize = 1000;

/// Seconds before its time limit at which a job receives a signal: enough to save the current measurement.
const WARNING_S: u32 = 60;

/// Options that are not passed on to the jobs.
const NOT_OF_JOBS: [&str; 2] = ["--dry-run", "--fresh"];

/// The job name of an array in the queue, by which it is found again: the name of the spool, and which thousand of its
/// jobs the array contains.
pub(super) fn job_name(spool: &Spool, thousand: usize) -> String {
    let name = spool.folder().file_name().unwrap_or_default().to_string_lossy();
    format!("dlbench-{name}.{thousand}")
}

/// The script: runs this program on the node with the same command line and the job's part of the plan. Its argument is
/// the number of the first job in its array.
pub(super) fn script(args: &SlurmArgs, spool: &Spool) -> Result<String, Failure> {
    let mut text = String::from("#!/bin/bash\n# A job of `dlbench run --slurm`: one configuration of its plan.\n");
    let mut option = |option: &str| -> Result<(), Failure> {
        if option.contains('\n') {
            return Err(Failure::usage("an option of sbatch is one line", "give --sbatch several times"));
        }
        text.push_str(&format!("#SBATCH {option}\n"));
        Ok(())
    };
    // A whole node, because nothing else may compute beside a measurement; requeued automatically after a node failure.
    for own in ["--nodes=1", "--ntasks=1", "--exclusive", "--requeue", "--open-mode=append"] {
        option(own)?;
    }
    option(&format!("--signal=B:TERM@{WARNING_S}"))?;
    if let Some(partition) = args.slurm.as_deref().filter(|partition| !partition.is_empty()) {
        option(&format!("--partition={partition}"))?;
    }
    args.sbatch.iter().try_for_each(|further| option(further))?;
    let here = std::env::current_dir().map_err(|error| Failure::Usage { message: error.to_string(), help: None })?;
    let jobs = quoted(spool.folder().join("jobs").as_os_str().to_owned())?;
    text.push_str(&format!(
        "\njob={jobs}/$(($1 + SLURM_ARRAY_TASK_ID))\n\
         echo \"${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID restart ${{SLURM_RESTART_COUNT:-0}} on $SLURMD_NODENAME\" >>\"$job/attempts\"\n\
         rm -f \"$job/exit\" \"$job/end.toml\"\n\
         cd {} || exit\n",
        quoted(here.into_os_string())?
    ));
    for line in &args.slurm_setup {
        text.push_str(&format!("{line}\n"));
    }
    let own = own_command().map_err(|error| Failure::Usage { message: error.to_string(), help: None })?;
    let words = own
        .into_iter()
        .chain(arguments().into_iter().filter(|word| !NOT_OF_JOBS.iter().any(|not| word.to_str() == Some(*not))));
    let words: Vec<String> = words.map(quoted).collect::<Result<_, _>>()?;
    text.push_str(&format!(
        "export {VARIABLE}=$job\n{} &\nchild=$!\n\
         # Slurm signals the script alone: the program hears of it, and what it has measured stands in its file.\n\
         trap 'kill -TERM $child 2>/dev/null' TERM\n\
         wait $child; status=$?\n\
         while kill -0 $child 2>/dev/null; do wait $child; status=$?; done\n\
         echo $status >\"$job/exit.new\" && mv \"$job/exit.new\" \"$job/exit\"\n\
         exit $status\n",
        words.join(" ")
    ));
    Ok(text)
}

/// The sbatch command that submits jobs of one thousand.
pub(super) fn submission(spool: &Spool, script: &Path, thousand: usize, jobs: &[usize]) -> Vec<OsString> {
    let first = thousand * ARRAY;
    let tasks: Vec<usize> = jobs.iter().map(|job| job - first).collect();
    // `%A_%a`: the ids of the array and of the task. Percent signs in the path itself are doubled.
    let logs = spool.folder().join("logs").to_string_lossy().replace('%', "%%");
    vec![
        "sbatch".into(),
        "--parsable".into(),
        format!("--job-name={}", job_name(spool, thousand)).into(),
        format!("--array={}", ranges(&tasks)).into(),
        format!("--output={logs}/%A_%a.txt").into(),
        script.as_os_str().to_owned(),
        first.to_string().into(),
    ]
}

/// The submission in readable form, for `--dry-run`.
pub(super) fn shown(args: &SlurmArgs, spool: &Spool, plan: &SubmittedPlan) -> Result<String, Failure> {
    let path = spool.folder().join("job.sh");
    // sbatch requires the interpreter in the first line.
    let mut text = script(args, spool)?;
    let all: Vec<usize> = (0..plan.jobs.len()).collect();
    for (thousand, jobs) in all.chunks(ARRAY).enumerate() {
        let words: Vec<String> =
            submission(spool, &path, thousand, jobs).into_iter().map(quoted).collect::<Result<_, _>>()?;
        text.push_str(&format!("# {}\n", words.join(" ")));
    }
    for (number, job) in plan.jobs.iter().enumerate() {
        text.push_str(&format!("# {number}: {}\n", job.configurations.join(", ")));
    }
    Ok(text)
}

/// Quotes a word for a shell.
fn quoted(word: OsString) -> Result<String, Failure> {
    let text = word.into_string().map_err(|word| {
        Failure::usage(format!("{} is not UTF-8", word.display()), "a script of a job is a text: rename it")
    })?;
    match shlex::try_quote(&text) {
        Ok(quoted) => Ok(quoted.into_owned()),
        Err(_) => Err(Failure::usage("a word of the command has a null byte", "leave it out")),
    }
}

/// `0-3,7`
fn ranges(sorted: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in sorted {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let told = runs.into_iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    told.collect::<Vec<_>>().join(",")
}

/// The destination of the jobs' measurements.
#[derive(Debug)]
pub(in crate::cli::run) struct Target<'t> {
    /// The plan's name.
    pub name: &'t str,
    /// The source of the rows.
    pub source: &'t EntityId,
    /// The folder of the measurement files.
    pub folder: &'t Path,
    /// The folder for drafts of device entries.
    pub drafts: &'t Path,
    /// Today's date.
    pub date: &'t str,
}

impl Target<'_> {
    /// The gathering into all files, or only into the files in `own`.
    pub fn gathering<'g>(&'g self, own: Option<&'g [PathBuf]>) -> Gathering<'g> {
        let Self { name, source, folder, drafts, date } = *self;
        Gathering { target: TargetFolder { name, source, folder, date, own }, drafts }
    }
}

/// The environment variable with the job's folder in the spool.
pub(super) const VARIABLE: &str = "DLBENCH_SLURM_JOB";

/// The file that records the end of a job.
const END: &str = "end.toml";

/// The job that this process runs.
#[derive(Debug)]
pub(in crate::cli::run) struct SlurmJob {
    folder: PathBuf,
    configurations: Vec<String>,
}

/// The end of a job that ran to completion or was interrupted.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct JobEnd {
    /// Whether it was interrupted: then the remaining configurations still have to be measured.
    pub interrupted: bool,
    /// Configurations that were not measured because their worker computes something else than requested, and why.
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
    /// The recorded end of a job; `None` where it has not ended.
    pub fn read(folder: &Path) -> Option<Self> {
        toml::from_str(&std::fs::read_to_string(folder.join(END)).ok()?).ok()
    }
}

impl SlurmJob {
    /// The job that this process runs, if any.
    ///
    /// # Errors
    ///
    /// When the submitted plan cannot be read.
    pub fn here() -> Result<Option<Self>, Failure> {
        let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from) else {
            return Ok(None);
        };
        let number = folder.file_name().and_then(|name| name.to_str()?.parse::<usize>().ok());
        let spool = folder.parent().and_then(Path::parent).unwrap_or(&folder);
        let plan = SubmittedPlan::read(&spool.join(PLAN))?;
        let job = number.and_then(|number| plan.jobs.into_iter().nth(number));
        let configurations = job.map(|job| job.configurations).ok_or_else(|| Failure::Usage {
            message: format!("{} is not a folder of a job", folder.display()),
            help: Some(format!("{VARIABLE} is set by the script of a job, and by nobody else")),
        })?;
        Ok(Some(Self { folder, configurations }))
    }

    /// This job's part of a plan.
    ///
    /// # Errors
    ///
    /// When the plan differs from the submitted one.
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

    /// The folder of its rows.
    pub fn rows(&self) -> PathBuf {
        JobFolder::rows_in(&self.folder)
    }

    /// The folder for drafts of device entries.
    pub fn drafts(&self) -> PathBuf {
        JobFolder::drafts_in(&self.folder)
    }

    /// The folder for its rows in case the job is lost.
    pub fn if_lost(&self) -> PathBuf {
        JobFolder::lost_in(&self.folder)
    }

    /// Records that the job has ended.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn end(&self, finished: &FinishedRun) -> Result<(), Failure> {
        let refused = finished
            .refused
            .iter()
            .map(|(configuration, why)| Refused { configuration: configuration.clone(), why: why.clone() });
        let end = JobEnd { interrupted: finished.interrupted, refused: refused.collect() };
        let text = toml::to_string(&end).map_err(|error| Failure::Usage { message: error.to_string(), help: None })?;
        Ok(write_atomically(&self.folder.join(END), text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_that_follow_each_other_are_a_range() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges(&[3]), "3");
    }
}
