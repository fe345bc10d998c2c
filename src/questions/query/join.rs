//! The join: from the measurements found to the frameworks, devices, networks, data sets and sources they name.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use super::QueryError;
use super::answer::{CatalogAnswer, JoinedFramework};
use super::understand::Understood;
use crate::derived::Stores;
use crate::derived::index::Hits;
use crate::derived::store::{StoreError, StoredKind};
use crate::model::{Field, Framework, Part};
use crate::values::{EntityId, EntityKind};

/// Ids by kind.
pub(super) type EntitySets = BTreeMap<EntityKind, BTreeSet<String>>;

/// Entities that every word of the question is about.
pub(super) fn direct_entities(stores: &Stores, understood: &Understood) -> Result<EntitySets, QueryError> {
    let condition = understood.condition_without(None);
    let mut direct = EntitySets::new();
    for &kind in EntityKind::VARIANTS {
        let ids = stores.index.entities(kind, &condition)?;
        direct.insert(kind, ids.into_iter().collect());
    }
    Ok(direct)
}

/// Entities that the hits name.
pub(super) fn named_entities(stores: &Stores, hits: &Hits) -> Result<EntitySets, QueryError> {
    /// The fields that name entities, and the kind of each; the source is no field.
    const NAMING: &[(Part, &[(Option<Field>, EntityKind)])] = &[
        (
            Part::Setup,
            &[
                (None, EntityKind::Source),
                (Some(Field::Framework), EntityKind::Framework),
                (Some(Field::Backend), EntityKind::Framework),
                (Some(Field::Device), EntityKind::Device),
            ],
        ),
        (Part::Workload, &[(Some(Field::Network), EntityKind::Network), (Some(Field::Dataset), EntityKind::Dataset)]),
    ];
    let mut named = EntitySets::new();
    for (part, naming) in NAMING {
        let numbers = hits.share_numbers(*part);
        let fields: Vec<Option<Field>> = naming.iter().map(|(field, _)| *field).collect();
        stores.store.visit_shares(*part, &fields, Some(&numbers), |_, at, id| {
            let ids = named.entry(naming[at].1).or_default();
            if !ids.contains(id) {
                ids.insert(id.to_owned());
            }
        })?;
    }
    Ok(named)
}

/// The catalog entities that the hits name, and those that match by themselves.
pub(super) fn join(stores: &Stores, of_hits: &EntitySets, direct: &EntitySets) -> Result<CatalogAnswer, QueryError> {
    let store = &stores.store;
    let mut named = of_hits.clone();
    for (kind, ids) in direct {
        named.entry(*kind).or_default().extend(ids.iter().cloned());
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

    let networks: Vec<EntityId> = ids(of_hits, EntityKind::Network);
    let datasets: Vec<EntityId> = ids(of_hits, EntityKind::Dataset);
    let mut frameworks = Vec::new();
    for framework in load::<Framework>(stores, &named)? {
        let mut network_tested = BTreeMap::new();
        for network in &networks {
            let lineage = store.ancestors(EntityKind::Network, network.as_str())?;
            let tested = framework
                .tested_networks
                .iter()
                .any(|tested| lineage.iter().any(|ancestor| ancestor == tested.as_str()));
            network_tested.insert(network.clone(), tested);
        }
        let dataset_tested =
            datasets.iter().map(|dataset| (dataset.clone(), framework.tested_datasets.contains(dataset))).collect();
        frameworks.push(JoinedFramework { framework, network_tested, dataset_tested });
    }
    Ok(CatalogAnswer {
        frameworks,
        devices,
        hardware_classes: load(stores, &named)?,
        networks: load(stores, &named)?,
        datasets: load(stores, &named)?,
        sources: load(stores, &named)?,
    })
}

fn ids(named: &EntitySets, kind: EntityKind) -> Vec<EntityId> {
    named.get(&kind).into_iter().flatten().filter_map(|id| id.parse().ok()).collect()
}

fn load<E: StoredKind>(stores: &Stores, named: &EntitySets) -> Result<Vec<E>, StoreError> {
    let ids = named.get(&E::KIND).into_iter().flatten();
    ids.filter_map(|id| stores.store.entity(id).transpose()).collect()
}
