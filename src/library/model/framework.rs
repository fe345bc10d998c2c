//! Frameworks, hardware classes, their qualitative grades, and the definitions of qualitative metrics and principles.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::Citation;
use crate::values::{Date, Decimal, EntityId, FrameworkStatus, Grade, HardwareClass, Platform, Target};

/// A framework as it is today, each fact with its source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Framework {
    /// The file name without its extension.
    pub id: EntityId,
    /// The name as its developers write it.
    pub name: String,
    /// Other names in use.
    pub aliases: Vec<String>,
    /// Development status.
    pub status: Option<FrameworkStatus>,
    /// Date at which the status was checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_date: Option<Date>,
    /// SPDX expression.
    pub license: Option<String>,
    /// Languages of the core.
    pub core_languages: Vec<String>,
    /// Languages with an official interface.
    pub api_languages: Vec<String>,
    /// Hardware that it runs on.
    pub hardware: Vec<Target>,
    /// Platforms that its own documentation lists as supported, by vendor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub platforms: Vec<Platform>,
    /// Platforms that its own documentation attributes to plug-ins of others or calls experimental.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub platforms_by_plug_in: Vec<Platform>,
    /// Whether training runs on several machines.
    pub multi_server: Option<bool>,
    /// Networks that the developers verified (ids, families allowed).
    pub tested_networks: Vec<EntityId>,
    /// Data sets that the developers verified.
    pub tested_datasets: Vec<EntityId>,
    /// Maintainer.
    pub steward: Option<String>,
    /// First public release.
    pub first_release: Option<Date>,
    /// Version number of the newest release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_release: Option<String>,
    /// Date of the newest release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_release_date: Option<Date>,
    /// Web page.
    pub homepage: Option<String>,
    /// Source code.
    pub repository: Option<String>,
    /// Remarks.
    pub notes: Option<String>,
    /// The sources of the facts.
    pub sources: Vec<Citation>,
    /// What surveys reported, by source.
    pub reported: BTreeMap<EntityId, ReportedFramework>,
}

impl Framework {
    /// The SPDX ids that the licence expression names.
    pub fn license_ids(&self) -> Vec<String> {
        let Some(license) = &self.license else {
            return Vec::new();
        };
        match spdx::Expression::parse(license) {
            Ok(expression) => {
                expression.requirements().map(|requirement| requirement.req.license.to_string()).collect()
            }
            // The strict reader rejects licences that do not parse, so this text comes from an older store.
            Err(_) => vec![license.clone()],
        }
    }
}

/// The licence family of a name or SPDX expression, which matches `BSD License` with `BSD-3-Clause`.
pub fn license_family(license: &str) -> Option<&'static str> {
    let license = license.to_lowercase();
    ["apache", "bsd", "mit", "gpl", "mpl"].into_iter().find(|family| license.contains(family))
}

/// What one survey reported about a framework, spelled as printed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportedFramework {
    /// Number of the row in the survey's table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u32>,
    /// The framework whose row this one shares (Caffe2 shares the row `Caffe/Caffe2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<EntityId>,
    /// Name as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The survey's group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<FrameworkStatus>,
    /// Licence as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Core languages as printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub core_languages: Vec<String>,
    /// Interface languages as printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub api_languages: Vec<String>,
    /// Hardware as printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hardware: Vec<String>,
    /// `Multi-Server` or `Single Node`, as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multi_server: Option<String>,
    /// Networks as printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tested_networks: Vec<String>,
    /// Data sets as printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tested_datasets: Vec<String>,
    /// Star ratings, 0 to 5, by the aspect rated.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub ratings: BTreeMap<String, Decimal>,
    /// Remarks on the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// A hardware class with its grades by hardware metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HardwareClassRecord {
    /// The class.
    pub id: HardwareClass,
    /// Its name.
    pub name: String,
    /// Other names in use.
    pub aliases: Vec<String>,
    /// Description.
    pub description: Option<String>,
    /// Remarks.
    pub notes: Option<String>,
    /// The sources of the facts.
    pub sources: Vec<Citation>,
    /// Grades by metric id, in the order of the file.
    pub grades: IndexMap<EntityId, GradeRecord>,
    /// Grades as a survey printed them: source, then metric id.
    pub reported: BTreeMap<EntityId, BTreeMap<EntityId, String>>,
}

/// One grade with its rationale and source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GradeRecord {
    /// The grade.
    pub grade: Grade,
    /// The reason.
    pub rationale: Option<String>,
    /// Its source.
    pub source: EntityId,
    /// Disagreements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// A qualitative metric or a benchmarking principle, as an entry of an ordered list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MetricDefinition {
    /// Id in kebab case.
    pub id: EntityId,
    /// Name as the paper prints it.
    pub name: String,
    /// Definition.
    pub definition: String,
    /// The grade that is better for the user, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better: Option<Grade>,
    /// Remarks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}
