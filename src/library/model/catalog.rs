//! The catalog and the knowledge base as loaded.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    Claim, Dataset, Device, EvidenceDefinition, Field, Framework, HardwareClassRecord, Measurement, Metric,
    MetricDefinition, Network, Source,
};
use crate::values::text::counted;
use crate::values::{Decimal, EntityId, EntityKind, HardwareClass, Precision, Protocol, Shape, Stage};

/// `catalog/kb.toml`: the description of the knowledge base.
#[derive(Debug, Clone, PartialEq)]
pub struct KbInfo {
    /// Its name.
    pub name: String,
    /// Version of the file format.
    pub schema: i64,
    /// SPDX expression of the licence of its records.
    pub license: String,
    /// Its address, as a paper cites it.
    pub url: Option<String>,
    /// Addresses that `check --online` skips.
    pub unasked: Vec<Unasked>,
    /// Remarks.
    pub notes: Option<String>,
}

/// Addresses that are not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unasked {
    /// The prefix of the addresses.
    pub address: String,
    /// The reason, such as a server that refuses programs.
    pub reason: String,
}

/// The curated facts, by kind and id.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Catalog {
    /// `catalog/frameworks`.
    pub frameworks: BTreeMap<EntityId, Framework>,
    /// `catalog/devices`.
    pub devices: BTreeMap<EntityId, Device>,
    /// `catalog/networks`.
    pub networks: BTreeMap<EntityId, Network>,
    /// `catalog/datasets`.
    pub datasets: BTreeMap<EntityId, Dataset>,
    /// `catalog/sources`.
    pub sources: BTreeMap<EntityId, Source>,
    /// `catalog/hardware-classes`.
    pub hardware_classes: BTreeMap<HardwareClass, HardwareClassRecord>,
    /// `catalog/hardware-metrics.toml`, in the paper's order.
    pub hardware_metrics: Vec<MetricDefinition>,
    /// `catalog/framework-metrics.toml`, in the paper's order.
    pub framework_metrics: Vec<MetricDefinition>,
    /// `catalog/principles.toml`, in the paper's order.
    pub principles: Vec<MetricDefinition>,
    /// `catalog/evidence.toml`: how the metrics are tested against measurements.
    pub evidence: Vec<EvidenceDefinition>,
    /// `catalog/evidence.toml`: when two measurers of the same configuration contradict each other.
    pub contradiction: Option<ContradictionDefinition>,
    /// `catalog/claims.toml`: claims made in texts.
    pub claims: Vec<Claim>,
}

impl Catalog {
    /// Maximum number of ancestors of an entity that count, the nearest ones. No family in practice has ten; without a
    /// limit, a chain of a few thousand entries would take minutes wherever lineages are computed.
    pub const MOST_ANCESTORS: usize = 32;

    /// The network and everything it descends from: its revision base and families, nearest first.
    pub fn network_lineage(&self, id: &EntityId) -> Vec<EntityId> {
        let parents = |id: &EntityId| {
            let network = self.networks.get(id)?;
            Some([network.variant_of.clone(), network.family.clone()])
        };
        lineage(id, |id| parents(id).into_iter().flatten().flatten().collect())
    }

    /// Whether the entity exists. Hardware classes are a closed vocabulary, so each of them exists.
    pub fn contains(&self, kind: EntityKind, id: &EntityId) -> bool {
        match kind {
            EntityKind::Framework => self.frameworks.contains_key(id),
            EntityKind::Device => self.devices.contains_key(id),
            EntityKind::Network => self.networks.contains_key(id),
            EntityKind::Dataset => self.datasets.contains_key(id),
            EntityKind::Source => self.sources.contains_key(id),
            EntityKind::HardwareClass => true,
        }
    }

    /// The networks that a framework was tested on. A framework tested on a family counts as tested on its members.
    pub fn networks_tested_by(&self, framework: &Framework) -> Vec<&EntityId> {
        let tested: HashSet<&EntityId> = framework.tested_networks.iter().collect();
        if tested.is_empty() {
            return Vec::new();
        }
        self.networks.keys().filter(|id| self.network_lineage(id).iter().any(|id| tested.contains(id))).collect()
    }

    /// The device and its families, nearest first.
    pub fn device_lineage(&self, id: &EntityId) -> Vec<EntityId> {
        lineage(id, |id| {
            let family = self.devices.get(id).and_then(|d| d.variant_of.clone());
            family.into_iter().collect()
        })
    }
}

