//! Along what a question wants numbers told: the axis that it names, or that follows from what it asks for.

use super::clause::Clause;
use super::facing::kind_of;
use super::question::Quantity;
use super::seen::Seen;
use super::vocabulary::Cue;
use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};

impl Seen<'_, '_> {
    pub(super) fn along(&self, quantities: &[Quantity], sides: &[Clause]) -> Option<Aspect> {
        let hints = self.hints;
        let tells_gain = hints.has(Cue::SpeedUp) || hints.has(Cue::Scaling) || hints.has(Cue::Effect);
        // `speed-up by network`, `scaling by device`: the gain of something, told for each entity.
        let divides = |aspect: &Aspect| matches!(aspect, Aspect::Field(field) if field.entity_kind().is_some());
        if let Some((_, aspect)) = hints.along.iter().find(|(_, aspect)| !(tells_gain && divides(aspect))) {
            return Some(*aspect);
        }
        let has = |key: &str| self.clauses.iter().any(|clause| kind_of(clause) == key);
        let counts = self.clauses.iter().any(|clause| kind_of(clause) == "device-count");
        let scaling = quantities.contains(&Quantity::Derived(Derived::ScalingEfficiency));
        let side = sides.first().map(kind_of);
        match () {
            () if hints.has(Cue::Scaling) || scaling || side == Some(Field::DeviceCount.key()) => {
                Some(Aspect::Field(Field::DeviceCount))
            }
            () if side == Some("precision") => Some(Aspect::Field(Field::Precision)),
            () if hints.claimed_factor.is_some() && counts && sides.is_empty() => {
                Some(Aspect::Field(Field::DeviceCount))
            }
            () if hints.has(Cue::SpeedUp) && counts => Some(Aspect::Field(Field::DeviceCount)),
            () if tells_gain && has("batch-size") && !has("precision") => Some(Aspect::Field(Field::BatchSize)),
            () if tells_gain && has("precision") => Some(Aspect::Field(Field::Precision)),
            // `did it improve between Pascal, Volta and Ampere`: each generation over the one before.
            () if hints.has(Cue::SpeedUp) && names_generations(self.clauses) => Some(Aspect::Fact(Fact::Architecture)),
            // What no field is called is set against rows that do not say it.
            () if hints.has(Cue::SpeedUp) && self.context.text => None,
            // What a way of running brings is told over rows that are not run so.
            () if hints.has(Cue::SpeedUp) && has(Field::Mode.key()) => None,
            () if tells_gain && has("framework") => Some(Aspect::Field(Field::Framework)),
            // `how did it improve since 2017`
            () if hints.has(Cue::SpeedUp) && has(Facet::Year.key()) => Some(Aspect::Fact(Fact::Year)),
            () if hints.has(Cue::SpeedUp) => Some(Aspect::Field(Field::Precision)),
            // Two speeds follow from each other, and both from the batch; other measures are told side by side.
            () if hints.opposed => of_speed(quantities).then_some(Aspect::Field(Field::BatchSize)),
            () if quantities.iter().any(is_per_unit) => Some(Aspect::Field(Field::Device)),
            () => None,
        }
    }
}

/// Whether several architectures are named and no precision is.
fn names_generations(clauses: &[Clause]) -> bool {
    let several = |clause: &Clause| {
        kind_of(clause) == Facet::Architecture.key()
            && (clause.sides.len() > 1
                || clause.readings.iter().flat_map(|reading| &reading.read_as.values).count() > 1)
    };
    clauses.iter().any(several) && !clauses.iter().any(|clause| kind_of(clause) == Field::Precision.key())
}

/// Whether a quantity is a rate per joule or dollar or a share of a peak, which is wanted by device.
pub(super) fn is_per_unit(quantity: &Quantity) -> bool {
    matches!(
        quantity,
        Quantity::Metric(Metric::ItemsPerJoule | Metric::EfficiencyRatio)
            | Quantity::Derived(Derived::ItemsPerDollar | Derived::PeakFraction)
    )
}

/// Whether no more than throughput and latency are set against each other.
fn of_speed(quantities: &[Quantity]) -> bool {
    let is_speed = |quantity: &Quantity| {
        matches!(quantity, Quantity::Metric(Metric::ThroughputPerS | Metric::LatencyMs | Metric::MeanLatencyMs))
    };
    quantities.len() < 2 || quantities.iter().all(is_speed)
}
