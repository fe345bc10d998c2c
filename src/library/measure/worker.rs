//! Worker processes: locating, starting, querying and monitoring them, and killing what they leave behind.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{env, io, thread};

use dlbench_protocol::{Event, Hello, VERSION, WorkerRequest};

use crate::values::Allocator;
use crate::values::text::printable_path;

/// The command line and environment of a worker.
#[derive(Debug, Clone)]
pub struct WorkerCommand {
    /// Program and arguments of a wrapper that runs the worker so that it dies with us; the worker's command follows.
    pub shell: Vec<OsString>,
    /// The worker's program and arguments.
    pub worker: Vec<OsString>,
    /// The folder of libtorch's libraries, for the worker's dynamic loader.
    pub libraries: Option<PathBuf>,
    /// Whether it runs in its own Python environment, which must not load the caller's libraries and modules.
    pub is_isolated: bool,
}

/// Why a worker gave no result.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The user stopped the run.
    #[error("interrupted")]
    Interrupted,
    /// The worker could not be started.
    #[error("cannot start the worker {program}: {error}")]
    Start {
        /// The program.
        program: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The worker did not answer in time (s).
    #[error("the worker answered nothing for {0:.0} s")]
    Silent(f64),
    /// The worker used too much memory (MiB), and was killed before the system ran out of it.
    #[error("the worker used {0:.0} MiB, more than the machine can spare")]
    Memory(f64),
    /// The worker ended without an answer.
    #[error("the worker ended without an answer ({how}){}", quote_last_words(.last_words))]
    Died {
        /// Exit status or signal.
        how: String,
        /// Whether it was killed by SIGKILL.
        killed: bool,
        /// The last lines of its standard error.
        last_words: String,
    },
    /// The worker reported a failure.
    #[error("{message}")]
    Failed {
        /// `oom`, `unsupported` or `crashed`.
        outcome: String,
        /// The message of the worker.
        message: String,
    },
    /// The worker does other work than requested: another network, other weights, another precision.
    #[error("the worker is refused: {0}")]
    Refused(String),
    /// The worker violated the protocol.
    #[error("the worker does not speak the protocol: {0}")]
    Nonsense(String),
}

/// Bounds of the timeout for a worker's greeting, which is otherwise that of answers. Loading a framework takes at least seconds,
/// however short the timeout for answers is, and none takes longer than the upper bound.
const HELLO: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(120));

/// With these variables the GNU C library returns no memory to the system: large blocks are not mapped separately (and unmapped
/// when freed), and the top of the heap is not trimmed (GNU C Library manual, "Malloc Tunable Parameters"; the mapping threshold
/// alone is limited to 32 MiB). The next iteration then reuses the pages of the last one.
const RETAIN_MEMORY: [(&str, &str); 2] = [("MALLOC_MMAP_MAX_", "0"), ("MALLOC_TRIM_THRESHOLD_", "9223372036854775807")];

/// Variables by which an isolated worker would load libraries and modules of the caller.
const CALLER_VARIABLES: [&str; 3] = ["LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH"];

/// How long a worker may take to exit after `finish`.
const FAREWELL: Duration = Duration::from_secs(10);

/// How often the wait for an answer checks for a stop, a dead worker and the timeout.
const LOOK: Duration = Duration::from_millis(100);

/// How long to wait for the last standard error output of a dead worker.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Number of last lines of standard error to keep.
const LAST_LINES: usize = 8;

/// Maximum bytes of each of these lines.
const LONGEST_LAST_LINE: u64 = 300;

/// Maximum number of buffered lines from a worker.
const UNHEARD_LINES: usize = 4;

/// Prevents a program in its own environment from loading libraries and modules of the caller.
pub(super) fn isolate(command: &mut Command) {
    for variable in CALLER_VARIABLES {
        command.env_remove(variable);
    }
}

