//! `dlbench list`: lists all entities of a kind.

use clap::Args;
use clap::builder::PossibleValue;
use strum::VariantArray as _;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::{choice, one_of};
use super::screen::Screen;
use dlbench::ask::tables::ListKind;
use dlbench::render::Format;
use dlbench::render::table::Table;
use dlbench::values::EntityKind;

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// The kind of entity
    #[arg(value_parser = one_of(kinds()))]
    kind: ListKind,
    /// Only entities that match these words: list networks resnet
    #[arg(value_name = "WORDS")]
    words: Vec<String>,
    /// Output format
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

/// The words for the kinds of lists.
fn kinds() -> Vec<(PossibleValue, ListKind)> {
    let entities = EntityKind::VARIANTS.iter();
    let entities = entities.map(|kind| (PossibleValue::new(kind.plural()), ListKind::Entities(*kind)));
    let metrics = PossibleValue::new("metrics").help("The metrics that a measurement can state");
    let instances = PossibleValue::new("instances").help("Cloud instances, what they hold and cost");
    entities.chain([(metrics, ListKind::Metrics), (instances, ListKind::Instances)]).collect()
}

pub(super) fn run(args: &ListArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let words = args.words.join(" ").trim().to_owned();
    let failed = |error| Failure::Query { question: words.clone(), error };
    let (_kb, list) = global.open_and_ask(screen, |kb| match words.as_str() {
        "" => Ok(kb.list(args.kind)?),
        _ => kb.list_matching(args.kind, &words).map_err(failed),
    })?;
    let list = list?;
    let table = Table::from(&list);
    let table = if is_long(args.kind) { table.one_line_each() } else { table };
    screen.print(&table.draw(args.format, screen.width())?)?;
    Ok(if list.rows.is_empty() { Outcome::NothingFound } else { Outcome::Done })
}

/// Whether a kind has many entities, so that readers scan them; for other kinds, they read the texts.
fn is_long(kind: ListKind) -> bool {
    matches!(kind, ListKind::Entities(EntityKind::Device | EntityKind::Network))
}
