//! The JSON output of `dlbench wanted -f json`; its shape is stable.

use indexmap::IndexMap;
use serde::Serialize;

use crate::model::Value;

/// The JSON Schema of a [`Wanted`].
pub const SCHEMA: &str = include_str!("../wanted.schema.json");

/// Measurements that nobody has made, those first that would settle most.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Wanted {
    /// What was asked; empty is everything.
    pub query: String,
    /// Hash of the knowledge base's content.
    pub knowledge_base: String,
    /// By what cells are found and ranked, in words.
    pub method: String,
    /// The missing cells, the most wanted first.
    pub wanted: Vec<WantedCell>,
}

/// A measurement that is missing: a network on a class of hardware or a device, under the conditions of rows that are there.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WantedCell {
    /// What should be measured, as filters of a question: `class:fpga`, `device:l4`, `framework:caffe dataset:mnist`.
    pub on: String,
    /// The network.
    pub network: String,
    /// What should be stated: a metric or a derived measure.
    pub measure: String,
    /// The claims that it would bring nearer to a verdict.
    pub settles: Vec<LackingClaim>,
    /// How much of a claim it would settle: the sum over claims of one part in so many networks, or items, as each lacks.
    pub share: f64,
    /// So many devices were measured so; where a device is wanted, those of its class with which it cannot be compared yet; where
    /// a framework is wanted, so many frameworks.
    pub comparisons: usize,
    /// How many rows there are of the device already; of a class or a framework nothing.
    pub rows: Option<usize>,
    /// The conditions.
    pub under: IndexMap<String, Option<Value>>,
    /// The id of a row that was measured so.
    pub like: String,
    /// What this machine would measure it on, where it can: `cpu`, `cuda:0`. Only where a worker was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub here: Option<String>,
    /// Why it cannot. Only where a worker was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_here: Option<String>,
}

/// A claim without a verdict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LackingClaim {
    /// Its id, as `dlbench evidence` has it.
    pub claim: String,
    /// What is counted of it.
    pub kind: LackingKind,
    /// The side that was measured, as a filter: a class, a device. Of a fact the item that nothing bears out, as it was printed.
    pub against: String,
    /// Networks that were measured on both sides; of a fact the items that something bears out.
    pub units: usize,
    /// So many are needed.
    pub needed: usize,
}

/// What a claim lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum LackingKind {
    /// Networks that were measured on both sides.
    Networks,
    /// Items of a fact, each to be borne out by a row.
    Items,
}
