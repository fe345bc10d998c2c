//! `dlbench completions` and `dlbench man`: what a package installs beside the program.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::failure::Failure;
use super::global::Outcome;
use super::screen::Screen;
use dlbench::values::text::{nearest, or_list, printable};

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The page of this command [default: the page of dlbench itself]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    /// Write all pages into this folder: dlbench.1, dlbench-query.1 …
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    output: Option<PathBuf>,
}

/// Prints the script that completes commands and options.
pub(super) fn completions(
    args: &CompletionsArgs,
    mut program: clap::Command,
    screen: &Screen,
) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "dlbench", &mut script);
    screen.deliver(&String::from_utf8_lossy(&script), None)?;
    Ok(Outcome::Done)
}

/// Prints a manual page, or writes all of them.
pub(super) fn man(args: &ManArgs, mut program: clap::Command, screen: &Screen) -> Result<Outcome, Failure> {
    program.build();
    if let Some(folder) = &args.output {
        for (name, page) in pages(&program)? {
            screen.save_in(folder, &format!("{name}.1"), page)?;
        }
        return Ok(Outcome::Done);
    }
    let wanted = args.command.as_ref().map_or_else(|| "dlbench".to_owned(), |command| format!("dlbench-{command}"));
    let pages = pages(&program)?;
    let Some((_, page)) = pages.iter().find(|(name, _)| *name == wanted) else {
        let command = args.command.as_deref().unwrap_or_default();
        let commands: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
        let near = nearest(command, commands.iter().copied(), 1);
        return Err(Failure::usage(
            format!("there is no command `{}`", printable(command)),
            match near.as_slice() {
                [near] => format!("did you mean {near}?"),
                _ => format!("the commands are {}", or_list(&commands)),
            },
        ));
    };
    screen.deliver(page, None)?;
    Ok(Outcome::Done)
}

/// The page of the program and of each of its commands, by name.
fn pages(program: &clap::Command) -> Result<Vec<(String, String)>, Failure> {
    let mut pages = vec![("dlbench".to_owned(), page(program.clone())?)];
    for command in program.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help") {
        let name = format!("dlbench-{}", command.get_name());
        pages.push((name.clone(), page(command.clone().display_name(&name))?));
    }
    Ok(pages)
}

fn page(command: clap::Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
