//! A suite: what `dlbench run --suite` measures.

use crate::values::{EntityId, Precision, Protocol, Shape, Stage};

/// A suite of `catalog/suites/`.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// The file's stem.
    pub id: EntityId,
    /// The name for people.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// The method by which it measures; the runner's own when absent.
    pub protocol: Option<Protocol>,
    /// The longest time for one configuration, s; the runner's own when absent.
    pub time_limit_s: Option<f64>,
    /// The wanted relative half-width of the median's confidence interval; the runner's own when absent.
    pub precision_goal: Option<f64>,
    /// Fresh processes of each configuration; as many as its method has when absent.
    pub processes: Option<u32>,
    /// The workers that measure it beside each other, by the names that `dlbench workers` lists; the one that is built with the
    /// program where there are none.
    pub workers: Vec<String>,
    /// Every combination of each part's lists is a configuration.
    pub parts: Vec<SuitePart>,
}

/// Lists whose combinations are configurations.
#[derive(Debug, Clone, PartialEq)]
pub struct SuitePart {
    /// Networks by their ids in the catalog.
    pub networks: Vec<EntityId>,
    /// What is timed.
    pub stages: Vec<Stage>,
    /// Numeric recipes.
    pub precisions: Vec<Precision>,
    /// Batch sizes.
    pub batch_sizes: Vec<u32>,
    /// The shape of one sample, when it is not the network's usual one.
    pub input_shape: Option<Shape>,
    /// The data set that is trained on, when it is not made up.
    pub dataset: Option<EntityId>,
}
