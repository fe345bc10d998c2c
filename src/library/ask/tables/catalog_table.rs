//! The catalog's own tables, by name: their rows and columns, in order, and what they cite.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use super::column_choice::{CellOrder, chosen, is_everything, ordered_by};
use super::columns::column_named;
use super::entities::{cell, facts, usual_columns};
use super::error::TableError;
use super::principles_of_sources::principles_of_sources;
use super::qualitative::{definitions, frameworks_as_reported, hardware, hardware_as_reported};
use crate::ask::cards::id_of_name;
use crate::ask::evidence::judged_grades;
use crate::ask::found::EntitiesFound;
use crate::model::{
    Citation, Dataset, Device, Fact, FactEntity, Framework, HardwareClassRecord, MetricDefinition, Network,
};
use crate::stores::Stores;
use crate::stores::database::{Database, StoredKind};
use crate::values::text::normalise;
use crate::values::text::or_list;
use crate::values::{EntityId, EntityKind, Grid};

/// A table of the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum CatalogTable {
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

/// The parameters of a catalog table.
#[derive(Debug, Clone)]
pub struct TableRequest {
    /// The table.
    pub table: CatalogTable,
    /// The filter for entities, as a question; for definitions, words that they must contain.
    pub filter: String,
    /// The survey that reported the table, by id or name; `None` for the current table.
    pub as_reported: Option<String>,
    /// The columns to show; empty for the usual ones, `all` for every column that is not empty.
    pub columns: Vec<String>,
    /// The column to sort by; descending with a leading minus.
    pub sort: Option<String>,
    /// Whether each grade is shown with the verdict from measurements.
    pub evidence: bool,
    /// Whether the principles are applied to sources.
    pub sources: bool,
}

/// A table with its citations.
#[derive(Debug, Clone)]
pub struct CatalogGrid {
    /// The cells.
    pub grid: Grid,
    /// Ids of the sources it cites.
    pub sources: Vec<String>,
    /// The citations of its facts.
    pub citations: Vec<Citation>,
    /// Notes on the basis of its columns.
    pub notes: Vec<String>,
}

impl TableRequest {
    /// The kind of entities in the table; `None` for lists of definitions.
    pub fn kind(&self) -> Option<EntityKind> {
        if self.sources { Some(EntityKind::Source) } else { self.table.kind() }
    }
}

/// The principles of benchmarking, applied to the sources found.
///
/// # Errors
///
/// Fails for another table, for an unknown column, or if a store fails.
pub fn applied_to_sources(
    stores: &Stores,
    request: &TableRequest,
    found: Option<&EntitiesFound>,
) -> Result<CatalogGrid, TableError> {
    if request.table != CatalogTable::Principles || request.as_reported.is_some() || request.evidence {
        return Err(TableError::Request {
            message: "only the principles of benchmarking are applied to sources".to_owned(),
            help: "`dlbench table principles --sources`".to_owned(),
        });
    }
    let ids = found.map(|found| found.ids.as_slice()).unwrap_or_default();
    let (grid, notes) = principles_of_sources(stores, ids)?;
    let grid = chosen(grid, &request.columns, request.sort.as_deref())?;
    Ok(CatalogGrid { grid, sources: ids.to_vec(), citations: Vec::new(), notes })
}

impl CatalogTable {
    /// The kind of entities in the table; `None` for lists of definitions.
    pub fn kind(self) -> Option<EntityKind> {
        Some(match self {
            Self::Hardware => EntityKind::HardwareClass,
            Self::Frameworks => EntityKind::Framework,
            Self::Devices => EntityKind::Device,
            Self::Networks => EntityKind::Network,
            Self::Datasets => EntityKind::Dataset,
            Self::HardwareMetrics | Self::FrameworkMetrics | Self::Principles => return None,
        })
    }

    /// The title of the table.
    pub fn title(self) -> &'static str {
        match self {
            Self::Hardware => "Qualitative metrics of hardware by class",
            Self::Frameworks => "Deep-learning frameworks",
            Self::Devices => "Devices (peaks are dense)",
            Self::Networks => "Networks",
            Self::Datasets => "Data sets",
            Self::HardwareMetrics => "Qualitative metrics of hardware",
            Self::FrameworkMetrics => "Qualitative metrics of frameworks",
            Self::Principles => "Principles of benchmarking",
        }
    }
}

/// The table of the entities found for its filter; `found` is `None` for lists of definitions.
///
/// # Errors
///
/// Fails for an unknown column or survey, or if the database fails.
pub fn catalog_table(
    store: &Database,
    request: &TableRequest,
    found: Option<&EntitiesFound>,
) -> Result<CatalogGrid, TableError> {
    if let Some(source) = &request.as_reported {
        return as_reported(store, request, found, source);
    }
    let mut built = today(store, request, found)?;
    if let Some(found) = found
        && request.table != CatalogTable::Hardware
    {
        built.grid.rows.drain(..found.offset.unwrap_or(0).min(built.grid.rows.len()));
        built.grid.rows.truncate(found.limit.unwrap_or(usize::MAX));
    }
    Ok(built)
}

