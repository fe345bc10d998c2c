//! Floor 1: what the knowledge base holds. Types without input or output.

mod aspect;
mod catalog;
mod caveat;
mod citation;
mod dataset;
mod derived;
mod device;
mod diagnostic;
mod entity;
mod exception;
mod facet;
mod fact;
mod field;
mod framework;
mod hardware;
mod joined;
mod measurement;
mod measurement_key;
mod metric;
mod network;
mod part;
mod parts;
pub mod physics;
mod reference;
mod registry;
mod source;
mod standing;
mod suite;
#[cfg(test)]
mod test_rows;
mod value;

pub use aspect::Aspect;
pub use catalog::{Catalog, KbInfo, Knowledge, Unasked};
pub use caveat::Caveat;
pub use citation::Citation;
pub use dataset::Dataset;
pub use derived::{CatalogInputs, Derived, Measure};
pub use device::{CloudOffer, Device, NumberFormat};
pub use diagnostic::{Annotation, Code, Diagnostic, Fix, Severity, SourceFile};
pub use entity::{CatalogEntity, stated_facts};
pub use exception::Exception;
pub use facet::{Facet, Lookup, Name, NameKind};
pub use fact::{
    Fact, FactValue, Facts, facts_of_device, facts_of_framework, facts_of_hardware_class, facts_of_network, rank_of,
};
pub use field::{Field, FieldType, Tier};
pub use framework::{Framework, ReportedFramework};
pub use hardware::{GradeRecord, HardwareClassRecord, MetricDefinition};
pub use joined::Joined;
pub use measurement::{CODE_DIGITS, Measurement};
pub use measurement_key::MeasurementKey;
pub use metric::{Direction, Metric};
pub use network::Network;
pub use part::Part;
pub use parts::{Parts, Share};
pub use reference::{KbReference, Reference, References};
pub use source::{Method, Source};
pub use standing::Standing;
pub use suite::{Suite, SuitePart};
#[cfg(test)]
pub(crate) use test_rows::without_test_rows;
pub use value::Value;
