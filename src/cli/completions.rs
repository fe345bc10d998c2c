//! `dlbench completions` and `dlbench man`: the files that a package installs with the program.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::ask::cards::CardKind;
use dlbench::values::text::{nearest, or_list, printable};

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The command to document [default: dlbench itself]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    /// Write all pages to this folder: dlbench.1, dlbench-query.1 …
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
    script.extend(names_of_catalog(args.shell).as_bytes());
    screen.deliver(&String::from_utf8_lossy(&script), None)?;
    Ok(Outcome::Done)
}

/// The part of a script that completes names of the catalog by calling `dlbench complete`.
fn names_of_catalog(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => BASH,
        Shell::Zsh => ZSH,
        Shell::Fish => FISH,
        _ => "",
    }
}

const BASH: &str = r#"
_dlbench_with_names() {
    _dlbench "$@"
    local cur="${COMP_WORDS[COMP_CWORD]}" name
    if [[ "$cur" != -* ]]; then
        # Not by compgen -W, which would run what is typed in $( ).
        while IFS= read -r name; do
            [[ "$name" == "$cur"* ]] && COMPREPLY+=("$name")
        done < <(dlbench complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    fi
}
complete -F _dlbench_with_names -o bashdefault -o default dlbench
"#;

const ZSH: &str = r#"
_dlbench_with_names() {
    _dlbench "$@"
    local -a names
    names=(${(f)"$(dlbench complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    (( $#names )) && compadd -a names
}
compdef _dlbench_with_names dlbench
"#;

const FISH: &str = r#"
complete -c dlbench -f -a "(dlbench complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)"
"#;

#[derive(Debug, Args)]
pub(super) struct CompleteArgs {
    /// The words after `dlbench`; the last one may be incomplete
    #[arg(value_name = "WORD", allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Prints the names of the catalog that complete the last word, one per line; failures are not reported.
pub(super) fn complete(args: &CompleteArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let Some((typed, before)) = args.words.split_last() else { return Ok(Outcome::Done) };
    let kind = match before {
        [command, .., kind] if command == "show" => match CardKind::called(kind) {
            Some(CardKind::Entity(kind)) => Some(kind),
            _ => None,
        },
        _ => None,
    };
    // A question is often one quoted argument: its last word is completed.
    let (front, word) = typed.rsplit_once(' ').map_or(("", typed.as_str()), |(front, word)| (front, word));
    let names = global.open(screen)?.names_beginning(kind, word)?;
    let lead = if front.is_empty() { String::new() } else { format!("{front} ") };
    let lines: String = names.iter().map(|name| format!("{lead}{name}\n")).collect();
    screen.deliver(&lines, None)?;
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

/// The manual pages of the program and of each command, by name.
fn pages(program: &clap::Command) -> Result<Vec<(String, String)>, Failure> {
    let mut pages = vec![("dlbench".to_owned(), page(program.clone())?)];
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
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
