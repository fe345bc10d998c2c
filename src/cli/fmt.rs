//! `dlbench fmt`: files in canonical form.

use std::path::PathBuf;

use clap::Args;

use super::check::inside;
use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::reading::{self, FileKind, canonical, write_whole};
use dlbench::values::text::counted;

#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// Files or folders of the knowledge base [default: all of it]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write nothing: name the files that would change, and fail if there are any
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &FmtArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let root = global.root()?;
    let paths = inside(&root, &args.paths)?;
    let mut files = reading::list(&root)?;
    files.retain(|file| paths.is_empty() || paths.iter().any(|path| file.path.starts_with(path)));
    let loaded = reading::load(&root, &files);
    let mut changed = 0;
    for (listed, file) in &loaded.files {
        // What cannot be read as TOML has no form; `dlbench check` tells what is wrong with it.
        let broken = matches!(listed.kind, FileKind::Misplaced(_)) || file.text.is_empty();
        let Some(formed) = canonical(&file.text, &listed.kind).filter(|_| !broken) else {
            screen.warn(&format!("{} is left as it is: `dlbench check` tells why", listed.path.display()));
            continue;
        };
        if formed == file.text {
            continue;
        }
        changed += 1;
        screen.print(&format!("{}\n", listed.path.display()))?;
        if !args.check {
            write_whole(&root.join(&listed.path), &formed)?;
        }
    }
    let would = if args.check { "would change" } else { "changed" };
    screen.tell(&format!("{} of {} {would}", changed, counted(files.len(), "file", "files")));
    Ok(if args.check && changed > 0 { Outcome::NothingFound } else { Outcome::Done })
}
