//! The catalog's own tables, as it stands today or as a survey reported it.

mod columns;
mod entities;
mod qualitative;
mod shown;

pub use columns::{EntityColumn, Tabled, column_named};
pub use entities::{dataset_facts, device_facts, facts, framework_facts, network_facts, source_facts, usual_columns};
pub use qualitative::{definitions, frameworks_as_reported, hardware, hardware_as_reported};
