//! `dlbench paper`: tables, figures and bibliography of a paper, and later a check of its numbers.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};
use dlbench::KnowledgeBase;
use dlbench::ask::paper::{
    Lock, LockedItem, PaperFolder, PaperItem, PaperOutput, Spec, UsedValue, edited_files, lock_in, unlisted_files,
    verify,
};
use dlbench::model::References;
use dlbench::reading::read_text_unlinked;
use dlbench::render::bibtex::bibtex;
use dlbench::render::paper;
use dlbench::render::paper::ItemSetting;
use dlbench::values::text::{counted, printable_name, printable_path};
use dlbench::values::{DocumentClass, TableLayout};

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::choice;
use super::screen::Screen;
use crate::cli::compare::CompareArgs;
use crate::cli::plot::PlotArgs;
use crate::cli::query::QueryArgs;
use crate::cli::table::TableArgs;

/// An example of a specification, for `--help`.
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
    /// A specification file, or questions and commands: "fp16 v100 resnet152" 'compare "v100 vgg16" --rows framework'
    #[arg(value_name = "SPEC.toml | QUESTION…", required_unless_present = "verify")]
    wanted: Vec<String>,
    /// Output folder
    #[arg(short, long, value_name = "DIR", required_unless_present = "verify")]
    output: Option<PathBuf>,
    /// Show which numbers of the paper in this folder have changed, were retracted or now have better data
    #[arg(long, value_name = "DIR", conflicts_with_all = ["wanted", "output", "force"])]
    verify: Option<PathBuf>,
    /// Document class [default: the specification's, or article]
    #[arg(long, value_parser = choice::<DocumentClass>(), value_name = "CLASS", conflicts_with = "verify")]
    class: Option<DocumentClass>,
    /// Overwrite files that were edited by hand
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &PaperArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    if let Some(folder) = &args.verify {
        return verify_folder(folder, global, screen);
    }
    let Some(output) = &args.output else { return Err(Failure::usage("a paper needs a folder", "-o DIR")) };
    let mut spec = spec(&args.wanted)?;
    spec.class = args.class.unwrap_or(spec.class);
    let folder = PaperFolder::open(output)?;
    let kb = global.open(screen)?;
    let mut references = References::default();
    let mut made: Vec<(PaperItem, PaperOutput)> = Vec::new();
    for item in spec.items.clone() {
        match paper_output(&item, (spec.class, spec.layout), &kb, screen)? {
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
        "{}, {} and {} in {}; `dlbench paper --verify {}` shows later what changed",
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
    for path in &replaced.unlisted_files {
        screen.warn(&format!("{} is not part of the paper", printable_path(path)));
    }
    screen.tell(&told);
    Ok(Outcome::Done)
}

/// The specification in the given file, or one built from the given questions and commands.
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
    let items = numbered.map(|(number, text)| item(number, text)).collect::<Result<_, Failure>>()?;
    Ok(Spec { title: None, class: DocumentClass::default(), layout: None, items })
}

/// A command without the program name.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_subcommand = true)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

/// The commands that create something for a paper.
#[derive(Debug, Subcommand)]
enum Command {
    Query(Box<QueryArgs>),
    Compare(Box<CompareArgs>),
    Table(Box<TableArgs>),
    Plot(Box<PlotArgs>),
}

/// The names of these commands.
const NAMES: &[&str] = &["query", "compare", "table", "plot"];

/// The item for a question or a command from the command line.
///
/// # Errors
///
/// When the text cannot be quoted for a shell.
fn item(number: usize, text: &str) -> Result<PaperItem, Failure> {
    let first = text.split_whitespace().next().unwrap_or_default();
    let command = match NAMES.contains(&first) {
        true => text.to_owned(),
        // The leading space keeps a question that begins with a minus from being parsed as an option.
        false => format!("query {}", quoted(&format!(" {text}"))?),
    };
    let kind = if first == "plot" { "figure" } else { "table" };
    Ok(PaperItem { name: format!("{kind}-{number}"), command, caption: None, layout: None })
}

fn quoted(text: &str) -> Result<String, Failure> {
    let quoted =
        shlex::try_quote(text).map_err(|error| Failure::usage(error.to_string(), "leave it out of the question"))?;
    Ok(quoted.into_owned())
}

