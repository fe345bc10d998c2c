//! The registry of measurement fields: everything besides its metrics that a measurement states.

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::values::EntityKind;

/// How much a field weighs when two numbers are compared (DESIGN §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// What is measured. Numbers that differ here are never ranked together.
    Identity,
    /// What is varied. Comparable only along the axis that is asked for.
    Axis,
    /// Circumstances, shown as a difference.
    Context,
    /// Who measured and how well, a footnote.
    Disclosure,
}

/// What a field's value is, hence how it is read, stored and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// The id of a catalog entity.
    Entity(EntityKind),
    /// Free text.
    Text,
    /// A whole number of 1 or more.
    Count,
    /// A decimal number.
    Number,
    /// A date to the year, month or day.
    Date,
    /// Extents such as `3x224x224`.
    Shape,
    /// One of a closed list of words.
    Word(&'static [&'static str]),
}

/// A field of a measurement. The kebab-case name is the key in a file, the snake_case name the key in JSON.
///
/// The order is that of the columns in files, stores and answers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Field {
    /// The framework that was asked; with a backend, the one in front.
    Framework,
    /// Its version, as the source spells it.
    FrameworkVersion,
    /// The source's own spelling of the framework.
    FrameworkRaw,
    /// The framework that computes, where another is in front.
    Backend,
    /// The backend's version.
    BackendVersion,
    /// The programming language from which the framework was used.
    ApiLanguage,
    /// The library of kernels that was chosen, such as a cuDNN or a BLAS.
    KernelLibrary,
    /// The device, or its family where the source does not say the SKU.
    Device,
    /// The source's own spelling of the device.
    DeviceRaw,
    /// How many devices worked together.
    DeviceCount,
    /// The cloud instance.
    Instance,
    /// The machine around the devices.
    Host,
    /// Threads of the host that took part.
    Threads,
    /// The revision of the network that was run.
    Network,
    /// The source's own spelling of the network.
    NetworkRaw,
    /// The data set.
    Dataset,
    /// The source's own spelling of the data set.
    DatasetRaw,
    /// One sample, channels first.
    InputShape,
    /// Tokens of one sample.
    SequenceLength,
    /// What was timed.
    Stage,
    /// How the load arrives.
    Scenario,
    /// The numeric recipe.
    Precision,
    /// Samples in a batch of one device.
    BatchSize,
    /// Samples in a batch of all devices.
    BatchSizeGlobal,
    /// Order of the axes in memory, such as NCHW.
    Layout,
    /// How it was executed: eager, graph, compiled …
    Mode,
    /// Made-up or real input.
    Data,
    /// Passes over the data set.
    Epochs,
    /// The accuracy that ends a training, 0 to 1.
    AccuracyTarget,
    /// What a ratio is relative to.
    Baseline,
    /// The source's own name of the run, where nothing else tells it from its neighbours.
    Label,
    /// Version of CUDA.
    Cuda,
    /// Version of cuDNN.
    Cudnn,
    /// Version of the device's driver.
    Driver,
    /// The operating system.
    Os,
    /// The container image.
    Container,
    /// Other software and its versions.
    Software,
    /// When it was measured.
    Date,
    /// Copied from a publication, or measured by our own runner.
    Status,
    /// What the values are of their samples.
    Statistic,
    /// How many samples there are.
    N,
    /// The smallest sample of the first metric, in its unit.
    Lowest,
    /// The largest sample of the first metric, in its unit.
    Highest,
    /// The samples' standard deviation of the first metric, in its unit.
    StdDeviation,
    /// What the batch and a throughput count.
    Counts,
    /// What lies between start and stop of the clock.
    Timed,
    /// The method of a source that our own runner followed, by name.
    Protocol,
    /// Why there is no number.
    Outcome,
    /// What became of the number after it was published.
    Standing,
    /// Why it is no longer what it was.
    StandingReason,
    /// The id of the measurement that replaces it, or of the source where all of its source is replaced.
    ReplacedBy,
    /// What disturbed a measurement of our own runner, and what to do about it.
    Caveats,
    /// Remarks.
    Notes,
}

impl Field {
    /// The key in a measurement file.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// The key in JSON answers.
    pub fn json_key(self) -> String {
        self.key().replace('-', "_")
    }

