//! The join: from the measurements found to the frameworks, devices, networks, data sets and sources they name.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use crate::ask::parse::QueryError;
use crate::model::{Aspect, Field, Framework};
use crate::rows::{JoinedCatalog, JoinedFramework, JoinedRow, Note};
use crate::stores::Stores;
use crate::stores::database::{DatabaseError, StoredKind};
use crate::stores::index::{Condition, Hits};
use crate::values::{EntityId, EntityKind};

/// So many devices or networks are joined for all hits, more for the page alone.
const MOST_JOINED: usize = 60;

/// Ids by kind.
pub(in crate::ask) type EntitySets = BTreeMap<EntityKind, BTreeSet<String>>;

/// Entities that meet a condition by themselves, of one kind or of all.
pub(in crate::ask) fn entities_that_match(
    stores: &Stores,
    condition: &Condition,
    only: Option<EntityKind>,
) -> Result<EntitySets, QueryError> {
    let kinds = EntityKind::VARIANTS.iter().filter(|kind| only.is_none_or(|only| only == **kind));
    let of = |&kind: &EntityKind| Ok((kind, stores.index.entities(kind, condition)?.into_iter().collect()));
    kinds.map(of).collect()
}

/// Entities that some rows name.
pub(in crate::ask) fn entities_of(rows: &[JoinedRow]) -> EntitySets {
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
pub(in crate::ask) fn join(
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

fn load<E: StoredKind>(stores: &Stores, named: &EntitySets) -> Result<Vec<E>, DatabaseError> {
    let ids = named.get(&E::KIND).into_iter().flatten();
    ids.filter_map(|id| stores.database.entity(id).transpose()).collect()
}