/// The output of an item's command for a paper, with warnings about each value; `None` where the command finds nothing.
///
/// # Errors
///
/// When the command cannot be parsed, cannot produce an item of a paper, or fails; each error names the item.
fn paper_output(
    item: &PaperItem,
    (class, layout): (DocumentClass, Option<TableLayout>),
    kb: &KnowledgeBase,
    screen: &Screen,
) -> Result<Option<PaperOutput>, Failure> {
    let of_item = |failure: Failure| Failure::Item { name: item.name.clone(), failure: Box::new(failure) };
    let line = read(&item.command).map_err(of_item)?;
    let kind = if matches!(line.command, Command::Plot(_)) { "fig" } else { "tab" };
    let (label, caption) = (format!("{kind}:{}", item.name), item.caption.clone());
    let setting = ItemSetting { label, caption, class, layout: item.layout.or(layout) };
    let made = match &line.command {
        Command::Query(args) => args.paper_output(kb, &setting),
        Command::Compare(args) => args.paper_output(kb, &setting),
        Command::Table(args) => args.paper_output(kb, &setting, screen),
        Command::Plot(args) => args.paper_output(kb, &setting, screen),
    };
    let Some(mut made) = made.map_err(of_item)? else { return Ok(None) };
    for used in made.used.iter_mut().filter(|used| !used.id.is_empty()) {
        used.standing = kb.measurement(&used.id)?.and_then(|measurement| measurement.standing_in_words());
    }
    Ok(Some(made))
}

fn read(command: &str) -> Result<Line, Failure> {
    let words = shlex::split(command)
        .ok_or_else(|| Failure::usage(format!("a quote never ends in: {command}"), "close it, as in a shell"))?;
    // A command copied from a terminal begins with the name of the program.
    let words = words.into_iter().skip_while(|word| word == "dlbench");
    Line::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let message = text.trim_start_matches("error: ").trim_end().to_owned();
        Failure::usage(
            message,
            "a paper is made of `query`, `compare`, `table` and `plot`, as they are typed in a shell",
        )
    })
}

fn verify_folder(folder: &Path, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let lock = lock_in(folder)?;
    let kb = global.open(screen)?;
    for (name, what) in edited_files(folder, &lock)? {
        screen.warn(&format!("{} {what}: its current content is ignored", printable_name(&name)));
    }
    for path in unlisted_files(folder, &lock) {
        screen.warn(&format!("{} is not part of the paper", printable_path(&path)));
    }
    let used = lock.items.iter().flat_map(|item| &item.values);
    let measurements = kb.measurements(used.clone().map(|used| used.id.as_str()))?;
    let known = measurements.into_iter().map(|(id, measurement)| (id, measurement.standing_in_words())).collect();
    let changed = verify(&lock, &known, |item| now(item, &kb, screen))?;
    let values = used.count();
    if changed.is_empty() {
        let same = lock.content == kb.content();
        let content = if same { "has the same content" } else { "has changed, but none of them has" };
        let values = counted(values, "value", "values");
        screen.print(&format!("All {values} are unchanged: the knowledge base {content}.\n"))?;
        return Ok(Outcome::Done);
    }
    screen.print(&paper::changes(&changed, values, screen.width()))?;
    screen.tell("`dlbench paper -o` writes the paper again with the values of today");
    Ok(Outcome::NothingFound)
}

/// The values that an item's command finds today, empty where it finds nothing now; or why the command fails.
fn now(item: &LockedItem, kb: &KnowledgeBase, screen: &Screen) -> Result<Result<Vec<UsedValue>, String>, Failure> {
    let item = PaperItem { name: item.name.clone(), command: item.command.clone(), caption: None, layout: None };
    match paper_output(&item, (DocumentClass::default(), None), kb, screen) {
        Ok(made) => Ok(Ok(made.map(|made| made.used).unwrap_or_default())),
        // A question that was clear to the knowledge base of the time may be ambiguous today.
        Err(Failure::Item { failure, .. }) if is_of_command(&failure) => Ok(Err(failure.to_string())),
        Err(failure) => Err(failure),
    }
}

fn is_of_command(failure: &Failure) -> bool {
    matches!(failure, Failure::Usage { .. } | Failure::Query { .. } | Failure::Compare(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_and_a_command_are_told_apart() {
        let item = |text: &str| item(3, text).unwrap();
        assert_eq!(item("v100 \"fp16\"").name, "table-3");
        assert!(matches!(read(&item("-caffe2 v100 it's").command).unwrap().command, Command::Query(_)));
        let compare = item("compare \"v100 vgg16\" --rows framework");
        assert!(matches!(read(&compare.command).unwrap().command, Command::Compare(_)));
        assert_eq!(item("plot v100 --x batch --y latency").name, "figure-3");
        assert!(read("dlbench table hardware").is_ok());
        assert!(read("check").is_err() && read("query \"open").is_err() && read("").is_err());
    }
}
