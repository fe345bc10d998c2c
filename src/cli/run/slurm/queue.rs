//! The queue: the state of our jobs in Slurm, through squeue and sacct (their manual pages document the formats and the
//! states), and the submission of jobs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::{Command, Stdio};

use super::script::{ARRAY, job_name};
use super::spool::Spool;
use crate::cli::failure::Failure;
use dlbench::values::text::counted;

/// Final states of a job (man squeue, "JOB STATE CODES"); in any other state it is running, waiting or completing.
const ENDED: [&str; 10] = [
    "BOOT_FAIL",
    "CANCELLED",
    "COMPLETED",
    "DEADLINE",
    "FAILED",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PREEMPTED",
    "REVOKED",
    "TIMEOUT",
];

/// A job as reported by Slurm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QueuedJob {
    /// Slurm's id: the array and the task in it, `123_4`.
    pub id: String,
    /// Slurm's name of its state.
    pub state: String,
    /// The reason why it waits or ended.
    pub reason: String,
}

impl QueuedJob {
    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        ENDED.contains(&self.state.as_str())
    }

    /// Whether it is computing.
    pub fn is_running(&self) -> bool {
        matches!(self.state.as_str(), "RUNNING" | "COMPLETING")
    }
}

/// The jobs of a plan in squeue, by their numbers: active ones, and those that ended recently (`MinJobAge` of
/// slurm.conf). For a resubmitted job, the active one, else the last one.
pub(super) fn queued(spool: &Spool, jobs: usize) -> Result<BTreeMap<usize, QueuedJob>, Failure> {
    let names: Vec<String> = (0..jobs.div_ceil(ARRAY)).map(|thousand| job_name(spool, thousand)).collect();
    let words = [
        "squeue",
        "--noheader",
        "--array",
        "--me",
        "--states=all",
        &format!("--name={}", names.join(",")),
        // Fields: name, array, task, state, reason.
        "--format=%j|%F|%K|%T|%r",
    ];
    Ok(read_queue(&command_output(&words.map(OsString::from))?))
}

fn read_queue(text: &str) -> BTreeMap<usize, QueuedJob> {
    let mut found: BTreeMap<usize, (u64, QueuedJob)> = BTreeMap::new();
    for line in text.lines() {
        let [name, array, task, state, reason] = line.trim().splitn(5, '|').collect::<Vec<_>>()[..] else { continue };
        let thousand = name.rsplit_once('.').and_then(|(_, thousand)| thousand.parse::<usize>().ok());
        let (Some(thousand), Ok(number), Ok(at)) = (thousand, array.parse::<u64>(), task.parse::<usize>()) else {
            continue;
        };
        let job = QueuedJob { id: format!("{array}_{task}"), state: state.to_owned(), reason: reason.to_owned() };
        let weight = |number: u64, job: &QueuedJob| (!job.has_ended(), number);
        let place = thousand * ARRAY + at;
        if found.get(&place).is_none_or(|(other, known)| weight(number, &job) > weight(*other, known)) {
            found.insert(place, (number, job));
        }
    }
    found.into_iter().map(|(place, (_, job))| (place, job)).collect()
}

/// The last state of a job in the accounting; `None` where there is no accounting, or it does not know the job.
pub(super) fn accounted(id: &str) -> Option<String> {
    let words = ["sacct", "--noheader", "--parsable2", "--allocations", &format!("--jobs={id}"), "--format=State"]
        .map(OsString::from);
    let text = command_output(&words).ok()?;
    // `CANCELLED by 1000`
    Some(text.lines().last()?.split_whitespace().next()?.to_owned())
}

/// Submits jobs, and returns Slurm's id of their array.
pub(super) fn submit(words: &[OsString]) -> Result<u64, Failure> {
    let text = command_output(words)?;
    // With --parsable: the id, then optionally a semicolon and the cluster.
    let number = text.trim().split(';').next().and_then(|number| number.parse().ok());
    number.ok_or_else(|| Failure::Usage {
        message: format!("sbatch answered {text:?}, which is not a number"),
        help: None,
    })
}

/// The output of a Slurm command.
fn command_output(words: &[OsString]) -> Result<String, Failure> {
    let name = words.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let output = Command::new(&name).args(&words[1..]).stdin(Stdio::null()).output().map_err(|error| {
        Failure::usage(
            format!("cannot run {name}: {error}"),
            "--slurm is for a machine from which jobs are submitted to Slurm, with sbatch and squeue",
        )
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Failure::Usage {
        message: format!("{name} failed: {}", if words.is_empty() { "it does not say why" } else { &words }),
        help: None,
    })
}

/// `3 running, 14 waiting (Resources)`
pub(super) fn in_words(queued: &BTreeMap<usize, QueuedJob>) -> String {
    let live = || queued.values().filter(|job| !job.has_ended());
    let running = live().filter(|job| job.is_running()).count();
    let mut reasons: Vec<&str> = live().filter(|job| !job.is_running()).map(|job| job.reason.as_str()).collect();
    let waiting = reasons.len();
    reasons.sort_unstable();
    reasons.dedup();
    let why = if waiting == 0 { String::new() } else { format!(" ({})", reasons.join(", ")) };
    format!("{} running, {waiting} waiting{why}", counted(running, "job", "jobs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_job_that_was_submitted_twice_the_living_one_counts_else_the_last() {
        let told = read_queue(
            "dlbench-a-1.0|7|0|FAILED|NonZeroExitCode\ndlbench-a-1.0|9|0|PENDING|Resources\ndlbench-a-1.0|8|1|NODE_FAIL|None\n\
             dlbench-a-1.0|7|1|RUNNING|None\ndlbench-a-1.1|10|2|TIMEOUT|TimeLimit\ndlbench-a-1.1|9|2|FAILED|x\nother|1|1|RUNNING|None\n",
        );
        let states: Vec<(usize, &str)> = told.iter().map(|(job, queued)| (*job, queued.state.as_str())).collect();
        assert_eq!(states, [(0, "PENDING"), (1, "RUNNING"), (1002, "TIMEOUT")]);
        assert_eq!(in_words(&told), "1 job running, 1 waiting (Resources)");
    }
}
