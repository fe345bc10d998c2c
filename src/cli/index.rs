//! `dlbench index`: build the stores that queries read, cache the rankings over everything, or show what the stores contain.

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::choice;
use super::screen::Screen;
use dlbench::Opening;
use dlbench::render::Format;
use dlbench::render::card;

#[derive(Debug, Args)]
pub(super) struct IndexArgs {
    /// Show what the index contains, and when and from what it was built
    #[arg(long)]
    status: bool,
    /// Rebuild the index from scratch
    #[arg(long, conflicts_with = "status")]
    rebuild: bool,
    /// First verify the checksums of the index, and rebuild what is damaged
    #[arg(long, conflicts_with = "rebuild")]
    verify: bool,
    /// Output format
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

pub(super) fn run(args: &IndexArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let opening = match (args.rebuild, args.verify) {
        (true, _) => Opening::Rebuilt,
        (_, true) => Opening::Verified,
        _ => Opening::Cached,
    };
    let (kb, origin) = global.find(opening, screen)?;
    if !args.status {
        kb.rank_all().map_err(Failure::of_stores)?;
    }
    let mut status = serde_json::to_value(kb.status()?)?;
    if let Some(origin) = origin {
        status["origin"] = origin.into();
    }
    screen.print(&card::write("stores", &status, args.format, screen.width())?)?;
    Ok(Outcome::Done)
}
