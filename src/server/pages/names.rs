//! Display names of entities, and the links of names.

use std::collections::BTreeSet;

use super::links::{card, measurement};
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::ask::answer::Answer;
use dlbench::model::{Device, Framework, Network};
use dlbench::render::answer::AnswerParts;
use dlbench::render::table::{Cell, Column};
use dlbench::rows::short_device_name;
use dlbench::values::EntityKind;

/// A short display name of an entity; `None` where its id serves as well.
pub(crate) fn name_of(kind: EntityKind, id: &str, kb: &KnowledgeBase) -> Result<Option<String>, Refusal> {
    Ok(match kind {
        EntityKind::Device => kb.entity::<Device>(id)?.map(|device| short_device_name(&device).to_owned()),
        EntityKind::Network => kb.entity::<Network>(id)?.map(|network| network.name),
        EntityKind::Framework => kb.entity::<Framework>(id)?.map(|framework| framework.name),
        _ => None,
    })
}

/// The name of a stage in a heading.
pub(crate) fn stage_noun(stage: &str) -> &str {
    match stage {
        "eval" => "inference",
        "train" => "training",
        other => other,
    }
}

/// The links of cells: measurement ids to measurements; names of entities, and ids or numbers of sources, to their pages.
pub(super) fn row_links(answer: &Answer, parts: &AnswerParts) -> impl Fn(&Column, &Cell) -> Option<String> {
    let concluded = answer.conclusion.entries.iter().flat_map(|entry| &entry.measurements).cloned();
    let ids: BTreeSet<String> = answer.measurements.iter().map(|row| row.id().to_owned()).chain(concluded).collect();
    let catalog = &answer.catalog;
    let mut sources: Vec<(String, String)> =
        catalog.sources.iter().map(|source| (source.id.to_string(), source.id.to_string())).collect();
    sources.extend(parts.sources.iter().map(|(number, id, _)| (format!("[{number}]"), id.clone())));
    let mut named: Vec<(String, String)> = Vec::new();
    named.extend(catalog.devices.iter().map(|one| (one.name.clone(), card(EntityKind::Device, one.id.as_str()))));
    named.extend(catalog.networks.iter().map(|one| (one.name.clone(), card(EntityKind::Network, one.id.as_str()))));
    named.extend(answer.names.iter().map(|((kind, id), name)| (name.clone(), card(*kind, id))));
    move |column, cell| match column.heading.as_str() {
        "id" => ids.contains(&cell.text).then(|| measurement(&cell.text)),
        "source" => sources.iter().find(|(shown, _)| *shown == cell.text).map(|(_, id)| card(EntityKind::Source, id)),
        "device" | "network" | "framework" => {
            named.iter().find(|(name, _)| *name == cell.text).map(|(_, address)| address.clone())
        }
        _ => None,
    }
}
