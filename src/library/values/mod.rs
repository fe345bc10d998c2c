//! The basic types, which every layer above uses and which depend on none of them.

mod date;
mod decimal;
mod entity_id;
mod page_layout;
mod precision;
pub mod text;
mod unit;
mod vocabulary;

pub use date::Date;
pub use decimal::Decimal;
pub use decimal::t95;
pub use entity_id::EntityId;
pub use entity_id::Shape;
pub use entity_id::{billions_said, size_in_name};
pub use page_layout::{DocumentClass, PageRoom, TableLayout};
pub use precision::Precision;
pub use text::{CITATION_BEGINS, CITATION_ENDS, citation_mark};
pub use text::{Grid, GridColumn};
pub use unit::Unit;
pub use vocabulary::{
    Allocator, Availability, ComputeUnit, Counted, Data, Dating, Division, EntityKind, EvidenceGrade, FrameworkStatus,
    Grade, HardwareClass, Metered, Outcome, Platform, Protocol, Provenance, Scenario, Stage, Standing, Statistic,
    Switch, Target, Timing,
};

/// A value could not be read from its text: what was expected, for a message that a person can act on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct ParseError {
    /// The expected form, as a noun phrase ("a date such as 2017, 2017-12 or 2017-12-07").
    pub expected: String,
}

impl ParseError {
    /// An error that states the expected form.
    pub fn expected(what: impl Into<String>) -> Self {
        Self { expected: what.into() }
    }
}
