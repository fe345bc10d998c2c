//! The hidden command that runs a worker so that it dies with its parent.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use clap::Args;

use super::Outcome;
use super::failure::Failure;

#[derive(Debug, Args)]
pub(super) struct WorkerArgs {
    /// The process that started this one
    #[arg(long)]
    parent: i32,
    /// The worker and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

/// Becomes the worker; returns only when that fails.
pub(super) fn run(args: &WorkerArgs) -> Result<Outcome, Failure> {
    let failed =
        |error: std::io::Error| Failure::Usage { message: format!("cannot start the worker: {error}"), help: None };
    // The kernel remembers this for the program that takes our place.
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
        .map_err(|error| failed(error.into()))?;
    let parent = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get());
    if parent != Some(args.parent) {
        // It died before the kernel was asked.
        return Err(Failure::Usage { message: "the process that wanted a worker is gone".to_owned(), help: None });
    }
    let [program, rest @ ..] = args.command.as_slice() else {
        return Err(Failure::Usage { message: "no worker is named".to_owned(), help: None });
    };
    Err(failed(Command::new(program).args(rest).exec()))
}
