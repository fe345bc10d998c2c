//! `dlbench paper`: everything that a paper needs, and later what became of it.

mod command;
mod verify;

use std::path::{Path, PathBuf};

use clap::Args;

use super::choice::choice;
use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::ask::paper::{Lock, LockedItem, PaperFolder, PaperItem, PaperOutput, Spec};
use dlbench::model::References;
use dlbench::reading::read_text_unlinked;
use dlbench::render::bibtex::bibtex;
use dlbench::render::paper;
use dlbench::values::DocumentClass;
use dlbench::values::text::{counted, printable_path};

/// What a specification looks like.
pub(super) const HELP: &str = "\
A specification lists tables and figures with the commands that make them:

    title = \"What a Titan V gains from fp16\"
    class = \"article\"          # or ieee, acm, llncs, neurips

    [[item]]
    name = \"speed-up\"
    caption = \"Time of a batch by framework\"
    command = 'compare \"u39kun titan v resnet152 eval\" --rows framework --cols precision'

    [[item]]
    name = \"vgg-16\"
    layout = \"page\"            # or column, turned; above the items it applies to all
    command = 'plot \"u39kun titan v vgg16 eval\" --x framework --y throughput --group precision'

The folder then holds tables/*.tex, figures/*.pdf .tex .svg .csv, data.csv with every value used, refs.bib, a main.tex to
look at, and dlbench.lock, from which --verify later finds what changed.";

#[derive(Debug, Args)]
pub(super) struct PaperArgs {
    /// A specification, or questions and commands: "fp16 v100 resnet152" 'compare "v100 vgg16" --rows framework'
    #[arg(value_name = "SPEC.toml | QUESTION…", required_unless_present = "verify")]
    wanted: Vec<String>,
    /// The folder to write
    #[arg(short, long, value_name = "DIR", required_unless_present = "verify")]
    output: Option<PathBuf>,
    /// Show which numbers of the paper in this folder changed, were retracted or have better data now
    #[arg(long, value_name = "DIR", conflicts_with_all = ["wanted", "output", "force"])]
    verify: Option<PathBuf>,
    /// Document class [default: that of the specification, or article]
    #[arg(long, value_parser = choice::<DocumentClass>(), value_name = "CLASS", conflicts_with = "verify")]
    class: Option<DocumentClass>,
    /// Replace files that were edited by hand
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &PaperArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    if let Some(folder) = &args.verify {
        return verify::run(folder, global, screen);
    }
    let Some(output) = &args.output else { return Err(Failure::usage("a paper needs a folder", "-o DIR")) };
    let mut spec = spec(&args.wanted)?;
    spec.class = args.class.unwrap_or(spec.class);
    let folder = PaperFolder::open(output)?;
    let kb = global.open(screen)?;
    let mut references = References::default();
    let mut made: Vec<(PaperItem, PaperOutput)> = Vec::new();
    for item in spec.items.clone() {
        match command::paper_output(&item, (spec.class, spec.layout), &kb, screen)? {
            Some(output) => {
                references.extend(&output.references);
                made.push((item, output));
            }
            None => {
                screen.tell(&format!("item `{}` finds nothing, so nothing was written: {}", item.name, item.command));
                return Ok(Outcome::NothingFound);
            }
        }
    }
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for (item, output) in &made {
        files.extend(output.drawn.files(&item.name));
    }
    let used = made.iter().flat_map(|(_, output)| &output.used);
    let measurements = kb.measurements(used.map(|used| used.id.as_str()))?;
    files.push(("data.csv".to_owned(), paper::data_csv(&made, &measurements)?.into_bytes()));
    files.push(("refs.bib".to_owned(), bibtex(&references).into_bytes()));
    files.push(("main.tex".to_owned(), paper::main_tex(&spec, &made, kb.content()).into_bytes()));
    let (tables, figures): (Vec<_>, Vec<_>) = made.iter().partition(|(_, output)| output.is_table());
    let told = format!(
        "{}, {} and {} in {}; `dlbench paper --verify {}` tells later what changed",
        counted(tables.len(), "table", "tables"),
        counted(figures.len(), "figure", "figures"),
        counted(references.iter().count(), "reference", "references"),
        printable_path(output),
        printable_path(output),
    );
    let locked = |(item, output): (PaperItem, PaperOutput)| LockedItem {
        name: item.name,
        command: item.command,
        values: output.used,
    };
    let items = made.into_iter().map(locked).collect();
    let lock = Lock::new(kb.reference()?.name, kb.content().to_owned(), items);
    let replaced = folder.write(files, lock, args.force)?;
    for path in &replaced.removed {
        screen.tell(&format!("removed {}: the paper no longer has it", printable_path(path)));
    }
    for path in &replaced.edited {
        screen.warn(&format!("{} is no longer part of the paper; it was edited, so it is left", printable_path(path)));
    }
    for path in &replaced.strangers {
        screen.warn(&format!("{} is not part of the paper", printable_path(path)));
    }
    screen.tell(&told);
    Ok(Outcome::Done)
}

/// The specification in the file that is named, or the one that the questions and commands stand for.
fn spec(wanted: &[String]) -> Result<Spec, Failure> {
    if let [file] = wanted
        && Path::new(file).extension().is_some_and(|extension| extension == "toml")
    {
        let path = Path::new(file);
        let text = read_text_unlinked(path).map_err(|error| Failure::Unread { path: path.to_owned(), error })?;
        return Spec::parse(&text).map_err(|error| {
            Failure::usage(format!("{}: {error}", printable_path(path)), "`dlbench paper --help` shows what it holds")
        });
    }
    let numbered = (1..).zip(wanted);
    let items = numbered.map(|(number, text)| command::item(number, text)).collect::<Result<_, Failure>>()?;
    Ok(Spec { title: None, class: DocumentClass::default(), layout: None, items })
}
