//! `dlbench list`: all entities of a kind.

use clap::{Args, ValueEnum};
use strum::VariantArray as _;

use super::choice::choice;
use super::failure::Failure;
use super::screen::Screen;
use super::{Format, Global, Outcome};
use dlbench::ask::tables;
use dlbench::model::{Dataset, Device, Direction, Framework, HardwareClassRecord, Metric, Network, Source};
use dlbench::render::table::Table;
use dlbench::stores::store::{Store, StoredKind};
use dlbench::values::Grid;

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Which kind
    #[arg(value_enum)]
    kind: Listed,
    /// How to write the list
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Listed {
    Frameworks,
    Devices,
    HardwareClasses,
    Networks,
    Datasets,
    Sources,
    /// The metrics that a measurement can state
    Metrics,
}

pub(super) fn run(args: &ListArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let kb = global.open(screen)?;
    let store = &kb.stores().store;
    let listed = match args.kind {
        Listed::Frameworks => with_ids(store, |f: &Framework| f.id.to_string(), |all| tables::framework_facts(all))?,
        Listed::Devices => with_ids(store, |d: &Device| d.id.to_string(), |all| tables::device_facts(all))?,
        Listed::Networks => with_ids(store, |n: &Network| n.id.to_string(), |all| tables::network_facts(all))?,
        Listed::Datasets => with_ids(store, |d: &Dataset| d.id.to_string(), |all| tables::dataset_facts(all))?,
        Listed::HardwareClasses => hardware_classes(&store.entities()?),
        Listed::Sources => {
            let counts = store.measurements_by_source()?;
            let sources: Vec<Source> = store.entities()?;
            tables::source_facts(
                sources.iter().map(|source| (source, counts.get(source.id.as_str()).copied().unwrap_or(0))),
            )
        }
        Listed::Metrics => metrics(),
    };
    let listed = listed.without_empty_columns();
    screen.print(&Table::from(&listed).draw(args.format, screen.width())?)?;
    Ok(if listed.rows.is_empty() { Outcome::NothingFound } else { Outcome::Done })
}

/// The facts of all entities of a kind, the id in front.
fn with_ids<E: StoredKind>(
    store: &Store,
    id: impl Fn(&E) -> String,
    facts: impl Fn(&[E]) -> Grid,
) -> Result<Grid, Failure> {
    let entities: Vec<E> = store.entities()?;
    let mut grid = facts(&entities);
    grid.columns.insert(0, dlbench::values::GridColumn::text("id"));
    for (row, entity) in grid.rows.iter_mut().zip(&entities) {
        row.insert(0, id(entity));
    }
    Ok(grid)
}

fn hardware_classes(classes: &[HardwareClassRecord]) -> Grid {
    let mut grid = Grid::of_texts(&["id", "name", "graded metrics", "description"]);
    for class in classes {
        grid.push(vec![
            class.id.to_string(),
            class.name.clone(),
            class.grades.len().to_string(),
            class.description.clone().unwrap_or_default(),
        ]);
    }
    grid
}

fn metrics() -> Grid {
    let mut grid = Grid::of_texts(&["metric", "better", "definition"]);
    for metric in Metric::VARIANTS {
        let better = match metric.direction() {
            Direction::Lower => "lower",
            Direction::Higher => "higher",
            Direction::Neutral => "",
        };
        grid.push(vec![metric.key().to_owned(), better.to_owned(), metric.definition().to_owned()]);
    }
    grid
}
