//! What kind of answer a question wants.

use strum::{Display, IntoStaticStr};

/// The kind of answer that a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Display, IntoStaticStr, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Intent {
    /// The numbers measured under some conditions: `fp16 V100 resnet152`.
    #[default]
    Lookup,
    /// Candidates in their order: `fastest GPU for training resnet50`.
    Ranking,
    /// Two or more sides against each other: `3090 vs V100 training`.
    Comparison,
    /// How a number changes along an axis: `resnet50 scaling 1 to 8 A100`.
    Relation,
    /// A fact of the catalog: `V100 tdp`.
    Fact,
    /// A grade of a class of hardware: `fpga energy efficiency`.
    Grade,
    /// The entities that meet conditions: `frameworks tested on lstm with a c++ api`.
    List,
    /// What is known of an entity: `v100`.
    Overview,
}
