//! `dlbench fmt`: rewrites files in canonical form.

use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::values::text::{counted, printable_path};

#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// Files or folders to format [default: the whole knowledge base]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write nothing; list the files that would change, and fail if there are any
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &FmtArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let files = global.files()?;
    let report = files.format(&files.relative(&args.paths)?, args.check)?;
    for path in &report.left {
        screen.warn(&format!("{} is left as it is: `dlbench check` shows why", printable_path(path)));
    }
    for path in &report.changed {
        screen.print(&format!("{}\n", printable_path(path)))?;
    }
    let changed = report.changed.len();
    let would = if args.check { "would change" } else { "changed" };
    screen.tell(&format!("{changed} of {} {would}", counted(report.files, "file", "files")));
    Ok(if args.check && changed > 0 { Outcome::NothingFound } else { Outcome::Done })
}
