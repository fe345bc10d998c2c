//! The program, with one file for each command. Only these files print: results to stdout, everything else to stderr.

mod asking;
pub mod built_in;
mod check;
mod compare;
mod completions;
mod diff;
mod estimate;
mod evidence;
mod explain;
mod export;
mod failure;
mod fmt;
mod global;
mod help;
mod import;
mod index;
mod init;
mod list;
#[cfg(feature = "mcp")]
mod mcp;
mod new;
mod options;
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
pub(super) mod worker_kit;
mod workers;

use std::ffi::OsString;
use std::io::Write as _;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use dlbench::values::text::printable_name;
use failure::Failure;
use global::{Global, Outcome};
use screen::Screen;

/// Deep-learning benchmarks you can query: measured numbers and curated facts in one answer, each with its source.
#[derive(Debug, Parser)]
#[command(name = "dlbench", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = "Exit status: 0 done, 1 understood but nothing found, 2 usage error or failure.")]
struct Cli {
    /// Without a command, the overview is printed.
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer a question; `query` may be omitted
    ///
    /// Example: dlbench "fp16 V100 resnet152"
    Query(query::QueryArgs),
    /// Compare measurements in a table, or two of them field by field
    ///
    /// Example: dlbench compare "resnet152 v100" --rows framework --cols precision
    Compare(compare::CompareArgs),
    /// Show one entity or measurement in full
    ///
    /// Example: dlbench show v100
    Show(show::ShowArgs),
    /// List the entities of a kind
    ///
    /// Example: dlbench list networks resnet
    List(list::ListArgs),
    /// Print a catalog table, current or as a survey reported it
    ///
    /// Example: dlbench table hardware --as-reported dai-berleant-2019
    Table(table::TableArgs),
    /// Test claims of surveys against measurements
    ///
    /// Example: dlbench evidence "fpga energy efficiency"
    Evidence(evidence::EvidenceArgs),
    /// Estimate values that nobody measured on a device, with intervals
    ///
    /// Example: dlbench estimate "llama-3-8b decode on RTX 5090"
    Estimate(estimate::EstimateArgs),
    /// List missing measurements, the most useful first
    ///
    /// Example: dlbench wanted "fpga latency"
    Wanted(wanted::WantedArgs),
    /// Draw a figure
    ///
    /// Example: dlbench plot "vgg16 eval" --x framework --y throughput --group device -o fig.svg
    Plot(plot::PlotArgs),
    /// Write the tables, figures and bibliography of a paper; verify them later
    ///
    /// Example: dlbench paper -o DIR SPEC.toml
    #[command(after_long_help = paper::HELP)]
    Paper(paper::PaperArgs),
    /// Write the whole knowledge base as JSON, SQLite, CSV or Parquet
    ///
    /// Example: dlbench export -o benchmark.json
    Export(export::ExportArgs),
    /// Measure on this machine
    ///
    /// Example: dlbench run --suite smoke --quick
    Run(Box<run::RunArgs>),
    /// List the frameworks that `run` can measure, and the size of their packages
    Workers(workers::WorkersArgs),
    /// Convert result files of benchmarks to measurements
    ///
    /// Example: dlbench import --recipe catalog/recipes/mxnet-2023.toml DIR
    Import(import::ImportArgs),
    /// Show how a name is interpreted
    ///
    /// Example: dlbench resolve device "8 * V100 (AWS p3.16xlarge)"
    Resolve(resolve::ResolveArgs),
    /// Create a catalog entry or measurement
    ///
    /// Example: dlbench new device "Nova 100"
    New(new::NewArgs),
    /// Find mistakes in the knowledge base and suggest fixes
    Check(check::CheckArgs),
    /// Describe how the data changed between two revisions
    ///
    /// Example: dlbench diff main
    Diff(diff::DiffArgs),
    /// Explain a rule of the check, the keys of a recipe or the worker protocol
    ///
    /// Example: dlbench explain DL0101
    Explain(explain::ExplainArgs),
    /// Write files in canonical form
    Fmt(fmt::FmtArgs),
    /// Report the quality of the data: what is cited and stated
    Stats(stats::StatsArgs),
    /// Print the JSON Schemas of the files, or write them for editors
    Schema(schema::SchemaArgs),
    /// Build the index, or show its state
    Index(index::IndexArgs),
    /// Create a folder with your own knowledge base
    ///
    /// Example: dlbench init my-benchmarks
    Init(init::InitArgs),
    /// Pack the knowledge base into one file
    ///
    /// Example: dlbench snapshot -o dlbench-kb.tar.gz
    Snapshot(snapshot::SnapshotArgs),
    /// Fetch a newer knowledge base
    ///
    /// Example: dlbench pull dlbench-kb.tar.gz
    #[command(after_long_help = pull::HELP)]
    Pull(pull::PullArgs),
    /// Serve the web page and its JSON API on http://127.0.0.1:8017/
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    /// Write the web page as static files
    ///
    /// Example: dlbench site -o DIR
    #[cfg(feature = "serve")]
    Site(site::SiteArgs),
    /// Serve an AI assistant over stdin and stdout (Model Context Protocol)
    #[cfg(feature = "mcp")]
    #[command(after_long_help = mcp::HELP)]
    Mcp(mcp::McpArgs),
    /// Print the completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Print catalog names for shell completion
    #[command(hide = true)]
    Complete(completions::CompleteArgs),
    /// Print the manual page of dlbench or of a command
    Man(completions::ManArgs),
    /// Print this overview, a topic, or the help of a command
    Help(help::HelpArgs),
    /// Run a worker that ends with its parent process
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
    /// Questions and `--version` are parsed without building the options of all other commands. Everything else,
    /// including errors, goes to the full parser.
    fn parsed(arguments: Vec<OsString>) -> Self {
        match arguments.as_slice() {
            [_, only] if only == "--version" || only == "-V" => {
                VersionAlone::parse_from(arguments.iter());
            }
            [_, command, ..] if command == "query" => {
                if let Ok(QueryAlone { args, global }) = QueryAlone::try_parse_from(&arguments[1..]) {
                    return Self { command: Some(Command::Query(args)), global };
                }
            }
            _ => {}
        }
        Self::parsed_in_full(arguments.iter().cloned()).unwrap_or_else(|error| {
            // The message quotes the arguments: control characters in them must not reach the terminal.
            let escaped = arguments.iter().map(|argument| printable_name(&argument.to_string_lossy()).into());
            Self::parsed_in_full(escaped).err().unwrap_or(error).exit()
        })
    }

