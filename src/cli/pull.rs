//! `dlbench pull`: downloads a newer knowledge base, for use outside of a knowledge base's folder.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::built_in::built_in;
use super::failure::Failure;
use super::global::Outcome;
use super::screen::Screen;
use dlbench::default_data;
use dlbench::pull::{
    Address, Installed, Integrity, PullLimits, PullObserver, PullRequest, Pulled, PulledFolder, PulledState, pull,
};
use dlbench::values::text::{counted, printable};

/// Examples for `--help`.
pub(super) const HELP: &str = "\
Examples:
    dlbench pull https://example.org/dlbench-kb.tar.gz  a file that `dlbench snapshot` wrote
    dlbench pull https://github.com/OWNER/REPOSITORY    the archive of a Git host
    dlbench pull dlbench-kb.tar.gz                      a local file or folder
    dlbench pull                                        where the last one came from
    dlbench pull --rollback                             back to the previous one

It answers only after it arrived completely, each file matched its SHA-256, and the reader accepted it. The archive of a
Git host has no checksums; you are told so. It is stored in DLBENCH_DATA, else in your data folder.";

#[derive(Debug, Args)]
pub(super) struct PullArgs {
    /// A URL, file or folder [default: the address of the last pull]
    #[arg(value_name = "ADDRESS")]
    address: Option<PathBuf>,
    /// Switch back to the previous knowledge base; repeat the command to undo
    #[arg(long, conflicts_with_all = ["address", "force", "status"])]
    rollback: bool,
    /// Show the current and the previous knowledge base
    #[arg(long, conflicts_with_all = ["address", "force"])]
    status: bool,
    /// Accept a knowledge base that is older than the current one
    #[arg(long)]
    force: bool,
    /// Timeout for a silent server, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Maximum duration of the download, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1800, value_parser = clap::value_parser!(u64).range(1..=86400))]
    time_limit: u64,
    /// Maximum file size, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1024))]
    max_size: u64,
}

pub(super) fn run(args: &PullArgs, screen: &Screen) -> Result<Outcome, Failure> {
    let data = default_data().ok_or_else(|| {
        Failure::usage(
            "this system defines no folder for a user's data",
            "set DLBENCH_DATA to a folder for pulled snapshots",
        )
    })?;
    if args.status {
        screen.print(&status(&PulledFolder::at(&data).state()?))?;
        return Ok(Outcome::Done);
    }
    if args.rollback {
        let mut progress = Progress::new(screen);
        let state = PulledFolder::at(&data).roll_back(&mut || progress.waits())?;
        screen.print(&status(&state))?;
        return Ok(Outcome::Done);
    }
    let request = PullRequest {
        address: args.address.as_deref().map(Address::meant_by).transpose()?,
        default: Address::of_repository(env!("CARGO_PKG_REPOSITORY")),
        data: &data,
        built_in: built_in().map(|built_in| built_in.snapshot),
        force: args.force,
        limits: PullLimits {
            bytes: args.max_size * MEGABYTE,
            silence: Duration::from_secs(args.timeout),
            time: Duration::from_secs(args.time_limit),
        },
    };
    let mut progress = Progress::new(screen);
    let pulled = pull(request, &mut progress);
    progress.end();
    screen.tell(&pull_report(&pulled?));
    Ok(Outcome::Done)
}

const MEGABYTE: u64 = 1_000_000;

fn pull_report(pulled: &Pulled) -> String {
    match pulled {
        Pulled::Installed { now, before } => {
            let compared = match now.integrity {
                Integrity::Manifest => "each compared with its SHA-256 and accepted by the strict reader",
                Integrity::Archive => "accepted by the strict reader",
            };
            let mut text = format!("{} {}: {compared}", counted(now.files, "file", "files"), now.origin);
            for doubt in doubts(now) {
                text.push_str("\nnote: ");
                text.push_str(doubt);
            }
            text.push_str(&format!(
                "\nThis one answers now where there is no knowledge base in the folder or above it, before {}.\n\
                 help: `dlbench pull --rollback` goes back to that one",
                named(before.as_ref())
            ));
            text
        }
        Pulled::Same(active) => {
            format!("nothing newer is available: {} answers and is the same", named(active.as_ref()))
        }
        Pulled::Older { there, here } => format!(
            "nothing newer is available: the one offered is {there}, the active one is {here}\n\
             help: --force takes the older one"
        ),
    }
}

