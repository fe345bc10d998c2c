//! How a worker is started, and what is said where it cannot be.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::cli::failure::Failure;
use crate::cli::worker_kit::worker_shell;
use dlbench::measure::{RunLimits, Worker, WorkerCommand, default_worker, launch};
use dlbench_protocol::Hello;

/// The worker of a command, or the one that is built with this program; its life is tied to ours.
pub(in crate::cli) fn launch_of(worker: Option<&str>) -> Result<WorkerCommand, Failure> {
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
    Ok(launch(worker_shell()?, worker)?)
}

/// What the worker of a command, or the one beside this program, says of itself and the machine.
pub(in crate::cli) fn greeting_of(worker: Option<&str>) -> Result<Hello, Failure> {
    let launch = launch_of(worker)?;
    let stop = Arc::new(AtomicBool::new(false));
    Worker::greeting(&launch, RunLimits::default().patience(), &stop).map_err(worker_failure)
}

/// A worker that could not be talked to.
pub(in crate::cli) fn worker_failure(error: dlbench::measure::WorkerError) -> Failure {
    Failure::Run(error.into())
}