/// The whole content of a knowledge base.
#[derive(Debug, Clone, PartialEq)]
pub struct Knowledge {
    /// The description of the knowledge base.
    pub info: KbInfo,
    /// The curated facts.
    pub catalog: Catalog,
    /// The measurements, in canonical order.
    pub measurements: Vec<Measurement>,
    /// Files with mistakes; none of their content is included.
    pub skipped: Vec<SkippedFile>,
}

/// `start` and its ancestors, each once, even if the data contains a cycle.
fn lineage(start: &EntityId, parents: impl Fn(&EntityId) -> Vec<EntityId>) -> Vec<EntityId> {
    let mut seen = vec![start.clone()];
    let mut at = 0;
    while at < seen.len() && seen.len() <= Catalog::MOST_ANCESTORS {
        for parent in parents(&seen[at]) {
            if !seen.contains(&parent) {
                seen.push(parent);
            }
        }
        at += 1;
    }
    seen
}

/// Which rows have the same configuration, and how much their values may differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContradictionDefinition {
    /// Keys of metrics: two rows are compared by the first one that both have.
    pub metrics: Vec<String>,
    /// The fields in which rows of one configuration may differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differ: Vec<String>,
    /// The fields that one of two rows may leave out; if both state them, the values are equal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unstated: Vec<String>,
    /// Filters that rows must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// The kinds of context that may explain a difference.
    pub contexts: Vec<ContextDefinition>,
    /// The quantile of a measurer's differences up to which they are usual, 0 to 1.
    pub level: Decimal,
    /// Minimum number of pairs of a measurer from which its usual difference is determined.
    pub least_pairs: i64,
    /// Minimum number of measurers from which a usual difference is determined.
    pub least_measurers: i64,
    /// The definition in words.
    pub formula: String,
    /// What the definition does not capture.
    pub not_captured: String,
}

/// Fields that change together, such as software versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContextDefinition {
    /// The name of the context.
    pub name: String,
    /// Keys of fields.
    pub fields: Vec<String>,
}

impl ContradictionDefinition {
    /// The metrics, in the order of the definition.
    pub fn metrics(&self) -> impl Iterator<Item = Metric> {
        self.metrics.iter().filter_map(|key| key.parse().ok())
    }

    /// The fields in which two rows may differ.
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

/// A file with mistakes, which answers do not use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedFile {
    /// Its path, relative to the knowledge base.
    pub path: String,
    /// The line of its first mistake, counted from 1; `None` where the file as a whole cannot be read.
    pub line: Option<usize>,
    /// The message of its first mistake.
    pub why: String,
    /// Number of measurements in other files that refer to what it describes and are left out with it.
    pub measurements: usize,
}

impl fmt::Display for SkippedFile {
    /// The place, the mistake, and the number of measurements left out because of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, " is left out: {}", self.why)?;
        match self.measurements {
            0 => Ok(()),
            n => write!(f, "; and with it {} of what it describes", counted(n, "measurement", "measurements")),
        }
    }
}

/// A suite of `catalog/suites/`.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// The file's stem.
    pub id: EntityId,
    /// The display name.
    pub name: String,
    /// Its purpose.
    pub description: Option<String>,
    /// The measurement method; the runner's own when absent.
    pub protocol: Option<Protocol>,
    /// Time limit for one configuration, s; the runner's own when absent.
    pub time_limit_s: Option<f64>,
    /// The target for the relative half-width of the median's confidence interval; the runner's own when absent.
    pub precision_goal: Option<f64>,
    /// Number of fresh processes for each configuration; the method's own when absent.
    pub processes: Option<u32>,
    /// The workers that measure it side by side, by the names that `dlbench workers` lists; when empty, the one built
    /// into the program.
    pub workers: Vec<String>,
    /// Each part's lists: every combination is a configuration.
    pub parts: Vec<SuitePart>,
}

/// Lists whose combinations are configurations.
#[derive(Debug, Clone, PartialEq)]
pub struct SuitePart {
    /// Networks by their ids in the catalog.
    pub networks: Vec<EntityId>,
    /// Stages to time.
    pub stages: Vec<Stage>,
    /// Numeric recipes.
    pub precisions: Vec<Precision>,
    /// Batch sizes.
    pub batch_sizes: Vec<u32>,
    /// The shape of one sample; the network's usual one when absent.
    pub input_shape: Option<Shape>,
    /// The data set to train on; synthetic data when absent.
    pub dataset: Option<EntityId>,
}