fn today(store: &Database, request: &TableRequest, found: Option<&EntitiesFound>) -> Result<CatalogGrid, TableError> {
    let ordered = |grid: Grid| chosen(grid, &request.columns, request.sort.as_deref());
    let defined = |list: &str, what: &str| -> Result<CatalogGrid, TableError> {
        let grid = definitions(&store.definitions(list)?, what, |entry| names_all(entry, &request.filter));
        Ok(CatalogGrid { grid: ordered(grid)?, sources: Vec::new(), citations: Vec::new(), notes: Vec::new() })
    };
    match request.table {
        CatalogTable::Hardware => {
            let wanted = |class: &str| found.is_none_or(|found| found.ids.iter().any(|id| id == class));
            let grid = ordered(hardware(store, wanted)?)?;
            let mut classes: Vec<HardwareClassRecord> = store.entities()?;
            classes.retain(|class| wanted(class.id.into()));
            let grades = classes.iter().flat_map(|class| class.grades.values());
            let sources = grades.map(|grade| grade.source.to_string()).collect();
            Ok(CatalogGrid { grid, sources, citations: Vec::new(), notes: Vec::new() })
        }
        CatalogTable::Frameworks => entities(store, request, found, |framework: &Framework| &framework.sources),
        CatalogTable::Devices => entities(store, request, found, |device: &Device| &device.sources),
        CatalogTable::Networks => entities(store, request, found, |network: &Network| &network.sources),
        CatalogTable::Datasets => entities(store, request, found, |dataset: &Dataset| &dataset.sources),
        CatalogTable::HardwareMetrics => defined("hardware-metrics", "metric"),
        CatalogTable::FrameworkMetrics => defined("framework-metrics", "metric"),
        CatalogTable::Principles => defined("principles", "principle"),
    }
}

/// The table of grades, each followed by the verdict from measurements.
///
/// # Errors
///
/// Fails for another table, or if a store fails.
pub fn with_verdicts(
    stores: &Stores,
    request: &TableRequest,
    mut built: CatalogGrid,
) -> Result<CatalogGrid, TableError> {
    if request.table != CatalogTable::Hardware || request.as_reported.is_some() {
        return Err(TableError::Request {
            message: "only the grades of hardware classes are compared with measurements here".to_owned(),
            help: "`dlbench table hardware --evidence`; `dlbench evidence` covers frameworks and figures".to_owned(),
        });
    }
    let metrics = stores.database.definitions("hardware-metrics")?;
    let classes: Vec<HardwareClassRecord> = stores.database.entities()?;
    let headings: Vec<String> = built.grid.columns.iter().map(|column| column.heading.clone()).collect();
    for claim in judged_grades(stores, |_, _| true)? {
        let metric = metrics.iter().find(|metric| claim.metric.as_deref() == Some(metric.id.as_str()));
        let class = classes.iter().find(|class| <&str>::from(class.id) == claim.about);
        let at = class.and_then(|class| headings.iter().position(|heading| *heading == class.name));
        if let (Some(metric), Some(at)) = (metric, at) {
            for row in built.grid.rows.iter_mut().filter(|row| row.contains(&metric.name)) {
                row[at].push_str(&format!(" ({})", claim.verdict));
            }
        }
    }
    Ok(built)
}

/// One row per entity found, with the citations of its facts.
fn entities<E: FactEntity + StoredKind>(
    store: &Database,
    request: &TableRequest,
    found: Option<&EntitiesFound>,
    citations: impl Fn(&E) -> &Vec<Citation>,
) -> Result<CatalogGrid, TableError> {
    let ids = found.map(|found| found.ids.as_slice()).unwrap_or_default();
    let mut all: Vec<E> = Vec::with_capacity(ids.len());
    for id in ids {
        all.extend(store.entity(id)?);
    }
    let everything = is_everything(&request.columns);
    let columns = match request.columns.as_slice() {
        [] => usual_columns::<E>(),
        _ if everything => Fact::columns_of::<E>().collect(),
        names => names.iter().map(|name| column::<E>(name)).collect::<Result<_, _>>()?,
    };
    if let Some(order) = &request.sort {
        let (name, descending) = ordered_by(order);
        let by = column::<E>(name)?;
        all.sort_by_cached_key(|entity| CellOrder::of(&cell(by, entity), descending));
    }
    let grid = facts(&all, &columns);
    // Columns requested by name are shown even if they are empty.
    let grid = if request.columns.is_empty() || everything { grid.without_empty_columns() } else { grid };
    Ok(CatalogGrid {
        grid,
        sources: Vec::new(),
        citations: all.iter().flat_map(|entity| citations(entity).clone()).collect(),
        notes: Vec::new(),
    })
}

fn column<E: FactEntity>(name: &str) -> Result<Fact, TableError> {
    column_named::<E>(name).map_err(|near| TableError::no_column(name, &near))
}

/// Whether a definition contains every word of a filter.
fn names_all(entry: &MetricDefinition, filter: &str) -> bool {
    let text = normalise(&format!("{} {} {}", entry.id, entry.name, entry.definition));
    filter.split_whitespace().all(|word| text.contains(&normalise(word)))
}

/// The table as a survey reported it, cell by cell.
fn as_reported(
    store: &Database,
    request: &TableRequest,
    found: Option<&EntitiesFound>,
    source: &str,
) -> Result<CatalogGrid, TableError> {
    let id = id_of_name(store, EntityKind::Source, source)?.and_then(|id| id.parse::<EntityId>().ok());
    let Some(id) = id else {
        return Err(TableError::Request {
            message: format!("there is no source `{source}`"),
            help: format!("the sources are {}", or_list(&store.ids(EntityKind::Source)?)),
        });
    };
    let wanted = |entity: &str| found.is_none_or(|found| found.ids.iter().any(|id| id == entity));
    let grid = match request.table {
        CatalogTable::Hardware => hardware_as_reported(store, &id, wanted)?,
        CatalogTable::Frameworks => frameworks_as_reported(store, &id, wanted)?,
        _ => None,
    };
    let grid = grid.ok_or_else(|| TableError::Request {
        message: format!("{id} reported no such table"),
        help: "surveys reported the tables `hardware` and `frameworks`".to_owned(),
    })?;
    let grid = chosen(grid, &request.columns, request.sort.as_deref())?;
    Ok(CatalogGrid { grid, sources: vec![id.to_string()], citations: Vec::new(), notes: Vec::new() })
}
