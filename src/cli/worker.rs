//! The hidden command that runs a worker so that it and its child processes end with the parent.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Args;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Signal, getpgrp, getppid, kill_process_group, set_parent_process_death_signal};

use super::failure::Failure;
use super::global::Outcome;
use super::global::own_command;
use dlbench::measure::{MARK, end_marked};

#[derive(Debug, Args)]
pub(super) struct WorkerArgs {
    /// The process that started this one
    #[arg(long)]
    parent: i32,
    /// Guard the process group of the worker, which is the parent
    #[arg(long, conflicts_with = "command")]
    guard: bool,
    /// The worker and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required_unless_present = "guard")]
    command: Vec<OsString>,
}

/// Time for a worker to exit by itself after its input was closed.
const FAREWELL: Duration = Duration::from_secs(10);

/// Interval at which the guard checks whether it has.
const LOOK: Duration = Duration::from_millis(50);

/// Becomes the worker; returns only on failure.
pub(super) fn run(args: &WorkerArgs) -> Result<Outcome, Failure> {
    if args.guard {
        guard(args.parent);
        return Ok(Outcome::Done);
    }
    let failed =
        |error: std::io::Error| Failure::Usage { message: format!("cannot start the worker: {error}"), help: None };
    // The kernel keeps this setting across `exec`.
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| failed(error.into()))?;
    if !has_parent(args.parent) {
        // The parent died before the setting took effect.
        return Err(Failure::Usage { message: "the process that wanted a worker is gone".to_owned(), help: None });
    }
    let [program, rest @ ..] = args.command.as_slice() else {
        return Err(Failure::Usage { message: "no worker was given".to_owned(), help: None });
    };
    start_guard().map_err(failed)?;
    Err(failed(Command::new(program).args(rest).exec()))
}

/// The kernel's death signal does not reach child processes of a worker: a guard in its process group ends those.
fn start_guard() -> std::io::Result<()> {
    let own_command = own_command()?;
    let [program, before @ ..] = own_command.as_slice() else { return Ok(()) };
    let mut guard = Command::new(program);
    guard.args(before).args(["worker", "--guard", "--parent", &std::process::id().to_string()]);
    // The guard shares the worker's standard input, and only checks whether its writing end is still open.
    guard.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}

/// Waits until the worker's input is closed, lets the worker exit by itself, then ends its whole process group.
fn guard(worker: i32) {
    let input = std::io::stdin();
    loop {
        // With no requested events, poll reports only that the other end was closed.
        let mut ends = [PollFd::new(&input, PollFlags::empty())];
        match poll(&mut ends, None) {
            Err(rustix::io::Errno::INTR) => {}
            _ => break,
        }
    }
    let mut left = FAREWELL;
    while has_parent(worker) && !left.is_zero() {
        std::thread::sleep(LOOK);
        left = left.saturating_sub(LOOK);
    }
    if let Ok(mark) = std::env::var(MARK) {
        // Also ends processes that have left the group. The guard itself ends with the group.
        end_marked(&mark);
    }
    let _ = kill_process_group(getpgrp(), Signal::KILL);
}

fn has_parent(pid: i32) -> bool {
    getppid().is_some_and(|parent| parent.as_raw_nonzero().get() == pid)
}
