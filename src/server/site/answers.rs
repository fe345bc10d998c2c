//! The questions that a site answers: the fastest devices on the networks that were measured on most devices.

use std::collections::{BTreeMap, BTreeSet};

use crate::pages::{question, ranking};
use crate::refusal::Refusal;
use crate::requests::QueryRequest;
use dlbench::KnowledgeBase;
use dlbench::model::{Field, Knowledge};
use dlbench::values::{EntityId, Stage};

/// Maximum number of rankings, which keeps a site below 60 MB however much was measured; those with most devices come first.
const MOST: usize = 170;

/// A question with its own page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ranking {
    pub network: EntityId,
    pub stage: Stage,
    pub devices: usize,
}

impl Ranking {
    /// The rankings, those with most devices first.
    pub fn all(knowledge: &Knowledge) -> Vec<Self> {
        let mut devices: BTreeMap<(EntityId, Stage), BTreeSet<EntityId>> = BTreeMap::new();
        let mut lineages: BTreeMap<EntityId, Vec<EntityId>> = BTreeMap::new();
        for row in &knowledge.measurements {
            let (Some(network), Some(device), Some(stage)) =
                (row.entity(Field::Network), row.entity(Field::Device), row.stage())
            else {
                continue;
            };
            let lineage =
                lineages.entry(network).or_insert_with_key(|network| knowledge.catalog.network_lineage(network));
            for ancestor in lineage {
                devices.entry((ancestor.clone(), stage)).or_default().insert(device.clone());
            }
        }
        let many = devices.into_iter().filter(|(_, devices)| devices.len() > 1);
        let mut all: Vec<Self> = many
            .map(|((network, stage), devices)| Self { network, stage, devices: devices.len() })
            .filter(|ranking| knowledge.catalog.networks.contains_key(&ranking.network))
            .collect();
        all.sort_by_key(|ranking| std::cmp::Reverse(ranking.devices));
        all.truncate(MOST);
        all
    }

    pub fn question(&self) -> String {
        ranking::question("device", self.network.as_str(), self.stage.into(), "")
    }

    /// The question limited to one class of hardware.
    pub fn question_of(&self, class: &str) -> String {
        ranking::question("device", self.network.as_str(), self.stage.into(), &format!("class:{class}"))
    }

    pub fn file(&self) -> String {
        format!("answers/{}-{}.html", self.network, self.stage)
    }

    /// The page.
    pub fn page(&self, kb: &KnowledgeBase) -> Result<String, Refusal> {
        question::page(&QueryRequest { question: self.question(), on_site: true, ..QueryRequest::default() }, kb)
    }
}
