//! The catalog's own tables, as it stands today or as a survey reported it.

mod entities;
mod qualitative;

pub use entities::{dataset_facts, device_facts, framework_facts, network_facts, source_facts};
pub use qualitative::{definitions, frameworks_as_reported, hardware, hardware_as_reported};
