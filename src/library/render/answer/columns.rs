//! Which columns the numbers of an answer can have, in which order, and how each is said when it does not vary.

use std::collections::BTreeSet;

use strum::VariantArray as _;

use crate::model::{Aspect, Field, Metric, Tier};
use crate::rows::JoinedRow;
use crate::values::Provenance;

/// Fields that are columns of the numbers where they vary, in this order; the framework's versions and backend go with it.
pub(super) const COLUMNS: &[Field] = &[
    Field::Network,
    Field::Dataset,
    Field::Stage,
    Field::Scenario,
    Field::Precision,
    Field::Device,
    Field::DeviceCount,
    Field::Instance,
    Field::Threads,
    Field::Framework,
    Field::KernelLibrary,
    Field::ApiLanguage,
    Field::BatchSize,
    Field::BatchSizeGlobal,
    Field::SequenceLength,
    Field::InputShape,
    Field::Layout,
    Field::Mode,
    Field::Data,
    Field::Epochs,
    Field::AccuracyTarget,
    Field::Baseline,
    Field::Label,
    Field::Cuda,
    Field::Cudnn,
    Field::Status,
    Field::Statistic,
    Field::N,
    Field::Counts,
    Field::Outcome,
];

/// Fields that are shown only where they vary.
const ONLY_IF_VARYING: &[Field] = &[Field::Counts, Field::Cuda, Field::Cudnn, Field::Label, Field::Data];

/// Columns that give way, the first one first, when the terminal is too narrow for all. The id comes before them: it is
/// the widest column and the least read.
const GIVE_WAY: &[Field] = &[
    Field::N,
    Field::Cudnn,
    Field::Cuda,
    Field::Layout,
    Field::Instance,
    Field::Epochs,
    Field::Label,
    Field::Statistic,
    Field::Threads,
    Field::KernelLibrary,
    Field::InputShape,
];

/// The metrics that any of the measurements has.
pub(super) fn metrics_of(measurements: &[&JoinedRow]) -> Vec<Metric> {
    let present = |metric: &Metric| measurements.iter().any(|m| m.metric(*metric).is_some());
    Metric::VARIANTS.iter().copied().filter(present).collect()
}

/// When a column gives way; `None` when it stays.
pub(super) fn rank(aspect: Aspect) -> Option<u8> {
    match aspect {
        Aspect::Id => Some(0),
        Aspect::Field(field) => GIVE_WAY.iter().position(|other| *other == field).map(|rank| rank as u8 + 1),
        _ => None,
    }
}

/// Whether rows that differ in it are not to be taken as alike.
pub(super) fn tells_apart(aspect: Aspect) -> bool {
    match aspect {
        Aspect::Field(Field::Statistic) => true,
        Aspect::Field(field) => matches!(field.tier(), Tier::Identity | Tier::Axis),
        _ => false,
    }
}

/// What goes without saying when all rows share it.
pub(super) fn silent(aspect: Aspect, value: &str) -> bool {
    match aspect {
        Aspect::Field(Field::Status) => value == <&str>::from(Provenance::default()),
        Aspect::Field(field) => ONLY_IF_VARYING.contains(&field),
        _ => false,
    }
}

pub(super) fn constant(aspect: Aspect, value: &str) -> String {
    let Aspect::Field(field) = aspect else { return value.to_owned() };
    match field {
        Field::BatchSize
        | Field::BatchSizeGlobal
        | Field::Threads
        | Field::SequenceLength
        | Field::Epochs
        | Field::AccuracyTarget
        | Field::Baseline
        | Field::KernelLibrary
        | Field::Layout
        | Field::ApiLanguage
        | Field::Outcome => format!("{} {value}", field.heading()),
        Field::DeviceCount if value == "1" => "1 device".to_owned(),
        Field::DeviceCount => format!("{value} devices"),
        Field::N => format!("n = {value}"),
        _ => value.to_owned(),
    }
}

/// `images/s` where all rows count the same thing.
pub(super) fn metric_heading(metric: Metric, counts: &BTreeSet<Option<&str>>) -> String {
    let counted: Vec<&&str> = counts.iter().flatten().collect();
    match (metric, counted.as_slice()) {
        (Metric::ThroughputPerS, [one]) => format!("{one}s/s"),
        (Metric::ItemsPerJoule, [one]) => format!("{one}s/J"),
        (metric, _) => metric.heading().to_owned(),
    }
}