    /// What the field's value is.
    pub fn kind(self) -> FieldType {
        use FieldType::*;
        match self {
            Self::Framework | Self::Backend => Entity(EntityKind::Framework),
            Self::Device => Entity(EntityKind::Device),
            Self::Network => Entity(EntityKind::Network),
            Self::Dataset => Entity(EntityKind::Dataset),
            Self::DeviceCount
            | Self::Threads
            | Self::SequenceLength
            | Self::BatchSize
            | Self::BatchSizeGlobal
            | Self::Epochs
            | Self::N => Count,
            // Of the samples behind the row's first metric, in its unit.
            Self::Lowest | Self::Highest | Self::StdDeviation => Number,
            Self::AccuracyTarget => Number,
            Self::InputShape => Shape,
            Self::Date => FieldType::Date,
            Self::Stage => Word(STAGES),
            Self::Scenario => Word(SCENARIOS),
            Self::Precision => Word(PRECISIONS),
            Self::Statistic => Word(STATISTICS),
            Self::Counts => Word(COUNTED),
            Self::Outcome => Word(OUTCOMES),
            Self::Status => Word(PROVENANCES),
            Self::Standing => Word(STANDINGS),
            Self::Data => Word(DATA),
            Self::Protocol => Word(PROTOCOLS),
            Self::FrameworkVersion
            | Self::FrameworkRaw
            | Self::BackendVersion
            | Self::ApiLanguage
            | Self::KernelLibrary
            | Self::DeviceRaw
            | Self::Instance
            | Self::Host
            | Self::NetworkRaw
            | Self::DatasetRaw
            | Self::Layout
            | Self::Mode
            | Self::Baseline
            | Self::Label
            | Self::Cuda
            | Self::Cudnn
            | Self::Driver
            | Self::Os
            | Self::Container
            | Self::Software
            | Self::Timed
            | Self::StandingReason
            | Self::ReplacedBy
            | Self::Caveats
            | Self::Notes => Text,
        }
    }

    /// How much the field weighs in a comparison.
    pub fn tier(self) -> Tier {
        match self {
            Self::Network
            | Self::InputShape
            | Self::SequenceLength
            | Self::Stage
            | Self::Scenario
            | Self::AccuracyTarget
            | Self::Counts
            | Self::Timed
            | Self::Baseline
            | Self::Epochs
            | Self::Outcome => Tier::Identity,
            Self::Framework
            | Self::FrameworkVersion
            | Self::Backend
            | Self::BackendVersion
            | Self::ApiLanguage
            | Self::KernelLibrary
            | Self::Device
            | Self::DeviceCount
            | Self::Threads
            | Self::Dataset
            | Self::Precision
            | Self::BatchSize
            | Self::BatchSizeGlobal
            | Self::Layout
            | Self::Mode => Tier::Axis,
            Self::Instance
            | Self::Host
            | Self::Data
            | Self::Label
            | Self::Cuda
            | Self::Cudnn
            | Self::Driver
            | Self::Os
            | Self::Container
            | Self::Software
            | Self::Protocol
            | Self::Date => Tier::Context,
            Self::FrameworkRaw
            | Self::DeviceRaw
            | Self::NetworkRaw
            | Self::DatasetRaw
            | Self::Status
            | Self::Statistic
            | Self::N
            | Self::Lowest
            | Self::Highest
            | Self::StdDeviation
            | Self::Standing
            | Self::StandingReason
            | Self::ReplacedBy
            | Self::Caveats
            | Self::Notes => Tier::Disclosure,
        }
    }

    /// Whether the field tells a measurement from its neighbours, so that it enters the measurement's id.
    ///
    /// Raw spellings, notes and sample counts do not: correcting them must not change what papers cite.
    pub fn is_identity(self) -> bool {
        !matches!(
            self,
            Self::FrameworkRaw
                | Self::DeviceRaw
                | Self::NetworkRaw
                | Self::DatasetRaw
                | Self::Status
                | Self::N
                | Self::Lowest
                | Self::Highest
                | Self::StdDeviation
                | Self::Standing
                | Self::StandingReason
                | Self::ReplacedBy
                | Self::Caveats
                | Self::Notes
                | Self::Outcome
        )
    }

    /// A short column heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::BatchSize => "batch",
            Self::BatchSizeGlobal => "global batch",
            Self::DeviceCount => "devices",
            Self::InputShape => "input",
            Self::FrameworkVersion => "version",
            Self::KernelLibrary => "kernels",
            Self::ApiLanguage => "API",
            Self::SequenceLength => "sequence",
            Self::AccuracyTarget => "target",
            Self::Dataset => "data set",
            other => other.key(),
        }
    }
}

macro_rules! words {
    ($($list:ident = $vocabulary:ty;)+) => {
        $(const $list: &[&str] = &{
            use strum::VariantArray as _;
            const ITEMS: &[$vocabulary] = <$vocabulary>::VARIANTS;
            let mut names = [""; ITEMS.len()];
            let mut at = 0;
            while at < ITEMS.len() {
                names[at] = ITEMS[at].into_str();
                at += 1;
            }
            names
        };)+
    };
}

words! {
    STAGES = crate::values::Stage;
    SCENARIOS = crate::values::Scenario;
    PRECISIONS = crate::values::Precision;
    STATISTICS = crate::values::Statistic;
    COUNTED = crate::values::Counted;
    OUTCOMES = crate::values::Outcome;
    PROVENANCES = crate::values::Provenance;
    DATA = crate::values::Data;
    PROTOCOLS = crate::values::Protocol;
    STANDINGS = crate::values::Standing;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_vocabularies_names() {
        let FieldType::Word(stages) = Field::Stage.kind() else { panic!("stage is a word") };
        assert_eq!(stages, ["eval", "train", "forward", "backward", "prefill", "decode"]);
        let FieldType::Word(precisions) = Field::Precision.kind() else { panic!("precision is a word") };
        assert!(precisions.contains(&"amp-fp16"));
    }
}
