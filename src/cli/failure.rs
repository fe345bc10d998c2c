//! Every way in which a command can fail, and the message for each.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::RefCell;
use std::io;
use std::io::Write as _;
use std::panic::{PanicHookInfo, UnwindSafe, catch_unwind, set_hook};
use std::path::PathBuf;

use dlbench::ask::compare::CompareError;
use dlbench::ask::diff::ChangesError;
use dlbench::ask::export::ExportError;
use dlbench::ask::paper::PaperError;
use dlbench::ask::parse::QueryError;
use dlbench::ask::tables::TableError;
use dlbench::contribute::check::FixError;
use dlbench::contribute::import::ImportError;
use dlbench::contribute::new::NewError;
use dlbench::contribute::online::LinkCheckError;
use dlbench::measure::{
    ExportError as NetworkExportError, KitError, LaunchError, PrepareError, ReproduceError, ResultsError, SessionError,
    WorkerError, WorkerLacks,
};
use dlbench::pull::PullError;
use dlbench::render::{RenderError, findings};
use dlbench::values::text::{printable, printable_path};
use dlbench::{DatabaseError, FindError, LocateError, OpenError, PathError, ReadError, SnapshotError, WriteError};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Locate(#[from] LocateError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    #[error(transparent)]
    Pull(#[from] PullError),
    #[error("{error}")]
    Query {
        question: String,
        #[source]
        error: QueryError,
    },
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Compare(#[from] CompareError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error(transparent)]
    Paper(#[from] PaperError),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Run(#[from] SessionError),
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Kit(#[from] KitError),
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    #[error(transparent)]
    NetworkFiles(#[from] NetworkExportError),
    #[error(transparent)]
    Reproduce(#[from] ReproduceError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Changes(#[from] ChangesError),
    #[error(transparent)]
    New(#[from] NewError),
    #[error(transparent)]
    Fix(#[from] FixError),
    #[error(transparent)]
    LinkCheck(#[from] LinkCheckError),
    #[cfg(feature = "mcp")]
    #[error(transparent)]
    Mcp(#[from] dlbench_server::mcp::McpError),
    #[cfg(feature = "serve")]
    #[error(transparent)]
    Serve(#[from] dlbench_server::serve::ServeError),
    #[cfg(feature = "serve")]
    #[error(transparent)]
    Site(#[from] dlbench_server::site::SiteError),
    #[error("cannot write the result as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error("cannot write the result: {0}")]
    Output(io::Error),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("cannot read {}: {error}", printable_path(path))]
    Unread {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("in item `{name}`: {failure}")]
    Item {
        name: String,
        #[source]
        failure: Box<Failure>,
    },
    #[error("the output is closed")]
    ClosedPipe,
    #[error("{message}")]
    Usage { message: String, help: Option<String> },
}

impl From<FindError> for Failure {
    fn from(error: FindError) -> Self {
        match error {
            FindError::Locate(error) => Self::Locate(error),
            FindError::Open(error) => Self::Open(error),
            FindError::Snapshot(error) => Self::Snapshot(error),
        }
    }
}

impl From<WorkerLacks> for Failure {
    fn from(WorkerLacks { message, help }: WorkerLacks) -> Self {
        Self::Usage { message, help }
    }
}

impl From<io::Error> for Failure {
    /// A closed pipe, or another failure to write the result.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Output(error),
        }
    }
}

impl Failure {
    /// A usage error, with help on correct usage.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: Some(help.into()) }
    }

    /// The message for a person: what failed, where, and what to do; lines are `width` columns wide.
    pub fn describe(&self, width: usize) -> String {
        match self {
            Self::Open(OpenError::Read(ReadError::Findings(findings)))
            | Self::Read(ReadError::Findings(findings))
            | Self::Import(ImportError::Rejected(ReadError::Findings(findings)))
            | Self::Run(SessionError::Results(ResultsError::Rejected(ReadError::Findings(findings)))) => {
                findings::findings(findings, width)
            }
            Self::Pull(PullError::Refused(ReadError::Findings(found))) => {
                let help = self.help().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
                findings::findings(found, width) + &help
            }
            Self::Query { question, error: QueryError::Grammar(mistake) } => findings::mistake(question, mistake),
            Self::Item { name, failure } => {
                format!("in item `{}` of the paper:\n{}", printable(name), failure.describe(width))
            }
            other => {
                let style = anstyle::AnsiColor::Red.on_default().bold();
                let mut text = format!("{style}error{style:#}: {}", printable(&other.to_string()));
                if let Some(help) = other.help() {
                    text.push_str(&format!("\nhelp: {}", printable(&help)));
                }
                text
            }
        }
    }

    /// The failure of a store during an internal query, without a question from the user.
    pub fn of_stores(error: QueryError) -> Self {
        Self::Query { question: String::new(), error }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Table(TableError::Request { help, .. }) => Some(help.clone()),
            Self::New(error) if error.help().is_some() => error.help().map(str::to_owned),
            Self::Paper(PaperError::Edited { .. }) => {
                Some("write to another folder, or replace what is there with --force".to_owned())
            }
            Self::Paper(PaperError::Lock { .. }) => {
                Some("`dlbench paper -o` into an empty folder writes it anew".to_owned())
            }
            Self::Path(PathError::Outside { .. }) => {
                Some("name files of its folders catalog/ and measurements/".to_owned())
            }
            Self::Locate(LocateError::NotOne { .. }) => {
                Some("change into a folder with a knowledge base, or name one with --kb DIR or DLBENCH_KB".to_owned())
            }
            Self::Locate(LocateError::NoneAbove { .. }) => Some(
                "change into a folder with a knowledge base, or name one with --kb DIR or DLBENCH_KB; `dlbench init DIR` makes one"
                    .to_owned(),
            ),
            Self::Pull(error) => error.help().map(str::to_owned),
            Self::Snapshot(SnapshotError::NotEmpty { .. }) => Some("name a new folder, or an empty one".to_owned()),
            Self::Open(OpenError::Database(_) | OpenError::Index(_)) | Self::Database(_) | Self::New(NewError::Database(_)) | Self::Table(_) | Self::Query { .. } => {
                Some("`dlbench index --rebuild` builds the stores from nothing".to_owned())
            }
            Self::Launch(LaunchError::NoWorker { .. }) => Some(
                "type `make runner` in the repository: it fetches libtorch (530 MB, once), builds dlbench and its worker, \
                 and leaves both in target/release/"
                    .to_owned(),
            ),
            Self::Launch(LaunchError::NoLibtorch { .. }) => {
                Some("unset it to use what `make libtorch` fetched, or name an installation of torch 2.11.0".to_owned())
            }
            Self::Run(SessionError::Worker(WorkerError::Died { last_words, .. }))
                if last_words.contains("error while loading shared libraries") || last_words.contains("Library not loaded") =>
            {
                Some(
                    "the worker needs the libraries that it was built with: `make libtorch` in the repository fetches them, and \
                     DLBENCH_LIBTORCH names an installation of torch 2.11.0"
                        .to_owned(),
                )
            }
            Self::Prepare(PrepareError::Interpreter(_)) => {
                Some("install one, with its modules venv and ensurepip, or name one with DLBENCH_PYTHON".to_owned())
            }
            Self::Prepare(PrepareError::Packages { .. }) => Some(
                "nothing was left behind; pip's own settings (PIP_INDEX_URL, PIP_FIND_LINKS, pip.conf) say where packages come from"
                    .to_owned(),
            ),
            Self::Run(SessionError::Results(ResultsError::Write(_))) => {
                Some("what was written before is whole; make room, or write elsewhere with -o DIR".to_owned())
            }
            Self::Import(ImportError::WouldLose { corrected, .. }) if *corrected > 0 => Some(
                "nothing was written; --supersede keeps rows with a corrected label as superseded by the new ones, --replace \
                 drops them"
                    .to_owned(),
            ),
            Self::Import(ImportError::WouldLose { .. }) => {
                Some("nothing was written; --replace writes all the same, without it".to_owned())
            }
            Self::Usage { help, .. } | Self::Compare(CompareError::Request { help, .. }) => help.clone(),
            Self::Compare(_) => Some("`dlbench index --rebuild` builds the stores from nothing".to_owned()),
            _ => None,
        }
    }
}

thread_local! {
    /// Messages of panics of this thread, printed only if they end the program: reading a damaged store may panic, but
    /// is recovered from.
    static PENDING_PANICS: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs the program and returns its exit status. Files are written completely or not at all, so none is partial wherever it stops.
pub(super) fn guarded(run: impl FnOnce() -> u8 + UnwindSafe) -> u8 {
    set_hook(Box::new(|info| {
        let mut text = panic_message(info);
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            text.push_str(&format!("\n{trace}"));
        }
        let pending = PENDING_PANICS.with_borrow_mut(|pending| match pending {
            Some(held) if held.is_empty() => {
                held.push(text);
                Vec::new()
            }
            // Printed here: a panic during a panic, which ends the process, and panics of other threads, which are not stored.
            held => held.iter_mut().flat_map(std::mem::take).chain([text]).collect(),
        });
        print_messages(&pending);
    }));
    PENDING_PANICS.set(Some(Vec::new()));
    catch_unwind(run).unwrap_or_else(|_| {
        print_messages(&PENDING_PANICS.take().unwrap_or_default());
        2
    })
}

fn print_messages(texts: &[String]) {
    for text in texts {
        // If that fails, there is nowhere left to report it.
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }
}

fn panic_message(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map_or_else(String::new, |place| format!(" ({}:{})", place.file(), place.line()));
    format!(
        "error: a mistake in dlbench itself{place}: {}\n\
         help: nothing is half written; please report it as an issue of dlbench, with what you typed and the version that \
         `dlbench --version` prints",
        printable(info.payload_as_str().unwrap_or("no message"))
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_panic_is_a_failure_that_asks_for_a_report() {
        static TOLD: Mutex<String> = Mutex::new(String::new());
        let code = guarded(|| {
            set_hook(Box::new(|info| *TOLD.lock().unwrap() = panic_message(info)));
            panic!("of a name: \u{1b}]0;title\u{7}")
        });
        let _ = std::panic::take_hook();
        assert_eq!(code, 2);
        let told = TOLD.lock().unwrap().clone();
        assert!(told.contains("failure.rs") && told.contains("please report it"), "{told}");
        assert!(!told.contains('\u{1b}'), "{told}");
    }
}
