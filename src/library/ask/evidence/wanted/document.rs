//! The JSON output of `dlbench wanted -f json`; its shape is stable.

use indexmap::IndexMap;
use serde::Serialize;

use crate::model::Value;

/// The JSON Schema of a [`Wanted`].
pub const SCHEMA: &str = include_str!("../wanted.schema.json");

/// Missing measurements, ranked by how much they would settle.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Wanted {
    /// The question; empty for everything.
    pub query: String,
    /// Hash of the knowledge base's content.
    pub knowledge_base: String,
    /// How cells are found and ranked, in words.
    pub method: String,
    /// The missing cells, most wanted first.
    pub wanted: Vec<WantedCell>,
}

/// A missing measurement: a network on a hardware class or a device, under the conditions of existing rows.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WantedCell {
    /// What should be measured, as filters of a question: `class:fpga`, `device:l4`, `framework:caffe dataset:mnist`.
    pub on: String,
    /// The network.
    pub network: String,
    /// The metric or derived measure that should be stated.
    pub measure: String,
    /// The claims that it would bring closer to a verdict.
    pub settles: Vec<LackingClaim>,
    /// How much it would settle: for each claim 1 divided by the number of networks or items that the claim lacks, summed.
    pub share: f64,
    /// Number of devices measured under these conditions; if a device is wanted, only those of its class with which it cannot be
    /// compared yet; if a framework is wanted, the number of frameworks.
    pub comparisons: usize,
    /// Number of existing rows of the device; `None` for a class or a framework.
    pub rows: Option<usize>,
    /// The conditions.
    pub under: IndexMap<String, Option<Value>>,
    /// The id of a row measured under these conditions.
    pub like: String,
    /// The device on which this machine could measure it: `cpu`, `cuda:0`. Only if a worker was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub here: Option<String>,
    /// Why this machine cannot measure it. Only if a worker was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_here: Option<String>,
}

/// A claim without a verdict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LackingClaim {
    /// The id of the claim, as in `dlbench evidence`.
    pub claim: String,
    /// What the claim lacks and `units` counts.
    pub kind: LackingKind,
    /// The measured side, as a filter: a class, a device. For a fact, the unconfirmed item, as printed.
    pub against: String,
    /// Number of networks measured on both sides; for a fact, the number of confirmed items.
    pub units: usize,
    /// Number needed.
    pub needed: usize,
}

/// What a claim lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum LackingKind {
    /// Networks measured on both sides.
    Networks,
    /// Items of a fact, each to be confirmed by a row.
    Items,
}
