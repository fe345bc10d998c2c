//! The hidden command that runs a worker so that it, and whatever it starts, dies with its parent.

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
    /// Watch over the group of the worker, which is the parent
    #[arg(long, conflicts_with = "command")]
    guard: bool,
    /// The worker and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required_unless_present = "guard")]
    command: Vec<OsString>,
}

/// How long a worker may take to end by itself when nobody asks it any more.
const FAREWELL: Duration = Duration::from_secs(10);

/// How often the guard looks whether it has.
const LOOK: Duration = Duration::from_millis(50);

/// Becomes the worker; returns only when that fails.
pub(super) fn run(args: &WorkerArgs) -> Result<Outcome, Failure> {
    if args.guard {
        guard(args.parent);
        return Ok(Outcome::Done);
    }
    let failed =
        |error: std::io::Error| Failure::Usage { message: format!("cannot start the worker: {error}"), help: None };
    // The kernel remembers this for the program that takes our place.
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| failed(error.into()))?;
    if !has_parent(args.parent) {
        // It died before the kernel was asked.
        return Err(Failure::Usage { message: "the process that wanted a worker is gone".to_owned(), help: None });
    }
    let [program, rest @ ..] = args.command.as_slice() else {
        return Err(Failure::Usage { message: "no worker is named".to_owned(), help: None });
    };
    start_guard().map_err(failed)?;
    Err(failed(Command::new(program).args(rest).exec()))
}

/// The kernel's mark does not reach what a worker starts: a guard in its group ends that.
fn start_guard() -> std::io::Result<()> {
    let own_command = own_command()?;
    let [program, before @ ..] = own_command.as_slice() else { return Ok(()) };
    let mut guard = Command::new(program);
    guard.args(before).args(["worker", "--guard", "--parent", &std::process::id().to_string()]);
    // It shares the worker's standard input, and only looks whether it is still open at the other end.
    guard.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}

/// Waits until nobody writes to the worker any more, lets it end by itself, and ends its whole group.
fn guard(worker: i32) {
    let input = std::io::stdin();
    loop {
        // Without a wish poll tells of the other end alone.
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
        // Also what has left the group. The guard itself goes with the group.
        end_marked(&mark);
    }
    let _ = kill_process_group(getpgrp(), Signal::KILL);
}

fn has_parent(pid: i32) -> bool {
    getppid().is_some_and(|parent| parent.as_raw_nonzero().get() == pid)
}
