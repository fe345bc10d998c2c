//! The catalog's own tables, in their current state or as a survey reported them.

mod catalog_table;
mod column_choice;
mod columns;
mod entities;
mod error;
mod lists;
mod principles_of_sources;
mod qualitative;

pub use catalog_table::{CatalogGrid, CatalogTable, TableRequest, applied_to_sources, catalog_table, with_verdicts};
pub use entities::{dataset_facts, device_facts, facts, framework_facts, network_facts, source_facts, usual_columns};
pub use error::TableError;
pub use lists::{ListKind, list, matching};
pub use qualitative::{definitions, frameworks_as_reported, hardware, hardware_as_reported};
