//! The join: from the measurements found to the frameworks, devices, networks, data sets and sources they name.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use crate::ask::question::QueryError;
use crate::ask::question::Question;
use crate::model::{Aspect, Field, Framework};
use crate::rows::{JoinedCatalog, JoinedFramework, JoinedRow, Note};
use crate::stores::Stores;
use crate::stores::database::{DatabaseError, StoredKind};
use crate::stores::index::Hits;
use crate::values::{EntityId, EntityKind};

/// So many devices or networks are joined for all hits, more for the page alone.
const MOST_JOINED: usize = 60;

/// Ids by kind.
pub(super) type EntitySets = BTreeMap<EntityKind, BTreeSet<String>>;

/// Entities that every word of the question is about.
pub(super) fn direct_entities(stores: &Stores, understood: &Question) -> Result<EntitySets, QueryError> {
    let condition = understood.condition_without(None);
    let mut direct = EntitySets::new();
    for &kind in EntityKind::VARIANTS {
        if understood.about.is_some_and(|about| about != kind) {
            continue;
        }
        let ids = stores.index.entities(kind, &condition)?;
        direct.insert(kind, ids.into_iter().collect());
    }
    Ok(direct)
}

/// Entities that some rows name.
pub(super) fn entities_of(rows: &[JoinedRow]) -> EntitySets {
    let mut named = EntitySets::new();
    for row in rows {
        let recorded = row.recorded();
        for (field, kind) in Field::of_entities() {
            named.entry(kind).or_default().extend(recorded.text(field).map(str::to_owned));
        }
        named.entry(EntityKind::Source).or_default().insert(recorded.source().to_string());
    }
    named
}

/// Entities that the hits name.
fn named_entities(stores: &Stores, hits: &Hits) -> Result<EntitySets, QueryError> {
    let mut named = EntitySets::new();
    for (aspect, kind) in Aspect::of_entities() {
        let Some(part) = aspect.part() else { continue };
        let column = stores.database.aspect(aspect)?;
        let ids = column.counts(&hits.shares[part as usize]).map(|(id, _)| id.to_owned());
        named.entry(kind).or_default().extend(ids);
    }
    Ok(named)
}

/// The catalog entities that the hits name, and those that match by themselves. Where these are more devices or networks
/// than anybody reads, the ones of the page stand for them, and a note says so.
pub(super) fn join(
    stores: &Stores,
    hits: &Hits,
    direct: EntitySets,
    page: &[JoinedRow],
    notes: &mut Vec<Note>,
) -> Result<JoinedCatalog, QueryError> {
    let store = &stores.database;
    let of_hits = named_entities(stores, hits)?;
    let mut named = direct;
    for (kind, ids) in &of_hits {
        named.entry(*kind).or_default().extend(ids.iter().cloned());
    }
    let mut narrowed = Vec::new();
    for (kind, field) in [(EntityKind::Device, Field::Device), (EntityKind::Network, Field::Network)] {
        let all = named.entry(kind).or_default();
        if all.len() > MOST_JOINED && !page.is_empty() {
            narrowed.push((kind, all.len()));
            *all = page.iter().filter_map(|row| row.recorded().text(field)).map(str::to_owned).collect();
        }
    }
    if !narrowed.is_empty() {
        notes.push(Note::FactsOfPage { entities: narrowed });
    }
    // A row that names a family may be any of its SKUs: their facts differ, so they are all shown.
    let mut devices: BTreeSet<String> = BTreeSet::new();
    for id in named.get(&EntityKind::Device).into_iter().flatten() {
        devices.extend(store.descendants(EntityKind::Device, id)?);
    }
    named.insert(EntityKind::Device, devices);

    let devices: Vec<crate::model::Device> = load(stores, &named)?;
    let mut classes: BTreeSet<String> = named.remove(&EntityKind::HardwareClass).unwrap_or_default();
    classes.extend(devices.iter().map(|device| device.class.to_string()));
    named.insert(EntityKind::HardwareClass, classes);

    let measured = |kind| -> Vec<EntityId> {
        let shown = named.get(&kind);
        let of_hits = of_hits.get(&kind).into_iter().flatten();
        of_hits.filter(|id| shown.is_some_and(|shown| shown.contains(*id))).filter_map(|id| id.parse().ok()).collect()
    };
    let datasets = measured(EntityKind::Dataset);
    let mut networks: Vec<(EntityId, Vec<String>)> = Vec::new();
    for network in measured(EntityKind::Network) {
        let lineage = store.ancestors(EntityKind::Network, network.as_str())?;
        networks.push((network, lineage));
    }
    let mut frameworks = Vec::new();
    for framework in load::<Framework>(stores, &named)? {
        let tested = |lineage: &[String]| {
            framework.tested_networks.iter().any(|tested| lineage.iter().any(|ancestor| ancestor == tested.as_str()))
        };
        let network_tested = networks.iter().map(|(network, lineage)| (network.clone(), tested(lineage))).collect();
        let dataset_tested =
            datasets.iter().map(|dataset| (dataset.clone(), framework.tested_datasets.contains(dataset))).collect();
        frameworks.push(JoinedFramework { framework, network_tested, dataset_tested });
    }
    Ok(JoinedCatalog {
        frameworks,
        devices,
        hardware_classes: load(stores, &named)?,
        networks: load(stores, &named)?,
        datasets: load(stores, &named)?,
        sources: load(stores, &named)?,
    })
}

/// Leaves of the entities of a kind those that are listed: what holds over all of their rows no condition on them says.
pub(super) fn keep_listed(catalog: &mut JoinedCatalog, kind: EntityKind, listed: &BTreeSet<String>) {
    let is_listed = |id: &EntityId| listed.contains(id.as_str());
    match kind {
        EntityKind::Framework => catalog.frameworks.retain(|one| is_listed(&one.framework.id)),
        EntityKind::Device => catalog.devices.retain(|one| is_listed(&one.id)),
        EntityKind::Network => catalog.networks.retain(|one| is_listed(&one.id)),
        EntityKind::Dataset => catalog.datasets.retain(|one| is_listed(&one.id)),
        EntityKind::Source => catalog.sources.retain(|one| listed.contains(&one.id.to_string())),
        EntityKind::HardwareClass => {}
    }
}

fn load<E: StoredKind>(stores: &Stores, named: &EntitySets) -> Result<Vec<E>, DatabaseError> {
    let ids = named.get(&E::KIND).into_iter().flatten();
    ids.filter_map(|id| stores.database.entity(id).transpose()).collect()
}
