//! Tables with one row of facts per entity.

use crate::model::{Dataset, Device, Fact, FactEntity, Framework, Network, Source};
use crate::values::{Grid, GridColumn};

/// The facts of entities in these columns.
pub fn facts<'e, E: FactEntity>(entities: impl IntoIterator<Item = &'e E>, columns: &[Fact]) -> Grid {
    let headings =
        columns.iter().map(|fact| GridColumn { heading: fact.heading().to_owned(), numeric: fact.is_numeric() });
    let mut grid = Grid { columns: headings.collect(), rows: Vec::new() };
    for entity in entities {
        grid.push(columns.iter().map(|fact| cell(*fact, entity)).collect());
    }
    grid
}

/// The cell of an entity; empty if the fact is not known.
pub fn cell<E: FactEntity>(fact: Fact, entity: &E) -> String {
    fact.value(entity).map_or_else(String::new, |value| value.to_string())
}

/// The columns that are shown by default.
pub fn usual_columns<E: FactEntity>() -> Vec<Fact> {
    Fact::columns_of::<E>().filter(|fact| fact.is_usual()).collect()
}

/// The current values of the seven framework metrics, with the status of each framework.
pub fn framework_facts<'f>(frameworks: impl IntoIterator<Item = &'f Framework>) -> Grid {
    facts(frameworks, &usual_columns::<Framework>())
}

/// Specifications of devices.
pub fn device_facts<'d>(devices: impl IntoIterator<Item = &'d Device>) -> Grid {
    facts(devices, &usual_columns::<Device>())
}

/// Size and cost of networks.
pub fn network_facts<'n>(networks: impl IntoIterator<Item = &'n Network>) -> Grid {
    facts(networks, &usual_columns::<Network>())
}

/// Size of datasets.
pub fn dataset_facts<'d>(datasets: impl IntoIterator<Item = &'d Dataset>) -> Grid {
    facts(datasets, &usual_columns::<Dataset>())
}

/// Sources with their authors, title and number of measurements.
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
            source.year.map_or_else(String::new, |year| year.to_string()),
            source.name.clone(),
            source.license.clone().unwrap_or_default(),
            measurements.to_string(),
        ]);
    }
    grid
}
