//! What two numbers are compared by, and how much it weighs.

use strum::VariantArray as _;

use super::stated::Comparand;
use crate::model::{Field, Metric, Tier};
use crate::values::HardwareClass;

/// Something by which numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// Who measured.
    Source,
    /// Rules of a benchmark that allow or forbid a changed network: MLPerf's divisions.
    Division,
    /// Whether the device is meant exactly, and which class of hardware it is.
    Class,
    /// A field of the measurement.
    Field(Field),
}

impl Criterion {
    /// Every criterion, the fields in the order of their registry.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Source, Self::Division, Self::Class].into_iter().chain(Field::VARIANTS.iter().copied().map(Self::Field))
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
            Self::Division => "division",
            Self::Class => "class",
            Self::Field(field) => field.key(),
        }
    }

    /// How much it weighs when values of a metric are compared; `None` where it is no part of any comparison.
    ///
    /// A class of hardware is no difference of identity, but a barrier for every ranking.
    pub fn tier(self, metric: Metric, of_layers: bool) -> Option<Tier> {
        use Metric::*;
        let field = match self {
            Self::Source => return Some(Tier::Disclosure),
            Self::Division => return Some(Tier::Identity),
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
            Field::Counts if metric.items_per().is_some() => Tier::Identity,
            Field::Counts => return None,
            // The size of a layer stands in the name of the run.
            Field::Label if of_layers => Tier::Identity,
            // The batch of all devices follows from that of one.
            Field::BatchSizeGlobal => return None,
            field => return field.compared_tier(),
        })
    }

    /// Whether not knowing it leaves the comparison open; a field of which few rows have need is no such field.
    pub(super) fn is_required(self, metric: Metric, rows: &[Comparand<'_>]) -> bool {
        use Metric::*;
        let Self::Field(field) = self else { return false };
        let of_task = |is: fn(&str) -> bool| rows.iter().any(|row| row.facts.task.as_deref().is_some_and(is));
        match field {
            Field::Network | Field::Device => true,
            Field::Stage => !of_task(is_of_layers),
            Field::InputShape => metric != TimeToAccuracyS && of_task(is_of_images),
            Field::SequenceLength => {
                of_task(is_of_texts) && !rows.iter().any(|row| row.text(Field::Scenario).is_some())
            }
            Field::Statistic => false,
            // How many processors there are is seldom said of a host that computes by itself.
            Field::DeviceCount if rows.iter().any(|row| row.facts.class == Some(HardwareClass::Cpu)) => false,
            Field::DeviceCount | Field::Precision => !metric.is_of_quality(),
            // A layer is asked of a library, not of a framework.
            Field::Framework => !of_task(is_of_layers),
            Field::BatchSize => {
                let by_scenario = rows.iter().all(|row| row.text(Field::Scenario).is_some());
                matches!(metric, LatencyMs | ThroughputPerS | ItemsPerJoule | MemoryMib | PowerW | EpochS | Gflops)
                    && !by_scenario
                    && !of_task(is_of_layers)
            }
            Field::AccuracyTarget => metric == TimeToAccuracyS,
            Field::Dataset => self.tier(metric, false) == Some(Tier::Identity),
            Field::Epochs => matches!(metric, TotalS | Accuracy | ErrorRate | Loss),
            Field::Baseline | Field::Counts => self.tier(metric, false) == Some(Tier::Identity),
            _ => false,
        }
    }
}

/// Whether a task is that of single layers.
pub(super) fn is_of_layers(task: &str) -> bool {
    task == "layer"
}

/// Whether a network of this task sees images, so that their size tells how much work there is.
fn is_of_images(task: &str) -> bool {
    task.starts_with("image-")
        || task.ends_with("-segmentation")
        || matches!(task, "object-detection" | "pose-estimation")
}

/// Whether a network of this task reads sequences, so that their length tells how much work there is.
fn is_of_texts(task: &str) -> bool {
    matches!(task, "text-generation" | "language-model" | "text-classification" | "machine-translation")
}
