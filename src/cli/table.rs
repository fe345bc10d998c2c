//! `dlbench table`: the catalog's own tables.

use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::render::table::Table;
use super::screen::Screen;
use super::{Format, Global, Outcome};
use crate::derived::store::Store;
use crate::model::{Dataset, Device, Facet, Framework, Lookup as _, Network};
use crate::questions::tables;
use crate::values::spelling::normalise;
use crate::values::text::or_list;
use crate::values::{EntityId, EntityKind, Grid};

#[derive(Debug, Args)]
pub(super) struct TableArgs {
    /// Which table
    #[arg(value_enum)]
    name: Name,
    /// As this survey reported it, cell by cell
    #[arg(long, value_name = "SOURCE")]
    as_reported: Option<String>,
    /// How to write the table
    #[arg(short, long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// The 12 qualitative metrics by hardware class
    Hardware,
    /// The 7 framework metrics
    Frameworks,
    /// Specifications of devices
    Devices,
    /// Size and cost of networks
    Networks,
    /// Size of data sets
    Datasets,
    /// The 12 hardware metrics, defined
    HardwareMetrics,
    /// The 7 framework metrics, defined
    FrameworkMetrics,
    /// The 7 principles of benchmarking
    Principles,
}

pub(super) fn run(args: &TableArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let kb = global.open(screen)?;
    let store = &kb.stores().store;
    let grid = match &args.as_reported {
        Some(source) => as_reported(store, args.name, source)?,
        None => today(store, args.name)?,
    };
    screen.print(&Table::from(&grid).draw(args.format, screen.width())?)?;
    Ok(if grid.rows.is_empty() { Outcome::NothingFound } else { Outcome::Done })
}

fn today(store: &Store, name: Name) -> Result<Grid, Failure> {
    Ok(match name {
        Name::Hardware => tables::hardware(store)?,
        Name::Frameworks => tables::framework_facts(&store.entities::<Framework>()?),
        Name::Devices => tables::device_facts(&store.entities::<Device>()?).without_empty_columns(),
        Name::Networks => tables::network_facts(&store.entities::<Network>()?).without_empty_columns(),
        Name::Datasets => tables::dataset_facts(&store.entities::<Dataset>()?).without_empty_columns(),
        Name::HardwareMetrics => tables::definitions(&store.definitions("hardware-metrics")?, "metric"),
        Name::FrameworkMetrics => tables::definitions(&store.definitions("framework-metrics")?, "metric"),
        Name::Principles => tables::definitions(&store.definitions("principles")?, "principle"),
    })
}

fn as_reported(store: &Store, name: Name, source: &str) -> Result<Grid, Failure> {
    let id = source_id(store, source)?;
    let grid = match name {
        Name::Hardware => tables::hardware_as_reported(store, &id)?,
        Name::Frameworks => tables::frameworks_as_reported(store, &id)?,
        _ => None,
    };
    grid.ok_or_else(|| Failure::Usage {
        message: format!("{id} reported no such table"),
        help: Some("surveys reported the tables `hardware` and `frameworks`".to_owned()),
    })
}

/// A source by its id, else by a name of it.
fn source_id(store: &Store, text: &str) -> Result<EntityId, Failure> {
    let ids = store.ids(EntityKind::Source)?;
    let names = store.exact(&normalise(text))?;
    let named = names.iter().find(|name| name.facet == Facet::Source).map(|name| name.value.clone());
    let id = if ids.iter().any(|id| id == text) { Some(text.to_owned()) } else { named };
    id.and_then(|id| id.parse().ok()).ok_or_else(|| Failure::Usage {
        message: format!("there is no source `{text}`"),
        help: Some(format!("the sources are {}", or_list(&ids))),
    })
}
