//! The command behind a table or figure, read as a shell would read it.

use clap::{Parser, Subcommand};

use crate::cli::compare::CompareArgs;
use crate::cli::failure::Failure;
use crate::cli::plot::PlotArgs;
use crate::cli::query::QueryArgs;
use crate::cli::screen::Screen;
use crate::cli::table::TableArgs;
use dlbench::KnowledgeBase;
use dlbench::ask::paper::{PaperItem, PaperOutput};
use dlbench::render::paper::ItemSetting;
use dlbench::values::{DocumentClass, TableLayout};

/// A command without the name of the program in front.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_subcommand = true)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

/// The commands that make something for a paper.
#[derive(Debug, Subcommand)]
enum Command {
    Query(Box<QueryArgs>),
    Compare(Box<CompareArgs>),
    Table(Box<TableArgs>),
    Plot(Box<PlotArgs>),
}

/// The words with which such a command begins.
const NAMES: &[&str] = &["query", "compare", "table", "plot"];

/// The item that a question or a command on the command line stands for.
///
/// # Errors
///
/// When the text is no shell command: a quote never ends.
pub(super) fn item(number: usize, text: &str) -> Result<PaperItem, Failure> {
    let first = text.split_whitespace().next().unwrap_or_default();
    let command = match NAMES.contains(&first) {
        true => text.to_owned(),
        // The blank keeps a question that begins with a minus from being read as an option.
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

/// What an item's command adds to a paper, with what is known against each value; nothing where it finds nothing.
///
/// # Errors
///
/// When the command cannot be read, is none that makes something for a paper, or fails; each names the item.
pub(super) fn paper_output(
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
    // Who copies a command from a terminal copies the name of the program, too.
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
