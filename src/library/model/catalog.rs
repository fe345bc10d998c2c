//! The catalog and the knowledge base as loaded.

use std::collections::{BTreeMap, HashSet};

use super::{
    Claim, ContradictionDefinition, Dataset, Device, EvidenceDefinition, Framework, HardwareClassRecord, Measurement,
    MetricDefinition, Network, SkippedFile, Source,
};
use crate::values::{EntityId, EntityKind, HardwareClass};

/// `catalog/kb.toml`: what the knowledge base is.
#[derive(Debug, Clone, PartialEq)]
pub struct KbInfo {
    /// Its name.
    pub name: String,
    /// Version of the file format.
    pub schema: i64,
    /// SPDX expression for its records.
    pub license: String,
    /// Where it can be had, as a paper cites it.
    pub url: Option<String>,
    /// Addresses that `check --online` leaves alone.
    pub unasked: Vec<Unasked>,
    /// Remarks.
    pub notes: Option<String>,
}

/// Addresses that are not asked whether they answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unasked {
    /// How they begin.
    pub address: String,
    /// Why: the server refuses programs …
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
    /// `catalog/evidence.toml`: how the metrics are held against measurements.
    pub evidence: Vec<EvidenceDefinition>,
    /// `catalog/evidence.toml`: when two who measured the same contradict each other.
    pub contradiction: Option<ContradictionDefinition>,
    /// `catalog/claims.toml`: what texts claim.
    pub claims: Vec<Claim>,
}

impl Catalog {
    /// So many ancestors of an entity count at most, the nearest ones. No family of the field has ten; without a limit a
    /// chain of a few thousand entries would take minutes wherever each asks for its own.
    pub const MOST_ANCESTORS: usize = 32;

    /// The network and everything it descends from: its revision base and families, nearest first.
    pub fn network_lineage(&self, id: &EntityId) -> Vec<EntityId> {
        let parents = |id: &EntityId| {
            let network = self.networks.get(id)?;
            Some([network.variant_of.clone(), network.family.clone()])
        };
        lineage(id, |id| parents(id).into_iter().flatten().flatten().collect())
    }

    /// Whether there is such an entity. Hardware classes are a closed vocabulary, so that each of them is there.
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

    /// The networks that a framework was tested on: one that was tested on a family was tested on its members.
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

/// Everything a knowledge base holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Knowledge {
    /// What the knowledge base is.
    pub info: KbInfo,
    /// The curated facts.
    pub catalog: Catalog,
    /// The measurements, in canonical order.
    pub measurements: Vec<Measurement>,
    /// Files with mistakes, of which nothing is here.
    pub skipped: Vec<SkippedFile>,
}

/// `start` and its ancestors, each once, even if the data loops.
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
