//! What a ranking has a line for: devices, networks, whole systems, settings; and what belongs to the task rather than to the
//! setting in which each of them did it.

use crate::ask::hits::{HitColumns, SharedValues};
use crate::model::{Aspect, Field, Measure, Metric};

/// What a ranking has a line for: the aspects that make up its identity, and the fields that vary with it.
#[derive(Debug, Clone)]
pub(super) struct CandidateKind {
    /// What tells one candidate from another.
    pub identity: Vec<Aspect>,
    /// What may differ between candidates.
    pub varied: Vec<Field>,
    /// Whether the candidates are settings of one task: who names a device and a network asks for the figures themselves.
    pub are_settings: bool,
}

/// What makes up a setting, in the order in which it is told.
const OF_SETTING: &[Field] = &[
    Field::DeviceCount,
    Field::Device,
    Field::Instance,
    Field::Framework,
    Field::FrameworkVersion,
    Field::Backend,
    Field::Precision,
    Field::Quantization,
    Field::BatchSize,
    Field::BatchSizeGlobal,
    Field::Threads,
    Field::Mode,
    Field::Partition,
    Field::Setting,
    Field::Layout,
];

/// What is told of a candidate's own setting, where it is not that of all.
pub(super) const TOLD_OF_SETTING: &[Field] =
    &[Field::DeviceCount, Field::Precision, Field::Framework, Field::Statistic];

/// What part of the work was done, and on what part of a device: never the candidate's own choice.
const OF_WORK: &[Field] = &[Field::Component, Field::InputLength, Field::OutputLength, Field::DeviceSlice];

impl CandidateKind {
    /// The settings in which rows differ, as far as they do.
    pub fn of_settings(values: &SharedValues, hits: &HitColumns, one_device: bool) -> Self {
        let differs = |field: &Field| {
            let number = |hit: usize| values.number(Aspect::Field(*field), &hits.parts(hit));
            (1..hits.len()).any(|hit| number(hit) != number(0))
        };
        let free = |field: &&Field| !(one_device && **field == Field::DeviceCount);
        let varied: Vec<Field> = OF_SETTING.iter().filter(free).copied().filter(differs).collect();
        Self { identity: varied.iter().map(|field| Aspect::Field(*field)).collect(), varied, are_settings: true }
    }

    /// The candidates of an aspect.
    pub fn of(aspect: Aspect) -> Self {
        let varied = match aspect {
            // A network comes with the input that it was made for.
            Aspect::Field(Field::Network) => vec![Field::Network, Field::InputShape, Field::SequenceLength],
            Aspect::Field(Field::Instance) => vec![Field::Instance, Field::Device, Field::DeviceCount],
            Aspect::Field(Field::DeviceCount) => vec![Field::DeviceCount, Field::BatchSizeGlobal],
            Aspect::Field(field) => vec![field],
            Aspect::Fact(fact) => fact.naming_fields().take(1).collect(),
            _ => Vec::new(),
        };
        let identity = match aspect {
            Aspect::Field(Field::Framework) => vec![aspect, Aspect::Field(Field::Backend)],
            _ => vec![aspect],
        };
        Self { identity, varied, are_settings: false }
    }

    /// Whole systems: so many devices together, where a task has a target with the network and framework that reached it.
    pub fn of_systems(reaches_target: bool) -> Self {
        let mut fields = vec![Field::Device, Field::DeviceCount, Field::Instance];
        if reaches_target {
            fields.extend([Field::Network, Field::Framework]);
        }
        let identity = fields.iter().map(|field| Aspect::Field(*field)).collect();
        Self { identity, varied: fields, are_settings: false }
    }

    /// Whether groups of devices are ranked, each by the best of its own: architectures, makers, classes.
    pub fn is_of_groups(&self) -> bool {
        matches!(self.identity.as_slice(), [Aspect::Fact(_)]) && self.varied == [Field::Device]
    }

    /// What is shared by no more than chance, and told of each for itself: of a group which of its devices it was.
    pub fn not_shared(&self) -> &[Field] {
        if self.is_of_groups() { &[] } else { &self.varied }
    }

    /// Whether devices are ranked, of which classes are never ranked together.
    pub fn is_of_devices(&self) -> bool {
        self.identity == [Aspect::Field(Field::Device)]
    }

    /// Whether whole systems are ranked.
    pub fn is_of_systems(&self) -> bool {
        !self.are_settings && self.varied.contains(&Field::Device) && self.varied.contains(&Field::DeviceCount)
    }

    /// What belongs to the task rather than to the candidate's setting; `None` where candidates have none of their own.
    pub fn task(&self, measure: Measure) -> Option<Vec<Field>> {
        let held: &[Field] = match self.varied.first() {
            _ if self.are_settings => &[],
            // The samples of two data sets may be of very different sizes.
            _ if self.is_of_systems() => &[Field::Dataset],
            Some(Field::Device | Field::Instance) => &[],
            Some(Field::DeviceCount) => &[Field::Device],
            Some(Field::Framework) => &[Field::Device, Field::DeviceCount, Field::Precision],
            Some(Field::Network) => &[Field::Device, Field::DeviceCount, Field::Precision, Field::Framework],
            _ => return None,
        };
        let task: &[Field] = match measure.basis() {
            // Whoever names the network and the devices asks for that network's time alone.
            basis
                if reaches_target(basis) && (self.are_settings || self.varied.first() == Some(&Field::DeviceCount)) =>
            {
                &[
                    Field::Network,
                    Field::Stage,
                    Field::Division,
                    Field::Dataset,
                    Field::AccuracyTarget,
                    Field::RelativeAccuracyTarget,
                ]
            }
            basis if reaches_target(basis) => &[
                Field::Stage,
                Field::Scenario,
                Field::Division,
                Field::Dataset,
                Field::AccuracyTarget,
                Field::RelativeAccuracyTarget,
            ],
            Metric::TotalS => &[Field::Network, Field::Stage, Field::Dataset, Field::Epochs, Field::AccuracyTarget],
            Metric::EpochS => &[Field::Network, Field::Stage, Field::Dataset],
            _ => &[
                Field::Network,
                Field::Stage,
                Field::Scenario,
                Field::Division,
                Field::Counts,
                Field::InputShape,
                Field::SequenceLength,
                Field::AccuracyTarget,
                Field::RelativeAccuracyTarget,
            ],
        };
        // What a board draws is no share of what its machine does.
        let metered: &[Field] = if measure.basis().is_of_energy() { &[Field::Metered] } else { &[] };
        Some(
            task.iter()
                .chain(OF_WORK)
                .chain(metered)
                .chain(held)
                .copied()
                .filter(|field| !self.varied.contains(field))
                .collect(),
        )
    }
}

/// Whether a metric is that of reaching a target, whatever the network that reaches it.
pub(super) fn reaches_target(metric: Metric) -> bool {
    matches!(metric, Metric::TimeToAccuracyS | Metric::CostUsd)
}
