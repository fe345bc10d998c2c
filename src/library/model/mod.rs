//! What the knowledge base holds. Types without input or output.

mod aspect;
mod catalog;
mod caveat;
mod citation;
mod contradiction;
mod dataset;
mod derived;
mod derived_throughput;
mod device;
mod diagnostic;
mod entity;
mod evidence;
mod evidence_grade;
mod exception;
mod facet;
mod fact;
mod fact_value;
mod field;
mod field_values;
mod filter_facts;
mod framework;
mod hardware;
mod measurement;
mod measurement_key;
mod metric;
mod network;
mod page_owner;
mod part;
pub mod physics;
mod reference;
mod registry;
mod shared_parts;
mod skipped_file;
mod source;
mod standing;
mod suite;
#[cfg(test)]
mod test_rows;
mod value;

pub use aspect::{Aspect, UnknownAspect};
pub use catalog::{Catalog, KbInfo, Knowledge, Unasked};
pub use caveat::Caveat;
pub use citation::Citation;
pub use contradiction::{ContextDefinition, ContradictionDefinition};
pub use dataset::Dataset;
pub use derived::{CatalogInputs, Derived, Measure};
pub use device::{CloudOffer, Device, NumberFormat};
pub use diagnostic::{Annotation, Code, Diagnostic, Fix, Severity, SourceFile};
pub use entity::{CatalogEntity, stated_facts};
pub use evidence::{
    Breadth, CitedFigure, Claim, EvidenceDefinition, EvidenceKind, GradedKind, HighGrade, measure_called,
};
pub use evidence_grade::{Attested, Indicator, Indicators, evidence_rule, lacks};
pub use exception::Exception;
pub use facet::{Facet, Lookup, Name, NameKind};
pub use fact::{Fact, FactEntity, FactType};
pub use fact_value::FactValue;
pub use field::{Field, FieldType, Tier};
pub use filter_facts::{FilterFacts, filter_facts, grades_of, rank_of};
pub use framework::{Framework, ReportedFramework, license_family};
pub use hardware::{GradeRecord, HardwareClassRecord, MetricDefinition};
pub use measurement::{CODE_DIGITS, Measurement};
pub use measurement_key::MeasurementKey;
pub use metric::{Direction, Metric};
pub use network::{LANGUAGE_TASKS, Network};
pub use page_owner::page_owner;
pub use part::Part;
pub use reference::{KbReference, Reference, References};
pub use shared_parts::{Parts, SharedPart};
pub use skipped_file::SkippedFile;
pub use source::{LeftOutRows, Method, Publication, Source};
pub use standing::Standing;
pub use suite::{Suite, SuitePart};
#[cfg(test)]
pub(crate) use test_rows::without_test_rows;
pub use value::Value;
