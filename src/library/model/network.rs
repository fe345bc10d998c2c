//! Networks, families of networks, and data sets.

use serde::{Deserialize, Serialize};

use super::Citation;
use crate::values::{Decimal, EntityId, Shape};

/// The tasks of language networks.
pub const LANGUAGE_TASKS: &[&str] = &[
    "language-model",
    "text-generation",
    "machine-translation",
    "question-answering",
    "text-classification",
    "summarization",
];

/// A network; families (`resnet`) are networks without figures to which others refer in `family`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Network {
    /// The file name without its extension.
    pub id: EntityId,
    /// The name as its authors write it.
    pub name: String,
    /// Other names in use; each belongs to one network only.
    pub aliases: Vec<String>,
    /// The family it belongs to.
    pub family: Option<EntityId>,
    /// The network of which it is a revision.
    pub variant_of: Option<EntityId>,
    /// What the revision changed.
    pub differs_in: Option<String>,
    /// Task.
    pub task: Option<String>,
    /// Shape of one sample, channels first.
    pub input_shape: Option<Shape>,
    /// Trainable parameters, millions.
    pub parameters_m: Option<Decimal>,
    /// Of these, the parameters that a token uses, millions: in a layer with several experts, only the chosen ones.
    pub active_parameters_m: Option<Decimal>,
    /// Multiply-adds of a forward pass of one sample, 10^9.
    pub multiply_adds_g: Option<Decimal>,
    /// The paper.
    pub paper: Option<String>,
    /// Year of the paper.
    pub year: Option<i64>,
    /// Remarks.
    pub notes: Option<String>,
    /// The sources of the facts.
    pub sources: Vec<Citation>,
}

/// A data set on which networks are trained or tested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Dataset {
    /// The file name without its extension.
    pub id: EntityId,
    /// Its name.
    pub name: String,
    /// Other names in use.
    pub aliases: Vec<String>,
    /// Task.
    pub task: Option<String>,
    /// Number of classes.
    pub classes: Option<i64>,
    /// Training samples.
    pub train_size: Option<i64>,
    /// Test (or validation) samples.
    pub test_size: Option<i64>,
    /// Shape of one sample, channels first.
    pub input_shape: Option<Shape>,
    /// Licence terms, in a few words.
    pub license: Option<String>,
    /// Web page.
    pub homepage: Option<String>,
    /// Remarks.
    pub notes: Option<String>,
    /// The sources of the facts.
    pub sources: Vec<Citation>,
}
