//! All entities of a kind, one row each; and the metrics.

use strum::VariantArray as _;

use super::entities::{facts, source_facts, usual_columns};
use crate::model::{
    Dataset, Device, Direction, Fact, FactEntity, Framework, HardwareClassRecord, Metric, Network, Source,
};
use crate::stores::store::{Store, StoreError, StoredKind};
use crate::values::{EntityKind, Grid};

/// What can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    /// Entities of the catalog.
    Entities(EntityKind),
    /// The metrics that a measurement can state.
    Metrics,
}

/// The list, without columns that are empty throughout.
///
/// # Errors
///
/// When the database fails.
pub fn list(store: &Store, kind: ListKind) -> Result<Grid, StoreError> {
    let ListKind::Entities(kind) = kind else { return Ok(metrics().without_empty_columns()) };
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

/// The facts of all entities of a kind, the id in front.
fn with_ids<E: FactEntity + StoredKind>(store: &Store) -> Result<Grid, StoreError> {
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
