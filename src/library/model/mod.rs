//! The types of the knowledge base's content, without input or output.

mod aspect;
mod catalog;
mod derived;
mod device;
mod diagnostic;
mod entity;
mod evidence;
mod facet;
mod fact;
mod field;
mod framework;
mod measurement;
mod metric;
mod network;
pub mod physics;
mod rent;
mod source;
#[cfg(test)]
mod test_rows;

pub use aspect::{Aspect, UnknownAspect};
pub use catalog::SkippedFile;
pub use catalog::{Catalog, KbInfo, Knowledge, Unasked};
pub use catalog::{ContextDefinition, ContradictionDefinition};
pub use catalog::{Suite, SuitePart};
pub use derived::{CatalogInputs, Derived, Measure};
pub use device::{CloudOffer, Device, NumberFormat, Rent};
pub use diagnostic::{Annotation, Code, Diagnostic, Fix, Severity, SourceFile};
pub use entity::Exception;
pub use entity::{CatalogEntity, stated_facts};
pub use evidence::{Attested, Indicator, Indicators, evidence_rule, lacks};
pub use evidence::{
    Breadth, CitedFigure, Claim, EvidenceDefinition, EvidenceKind, GradedKind, HighGrade, measure_called,
};
pub use facet::Value;
pub use facet::{Facet, Lookup, Name, NameKind};
pub use fact::FactValue;
pub use fact::{Fact, FactEntity, FactType};
pub use fact::{FilterFacts, filter_facts, grades_of, rank_of};
pub use field::Part;
pub use field::{Field, FieldType, Tier};
pub use framework::{Framework, ReportedFramework, license_family};
pub use framework::{GradeRecord, HardwareClassRecord, MetricDefinition};
pub use measurement::Caveat;
pub use measurement::MeasurementKey;
pub use measurement::{CODE_DIGITS, Measurement};
pub use measurement::{Parts, SharedPart};
pub use metric::{Direction, Metric};
pub use network::Dataset;
pub use network::{LANGUAGE_TASKS, Network};
pub use source::Citation;
pub use source::Standing;
pub use source::page_owner;
pub use source::{KbReference, Reference, References};
pub use source::{LeftOutRows, Method, Publication, Source};
#[cfg(test)]
pub(crate) use test_rows::without_test_rows;
