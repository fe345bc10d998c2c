//! `dlbench new`: a new entry or measurement, asked for or given by flags, checked before it is written and not written where the check refuses it.

mod args;
mod dialogue;

use std::path::Path;

use super::clock::today;
use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
pub(super) use args::NewArgs;
use dialogue::Dialogue;
use dlbench::contribute::new::Interview as _;
use dlbench::contribute::rule_interface::LintOptions;
use dlbench::model::Severity;
use dlbench::render::findings;
use dlbench::values::text::{printable, printable_path};

pub(super) fn run(args: &NewArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let files = global.files()?;
    let mut dialogue = Dialogue::new(screen, !args.no_input);
    let name = match &args.name {
        Some(name) => name.clone(),
        None => dialogue.ask("name", args.kind.name())?.unwrap_or_default(),
    };
    if name.trim().is_empty() {
        return Err(Failure::usage("nothing says what it is called", "dlbench new device \"Nova 100\""));
    }
    let is_result = [".csv", ".json", ".jsonl", ".log", ".xlsx"].iter().any(|end| name.ends_with(end));
    if is_result || Path::new(&name).is_file() {
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
