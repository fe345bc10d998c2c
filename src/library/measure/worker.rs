//! A worker process: found, started, asked, watched, and never left behind.

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

/// How a worker is started.
#[derive(Debug, Clone)]
pub struct WorkerCommand {
    /// Program and arguments that run the worker so that it dies with us; the worker's own follow.
    pub shell: Vec<OsString>,
    /// The worker and its arguments.
    pub worker: Vec<OsString>,
    /// The folder of libtorch's libraries, for the worker's loader.
    pub libraries: Option<PathBuf>,
    /// Whether it lives in an environment of its own, which the caller's libraries and Python modules must not reach.
    pub is_isolated: bool,
}

/// Why a worker gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// It could not be started.
    #[error("cannot start the worker {program}: {error}")]
    Start {
        /// What was started.
        program: String,
        /// What the system said.
        error: io::Error,
    },
    /// It answered nothing for too long.
    #[error("the worker answered nothing for {0:.0} s")]
    Silent(f64),
    /// It used more memory than there is, and was ended before the system had to.
    #[error("the worker used {0:.0} MiB, more than the machine can spare")]
    Memory(f64),
    /// It ended without an answer.
    #[error("the worker ended without an answer ({how}){}", told(.last_words))]
    Died {
        /// Exit status or signal.
        how: String,
        /// Whether it was killed from outside.
        killed: bool,
        /// The last lines of its standard error.
        last_words: String,
    },
    /// It said that it cannot.
    #[error("{message}")]
    Failed {
        /// `oom`, `unsupported` or `crashed`.
        outcome: String,
        /// Its words.
        message: String,
    },
    /// It does other work than was asked for: another network, other weights, another precision.
    #[error("the worker is refused: {0}")]
    Refused(String),
    /// It did not speak the protocol.
    #[error("the worker does not speak the protocol: {0}")]
    Nonsense(String),
}

/// How long a worker may take to load its framework and say hello: as long as for an answer, within these bounds. Loading takes
/// its time, however little patience there is for answers, and no framework takes longer than the other bound.
const HELLO: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(120));

/// With these variables the GNU C library gives no memory back to the system: no piece is so large that it is mapped by itself, and
/// unmapped when it is freed, and no top of the heap is so large that it is cut off (GNU C Library manual, "Malloc Tunable
/// Parameters"; a threshold for mapping alone ends at 32 MiB). The next iteration then finds the pages of the last one.
const MEMORY_KEPT: [(&str, &str); 2] = [("MALLOC_MMAP_MAX_", "0"), ("MALLOC_TRIM_THRESHOLD_", "9223372036854775807")];

/// Variables by which libraries and modules of the caller would be loaded into an environment of its own.
const OF_THE_CALLER: [&str; 3] = ["LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH"];

/// How long it may take to end after `finish`.
const FAREWELL: Duration = Duration::from_secs(10);

/// How often the wait for an answer looks around.
const LOOK: Duration = Duration::from_millis(100);

/// How long the last words of a worker that has ended are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Lines of standard error that are kept.
const LAST_LINES: usize = 8;

/// Bytes of each of them.
const LONGEST_LAST_LINE: u64 = 300;

/// Lines that a worker may be ahead of the questions.
const UNHEARD_LINES: usize = 4;

/// Lets no libraries and modules of the caller reach a program of an environment of its own.
pub(super) fn isolate(command: &mut Command) {
    for variable in OF_THE_CALLER {
        command.env_remove(variable);
    }
}

/// A running worker. Dropping it kills its whole process group, and what has left that.
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
    /// Starts a worker and waits for its greeting, by somebody who waits so long for an answer.
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
            command.envs(MEMORY_KEPT.iter().copied());
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
        // A worker that talks without being asked waits until somebody listens.
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

    /// Who a worker is and what it can do: starts one for that alone.
    pub fn greeting(launch: &WorkerCommand, patience: Duration, stop: &AtomicBool) -> Result<Hello, WorkerError> {
        let (worker, hello) = Self::start(launch, "", Allocator::System, patience, stop)?;
        worker.finish(stop);
        Ok(hello)
    }

    /// Its process id, which is also its group's.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks, and waits for the answer at most so long. `guard` is asked meanwhile whether to give up.
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

    /// Lets the worker end by itself; gives its last event.
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
                // It is gone, and a child of it holds its output open.
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

    /// What is left of a worker that has closed its output.
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
        // Its last words may still be on their way.
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
        // Also when it has ended already: its children may live.
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

fn told(last_words: &str) -> String {
    if last_words.is_empty() { String::new() } else { format!("; its last words: {last_words}") }
}

