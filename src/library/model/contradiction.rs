//! When two who measured the same contradict each other: the definition, as the catalog states it.

use serde::{Deserialize, Serialize};

use super::{Field, Metric};
use crate::values::Decimal;

/// Which rows are of one configuration, and how far their values may lie apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContradictionDefinition {
    /// Keys of metrics: two rows are held against each other by the first that both have.
    pub metrics: Vec<String>,
    /// The fields in which rows of one configuration may differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differ: Vec<String>,
    /// The fields that one of two rows may leave out; where both state them, they state the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unstated: Vec<String>,
    /// Filters of a question that rows must meet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// Kinds of circumstances that may explain a difference.
    pub contexts: Vec<ContextDefinition>,
    /// The quantile of what is usual with one measurer, 0 to 1.
    pub level: Decimal,
    /// Fewer pairs than this of one measurer tell nothing of what is usual with them.
    pub least_pairs: i64,
    /// Fewer measurers than this tell nothing of what is usual.
    pub least_measurers: i64,
    /// The definition in words.
    pub formula: String,
    /// What it does not capture.
    pub not_captured: String,
}

/// Circumstances that change together, such as versions of software.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContextDefinition {
    /// The word for them.
    pub name: String,
    /// Keys of fields.
    pub fields: Vec<String>,
}

impl ContradictionDefinition {
    /// The metrics, in their order.
    pub fn metrics(&self) -> impl Iterator<Item = Metric> {
        self.metrics.iter().filter_map(|key| key.parse().ok())
    }

    /// The fields that two rows need not have in common.
    pub fn varied_fields(&self) -> impl Iterator<Item = Field> {
        self.differ.iter().chain(&self.unstated).filter_map(|key| key.parse().ok())
    }

    /// The fields that one of two rows may leave out.
    pub fn unstated_fields(&self) -> impl Iterator<Item = Field> {
        self.unstated.iter().filter_map(|key| key.parse().ok())
    }
}

impl ContextDefinition {
    /// The fields.
    pub fn fields(&self) -> impl Iterator<Item = Field> {
        self.fields.iter().filter_map(|key| key.parse().ok())
    }
}
