//! `dlbench snapshot`: packs the knowledge base into one file.

use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::values::text::counted;

#[derive(Debug, Args)]
pub(super) struct SnapshotArgs {
    /// Output file, a compressed archive: dlbench-kb.tar.gz
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn run(args: &SnapshotArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let kb = global.open(screen)?;
    let skipped = kb.skipped()?.len();
    if skipped > 0 {
        return Err(Failure::usage(
            format!("{} of the knowledge base cannot be read", counted(skipped, "file", "files")),
            "`dlbench check` shows every mistake; a snapshot holds none",
        ));
    }
    let snapshot = kb.snapshot()?;
    screen.save(&args.output, &snapshot.archive)?;
    screen.tell(&format!(
        "{}, {:.1} MB, content {}: {}",
        counted(snapshot.files, "file", "files"),
        snapshot.archive.len() as f64 / 1e6,
        kb.content(),
        args.output.display()
    ));
    Ok(Outcome::Done)
}
