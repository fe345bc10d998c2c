//! One row of facts for each entity.

use super::columns::{EntityColumn, TableEntity};
use super::shown::shown;
use crate::model::{Dataset, Device, Framework, Network, Source};
use crate::values::{Grid, GridColumn};

/// The facts of entities under these columns.
pub fn facts<'e, E: TableEntity>(entities: impl IntoIterator<Item = &'e E>, columns: &[&EntityColumn<E>]) -> Grid {
    let mut grid = Grid { columns: columns.iter().map(|column| column.grid_column()).collect(), rows: Vec::new() };
    for entity in entities {
        grid.push(columns.iter().map(|column| column.value(entity)).collect());
    }
    grid
}

/// The columns that are shown unless others are chosen.
pub fn usual_columns<E: TableEntity>() -> Vec<&'static EntityColumn<E>> {
    E::columns().iter().filter(|column| column.usual).collect()
}

/// The seven framework metrics of today, with how alive each framework is.
pub fn framework_facts<'f>(frameworks: impl IntoIterator<Item = &'f Framework>) -> Grid {
    facts(frameworks, &usual_columns())
}

/// Specifications.
pub fn device_facts<'d>(devices: impl IntoIterator<Item = &'d Device>) -> Grid {
    facts(devices, &usual_columns())
}

/// Size and cost of networks.
pub fn network_facts<'n>(networks: impl IntoIterator<Item = &'n Network>) -> Grid {
    facts(networks, &usual_columns())
}

/// Size of data sets.
pub fn dataset_facts<'d>(datasets: impl IntoIterator<Item = &'d Dataset>) -> Grid {
    facts(datasets, &usual_columns())
}

/// Who published what, and how many measurements of it are here.
pub fn source_facts<'s>(sources: impl IntoIterator<Item = (&'s Source, u64)>) -> Grid {
    let mut grid = Grid {
        columns: vec![
            GridColumn::text("source"),
            GridColumn::text("authors"),
            GridColumn::number("year"),
            GridColumn::text("title"),
            GridColumn::text("license"),
            GridColumn::number("measurements"),
        ],
        rows: Vec::new(),
    };
    for (source, measurements) in sources {
        let authors: Vec<&str> = source
            .authors
            .iter()
            .map(|author| author.split_once(',').map_or(author.as_str(), |(family, _)| family))
            .collect();
        grid.push(vec![
            source.id.to_string(),
            authors.join(", "),
            shown(&source.year),
            source.name.clone(),
            shown(&source.license),
            measurements.to_string(),
        ]);
    }
    grid
}
