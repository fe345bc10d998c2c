//! `dlbench help`: the commands in groups, a topic, or the options of one command.

use clap::Args;

use super::failure::Failure;
use super::global::Outcome;
use super::screen::Screen;
use dlbench::help::{TOPICS, topic};
use dlbench::render::{heading, paragraph};
use dlbench::values::text::{nearest, printable};

#[derive(Debug, Default, Args)]
pub(super) struct HelpArgs {
    /// A topic or a command; `topics` lists the topics [default: all commands]
    #[arg(value_name = "TOPIC|COMMAND")]
    name: Option<String>,
}

/// The commands by purpose. Commands excluded from the build are not listed.
const GROUPS: &[(&str, &[&str])] = &[
    ("Ask", &["query", "compare", "estimate", "evidence"]),
    ("Show", &["show", "list", "table", "stats"]),
    ("Publish", &["plot", "paper", "export"]),
    ("Contribute", &["new", "import", "resolve", "check", "explain", "fmt", "diff", "schema"]),
    ("Measure", &["run", "wanted", "workers"]),
    ("Serve", &["serve", "site", "mcp"]),
    ("Maintain", &["index", "init", "pull", "snapshot", "completions", "man", "help"]),
];

const EXAMPLES: &[&str] = &[
    "dlbench \"fp16 V100 resnet152\"",
    "dlbench \"RTX 4090 vs RTX 3090\"",
    "dlbench compare \"resnet152 v100 u39kun-2018\" --rows framework --cols precision",
    "dlbench show v100",
    "dlbench serve",
];

/// Maximum width of a topic in columns: longer lines are hard to read.
const TOPIC_WIDTH: usize = 100;

pub(super) fn run(args: &HelpArgs, mut program: clap::Command, screen: &Screen) -> Result<Outcome, Failure> {
    program.build();
    let text = match args.name.as_deref() {
        None => overview(&program),
        Some("topics") => topics(),
        Some(name) => match topic(name) {
            Some(topic) => drawn(topic.text, screen.width().min(TOPIC_WIDTH)),
            None => of_command(name, &mut program)?,
        },
    };
    screen.print(&text)?;
    Ok(Outcome::Done)
}

/// The output of `dlbench`, `dlbench help` and `dlbench --help`.
pub(super) fn overview(program: &clap::Command) -> String {
    let mut text = "dlbench answers questions about deep-learning benchmarks: measured numbers and curated facts,\n\
                    each with its source.\n\n\
                    Usage: dlbench \"QUESTION\"\n       dlbench COMMAND [OPTIONS]\n"
        .to_owned();
    for (title, names) in GROUPS {
        let commands: Vec<&clap::Command> = names.iter().filter_map(|name| program.find_subcommand(name)).collect();
        if commands.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{}", heading(title)));
        for command in commands {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            text.push_str(&entry(command.get_name(), &about));
        }
    }
    text.push_str(&format!("\n{}", heading("Examples")));
    EXAMPLES.iter().for_each(|example| text.push_str(&format!("  {example}\n")));
    text.push_str(&format!("\n{}", heading("Topics: dlbench help TOPIC")));
    let names: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
    text.push_str(&paragraph("  ", &names.join(", "), 80));
    text.push_str(&format!("\n{}", heading("Options of every command")));
    text.push_str(&entry("--kb DIR", "The knowledge base [default: the nearest, else the built-in one]"));
    text.push_str(&entry("--color WHEN", "auto, always, never"));
    text.push_str(&entry("--no-pager", "Print long results without a pager"));
    text.push_str(&entry("-h, --help", "Options of a command: dlbench COMMAND --help"));
    text.push_str(&entry("-V, --version", "The version"));
    text.push_str("\nExit status: 0 done, 1 understood but nothing found, 2 usage error or failure.\n");
    text
}

fn entry(name: &str, about: &str) -> String {
    format!("  {name:<16}{about}\n")
}

fn topics() -> String {
    let lines: String = TOPICS.iter().map(|topic| entry(topic.name, topic.summary)).collect();
    format!("{}{lines}", heading("Topics: dlbench help TOPIC"))
}

/// The help text of a command, as its own `--help` prints it.
fn of_command(name: &str, program: &mut clap::Command) -> Result<String, Failure> {
    let visible = program.get_subcommands().filter(|command| !command.is_hide_set()).map(clap::Command::get_name);
    let names: Vec<String> =
        visible.chain(TOPICS.iter().map(|topic| topic.name)).chain(["topics"]).map(str::to_owned).collect();
    if let Some(command) = program.find_subcommand_mut(name).filter(|command| !command.is_hide_set()) {
        return Ok(command.render_long_help().ansi().to_string());
    }
    let help = match nearest(name, names.iter().map(String::as_str), 1).as_slice() {
        [near] => format!("did you mean `dlbench help {near}`?"),
        _ => "`dlbench help` lists the commands, `dlbench help topics` the topics".to_owned(),
    };
    Err(Failure::usage(format!("there is no command or topic `{}`", printable(name)), help))
}

/// Renders Markdown for a terminal: headings are bold, code is indented, paragraphs and items are wrapped to the width.
fn drawn(markdown: &str, width: usize) -> String {
    let mut text = String::new();
    let mut filled: Option<(String, String)> = None;
    let mut in_code = false;
    for line in markdown.lines() {
        let continues = !in_code
            && !line.is_empty()
            && !line.starts_with(['#', '|'])
            && !line.starts_with("```")
            && !is_command(line)
            && marker(line).is_none();
        if continues {
            let (_, words) = filled.get_or_insert_default();
            words.push_str(if words.is_empty() { "" } else { " " });
            words.push_str(line.trim());
            continue;
        }
        if let Some((first, words)) = filled.take() {
            text.push_str(&paragraph(&first, &words, width));
        }
        if line.starts_with("```") {
            in_code = !in_code;
        } else if in_code {
            text.push_str(format!("    {line}").trim_end());
            text.push('\n');
        } else if line.starts_with('#') {
            text.push_str(&heading(line.trim_start_matches('#').trim()));
        } else if let Some((first, rest)) = marker(line) {
            filled = Some((first.to_owned(), rest.to_owned()));
        } else {
            text.push_str(line);
            text.push('\n');
        }
    }
    if let Some((first, words)) = filled {
        text.push_str(&paragraph(&first, &words, width));
    }
    text
}

/// Whether a line of an item is a single command, which must stay on one line so that it can be copied.
fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("`dlbench ") && line.ends_with('`') && line.matches('`').count() == 2
}

/// Splits the bullet or number of an item from its text.
fn marker(line: &str) -> Option<(&str, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let length = match (digits, line) {
        (0, line) if line.starts_with("- ") => 2,
        (1.., line) if line[digits..].starts_with(". ") => digits + 2,
        _ => return None,
    };
    Some(line.split_at(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_drawn_for_a_terminal() {
        let text = "# Title\n\nSome words that\nfill lines.\n\n- an item\n  goes on\n  `dlbench x y`\n1. first\n\n```sh\ncode  stays\n```\n| a | b |\n";
        let drawn = anstream::adapter::strip_str(&drawn(text, 24)).to_string();
        assert_eq!(
            drawn,
            "Title\n\nSome words that fill\nlines.\n\n- an item goes on\n  `dlbench x y`\n1. first\n\n    code  stays\n| a | b |\n"
        );
    }
}
