//! `dlbench resolve`: shows how a spelling is resolved.

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::{choice, choice_among};
use super::screen::Screen;
use dlbench::model::Facet;
use dlbench::render::Format;
use dlbench::render::card;

#[derive(Debug, Args)]
pub(super) struct ResolveArgs {
    /// The kind of name
    #[arg(value_parser = choice_among(Facet::SPELLED))]
    kind: Facet,
    /// The name as spelled in a source: "8 * V100 (AWS p3.16xlarge)"
    #[arg(value_name = "SPELLING")]
    spelling: String,
    /// Output format
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

pub(super) fn run(args: &ResolveArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let kb = global.open(screen)?;
    let resolved = kb.resolve(args.kind, &args.spelling)?;
    let title = format!("{} {}", args.kind, args.spelling);
    screen.print(&card::write(&title, &serde_json::to_value(&resolved)?, args.format, screen.width())?)?;
    Ok(if resolved.is_unknown() { Outcome::NothingFound } else { Outcome::Done })
}
