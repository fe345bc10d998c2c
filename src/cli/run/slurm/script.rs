//! The script of the jobs, and how it is submitted (man sbatch).

use std::ffi::OsString;
use std::path::Path;

use super::super::args::SlurmArgs;
use super::job::VARIABLE;
use super::spool::{Spool, SubmittedPlan};
use crate::cli::failure::Failure;
use crate::cli::own_command::{arguments, own_command};

/// So many jobs make an array: `MaxArraySize` is 1001 unless an administrator says otherwise, and the numbers in an array stay below it
/// (man slurm.conf).
pub(super) const ARRAY: usize = 1000;

/// Seconds before the end of its time in which a job is told to end: enough for what is being measured to stand in its file.
const WARNING_S: u32 = 60;

/// Words of the command that are not for the jobs.
const NOT_OF_JOBS: [&str; 2] = ["--dry-run", "--fresh"];

/// The name under which an array of a plan stands in the queue, by which it is found again: that of the spool, and which thousand of
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

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_that_follow_each_other_are_a_range() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges(&[3]), "3");
    }
}
