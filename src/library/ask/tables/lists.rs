//! Lists of all entities of a kind, one row each, and of the metrics.

use strum::VariantArray as _;

use super::entities::{facts, source_facts, usual_columns};
use crate::model::{
    Dataset, Device, Direction, Fact, FactEntity, Framework, HardwareClassRecord, Metric, Network, Source,
};
use crate::stores::database::{Database, DatabaseError, StoredKind};
use crate::values::text::normalise;
use crate::values::{EntityKind, Grid, GridColumn};

/// What can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    /// Entities of the catalog.
    Entities(EntityKind),
    /// The metrics that a measurement can state.
    Metrics,
    /// The cloud instances that have a device.
    Instances,
}

/// The list, without empty columns.
///
/// # Errors
///
/// Fails if the database fails.
pub fn list(store: &Database, kind: ListKind) -> Result<Grid, DatabaseError> {
    let kind = match kind {
        ListKind::Entities(kind) => kind,
        ListKind::Metrics => return Ok(metrics().without_empty_columns()),
        ListKind::Instances => return Ok(instances(&store.entities()?).without_empty_columns()),
    };
    let list = match kind {
        EntityKind::Framework => with_ids::<Framework>(store)?,
        EntityKind::Device => with_ids::<Device>(store)?,
        EntityKind::Network => with_ids::<Network>(store)?,
        EntityKind::Dataset => with_ids::<Dataset>(store)?,
        EntityKind::HardwareClass => hardware_classes(&store.entities()?),
        EntityKind::Source => {
            let counts = store.measurements_by_source()?;
            let sources: Vec<Source> = store.entities()?;
            let count = |source: &Source| counts.get(source.id.as_str()).copied().unwrap_or(0);
            source_facts(sources.iter().map(|source| (source, count(source))))
        }
    };
    Ok(list.without_empty_columns())
}

/// The facts of all entities of a kind, preceded by the id.
fn with_ids<E: FactEntity + StoredKind>(store: &Database) -> Result<Grid, DatabaseError> {
    let entities: Vec<E> = store.entities()?;
    let columns: Vec<Fact> = [Fact::Id].into_iter().chain(usual_columns::<E>()).collect();
    Ok(facts(&entities, &columns))
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

/// Devices and price of each cloud instance, sorted by provider and name.
fn instances(devices: &[Device]) -> Grid {
    let mut grid = Grid {
        columns: vec![
            GridColumn::text("instance"),
            GridColumn::text("provider"),
            GridColumn::text("device"),
            GridColumn::number("devices"),
            GridColumn::number("price [USD/h]"),
            GridColumn::text("as of"),
            GridColumn::text("source"),
        ],
        rows: Vec::new(),
    };
    for device in devices {
        for offer in &device.cloud {
            grid.push(vec![
                offer.instance.clone(),
                offer.provider.clone(),
                device.id.to_string(),
                offer.devices.map_or_else(String::new, |devices| devices.to_string()),
                offer.usd_per_hour.map_or_else(String::new, |price| price.to_string()),
                offer.as_of.as_ref().map_or_else(String::new, ToString::to_string),
                offer.source.to_string(),
            ]);
        }
    }
    grid.rows.sort_by(|a, b| (&a[1], &a[0], &a[5], &a[2]).cmp(&(&b[1], &b[0], &b[5], &b[2])));
    grid
}

/// The rows of a list whose ids are in `ids`; if there are none, the rows that contain every word.
pub fn matching(mut list: Grid, ids: Option<&[String]>, words: &str) -> Grid {
    let named = |row: &Vec<String>| ids.is_some_and(|ids| row.first().is_some_and(|id| ids.contains(id)));
    if list.rows.iter().any(named) {
        list.rows.retain(|row| named(row));
        return list;
    }
    let words: Vec<String> = words.split_whitespace().map(normalise).collect();
    list.rows.retain(|row| {
        let text = normalise(&row.join(" "));
        words.iter().all(|word| text.contains(word.as_str()))
    });
    list
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
