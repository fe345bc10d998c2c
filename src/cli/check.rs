//! `dlbench check`: finds mistakes, with their place and remedy.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use super::screen::today;
use dlbench::KnowledgeFiles;
use dlbench::contribute::check::CheckReport;
use dlbench::contribute::rule_interface::{LinkStatuses, LintOptions, RowContradiction};
use dlbench::contribute::rules::{RULES, rule};
use dlbench::model::{Code, Diagnostic, Severity};
use dlbench::render::findings;
use dlbench::values::Date;
use dlbench::values::text::{counted, nearest, or_list, printable_path};

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 nothing found, 1 findings, 2 usage error or failure. \
                        `dlbench explain DL0101` explains a rule.")]
pub(super) struct CheckArgs {
    /// Files or folders to check [default: the whole knowledge base]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Output format
    #[arg(short, long, value_enum, default_value = "human")]
    format: FindingFormat,
    /// Fail on warnings
    #[arg(long, value_name = "WHAT", value_enum)]
    deny: Option<Denied>,
    /// Run only these rules: a code such as DL0101, or a prefix such as DL04
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    only: Vec<String>,
    /// Skip these rules
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    skip: Vec<String>,
    /// Fix what needs no decision, then check
    #[arg(long)]
    fix: bool,
    /// Also report findings that need no action
    #[arg(long)]
    info: bool,
    /// Also test whether cited URLs respond; those that do are not tested again for 30 days
    #[arg(long)]
    online: bool,
    /// Timeout per URL, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20, requires = "online")]
    timeout: u64,
    /// Also contact this host on your machine or network [default: public hosts only]
    #[arg(long, value_name = "HOST", value_delimiter = ',', requires = "online")]
    ask_local: Vec<String>,
    /// Also report rows that contradict other sources or what these predict; with PATHs, only their rows
    #[arg(long)]
    contradictions: bool,
    /// The date to use as today
    #[arg(long, value_name = "DATE", hide = true)]
    today: Option<Date>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FindingFormat {
    /// Text, with a caret at each place
    Human,
    /// One JSON object
    Json,
    /// GitHub workflow annotations
    Github,
    /// SARIF 2.1.0
    Sarif,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Denied {
    Warnings,
}

pub(super) fn run(args: &CheckArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let files = global.files()?;
    let paths = files.relative(&args.paths)?;
    let link_statuses = args.online.then(|| online(args, &files, &paths, screen)).transpose()?;
    let options = LintOptions {
        only: codes(&args.only)?,
        skip: codes(&args.skip)?,
        texts: None,
        whole: paths.is_empty(),
        today: args.today.or_else(today),
        link_statuses,
        contradictions: None,
    };
    let options = match args.contradictions {
        true => LintOptions { contradictions: Some(contradictions(&paths, global, screen)?), ..options },
        false => options,
    };
    if args.fix {
        let changed = files.fix(&paths, &options)?;
        for path in &changed {
            screen.tell(&format!("mended {}", printable_path(path)));
        }
    }
    let report = files.check(&paths, &options)?;
    // Findings of rules requested by code are shown whatever their severity.
    let asked_for = |finding: &&Diagnostic| args.info || !args.only.is_empty() || args.online && finding.code == ONLINE;
    let told = |finding: &&Diagnostic| asked_for(finding) || finding.severity != Severity::Info;
    let told: Vec<Diagnostic> = report.findings.iter().filter(told).cloned().collect();
    let text = match args.format {
        FindingFormat::Human => {
            let mut text = findings::each(&told, screen.width());
            text.push_str(&summary(&report, &told));
            text
        }
        FindingFormat::Json => findings::json_object(&report, &told)?,
        FindingFormat::Github => findings::github_commands(&told),
        FindingFormat::Sarif => findings::sarif_log(&told)?,
    };
    screen.print(&text)?;
    let failed =
        report.count(Severity::Error) > 0 || args.deny == Some(Denied::Warnings) && report.count(Severity::Warning) > 0;
    Ok(if failed { Outcome::NothingFound } else { Outcome::Done })
}

/// The code for an address that does not respond.
const ONLINE: Code = Code::new(215);

/// Checks the cited addresses and reports progress, because that can take minutes.
fn online(
    args: &CheckArgs,
    files: &KnowledgeFiles,
    paths: &[PathBuf],
    screen: &Screen,
) -> Result<LinkStatuses, Failure> {
    const STEP: usize = 25;
    let timeout = std::time::Duration::from_secs(args.timeout);
    let progress = |done: usize, all: usize| {
        if done == 0 {
            screen.tell(&format!("asking {}", counted(all, "address", "addresses")));
        } else if done.is_multiple_of(STEP) {
            screen.tell(&format!("{done} of {all} have been asked"));
        }
    };
    Ok(files.link_statuses(paths, timeout, &args.ask_local, &progress)?)
}

/// The rows that other sources contradict, among the sources of these paths, or all sources without paths.
fn contradictions(paths: &[PathBuf], global: &Global, screen: &Screen) -> Result<Vec<RowContradiction>, Failure> {
    let of_source = |path: &PathBuf| {
        let mut parts = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
        (parts.next().as_deref() == Some("measurements")).then(|| parts.next()).flatten()
    };
    let mut sources: Vec<String> = paths.iter().filter_map(of_source).collect();
    sources.sort();
    sources.dedup();
    if !paths.is_empty() && sources.is_empty() {
        return Ok(Vec::new());
    }
    let question = if sources.is_empty() { String::new() } else { format!("source:{}", sources.join(",")) };
    let kb = global.open(screen)?;
    let failed = |error| Failure::Query { question: question.clone(), error };
    let mut found = kb.row_contradictions(&question).map_err(failed)?;
    found.extend(kb.surprising_rows(&sources).map_err(failed)?);
    let is_asked = |row: &str| sources.iter().any(|source| row.split_once(':').is_some_and(|(of, _)| of == source));
    found.retain(|told| sources.is_empty() || is_asked(&told.row));
    Ok(found)
}

fn summary(report: &CheckReport, told: &[Diagnostic]) -> String {
    let (errors, warnings) = (report.count(Severity::Error), report.count(Severity::Warning));
    let mut text = format!(
        "{} with {}: ",
        counted(report.files, "file", "files"),
        counted(report.measurements, "measurement", "measurements"),
    );
    match (errors, warnings) {
        (0, 0) => text.push_str("nothing is wrong"),
        (0, warnings) => text.push_str(&counted(warnings, "warning", "warnings")),
        (errors, 0) => text.push_str(&counted(errors, "error", "errors")),
        (errors, warnings) => text.push_str(&format!(
            "{}, {}",
            counted(errors, "error", "errors"),
            counted(warnings, "warning", "warnings")
        )),
    }
    let fixable = told.iter().filter(|finding| finding.fix.is_some()).count();
    if fixable > 0 {
        text.push_str(&format!("; --fix mends {fixable}"));
    }
    let hidden = report.findings.len() - told.len();
    if hidden > 0 {
        text.push_str(&format!("; --info shows {hidden} more"));
    }
    text.push('\n');
    if let Some(first) = told.first() {
        text.push_str(&format!("`dlbench explain {}` explains the first\n", first.code));
    }
    text
}

/// The codes with these names, or all codes with these prefixes.
pub(super) fn codes(names: &[String]) -> Result<Vec<Code>, Failure> {
    let mut codes = Vec::new();
    for name in names {
        let wanted = name.to_uppercase();
        let found: Vec<Code> = match wanted.parse() {
            Ok(code) => rule(code).map(|rule| rule.code).into_iter().collect(),
            Err(_) if wanted.starts_with("DL") => {
                let all = RULES.iter().map(|rule| rule.code);
                all.filter(|code| code.to_string().starts_with(&wanted)).collect()
            }
            Err(_) => Vec::new(),
        };
        if found.is_empty() {
            let all: Vec<String> = RULES.iter().map(|rule| rule.code.to_string()).collect();
            let near = nearest(&wanted, all.iter().map(String::as_str), 3);
            let help = match near.is_empty() {
                true => "`dlbench explain` lists them".to_owned(),
                false => format!("did you mean {}?", or_list(&near)),
            };
            return Err(Failure::usage(format!("there is no rule {name}"), help));
        }
        codes.extend(found);
    }
    Ok(codes)
}
