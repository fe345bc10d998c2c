//! A worker process: started, asked, watched, and never left behind.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::bounded_lines::{each_beginning, next_line};
use super::process_group;
use super::worker_marks::{MARK, end_marked, new_mark};
use crate::values::Allocator;
use dlbench_protocol::{Event, Hello, VERSION, WorkerRequest};

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
        process_group::separate(&mut command);
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
            Some(status) => match (process_group::signal(status), status.code()) {
                (Some(signal), _) => format!("signal {signal}"),
                (None, Some(code)) => format!("exit status {code}"),
                (None, None) => "no status".to_owned(),
            },
            None => "it closed its output but lives".to_owned(),
        };
        let killed = status.and_then(process_group::signal) == Some(process_group::KILL);
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
        process_group::kill(&mut self.child);
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