/// A running worker. Dropping it kills its whole process group, and marked processes that have left the group.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    mark: String,
    stdin: Option<ChildStdin>,
    lines: Receiver<io::Result<String>>,
    last_lines: Arc<Mutex<VecDeque<String>>>,
    listener: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts a worker and waits for its greeting; `patience` is the timeout for answers.
    pub fn start(
        launch: &WorkerCommand,
        precision: &str,
        allocator: Allocator,
        patience: Duration,
        stop: &AtomicBool,
    ) -> Result<(Self, Hello), WorkerError> {
        let mut words = launch.shell.iter().chain(&launch.worker);
        let program = words.next().cloned().unwrap_or_default();
        let mut command = Command::new(&program);
        command.args(words).env("DLBENCH_PRECISION", precision);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        separate(&mut command);
        if allocator == Allocator::Kept {
            command.envs(RETAIN_MEMORY.iter().copied());
        }
        let mark = new_mark();
        command.env(MARK, &mark);
        if launch.is_isolated {
            isolate(&mut command);
        }
        if let Some(libraries) = &launch.libraries {
            let mut path = libraries.clone().into_os_string();
            if let Some(before) = std::env::var_os("LD_LIBRARY_PATH").filter(|before| !before.is_empty()) {
                path.push(":");
                path.push(before);
            }
            command.env("LD_LIBRARY_PATH", path);
        }
        let mut child = command
            .spawn()
            .map_err(|error| WorkerError::Start { program: program.to_string_lossy().into_owned(), error })?;
        let stdin = child.stdin.take();
        // The channel is bounded: a worker that sends unrequested lines blocks until they are read.
        let (sender, lines) = sync_channel(UNHEARD_LINES);
        let last_lines = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(events) = child.stdout.take() {
            thread::spawn(move || {
                let mut events = BufReader::new(events);
                while let Some(line) = next_line(&mut events).transpose() {
                    let failed = line.is_err();
                    if sender.send(line).is_err() || failed {
                        break;
                    }
                }
            });
        }
        let listener = child.stderr.take().map(|from| {
            let kept = Arc::clone(&last_lines);
            thread::spawn(move || keep_last_lines(from, &kept))
        });
        let mut worker = Self { child, mark, stdin, lines, last_lines, listener };
        match worker.answer(patience.clamp(HELLO.0, HELLO.1), stop, &mut || None)? {
            Event::Hello(hello) if hello.protocol == VERSION => Ok((worker, hello)),
            Event::Hello(hello) => {
                Err(WorkerError::Nonsense(format!("it has version {}, this dlbench version {VERSION}", hello.protocol)))
            }
            other => Err(WorkerError::Nonsense(format!("it began with {other:?}"))),
        }
    }

    /// Starts a worker only to get its greeting: what it is and what it can do.
    pub fn greeting(launch: &WorkerCommand, patience: Duration, stop: &AtomicBool) -> Result<Hello, WorkerError> {
        let (worker, hello) = Self::start(launch, "", Allocator::System, patience, stop)?;
        worker.finish(stop);
        Ok(hello)
    }

    /// The process id, which is also the id of the process group.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request and waits at most `patience` for the answer. `guard` is polled meanwhile and can abort with an error.
    pub fn ask(
        &mut self,
        request: &WorkerRequest,
        patience: Duration,
        stop: &AtomicBool,
        guard: &mut dyn FnMut() -> Option<WorkerError>,
    ) -> Result<Event, WorkerError> {
        let line = serde_json::to_string(request).map_err(|error| WorkerError::Nonsense(error.to_string()))?;
        let written =
            self.stdin.as_mut().map_or(Ok(()), |stdin| writeln!(stdin, "{line}").and_then(|()| stdin.flush()));
        if written.is_err() {
            return Err(self.died());
        }
        match self.answer(patience, stop, guard)? {
            Event::Failed { outcome, message } => Err(WorkerError::Failed { outcome, message }),
            event => Ok(event),
        }
    }

    /// Asks the worker to exit, and returns its last event.
    pub fn finish(mut self, stop: &AtomicBool) -> Option<Event> {
        let done = self.ask(&WorkerRequest::Finish, FAREWELL, stop, &mut || None).ok();
        self.stdin = None;
        let patience = Instant::now() + FAREWELL;
        while Instant::now() < patience && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(5));
        }
        done
    }

    fn answer(
        &mut self,
        patience: Duration,
        stop: &AtomicBool,
        guard: &mut dyn FnMut() -> Option<WorkerError>,
    ) -> Result<Event, WorkerError> {
        let start = Instant::now();
        let mut ended = false;
        loop {
            match self.lines.recv_timeout(LOOK) {
                Ok(Ok(line)) => {
                    let shown: String = line.chars().take(200).collect();
                    return serde_json::from_str(&line)
                        .map_err(|error| WorkerError::Nonsense(format!("{error} in {shown:?}")));
                }
                Ok(Err(error)) => return Err(WorkerError::Nonsense(error.to_string())),
                Err(RecvTimeoutError::Disconnected) => return Err(self.died()),
                // The worker has exited, but one of its children keeps the output open.
                Err(RecvTimeoutError::Timeout) if ended => return Err(self.died()),
                Err(RecvTimeoutError::Timeout) => ended = !matches!(self.child.try_wait(), Ok(None)),
            }
            if stop.load(Ordering::Relaxed) {
                return Err(WorkerError::Interrupted);
            }
            if let Some(trouble) = guard() {
                return Err(trouble);
            }
            if start.elapsed() > patience {
                return Err(WorkerError::Silent(patience.as_secs_f64()));
            }
        }
    }

    /// The error for a worker that has closed its output.
    fn died(&mut self) -> WorkerError {
        let patience = Instant::now() + Duration::from_secs(2);
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < patience => thread::sleep(Duration::from_millis(5)),
                _ => break None,
            }
        };
        let how = match status {
            Some(status) => match (signal(status), status.code()) {
                (Some(signal), _) => format!("signal {signal}"),
                (None, Some(code)) => format!("exit status {code}"),
                (None, None) => "no status".to_owned(),
            },
            None => "it closed its output but lives".to_owned(),
        };
        let killed = status.and_then(signal) == Some(KILL);
        // Its last output may not have been read yet.
        let patience = Instant::now() + LAST_WORDS;
        while Instant::now() < patience && self.listener.as_ref().is_some_and(|listener| !listener.is_finished()) {
            thread::sleep(Duration::from_millis(5));
        }
        let lines = self.last_lines.lock().unwrap_or_else(PoisonError::into_inner);
        let last_words = lines.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
        WorkerError::Died { how, killed, last_words }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Even if the worker has exited, its children may still run.
        kill(&mut self.child);
        end_marked(&self.mark);
    }
}

