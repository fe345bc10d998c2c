//! What two numbers are compared by, and how much it weighs.

use strum::VariantArray as _;

use crate::model::{Field, Metric, Tier};

/// Something by which numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// Who measured.
    Source,
    /// Whether the device is meant exactly, and which class of hardware it is.
    Class,
    /// A field of the measurement.
    Field(Field),
}

impl Criterion {
    /// Every criterion, the fields in the order of their registry.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Source, Self::Class].into_iter().chain(Field::VARIANTS.iter().copied().map(Self::Field))
    }

    /// The criterion that a person calls so, by its key.
    pub fn named(name: &str) -> Option<Self> {
        let key = name.trim().to_lowercase().replace(['_', ' '], "-");
        Self::all().find(|criterion| criterion.key() == key)
    }

    /// The word for it, as a field's key is.
    pub fn key(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Class => "class",
            Self::Field(field) => field.key(),
        }
    }

    /// Its name in a sentence for a reader of a paper.
    pub fn in_prose(self) -> String {
        match self {
            Self::Class => "class of hardware".to_owned(),
            Self::Source => "source".to_owned(),
            Self::Field(field) => field.in_prose(),
        }
    }

    /// How much it weighs when values of a metric are compared; `None` where it is no part of any comparison.
    ///
    /// A class of hardware is no difference of identity, but a barrier for every ranking.
    pub fn tier(self, metric: Metric, of_layers: bool) -> Option<Tier> {
        use Metric::*;
        let field = match self {
            Self::Source => return Some(Tier::Disclosure),
            Self::Class => return None,
            Self::Field(field) => field,
        };
        let whole_task = metric.is_of_whole_task();
        Some(match field {
            // The 99th percentile of a latency is another thing than its mean.
            Field::Statistic => Tier::Identity,
            // A latency is that of a whole batch.
            Field::BatchSize if metric == LatencyMs => Tier::Identity,
            Field::Dataset if whole_task || metric == EpochS => Tier::Identity,
            // DAWNBench's rule: the accuracy is demanded, how it is reached is free.
            Field::Network | Field::InputShape if metric == TimeToAccuracyS => Tier::Axis,
            Field::Epochs if whole_task && metric != TimeToAccuracyS => Tier::Identity,
            Field::Epochs => return None,
            Field::Baseline if metric.is_relative() => Tier::Identity,
            Field::Baseline => return None,
            Field::Counts if metric.is_of_items() => Tier::Identity,
            Field::Counts => return None,
            // What a board draws says nothing of the plug, nor what was metered of a speed.
            Field::Metered if metric.is_of_energy() => Tier::Identity,
            Field::Metered => return None,
            Field::TopK if metric.is_of_quality() || metric == TimeToAccuracyS => Tier::Identity,
            Field::TopK => return None,
            // The size of a layer stands in the name of the run.
            Field::Label if of_layers => Tier::Identity,
            // The batch of all devices follows from that of one.
            Field::BatchSizeGlobal => return None,
            field => return field.compared_tier(),
        })
    }
}
