//! `dlbench new`: writes a new entry or measurement from flags or a dialogue, if it passes the check.

use std::io::{BufRead as _, IsTerminal as _, StdinLock};
use std::path::Path;

use clap::Args;
use dlbench::contribute::new::{Interview, NewError, NewKind, NewRequest};
use dlbench::contribute::rule_interface::LintOptions;
use dlbench::model::Severity;
use dlbench::render::findings;
use dlbench::values::EntityId;
use dlbench::values::text::{printable, printable_path};

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use super::screen::today;
use crate::cli::options::word;

pub(super) fn run(args: &NewArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let (files, _kb) = match args.dry_run {
        true => global.files_to_read(screen)?,
        false => (global.files()?, None),
    };
    let mut dialogue = Dialogue::new(screen, !args.no_input);
    let name = match &args.name {
        Some(name) => name.clone(),
        None => dialogue.ask("name", args.kind.name())?.unwrap_or_default(),
    };
    if name.trim().is_empty() {
        return Err(Failure::usage("the name is missing", "dlbench new device \"Nova 100\""));
    }
    // A bare word is a name even if the folder has a file of that name.
    let is_result = [".csv", ".json", ".jsonl", ".log", ".xlsx"].iter().any(|end| name.ends_with(end));
    if is_result || name.contains(['.', '/']) && Path::new(&name).is_file() {
        return Err(Failure::usage(
            format!("{name} is a file, not a name"),
            "a result file comes in by `dlbench import`; see --help there",
        ));
    }
    let new = files.draft(&args.request(name), &mut dialogue)?;
    let path = &new.path;
    let scope = LintOptions { today: today(), ..LintOptions::default() };
    let found = files.check_new(&new, &scope)?;
    let told: Vec<_> = found.into_iter().filter(|finding| finding.severity != Severity::Info).collect();
    let refused = told.iter().any(|finding| finding.severity == Severity::Error);
    let written = !(refused || args.dry_run);
    let schemas_renewed = if written { files.add(&new)? } else { false };
    screen.print(&format!("{}\n\n{}\n", printable_path(path), printable(&new.text)))?;
    if schemas_renewed {
        screen.tell("the schemas in .schemas/ids/ name it, so that editors complete its id");
    }
    if !told.is_empty() {
        screen.print(&findings::each(&told, screen.width()))?;
    }
    let end = match (refused, args.dry_run, told.is_empty()) {
        (true, ..) => "The check refuses it: nothing was written.".to_owned(),
        (_, true, _) => "Nothing was written: this was a dry run.".to_owned(),
        (_, _, true) => "It checks clean.".to_owned(),
        _ => format!("Look again at {}; then `dlbench check {}`.", printable_path(path), printable_path(path)),
    };
    screen.print(&format!("{end}\n"))?;
    Ok(if told.is_empty() { Outcome::Done } else { Outcome::NothingFound })
}

#[derive(Debug, Args)]
#[command(after_help = "`dlbench import` reads files that a benchmark wrote.")]
pub(in crate::cli) struct NewArgs {
    /// The kind of entry
    #[arg(value_parser = word::<NewKind>())]
    pub kind: NewKind,
    /// Its name; for a measurement its batch, which is the file in the folder of its source
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// The id [default: derived from the name]
    #[arg(long, value_name = "ID")]
    pub id: Option<EntityId>,
    /// A fact; separate list items by commas (authors by semicolons), table keys by a dot: --set peak-tflops.fp32=14.0
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// The source of the facts or numbers, an id in catalog/sources
    #[arg(long, value_name = "ID")]
    pub source: Option<EntityId>,
    /// The web page with the facts
    #[arg(long, value_name = "URL", conflicts_with = "source")]
    pub url: Option<String>,
    /// Title of that page
    #[arg(long, value_name = "TEXT", requires = "url")]
    pub title: Option<String>,
    /// Show what would be written and what the check finds; write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Never prompt
    #[arg(long)]
    pub no_input: bool,
}

impl NewArgs {
    /// The given facts, with the name.
    pub fn request(&self, name: String) -> NewRequest {
        NewRequest {
            kind: self.kind,
            name,
            id: self.id.clone(),
            facts: self.set.clone(),
            source: self.source.clone(),
            url: self.url.clone(),
            title: self.title.clone(),
            today: today(),
        }
    }
}

/// The dialogue with a person at a terminal, if there is one.
struct Dialogue<'s> {
    screen: &'s Screen,
    answers: Option<StdinLock<'static>>,
}

impl<'s> Dialogue<'s> {
    /// Starts a dialogue if it is wanted and stdin is a terminal.
    pub fn new(screen: &'s Screen, wanted: bool) -> Self {
        let asking = wanted && std::io::stdin().is_terminal();
        Self { screen, answers: asking.then(|| std::io::stdin().lock()) }
    }
}

impl Interview for Dialogue<'_> {
    fn ask(&mut self, key: &str, example: &str) -> Result<Option<String>, NewError> {
        let Some(answers) = &mut self.answers else { return Ok(None) };
        self.screen.ask(&format!("{key} ({example}): "));
        let mut line = String::new();
        if answers.read_line(&mut line)? == 0 {
            self.screen.ask("\n");
            return Err(NewError::AnswersEnd);
        }
        let line = line.trim();
        Ok((!line.is_empty()).then(|| line.to_owned()))
    }

    fn refuse(&mut self, why: &str) {
        self.screen.warn(&printable(why));
    }

    fn tell(&mut self, remark: &str) {
        self.screen.tell(remark);
    }
}
