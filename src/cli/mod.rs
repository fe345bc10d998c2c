//! The program: one file for each command. Only these files print: results to stdout, everything else to stderr.

mod asking;
mod aspects;
mod author_options;
mod bibliography;
pub mod built_in;
mod check;
mod choice;
mod clock;
mod compare;
mod completions;
mod diff;
mod evidence;
mod explain;
mod export;
mod failure;
mod fmt;
mod global;
mod import;
mod import_boards;
mod index;
mod init;
mod internal_error;
mod list;
#[cfg(feature = "mcp")]
mod mcp;
mod new;
mod output_options;
mod own_command;
mod page_options;
mod pager;
mod paper;
mod plot;
mod pull;
mod query;
mod resolve;
mod run;
mod schema;
mod screen;
#[cfg(feature = "serve")]
mod serve;
mod show;
#[cfg(feature = "serve")]
mod site;
mod snapshot;
mod stats;
mod table;
mod wanted;
#[cfg(target_os = "linux")]
mod worker;
mod worker_kit;
mod workers;

use std::ffi::OsString;
use std::io::Write as _;

use clap::{CommandFactory as _, Parser, Subcommand};

use dlbench::values::text::printable_name;
use failure::Failure;
use global::{Global, Outcome};
use screen::Screen;

/// Deep-learning benchmarks you can ask: measured numbers and curated facts in one answer, each with its source.
#[derive(Debug, Parser)]
#[command(name = "dlbench", version, max_term_width = 100)]
#[command(after_help = "Exit status: 0 done, 1 understood but nothing found, 2 usage error or failure.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Ask a question, also without the command: dlbench "fp16 V100 resnet152"
    Query(query::QueryArgs),
    /// Set measurements against each other: dlbench compare "resnet152 v100" --rows framework --cols precision
    Compare(compare::CompareArgs),
    /// Show one entity or measurement whole: dlbench show v100
    Show(show::ShowArgs),
    /// List all entities of a kind, or those that words are about: dlbench list networks resnet
    List(list::ListArgs),
    /// Print a table of the catalog, as it stands today or as a survey reported it
    Table(table::TableArgs),
    /// Hold claims of surveys against what was measured: dlbench evidence "fpga energy efficiency"
    Evidence(evidence::EvidenceArgs),
    /// List the measurements that are missing most: dlbench wanted "fpga latency"
    Wanted(wanted::WantedArgs),
    /// Draw a figure: dlbench plot "vgg16 eval" --x framework --y throughput --group device -o fig.svg
    Plot(plot::PlotArgs),
    /// Write everything that a paper needs, and tell later what became of it: dlbench paper -o DIR SPEC.toml
    #[command(after_long_help = paper::HELP)]
    Paper(paper::PaperArgs),
    /// Write the whole knowledge base in one piece: dlbench export -o benchmark.json
    Export(export::ExportArgs),
    /// Measure on this machine: dlbench run --suite smoke
    Run(Box<run::RunArgs>),
    /// List the frameworks that `run --framework` measures with: what each can do, and what its packages weigh
    Workers(workers::WorkersArgs),
    /// Turn other people's result files into measurements
    Import(import::ImportArgs),
    /// Say how a source's spelling is read: dlbench resolve device "8 * V100 (AWS p3.16xlarge)"
    Resolve(resolve::ResolveArgs),
    /// Make a new entry or measurement: dlbench new device "Nova 100"
    New(new::NewArgs),
    /// Say what is wrong with the knowledge base, where, and what to do
    Check(check::CheckArgs),
    /// Say in words and numbers what changed between two revisions: dlbench diff main
    Diff(diff::DiffArgs),
    /// Tell about a rule of the check, the keys of a recipe or the protocol of workers: dlbench explain DL0101
    Explain(explain::ExplainArgs),
    /// Write files in canonical form
    Fmt(fmt::FmtArgs),
    /// Report on the quality of the knowledge base: what is cited, what is stated
    Stats(stats::StatsArgs),
    /// Print the JSON Schemas of the files, or write them for editors
    Schema(schema::SchemaArgs),
    /// Build the stores that queries read, or say what they hold
    Index(index::IndexArgs),
    /// Make a knowledge base of your own from the one that was pulled or built in: dlbench init my-benchmarks
    Init(init::InitArgs),
    /// Pack the knowledge base into one file: dlbench snapshot -o dlbench-kb.tar.gz
    Snapshot(snapshot::SnapshotArgs),
    /// Fetch a newer knowledge base, to be answered from where there is none: dlbench pull dlbench-kb.tar.gz
    #[command(after_long_help = pull::HELP)]
    Pull(pull::PullArgs),
    /// Answer in a browser and to programs: the page and its JSON API, on http://127.0.0.1:8017/
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    /// Write the page as files for any host: dlbench site -o DIR
    #[cfg(feature = "serve")]
    Site(site::SiteArgs),
    /// Answer an assistant on stdin and stdout, by the Model Context Protocol
    #[cfg(feature = "mcp")]
    #[command(after_long_help = mcp::HELP)]
    Mcp(mcp::McpArgs),
    /// Print the script that completes commands in a shell
    Completions(completions::CompletionsArgs),
    /// Prints names of the catalog for the completion of a shell
    #[command(hide = true)]
    Complete(completions::CompleteArgs),
    /// Print the manual page of dlbench or of a command
    Man(completions::ManArgs),
    /// Runs a worker so that it dies with its parent
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    Worker(worker::WorkerArgs),
}