/// More bytes than any message of the protocol has: 200 samples by two clocks and everything that a machine has.
const LONGEST_LINE: u64 = 4 << 20;

/// The next line without its end, `None` at the end of the stream. What is no UTF-8 is replaced.
///
/// # Errors
///
/// When the stream fails, or the line is longer than a message can be.
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

/// The end of a stream of words for people: whatever it holds is read to its end, and only the beginnings of its lines are kept.
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

/// Reads on to the end of the line, and keeps nothing.
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

/// Makes the command's process the head of a group of its own: Ctrl-C is for us to handle, and its children can be ended
/// with it. Systems without process groups start it as it is.
pub fn separate(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends the process and, where the system has groups, all of its group, also when the process itself has ended already.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // Group and process have the same number.
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The signal that ended a process; `None` where it ended by itself or the system has no signals.
pub fn signal(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = None::<i32>.filter(|_| status.code().is_none());
    signal
}

/// The number of the signal that no process can refuse, which a system short of memory sends.
pub const KILL: i32 = 9;

/// Clocks of one machine run alike; a part in a hundred is more than any two of them drift apart.
const DRIFT: f64 = 0.01;

/// The grain of clocks, and of what is asked of them.
const GRAIN: Duration = Duration::from_millis(10);

/// What is impossible in the times (ns) of iterations that the parent waited for; `None` where nothing is.
///
/// The wait holds everything that the worker did, so that it may be much longer than the sum, and never shorter.
pub fn objection(times_ns: &[u64], waited: Duration) -> Option<String> {
    let sum_s = times_ns.iter().map(|&ns| ns as f64).sum::<f64>() / 1e9;
    let most_s = waited.as_secs_f64() * (1.0 + DRIFT) + GRAIN.as_secs_f64();
    (sum_s > most_s).then(|| {
        let count = times_ns.len();
        format!("it says that {count} iterations took {sum_s:.3} s, and answered within {:.3} s", waited.as_secs_f64())
    })
}

/// The variable that holds the mark.
pub const MARK: &str = "DLBENCH_WORKER_MARK";

/// A mark that no other worker on this machine has.
pub fn new_mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    format!("{}-{since}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Ends every process with the mark but this one.
#[cfg(target_os = "linux")]
pub fn end_marked(mark: &str) {
    use rustix::process::{Signal, kill_process};
    /// What is ended may have started others while they were looked for.
    const ROUNDS: usize = 20;
    let mut seen_none = false;
    for _ in 0..ROUNDS {
        let left = marked(mark);
        // The environment of what is just being started cannot be read yet, so nothing has to be seen twice.
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

/// Elsewhere nobody can tell.
#[cfg(not(target_os = "linux"))]
pub fn end_marked(_mark: &str) {}

/// The processes with the mark but this one. One that has ended, and waits for its parent to hear of it, has no environment.
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

/// The worker's program, which lies beside this one.
const WORKER: &str = "dlbench-runner";

/// Why there is nothing to start.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The worker is not built.
    #[error("there is no worker: {} does not exist", printable_path(expected))]
    NoWorker {
        /// Where it would be.
        expected: PathBuf,
    },
    /// `DLBENCH_LIBTORCH` leads nowhere.
    #[error(
        "DLBENCH_LIBTORCH is {}, and there is no libtorch_cpu.so in it, in its lib/ or its torch/lib/",
        printable_path(folder)
    )]
    NoLibtorch {
        /// Its value.
        folder: PathBuf,
    },
}

/// The worker that is built with this program: the file beside it.
pub fn default_worker() -> Result<PathBuf, LaunchError> {
    let program = env::current_exe().unwrap_or_default();
    let expected = program.with_file_name(WORKER);
    if expected.is_file() { Ok(expected) } else { Err(LaunchError::NoWorker { expected }) }
}

/// How to start a worker; `shell` is what runs it so that it dies with this process.
pub fn launch(shell: Vec<OsString>, worker: Vec<OsString>) -> Result<WorkerCommand, LaunchError> {
    let named = env::var_os("DLBENCH_LIBTORCH").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let libraries = match named {
        Some(folder) => Some(libraries_in(&folder).ok_or(LaunchError::NoLibtorch { folder })?),
        None => beside(worker.first().map(Path::new)),
    };
    Ok(WorkerCommand { shell, worker, libraries, is_isolated: false })
}

/// The folder of the libraries in an installation: libtorch's own layout, or a Python environment's packages.
fn libraries_in(folder: &Path) -> Option<PathBuf> {
    ["lib", "", "torch/lib"].iter().map(|part| folder.join(part)).find(|lib| lib.join("libtorch_cpu.so").is_file())
}

/// What `make libtorch` has put into the repository that the worker was built in.
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
