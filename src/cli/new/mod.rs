//! `dlbench new`: a new entry or measurement, asked for or given by flags, checked before it is written.

mod args;
mod dialogue;
mod entity;
mod measurement;
mod names;
mod questions;
mod suite;

use std::path::Path;

use super::clock::today;
use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
pub(super) use args::NewArgs;
use args::NewKind;
use dialogue::Dialogue;
use dlbench::contribute::lint::LintOptions;
use dlbench::contribute::new::Draft;
use dlbench::model::Severity;
use dlbench::reading::{create_folder, write_whole};
use dlbench::render::diagnostics;
use dlbench::values::text::printable;

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
    let catalog = files.catalog()?;
    let (path, text) = match args.kind.entity() {
        Some(kind) => entity::written(args, kind, &name, stated(args)?, &catalog, &mut dialogue)?,
        None if args.kind == NewKind::Suite => suite::written(args, &name, &catalog, &mut dialogue)?,
        None => measurement::written(args, &name, stated(args)?, &catalog, files.root(), &mut dialogue)?,
    };
    let place = files.root().join(&path);
    if let Some(folder) = place.parent() {
        create_folder(folder)?;
    }
    write_whole(&place, &text)?;
    screen.print(&format!("{}\n\n{}\n", path.display(), printable(&text)))?;
    if args.kind.entity().is_some() && files.renew_schemas()? {
        screen.tell("the schemas in .schemas/ name it, so that editors complete its id");
    }
    let scope = LintOptions { today: today(), ..LintOptions::default() };
    let found = files.check(std::slice::from_ref(&path), &scope)?.findings;
    let wrong: Vec<_> = found.into_iter().filter(|finding| finding.severity != Severity::Info).collect();
    if wrong.is_empty() {
        screen.print("It checks clean.\n")?;
        return Ok(Outcome::Done);
    }
    screen.print(&diagnostics::each(&wrong, screen.width()))?;
    screen.print(&format!("To be mended in {}; then `dlbench check {}`.\n", path.display(), path.display()))?;
    Ok(Outcome::NothingFound)
}

/// What --set states.
fn stated(args: &NewArgs) -> Result<Draft, Failure> {
    let mut draft = Draft::default();
    for pair in &args.set {
        match pair.split_once('=') {
            Some((key, value)) if !value.trim().is_empty() => draft.state(args.kind.entity(), key, value)?,
            _ => return Err(Failure::usage(format!("--set {pair} states nothing"), "write --set key=value")),
        }
    }
    Ok(draft)
}

#[cfg(test)]
mod tests {
    use super::super::screen::ColorWhen;
    use super::*;
    use dlbench::KnowledgeFiles;
    use dlbench::reading::Loaded;

    fn miniature() -> (&'static Path, Loaded) {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/acceptance/kb"));
        (root, KnowledgeFiles::at(root).catalog().expect("a knowledge base"))
    }

    /// What is written for somebody who answers so.
    fn answered(kind: NewKind, name: &str, answers: &'static str) -> Result<String, Failure> {
        let args = NewArgs {
            kind,
            name: None,
            id: None,
            set: Vec::new(),
            source: None,
            url: None,
            title: None,
            no_input: false,
        };
        let (root, catalog) = miniature();
        let screen = Screen::new(ColorWhen::Never, false);
        let mut dialogue = Dialogue::with(&screen, answers);
        let draft = Draft::default();
        let (_, text) = match kind.entity() {
            Some(kind) => entity::written(&args, kind, name, draft, &catalog, &mut dialogue)?,
            None if kind == NewKind::Suite => suite::written(&args, name, &catalog, &mut dialogue)?,
            None => measurement::written(&args, name, draft, &catalog, root, &mut dialogue)?,
        };
        Ok(text)
    }

    #[test]
    fn what_cannot_be_right_is_asked_for_again() {
        let answers = "nova-200\nnova-100\n24 GB\n24\n800\n300\n2020-13\n2020\n\n\nimagined\ninvented-2020\n";
        insta::assert_snapshot!(answered(NewKind::Device, "Nova 200", answers).unwrap(), @r#"
        name = "Nova 200"
        variant-of = "nova-100"
        class = "gpu"
        vendor = "Acme"
        architecture = "Supernova"
        memory-gib = 24
        bandwidth-gb-per-s = 800
        tdp-w = 300
        release-date = "2020"

        [[sources]]
        source = "invented-2020"
        "#);
        let answers = "invented\ninvented-2020\nFirelight 1.2\nNova 300\nNova 100 16GB\nDN51\nDN50\ninference\neval\n\
                       half\nfp16\nsixteen\n16\nimages\nimage\nmean\n8,2\n8.2\n";
        insta::assert_snapshot!(answered(NewKind::Measurement, "mine", answers).unwrap(), @r#"
        [[run]]
        framework = "firelight"
        framework-version = "1.2"
        framework-raw = "Firelight 1.2"
        device = "nova-100-16gb"
        device-raw = "Nova 100 16GB"
        network = "deepnet-50"
        network-raw = "DN50"
        stage = "eval"
        precision = "fp16"
        batch-size = 16
        statistic = "mean"
        counts = "image"
        latency-ms = 8.2
        "#);
        let answers = "Doe, Jane; Roe, Richard\n\n26\n2026\nexample.org\nhttps://example.org/\nMIT\n\n";
        let source = answered(NewKind::Source, "A Page", answers).unwrap();
        let source = source.replace(&today().expect("a day").to_string(), "2026-11-21");
        insta::assert_snapshot!(source, @r#"
        name = "A Page"
        type = "misc"
        authors = ["Doe, Jane", "Roe, Richard"]
        year = 2026
        url = "https://example.org/"
        accessed = 2026-11-21
        license = "MIT"
        "#);
    }

    #[test]
    fn a_suite_names_networks_as_people_do() {
        let answers = "DN51, DN50\nDeepNet 101, DN50\ninference\neval, train\nfp32\none\n1, 16\n";
        insta::assert_snapshot!(answered(NewKind::Suite, "Quick look", answers).unwrap(), @r#"
        name = "Quick look"

        [[part]]
        networks = ["deepnet-101", "deepnet-50"]
        stages = ["eval", "train"]
        precisions = ["fp32"]
        batch-sizes = [1, 16]
        "#);
    }

    #[test]
    fn when_the_answers_end_nothing_is_made() {
        let ended = answered(NewKind::Device, "Nova 200", "nova-100\n24\n").unwrap_err();
        assert_eq!(ended.to_string(), "the answers end here; nothing was written");
    }
}