/// The command `query` by itself.
#[derive(Debug, Parser)]
struct QueryAlone {
    #[command(flatten)]
    args: query::QueryArgs,
    #[command(flatten)]
    global: Global,
}

/// The version by itself.
#[derive(Debug, Parser)]
#[command(name = "dlbench", version)]
struct VersionAlone {}

impl Cli {
    /// Who asks a question, or for the version, does not wait until the options of all other commands are made. What is no such
    /// thing, or has a mistake in it, is understood or told by the whole.
    fn parsed(arguments: Vec<OsString>) -> Self {
        match arguments.as_slice() {
            [_, only] if only == "--version" || only == "-V" => {
                VersionAlone::parse_from(arguments.iter());
            }
            [_, command, ..] if command == "query" => {
                if let Ok(QueryAlone { args, global }) = QueryAlone::try_parse_from(&arguments[1..]) {
                    return Self { command: Command::Query(args), global };
                }
            }
            _ => {}
        }
        Self::try_parse_from(&arguments).unwrap_or_else(|error| {
            // The message quotes what was typed: a terminal must not obey it.
            let escaped = arguments.iter().map(|argument| printable_name(&argument.to_string_lossy()));
            Self::try_parse_from(escaped).err().unwrap_or(error).exit()
        })
    }
}

/// Runs the program with the words of a command line, its own name first, and returns its exit status. `own_command` starts it
/// again, where that is more than the file of this process.
pub fn run(arguments: Vec<OsString>, own_command: Option<Vec<OsString>>) -> u8 {
    own_command::set(own_command, &arguments);
    let status = internal_error::guarded(|| answered(arguments));
    // A process that does not end as programs of Rust do would keep it back; if it fails, there is nobody left to tell.
    let _ = std::io::stdout().flush();
    status
}

fn answered(arguments: Vec<OsString>) -> u8 {
    let arguments = arguments.into_iter().map(question_in_front).collect();
    let cli = Cli::parsed(asking::with_command(arguments, Command::has_subcommand));
    let screen = Screen::new(cli.global.color, !cli.global.no_pager);
    let done = match cli.command {
        Command::Query(args) => query::run(&args, &cli.global, &screen),
        Command::Compare(args) => compare::run(&args, &cli.global, &screen),
        Command::Show(args) => show::run(&args, &cli.global, &screen),
        Command::List(args) => list::run(&args, &cli.global, &screen),
        Command::Table(args) => table::run(&args, &cli.global, &screen),
        Command::Evidence(args) => evidence::run(&args, &cli.global, &screen),
        Command::Wanted(args) => wanted::run(&args, &cli.global, &screen),
        Command::Plot(args) => plot::run(&args, &cli.global, &screen),
        Command::Paper(args) => paper::run(&args, &cli.global, &screen),
        Command::Export(args) => export::run(&args, &cli.global, &screen),
        Command::Import(args) => import::run(&args, &cli.global, &screen),
        Command::Resolve(args) => resolve::run(&args, &cli.global, &screen),
        Command::Check(args) => check::run(&args, &cli.global, &screen),
        Command::Explain(args) => explain::run(&args, &screen),
        Command::Fmt(args) => fmt::run(&args, &cli.global, &screen),
        Command::Schema(args) => schema::run(&args, &cli.global, &screen),
        Command::Diff(args) => diff::run(&args, &cli.global, &screen),
        Command::Stats(args) => stats::run(&args, &cli.global, &screen),
        Command::New(args) => new::run(&args, &cli.global, &screen),
        Command::Index(args) => index::run(&args, &cli.global, &screen),
        Command::Init(args) => init::run(&args, &screen),
        Command::Snapshot(args) => snapshot::run(&args, &cli.global, &screen),
        Command::Pull(args) => pull::run(&args, &screen),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args, &cli.global, &screen),
        #[cfg(feature = "serve")]
        Command::Site(args) => site::run(&args, &cli.global, &screen),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(&args, &cli.global, &screen),
        Command::Completions(args) => completions::completions(&args, Cli::command(), &screen),
        Command::Complete(args) => completions::complete(&args, &cli.global, &screen),
        Command::Man(args) => completions::man(&args, Cli::command(), &screen),
        Command::Run(args) => run::run(&args, &cli.global, &screen),
        Command::Workers(args) => workers::run(&args, &screen),
        #[cfg(target_os = "linux")]
        Command::Worker(args) => worker::run(&args),
    };
    match done {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::NothingFound) => 1,
        // Whoever read our output has read enough.
        Err(Failure::ClosedPipe) => 0,
        Err(failure) => {
            screen.tell(&failure.told(screen.width()));
            2
        }
    }
}

/// A question may begin with what it leaves out (`-framework:caffe2 v100`): a blank in front tells it from an option.
fn question_in_front(argument: OsString) -> OsString {
    let is_question = argument.to_str().is_some_and(|text| {
        text.starts_with('-') && !text.starts_with("--") && text.contains([' ', ':', '<', '>', '"', '('])
    });
    if !is_question {
        return argument;
    }
    let mut question = OsString::from(" ");
    question.push(argument);
    question
}
