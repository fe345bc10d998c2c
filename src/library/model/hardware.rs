//! Hardware classes, their qualitative grades, and the definitions of qualitative metrics and principles.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::Citation;
use crate::values::{EntityId, Grade, HardwareClass};

/// A class of hardware with its grades by hardware metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HardwareClassRecord {
    /// The class.
    pub id: HardwareClass,
    /// Its name.
    pub name: String,
    /// Other names that people use.
    pub aliases: Vec<String>,
    /// What it is.
    pub description: Option<String>,
    /// Remarks.
    pub notes: Option<String>,
    /// Where the facts come from.
    pub sources: Vec<Citation>,
    /// Grades by metric id, in the order of the file.
    pub grades: IndexMap<EntityId, GradeRecord>,
    /// Grades as a survey printed them: source, then metric id.
    pub reported: BTreeMap<EntityId, BTreeMap<EntityId, String>>,
}

/// One grade, why, and where from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GradeRecord {
    /// The grade.
    pub grade: Grade,
    /// Why.
    pub rationale: Option<String>,
    /// Where it is from.
    pub source: EntityId,
    /// Disagreements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// A qualitative metric or a benchmarking principle: an ordered list entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MetricDefinition {
    /// Kebab id.
    pub id: EntityId,
    /// Name as the paper prints it.
    pub name: String,
    /// What it means.
    pub definition: String,
    /// The grade that is better for the user, where one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better: Option<Grade>,
    /// Remarks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}