/// Properties of the download that could not be verified.
fn doubts(installed: &Installed) -> Vec<&'static str> {
    let mut doubts = Vec::new();
    if installed.integrity == Integrity::Archive {
        doubts.push(
            "the archive of a Git host has no digests of its files, so that only their being whole could be verified; its day and \
             its commit are what it says of itself",
        );
    }
    if installed.address.clone().map(Address::from).is_some_and(|address| address.is_open()) {
        doubts.push("it came unencrypted: anybody on the network path can change everything, digests included");
    }
    doubts
}

/// The active and the previous knowledge base.
fn status(state: &PulledState) -> String {
    let line = |one: Option<&Installed>| {
        let from = one.and_then(|one| one.address.as_deref()).map(|from| format!(", from {from}")).unwrap_or_default();
        printable(&format!("{}{from}", named(one)))
    };
    let mut text = format!("answers: {}\n", line(state.active.as_ref()));
    // The built-in one is active until one is pulled.
    if state.active.is_some() || state.previous.is_some() {
        text.push_str(&format!("before:  {}\n", line(state.previous.as_ref())));
    }
    text
}

/// The pulled knowledge base, else the built-in one.
fn named(one: Option<&Installed>) -> String {
    match (one, built_in()) {
        (Some(pulled), _) => format!("the pulled one {}", pulled.origin),
        (None, Some(built_in)) => format!("the built-in one {}", built_in.origin),
        (None, None) => "none".to_owned(),
    }
}

/// Progress: a bar on a terminal, and lines everywhere.
struct Progress<'s> {
    screen: &'s Screen,
    bar: ProgressBar,
}

impl<'s> Progress<'s> {
    fn new(screen: &'s Screen) -> Self {
        Self { screen, bar: ProgressBar::hidden() }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, text: &str) {
        self.bar.suspend(|| self.screen.tell(&printable(text)));
    }
}

impl PullObserver for Progress<'_> {
    fn waits(&mut self) {
        self.line("another dlbench is pulling: waiting until it is done");
    }

    fn begins(&mut self, from: &Address, have: u64, total: Option<u64>) {
        let size = total.map_or_else(|| "a file of unknown size".to_owned(), megabytes);
        let rest = if have > 0 { format!(", {} of it are here", megabytes(have)) } else { String::new() };
        self.line(&format!("{size}{rest}: {from}"));
        if std::io::stderr().is_terminal() {
            self.bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
            let template = match total {
                Some(_) => "{bytes} of {total_bytes} {bar:24} {bytes_per_sec}, {eta} to go",
                None => "{bytes} {spinner} {bytes_per_sec}",
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                self.bar.set_style(style);
            }
            self.bar.set_position(have);
            self.bar.reset_eta();
        }
    }

    fn received(&mut self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    fn interrupted(&mut self, have: u64) {
        self.line(&format!("the connection broke after {}: trying again", megabytes(have)));
    }

    fn checks(&mut self, bytes: u64) {
        self.bar.finish_and_clear();
        self.line(&format!("{} are here and are compared and read", megabytes(bytes)));
    }

    fn starts_over(&mut self) {
        self.line("the parts do not fit together: fetching all of it again");
    }
}

fn megabytes(bytes: u64) -> String {
    match bytes {
        ..10_000 => format!("{bytes} bytes"),
        _ => format!("{:.2} MB", bytes as f64 / MEGABYTE as f64),
    }
}
