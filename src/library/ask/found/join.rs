//! Joins the measurements found with the frameworks, devices, networks, data sets and sources that they reference.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use crate::ask::execute::Outcome;
use crate::ask::parse::{Key, QueryError, Question};
use crate::model::{Aspect, Field, Framework};
use crate::rows::{JoinedCatalog, JoinedFramework, JoinedRow, Note};
use crate::stores::Stores;
use crate::stores::database::{DatabaseError, StoredKind};
use crate::stores::index::{Condition, Hits};
use crate::values::{EntityId, EntityKind};

/// Up to this many devices or networks are joined for all hits; if there are more, only those of the page.
const MOST_JOINED: usize = 60;

/// Ids by kind.
pub(in crate::ask) type EntitySets = BTreeMap<EntityKind, BTreeSet<String>>;

/// The entities that themselves match the whole question.
pub(in crate::ask) fn direct_entities(stores: &Stores, like: &Condition) -> Result<EntitySets, QueryError> {
    let mut direct = EntitySets::new();
    for &kind in EntityKind::VARIANTS {
        direct.insert(kind, stores.index.entities(kind, like)?.into_iter().collect());
    }
    Ok(direct)
}

/// The entities that an outcome lists.
pub(in crate::ask) fn listed(question: &Question, outcome: &Outcome) -> EntitySets {
    let Some(Key::Facet(facet)) = question.of else { return EntitySets::new() };
    let ids = outcome.entries.iter().filter_map(|entry| entry.subjects.get(facet.key()));
    facet.entity_kind().map(|kind| (kind, ids.map(ToString::to_string).collect())).into_iter().collect()
}

/// The entities that rows reference.
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

/// The entities that the hits reference.
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

/// The catalog entities that the hits reference, and those that match directly. If there are too many devices or networks to read,
/// only those of the page are joined, and a note says so.
pub(in crate::ask) fn catalog_of(
    stores: &Stores,
    hits: &Hits,
    direct: EntitySets,
    page: &[JoinedRow],
) -> Result<(JoinedCatalog, Option<Note>), QueryError> {
    let store = &stores.database;
    let of_hits = named_entities(stores, hits)?;
    let mut named = direct;
    for (kind, ids) in &of_hits {
        named.entry(*kind).or_default().extend(ids.iter().cloned());
    }
    let mut narrowed = Vec::new();
    for (kind, field) in [(EntityKind::Device, Field::Device), (EntityKind::Network, Field::Network)] {
        let all = named.entry(kind).or_default();
        if all.len() > MOST_JOINED {
            narrowed.push((kind, all.len()));
            *all = page.iter().filter_map(|row| row.recorded().text(field)).map(str::to_owned).collect();
        }
    }
    let note = (!narrowed.is_empty()).then_some(Note::FactsOfPage { entities: narrowed });
    // A row of a device family may be of any of its SKUs: their facts differ, so all are shown.
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
    let catalog = JoinedCatalog {
        frameworks,
        devices,
        hardware_classes: load(stores, &named)?,
        networks: load(stores, &named)?,
        datasets: load(stores, &named)?,
        sources: load(stores, &named)?,
    };
    Ok((catalog, note))
}

fn load<E: StoredKind>(stores: &Stores, named: &EntitySets) -> Result<Vec<E>, DatabaseError> {
    let ids = named.get(&E::KIND).into_iter().flatten();
    ids.filter_map(|id| stores.database.entity(id).transpose()).collect()
}
