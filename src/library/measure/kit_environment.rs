//! Getting a worker of the kit ready: its packages are installed on first use, and its first greeting is kept.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::interpreter::{InterpreterError, interpreter};
use super::packages::{Packages, PackagesError};
use super::worker::{Worker, WorkerCommand};
use super::worker_kit::{KitError, KitWorker, WorkerKit};
use dlbench_protocol::Hello;

/// What hears how a worker gets ready.
pub trait KitObserver {
    /// Packages of a worker are going to be fetched.
    fn begins(&mut self, worker: &KitWorker, folder: &Path);

    /// What the installer does at the moment.
    fn step(&mut self, line: &str);

    /// They are installed.
    fn ends(&mut self);
}

/// Why a worker did not get ready.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// There is no Python.
    #[error(transparent)]
    Interpreter(#[from] InterpreterError),
    /// Its packages could not be fetched, or do not work.
    #[error("the packages of {worker} were not installed: {error}")]
    Packages {
        /// The worker.
        worker: String,
        /// What happened.
        error: PackagesError,
    },
    /// The kit.
    #[error(transparent)]
    Kit(#[from] KitError),
}

/// How a worker is started, after its packages were installed where they are not there; `shell` is what runs it so that it dies with
/// this process.
///
/// # Errors
///
/// When there is no Python, or its packages cannot be had.
pub fn prepared(
    kit: &WorkerKit,
    worker: &KitWorker,
    shell: &[OsString],
    patience: Duration,
    observer: &mut dyn KitObserver,
    stop: &AtomicBool,
) -> Result<WorkerCommand, PrepareError> {
    if let Some(command) = kit.executable(worker, shell)? {
        return Ok(command);
    }
    let Some(packages) = kit.packages(worker) else {
        return Ok(kit.command(worker, &interpreter()?, shell)?);
    };
    if !packages.are_ready() {
        let python = interpreter()?;
        observer.begins(worker, &packages.folder());
        let mut works = |own: &Path| greeted(kit, worker, own, shell, patience, stop);
        let installed = packages.install(&python, &mut |line| observer.step(line), &mut works, stop);
        observer.ends();
        installed.map_err(|error| PrepareError::Packages { worker: worker.name.clone(), error })?;
    }
    Ok(kit.command(worker, &packages.python(), shell)?)
}

/// What a worker said when its packages were installed; `None` where they are not.
pub fn first_greeting(kit: &WorkerKit, worker: &KitWorker) -> Option<Hello> {
    let packages = kit.packages(worker).filter(Packages::are_ready)?;
    let text = fs::read_to_string(packages.folder().join(greeting_file(worker))).ok()?;
    serde_json::from_str(&text).ok()
}

/// Greets every worker that is going to have these packages, and keeps what they say.
fn greeted(
    kit: &WorkerKit,
    worker: &KitWorker,
    python: &Path,
    shell: &[OsString],
    patience: Duration,
    stop: &AtomicBool,
) -> Result<(), String> {
    // bin/python of the environment, or Scripts/python.exe.
    let folder = python.parent().and_then(Path::parent).unwrap_or(python);
    for worker in kit.sharing(worker) {
        let named = |why: String| format!("{} does not work with them: {why}", worker.name);
        let command = kit.command(worker, python, shell).map_err(|error| named(error.to_string()))?;
        let hello = Worker::greeting(&command, patience, stop).map_err(|error| named(error.to_string()))?;
        let text = serde_json::to_string(&hello).map_err(|error| named(error.to_string()))?;
        fs::write(folder.join(greeting_file(worker)), text).map_err(|error| named(error.to_string()))?;
    }
    Ok(())
}

fn greeting_file(worker: &KitWorker) -> String {
    format!("greeting-{}.json", worker.name)
}
