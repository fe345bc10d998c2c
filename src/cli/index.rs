//! `dlbench index`: build the stores that queries read, or say what they hold.

use clap::Args;

use super::choice::choice;
use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::render::Format;
use dlbench::render::card;

#[derive(Debug, Args)]
pub(super) struct IndexArgs {
    /// Say what the stores hold, and when and from what they were built
    #[arg(long)]
    status: bool,
    /// Build the stores from nothing, whatever the cache holds
    #[arg(long, conflicts_with = "status")]
    rebuild: bool,
    /// Compare every byte of the stores with their checksums first, and build anew what is damaged
    #[arg(long, conflicts_with = "rebuild")]
    verify: bool,
    /// How to write the status
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

pub(super) fn run(args: &IndexArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let kb = match (args.rebuild, args.verify) {
        (true, _) => global.rebuild(screen)?,
        (_, true) => global.verified(screen)?,
        _ => global.open(screen)?,
    };
    let status = serde_json::to_value(kb.status()?)?;
    screen.print(&card::write("stores", &status, args.format, screen.width())?)?;
    Ok(Outcome::Done)
}