    fn parsed_in_full(arguments: impl Iterator<Item = OsString>) -> Result<Self, clap::Error> {
        let program = Self::command();
        let overview = help::overview(&program);
        Self::from_arg_matches(&program.override_help(overview).try_get_matches_from(arguments)?)
    }
}

/// Runs the program with the arguments of a command line, beginning with its name, and returns the exit status.
/// `own_command` starts the program again, where that takes more than this process's executable.
pub fn run(arguments: Vec<OsString>, own_command: Option<Vec<OsString>>) -> u8 {
    global::set(own_command, &arguments);
    let status = failure::guarded(|| answered(arguments));
    // Needed when the host process does not exit like a Rust program (Python); if it fails, there is nowhere left to report it.
    let _ = std::io::stdout().flush();
    status
}

fn answered(arguments: Vec<OsString>) -> u8 {
    let arguments = arguments.into_iter().map(question_in_front).collect();
    let cli = Cli::parsed(asking::with_command(arguments, Command::has_subcommand));
    let screen = Screen::new(cli.global.color, !cli.global.no_pager);
    let done = match cli.command.unwrap_or_else(|| Command::Help(help::HelpArgs::default())) {
        Command::Query(args) => query::run(&args, &cli.global, &screen),
        Command::Compare(args) => compare::run(&args, &cli.global, &screen),
        Command::Show(args) => show::run(&args, &cli.global, &screen),
        Command::List(args) => list::run(&args, &cli.global, &screen),
        Command::Table(args) => table::run(&args, &cli.global, &screen),
        Command::Evidence(args) => evidence::run(&args, &cli.global, &screen),
        Command::Estimate(args) => estimate::run(&args, &cli.global, &screen),
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
        Command::Help(args) => help::run(&args, Cli::command(), &screen),
        Command::Run(args) => run::run(&args, &cli.global, &screen),
        Command::Workers(args) => workers::run(&args, &screen),
        #[cfg(target_os = "linux")]
        Command::Worker(args) => worker::run(&args),
    };
    match done {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::NothingFound) => 1,
        // The reader of our output has closed the pipe.
        Err(Failure::ClosedPipe) => 0,
        Err(failure) => {
            screen.tell(&failure.describe(screen.width()));
            2
        }
    }
}

/// A question may begin with an exclusion (`-framework:caffe2 v100`): a leading space distinguishes it from an option.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overview_lists_every_command_once() {
        let program = Cli::command();
        let overview = help::overview(&program);
        for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
            let line = format!("  {:<16}{}", command.get_name(), command.get_about().expect("a summary"));
            assert_eq!(overview.lines().filter(|&other| other == line).count(), 1, "{line}");
            assert!(line.len() <= 100, "{line}");
        }
    }
}
