//! The closed vocabularies: each an enum whose names stand once, here.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord,
            Display, EnumString, IntoStaticStr, VariantArray, Serialize, Deserialize,
        )]
        #[strum(serialize_all = "kebab-case", const_into_str)]
        #[serde(rename_all = "kebab-case")]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub enum $name { $($(#[$item_doc])* $item),+ }
    };
}

vocabulary! {
    /// What a catalog entity is.
    EntityKind { Framework, Device, HardwareClass, Network, Dataset, Source }
}

impl EntityKind {
    /// The folder under `catalog/` that holds the kind, and its plural in commands and answers.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Framework => "frameworks",
            Self::Device => "devices",
            Self::HardwareClass => "hardware-classes",
            Self::Network => "networks",
            Self::Dataset => "datasets",
            Self::Source => "sources",
        }
    }

    /// The kind as prose names it: `hardware class`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::HardwareClass => "hardware class",
            Self::Dataset => "data set",
            other => other.into(),
        }
    }
}

vocabulary! {
    /// What the 12 qualitative hardware metrics grade.
    HardwareClass { Gpu, Fpga, Asic, Cpu }
}

vocabulary! {
    /// What the benchmark times. `train` is a training step or epoch; `forward` and `backward` are its halves;
    /// `prefill` and `decode` are the two phases of a language model's inference.
    Stage { Eval, Train, Forward, Backward, Prefill, Decode }
}

impl Stage {
    /// Other words for the stage.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            Self::Eval => &["inference", "infer", "evaluation"],
            Self::Train => &["training"],
            Self::Forward => &["forward pass"],
            Self::Backward => &["backward pass", "backprop", "backpropagation"],
            Self::Prefill => &["prompt processing"],
            Self::Decode => &["decoding"],
        }
    }
}

vocabulary! {
    /// How the load arrives, where a source says so (MLPerf's scenarios).
    Scenario { Offline, Server, SingleStream, MultiStream }
}

vocabulary! {
    /// What a reported value is of its samples.
    Statistic { Mean, Median, Min, Max, P90, P95, P99, Single }
}

vocabulary! {
    /// Why an attempt has no number.
    Outcome { Oom, Unsupported, Crashed, Timeout }
}

vocabulary! {
    /// Where a number comes from: copied from a publication, or produced by our own runner.
    Provenance { Reported, Measured }
}

vocabulary! {
    /// How alive a framework is.
    FrameworkStatus { Mature, Developing, Inactive }
}

vocabulary! {
    /// A qualitative grade on the scale of Dai & Berleant's Table I (which uses `Good` once).
    Grade { High, Good, Moderate, Low }
}

vocabulary! {
    /// What a framework runs on.
    Target { Cpu, Gpu, Fpga, Asic, Tpu, Mobile }
}

vocabulary! {
    /// What a throughput or a batch counts. Numbers of different things are never compared.
    Counted { Image, Sample, Token, Sequence, Query, Frame, Inference }
}

vocabulary! {
    /// Whether the timed input was made up or read from a data set.
    Data { Synthetic, Real }
}
