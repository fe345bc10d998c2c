//! The workers built into the program, their preparation, and the selection of a command's worker.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dlbench::measure::{KitObserver, KitWorker, RunLimits, Worker, WorkerCommand, WorkerKit, default_worker, launch};
use dlbench::values::text::printable;
use dlbench::{LocateError, default_cache};
use dlbench_protocol::Hello;
use indicatif::{ProgressBar, ProgressStyle};

use super::failure::Failure;
use super::global::own_command;
use super::screen::Screen;

/// The environment variable for a folder with other workers.
const VARIABLE: &str = "DLBENCH_WORKERS";

/// The files of `src/workers`.
const FILES: [(&str, &str); 16] = [
    ("dlbench_worker.py", include_str!("../workers/dlbench_worker.py")),
    ("jax.txt", include_str!("../workers/jax.txt")),
    ("jax_worker.py", include_str!("../workers/jax_worker.py")),
    ("onnx_graph.py", include_str!("../workers/onnx_graph.py")),
    ("onnx_workload.py", include_str!("../workers/onnx_workload.py")),
    ("onnxruntime.txt", include_str!("../workers/onnxruntime.txt")),
    ("onnxruntime_worker.py", include_str!("../workers/onnxruntime_worker.py")),
    ("openvino.txt", include_str!("../workers/openvino.txt")),
    ("openvino_worker.py", include_str!("../workers/openvino_worker.py")),
    ("pytorch.txt", include_str!("../workers/pytorch.txt")),
    ("pytorch_worker.py", include_str!("../workers/pytorch_worker.py")),
    ("tensorflow.txt", include_str!("../workers/tensorflow.txt")),
    ("tensorflow_worker.py", include_str!("../workers/tensorflow_worker.py")),
    ("tract.txt", include_str!("../workers/tract.txt")),
    ("tract_worker.py", include_str!("../workers/tract_worker.py")),
    ("workers.toml", include_str!("../workers/workers.toml")),
];

/// The workers: the built-in ones, or those in the folder given by `DLBENCH_WORKERS`.
pub(super) fn worker_kit() -> Result<WorkerKit, Failure> {
    let cache = default_cache();
    Ok(match std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from) {
        Some(folder) => WorkerKit::in_folder(&folder, &cache)?,
        None => {
            let files: BTreeMap<String, Vec<u8>> =
                FILES.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_owned())).collect();
            WorkerKit::of(files, &cache)?
        }
    })
}

/// The command prefix that ties a worker's life to this process: on Linux this program itself. Elsewhere a worker ends
/// when its standard input is closed.
pub(super) fn worker_shell() -> Result<Vec<OsString>, Failure> {
    let own_command = own_command().map_err(LocateError::WorkingDirectory)?;
    let parent = std::process::id().to_string();
    Ok(match cfg!(target_os = "linux") {
        true => [own_command, ["worker", "--parent", &parent, "--"].map(OsString::from).to_vec()].concat(),
        false => Vec::new(),
    })
}

/// Installation progress on stderr: names and sizes of downloads, then a bar on a terminal, and elsewhere a line for each file.
pub(super) struct InstallProgress<'s> {
    screen: &'s Screen,
    bar: ProgressBar,
}

impl<'s> InstallProgress<'s> {
    pub fn new(screen: &'s Screen) -> Self {
        Self { screen, bar: ProgressBar::hidden() }
    }
}

impl KitObserver for InstallProgress<'_> {
    fn begins(&mut self, worker: &KitWorker, folder: &Path) {
        let megabytes =
            |size: Option<u32>| size.map_or_else(|| "an unknown size".to_owned(), |size| format!("{size} MB"));
        self.screen.tell(&format!(
            "{}: its packages are installed once into {}: {} to fetch, {} on the disk ({})",
            worker.name,
            folder.display(),
            megabytes(worker.download_mb),
            megabytes(worker.disk_mb),
            worker.licenses.as_deref().unwrap_or("licences not stated"),
        ));
        if std::io::stderr().is_terminal() {
            self.bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} [{elapsed}] {wide_msg}") {
                self.bar.set_style(style);
            }
            self.bar.enable_steady_tick(Duration::from_millis(500));
        }
    }

    fn step(&mut self, line: &str) {
        let line = printable(line);
        if self.bar.is_hidden() && (line.starts_with("Downloading") || line.starts_with("Installing")) {
            let shown: String = line.chars().take(self.screen.width()).collect();
            self.screen.tell(&format!("  {shown}"));
        }
        self.bar.set_message(line);
    }

    fn ends(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The launch command of the given worker, or of the one built with this program; the worker ends with this process.
pub(in crate::cli) fn launch_of(worker: Option<&str>) -> Result<WorkerCommand, Failure> {
    let worker = match worker {
        // Split as in a shell: a path may contain spaces.
        Some(command) => match shlex::split(command) {
            Some(words) if !words.is_empty() => words.into_iter().map(Into::into).collect(),
            _ => {
                let help = "a command as for a shell: a quotation mark that opens is closed again";
                return Err(Failure::usage(format!("--worker is not a command: {command}"), help));
            }
        },
        None => vec![default_worker()?.into_os_string()],
    };
    Ok(launch(worker_shell()?, worker)?)
}

/// The self-description of the given worker, or of the one beside this program, with the machine's devices.
pub(in crate::cli) fn greeting_of(worker: Option<&str>) -> Result<Hello, Failure> {
    let launch = launch_of(worker)?;
    let stop = Arc::new(AtomicBool::new(false));
    Worker::greeting(&launch, RunLimits::default().patience(), &stop).map_err(worker_failure)
}

/// The failure for a worker that did not respond.
pub(in crate::cli) fn worker_failure(error: dlbench::measure::WorkerError) -> Failure {
    Failure::Run(error.into())
}