fn keep_last_lines(from: impl Read, kept: &Mutex<VecDeque<String>>) {
    let _ = each_beginning(&mut BufReader::new(from), LONGEST_LAST_LINE, |line| {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == LAST_LINES {
            kept.pop_front();
        }
        kept.push_back(line);
    });
}

fn quote_last_words(last_words: &str) -> String {
    if last_words.is_empty() { String::new() } else { format!("; its last words: {last_words}") }
}

/// Limit above the size of any message of the protocol: 200 samples by two clocks and all facts of a machine.
const LONGEST_LINE: u64 = 4 << 20;

/// Reads the next line without its line ending; `None` at the end of the stream. Invalid UTF-8 is replaced.
///
/// # Errors
///
/// When the stream fails, or the line exceeds the limit for messages.
pub fn next_line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = from.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    let ends = bytes.last() == Some(&b'\n');
    if !ends && read as u64 == LONGEST_LINE {
        return Err(io::Error::other(format!("a line of more than {} MiB", LONGEST_LINE >> 20)));
    }
    if ends {
        bytes.pop();
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Reads a stream of text to its end, and passes the first `most` bytes of each line to `keep`.
///
/// # Errors
///
/// When the stream fails.
pub fn each_beginning(from: &mut impl BufRead, most: u64, mut keep: impl FnMut(String)) -> io::Result<()> {
    loop {
        let mut bytes = Vec::new();
        if from.take(most).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        let ends = bytes.last() == Some(&b'\n');
        keep(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned());
        if !ends {
            skip_line(from)?;
        }
    }
}

/// Skips the rest of the line.
fn skip_line(from: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = from.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        let done = end.is_some() || buffer.is_empty();
        from.consume(length);
        if done {
            return Ok(());
        }
    }
}

