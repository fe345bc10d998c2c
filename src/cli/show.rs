//! `dlbench show`: one entity or measurement, whole.

use clap::Args;
use clap::builder::PossibleValue;
use strum::VariantArray as _;

use super::choice::{choice, one_of};
use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::ask::cards::{CardKind, CardLookup};
use dlbench::render::{Format, card};
use dlbench::values::EntityKind;
use dlbench::values::text::{or_list, printable};

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// What it is
    #[arg(value_parser = one_of(kinds()))]
    kind: CardKind,
    /// Its id, a name or alias of it, or the beginning of a measurement's id
    #[arg(value_name = "ID", required = true)]
    id: Vec<String>,
    /// How to write it
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

/// The words for what is shown.
fn kinds() -> Vec<(PossibleValue, CardKind)> {
    let word = |kind: EntityKind| match kind {
        EntityKind::HardwareClass => PossibleValue::new(<&str>::from(kind)).alias("class"),
        kind => PossibleValue::new(<&str>::from(kind)),
    };
    let entities = EntityKind::VARIANTS.iter().map(|kind| (word(*kind), CardKind::Entity(*kind)));
    entities.chain([(PossibleValue::new("measurement"), CardKind::Measurement)]).collect()
}

pub(super) fn run(args: &ShowArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let kb = global.open(screen)?;
    let id = args.id.join(" ");
    match kb.card(args.kind, &id)? {
        CardLookup::Found(card) => {
            screen.print(&card::write(&card.title, &card.facts, args.format, screen.width())?)?;
            Ok(Outcome::Done)
        }
        CardLookup::NotFound { near } => {
            let mut text = format!("nothing is called `{}`", printable(&id));
            if !near.is_empty() {
                text.push_str(&format!("; did you mean {}?", or_list(&near)));
            }
            screen.tell(&text);
            Ok(Outcome::NothingFound)
        }
    }
}
