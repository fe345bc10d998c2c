//! One process from its start to its end: how long it took and how much memory it had at its peak.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4 as _;

use super::Outcome;

/// What a process took.
#[derive(Debug, Clone, Copy)]
pub struct Ran {
    pub wall: Duration,
    /// Bytes in memory at the peak, the mapped files that were touched included; of a pipe the largest process counts.
    pub peak: u64,
}

/// Runs a command whose output nobody reads. It may find nothing (exit code 1), but it must not fail.
pub fn run(command: &mut Command) -> Outcome<Ran> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let child = command.spawn().map_err(|error| format!("{command:?}: {error}"))?;
    let ended = child.wait4()?;
    let wall = start.elapsed();
    if ended.status.code().is_none_or(|code| code > 1) {
        return Err(format!("{command:?}: {}", ended.status).into());
    }
    // Linux counts the memory of the starting process, too, until the new program is loaded: this process stays small.
    Ok(Ran { wall, peak: ended.rusage.maxrss })
}
