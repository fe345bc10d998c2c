//! How a worker is started, and what is said where it cannot be.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::cli::failure::Failure;
use dlbench::LocateError;
use dlbench::measure::{RunLimits, Worker, WorkerCommand, default_worker, launch};
use dlbench_protocol::Hello;

/// The worker; on Linux started through this very program, which ties its life to ours. Elsewhere a worker ends when its
/// standard input is closed.
pub(super) fn launch_of(worker: Option<&str>) -> Result<WorkerCommand, Failure> {
    let worker = match worker {
        // As a shell would: a path may have blanks.
        Some(command) => match shlex::split(command) {
            Some(words) if !words.is_empty() => words.into_iter().map(Into::into).collect(),
            _ => {
                let help = "a command as for a shell: a quotation mark that opens is closed again";
                return Err(Failure::usage(format!("--worker is no command: {command}"), help));
            }
        },
        None => vec![default_worker()?.into_os_string()],
    };
    let program = std::env::current_exe().map_err(LocateError::WorkingDirectory)?;
    let parent = std::process::id().to_string();
    let shell = match cfg!(target_os = "linux") {
        true => vec![program.into(), "worker".into(), "--parent".into(), parent.into(), "--".into()],
        false => Vec::new(),
    };
    Ok(launch(shell, worker)?)
}

/// What the worker of a command, or the one beside this program, says of itself and the machine.
pub(in crate::cli) fn greeting_of(worker: Option<&str>) -> Result<Hello, Failure> {
    let launch = launch_of(worker)?;
    let stop = Arc::new(AtomicBool::new(false));
    Worker::greeting(&launch, RunLimits::default().patience(), &stop).map_err(worker_failure)
}

/// A worker that could not be talked to.
pub(super) fn worker_failure(error: dlbench::measure::WorkerError) -> Failure {
    Failure::Run(error.into())
}