/// Starts the command as the leader of a new process group, so that Ctrl-C is left to us and its children can be killed with
/// it. Does nothing on systems without process groups.
pub fn separate(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Kills the process and, where the system has process groups, its group, even if the process itself has ended.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // The group has the id of the process.
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The signal that ended a process; `None` if it exited by itself or the system has no signals.
pub fn signal(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = None::<i32>.filter(|_| status.code().is_none());
    signal
}

/// SIGKILL, which a process cannot handle, and which the kernel sends when memory runs out.
pub const KILL: i32 = 9;

/// Maximum relative drift between two clocks of one machine, with a wide margin.
const DRIFT: f64 = 0.01;

/// Allowance for the resolution of clocks and of their readings.
const GRAIN: Duration = Duration::from_millis(10);

/// Checks the times (ns) that a worker reports against the time that the parent waited; `None` if they are possible.
///
/// The wait includes everything that the worker did, so it can be much longer than the sum of the times, but not shorter.
pub fn objection(times_ns: &[u64], waited: Duration) -> Option<String> {
    let sum_s = times_ns.iter().map(|&ns| ns as f64).sum::<f64>() / 1e9;
    let most_s = waited.as_secs_f64() * (1.0 + DRIFT) + GRAIN.as_secs_f64();
    (sum_s > most_s).then(|| {
        let count = times_ns.len();
        format!(
            "it reports that {count} iterations took {sum_s:.3} s, and answered within {:.3} s",
            waited.as_secs_f64()
        )
    })
}

/// The environment variable with the mark of a worker.
pub const MARK: &str = "DLBENCH_WORKER_MARK";

/// A mark that is unique on this machine.
pub fn new_mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    format!("{}-{since}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Kills every process with the mark except this one.
#[cfg(target_os = "linux")]
pub fn end_marked(mark: &str) {
    use rustix::process::{Signal, kill_process};
    /// Maximum number of rounds: processes may start others between listing and killing.
    const ROUNDS: usize = 20;
    let mut seen_none = false;
    for _ in 0..ROUNDS {
        let left = marked(mark);
        // The environment of a starting process cannot be read yet, so two empty listings in a row are required.
        if left.is_empty() && seen_none {
            return;
        }
        seen_none = left.is_empty();
        for pid in left {
            let _ = kill_process(pid, Signal::KILL);
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// Other systems do not show the environment of processes.
#[cfg(not(target_os = "linux"))]
pub fn end_marked(_mark: &str) {}

/// The processes with the mark except this one. Zombies have no environment, so they are not found.
#[cfg(target_os = "linux")]
fn marked(mark: &str) -> Vec<rustix::process::Pid> {
    let variable = format!("{MARK}={mark}");
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        let has_mark = environment.split(|&byte| byte == 0).any(|part| part == variable.as_bytes());
        let pid = i32::try_from(pid).ok().filter(|&pid| pid as u32 != std::process::id());
        found.extend(pid.filter(|_| has_mark).and_then(rustix::process::Pid::from_raw));
    }
    found
}

/// File name of the worker's program, which is beside this one.
const WORKER: &str = "dlbench-runner";

/// Why a worker cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The worker's program does not exist.
    #[error("there is no worker: {} does not exist", printable_path(expected))]
    NoWorker {
        /// The expected path.
        expected: PathBuf,
    },
    /// `DLBENCH_LIBTORCH` is a folder without libtorch.
    #[error(
        "DLBENCH_LIBTORCH is {}, and there is no libtorch_cpu.so in it, in its lib/ or its torch/lib/",
        printable_path(folder)
    )]
    NoLibtorch {
        /// The value of the variable.
        folder: PathBuf,
    },
}

/// The worker that is built with this program, in the same folder.
pub fn default_worker() -> Result<PathBuf, LaunchError> {
    let program = env::current_exe().unwrap_or_default();
    let expected = program.with_file_name(WORKER);
    if expected.is_file() { Ok(expected) } else { Err(LaunchError::NoWorker { expected }) }
}

/// The command for a worker; `shell` is a wrapper that runs it so that it dies with this process.
pub fn launch(shell: Vec<OsString>, worker: Vec<OsString>) -> Result<WorkerCommand, LaunchError> {
    let named = env::var_os("DLBENCH_LIBTORCH").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let libraries = match named {
        Some(folder) => Some(libraries_in(&folder).ok_or(LaunchError::NoLibtorch { folder })?),
        None => beside(worker.first().map(Path::new)),
    };
    Ok(WorkerCommand { shell, worker, libraries, is_isolated: false })
}

/// The folder of the libraries in an installation: in libtorch's own layout, or in that of a Python package.
fn libraries_in(folder: &Path) -> Option<PathBuf> {
    ["lib", "", "torch/lib"].iter().map(|part| folder.join(part)).find(|lib| lib.join("libtorch_cpu.so").is_file())
}

/// The libtorch that `make libtorch` installed in the repository in which the worker was built.
fn beside(worker: Option<&Path>) -> Option<PathBuf> {
    let worker = worker?.canonicalize().ok()?;
    worker.ancestors().find_map(|folder| libraries_in(&folder.join(".libtorch/torch")))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;
    use std::process::Command;

    use super::*;

    #[test]
    fn lines_end_and_none_is_endless() {
        let mut text = BufReader::new(&b"a\n\xffb\nlast"[..]);
        let lines: Vec<String> = std::iter::from_fn(|| next_line(&mut text).unwrap()).collect();
        assert_eq!(lines, ["a", "\u{fffd}b", "last"]);
        let endless = next_line(&mut BufReader::new(io::repeat(b'a'))).unwrap_err();
        assert_eq!(endless.to_string(), "a line of more than 4 MiB");
    }

    #[test]
    fn of_long_lines_the_beginning_is_kept() {
        let text = format!("{}\nshort\n", "a".repeat(100_000));
        let mut kept = Vec::new();
        each_beginning(&mut BufReader::new(text.as_bytes()), 3, |line| kept.push(line)).unwrap();
        assert_eq!(kept, ["aaa", "sho"]);
    }

    #[test]
    fn no_iterations_take_longer_than_they_were_waited_for() {
        let second = Duration::from_secs(1);
        assert_eq!(objection(&[400_000_000, 600_000_000], second), None);
        assert_eq!(objection(&[1], second), None, "most of the time went elsewhere");
        assert_eq!(objection(&[1_000_000, 2_000_000], Duration::from_micros(10)), None, "within the grain");
        assert!(objection(&[600_000_000, 600_000_000], second).is_some_and(|said| said.contains("1.200 s")));
        assert!(objection(&[u64::MAX, u64::MAX], second).is_some());
    }

    #[test]
    fn only_what_bears_the_mark_is_ended() {
        let (mark, other) = (new_mark(), new_mark());
        assert_ne!(mark, other);
        let start = |mark: &str| Command::new("sleep").arg("60").env(MARK, mark).spawn().unwrap();
        let (mut ours, mut theirs) = (start(&mark), start(&other));
        end_marked(&mark);
        assert!(!ours.wait().unwrap().success());
        assert!(matches!(theirs.try_wait(), Ok(None)), "another worker's lives");
        end_marked(&other);
        theirs.wait().unwrap();
    }

    #[test]
    fn libtorch_is_found_in_every_layout_and_above_the_worker() {
        let folder = tempfile::TempDir::new().unwrap();
        let library = |place: &str| {
            let place = folder.path().join(place);
            std::fs::create_dir_all(&place).unwrap();
            std::fs::write(place.join("libtorch_cpu.so"), "").unwrap();
        };
        for (place, of) in [("own/lib", "own"), ("python/torch/lib", "python"), ("bare", "bare")] {
            library(place);
            assert_eq!(libraries_in(&folder.path().join(of)), Some(folder.path().join(place)), "{of}");
        }
        assert_eq!(libraries_in(&folder.path().join("none")), None);
        let built = folder.path().join("clone/target/release");
        std::fs::create_dir_all(&built).unwrap();
        std::fs::write(built.join(WORKER), "").unwrap();
        assert_eq!(beside(Some(&built.join(WORKER))), None);
        library("clone/.libtorch/torch/lib");
        let found = beside(Some(&built.join(WORKER))).unwrap();
        assert!(found.ends_with("clone/.libtorch/torch/lib"), "{}", found.display());
    }
}
