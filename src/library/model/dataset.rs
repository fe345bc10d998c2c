//! A data set.

use serde::{Deserialize, Serialize};

use super::Citation;
use crate::values::{EntityId, Shape};

/// A data set that networks are trained or tested on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Dataset {
    /// The file's stem.
    pub id: EntityId,
    /// Its name.
    pub name: String,
    /// Other names that people use.
    pub aliases: Vec<String>,
    /// What it is for.
    pub task: Option<String>,
    /// Number of classes.
    pub classes: Option<i64>,
    /// Training samples.
    pub train_size: Option<i64>,
    /// Test (or validation) samples.
    pub test_size: Option<i64>,
    /// One sample, channels first.
    pub input_shape: Option<Shape>,
    /// Terms, in a few words.
    pub license: Option<String>,
    /// Web page.
    pub homepage: Option<String>,
    /// Remarks.
    pub notes: Option<String>,
    /// Where the facts come from.
    pub sources: Vec<Citation>,
}
