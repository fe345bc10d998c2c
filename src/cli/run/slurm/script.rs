//! The script of the jobs and its submission (man sbatch), and the side of a job: the same command on a node, with its part of the plan.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dlbench::measure::{FinishedRun, Gathering, JobFolder, TargetFolder};
use dlbench::reading::write_whole;
use dlbench::values::EntityId;
use serde::{Deserialize, Serialize};

use super::super::args::SlurmArgs;
use super::spool::{PLAN, Spool, SubmittedPlan};
use crate::cli::failure::Failure;
use crate::cli::global::{arguments, own_command};
use crate::cli::run::plan::Plan;

/// So many jobs make an array: `MaxArraySize` is 1001 unless an administrator says otherwise, and the numbers in an array stay below it
/// (man slurm.conf).
pub(super) const ARRAY: usize = 1000;

/// Seconds before the end of its time in which a job is told to end: enough for what is being measured to be in its file.
const WARNING_S: u32 = 60;

/// Words of the command that are not for the jobs.
const NOT_OF_JOBS: [&str; 2] = ["--dry-run", "--fresh"];

/// The name under which an array of a plan is in the queue, by which it is found again: that of the spool, and which thousand of
/// its jobs it holds.
pub(super) fn job_name(spool: &Spool, thousand: usize) -> String {
    let name = spool.folder().file_name().unwrap_or_default().to_string_lossy();
    format!("dlbench-{name}.{thousand}")
}

/// The script: the program on the node, started as it was here, with the part of the plan that is the job's. Its argument is the number
/// of the first job of its array.
pub(super) fn script(args: &SlurmArgs, spool: &Spool) -> Result<String, Failure> {
    let mut text = String::from("#!/bin/bash\n# A job of `dlbench run --slurm`: one configuration of its plan.\n");
    let mut option = |option: &str| -> Result<(), Failure> {
        if option.contains('\n') {
            return Err(Failure::usage("an option of sbatch is one line", "give --sbatch several times"));
        }
        text.push_str(&format!("#SBATCH {option}\n"));
        Ok(())
    };
    // A node of its own, for nothing else may compute beside a measurement; after the failure of a node the job starts anew by itself.
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

/// The words by which jobs of one thousand are submitted.
pub(super) fn submission(spool: &Spool, script: &Path, thousand: usize, jobs: &[usize]) -> Vec<OsString> {
    let first = thousand * ARRAY;
    let tasks: Vec<usize> = jobs.iter().map(|job| job - first).collect();
    // `%A_%a`: the number of the array and that of the job in it. A percent sign of the path itself is doubled.
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

/// What would be submitted, for people.
pub(super) fn shown(args: &SlurmArgs, spool: &Spool, plan: &SubmittedPlan) -> Result<String, Failure> {
    let path = spool.folder().join("job.sh");
    // sbatch wants the interpreter in the first line.
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

/// A word as a shell reads it.
fn quoted(word: OsString) -> Result<String, Failure> {
    let text = word.into_string().map_err(|word| {
        Failure::usage(format!("{} is no UTF-8", word.display()), "a script of a job is a text: rename it")
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

/// Where what the jobs measure goes.
#[derive(Debug)]
pub(in crate::cli::run) struct Target<'t> {
    /// The plan's name.
    pub name: &'t str,
    /// The source that the rows belong to.
    pub source: &'t EntityId,
    /// The folder of the files.
    pub folder: &'t Path,
    /// The folder for drafts of device entries.
    pub drafts: &'t Path,
    /// Today.
    pub date: &'t str,
}

impl Target<'_> {
    /// The way in, to all files or to `own` ones alone.
    pub fn gathering<'g>(&'g self, own: Option<&'g [PathBuf]>) -> Gathering<'g> {
        let Self { name, source, folder, drafts, date } = *self;
        Gathering { target: TargetFolder { name, source, folder, date, own }, drafts }
    }
}

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

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_that_follow_each_other_are_a_range() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges(&[3]), "3");
    }
}
