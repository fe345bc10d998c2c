//! One entity or measurement, whole, found by its id or by a name of it.

use serde::Serialize;
use serde_json::Value;

use crate::model::{Dataset, Device, Facet, Framework, HardwareClassRecord, Lookup as _, Network, Source};
use crate::rows::JoinedRow;
use crate::stores::store::{Store, StoreError, StoredKind};
use crate::values::EntityKind;
use crate::values::spelling::normalise;
use crate::values::text::nearest;

/// What there is a card of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardKind {
    /// An entity of the catalog.
    Entity(EntityKind),
    /// A measurement.
    Measurement,
}

/// Everything that is recorded of one entity or measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// Its kind and id.
    pub title: String,
    /// Its facts, as one JSON object.
    pub facts: Value,
}

/// What an id or a name leads to.
#[derive(Debug, Clone, PartialEq)]
pub enum CardLookup {
    /// One entity or measurement.
    Found(Card),
    /// None, or several; these ids are near.
    NotFound {
        /// The ids, the nearest first.
        near: Vec<String>,
    },
}

/// The card of an entity by its id, else by a name that leads to it alone; of a measurement by the beginning of its id.
///
/// # Errors
///
/// When the database fails.
pub fn card(store: &Store, kind: CardKind, name: &str) -> Result<CardLookup, StoreError> {
    let CardKind::Entity(kind) = kind else { return of_measurement(store, name) };
    match kind {
        EntityKind::Framework => of_entity::<Framework>(store, Facet::Framework, name),
        EntityKind::Device => of_entity::<Device>(store, Facet::Device, name),
        EntityKind::HardwareClass => of_entity::<HardwareClassRecord>(store, Facet::Class, name),
        EntityKind::Network => of_entity::<Network>(store, Facet::Network, name),
        EntityKind::Dataset => of_entity::<Dataset>(store, Facet::Dataset, name),
        EntityKind::Source => of_entity::<Source>(store, Facet::Source, name),
    }
}

/// The id of the entity that has this id, else of the first one that is called exactly so; `None` when there is none.
///
/// # Errors
///
/// When the database fails.
pub fn id_of_name(store: &Store, kind: EntityKind, name: &str) -> Result<Option<String>, StoreError> {
    if store.ids(kind)?.iter().any(|id| id == name) {
        return Ok(Some(name.to_owned()));
    }
    let facet = match kind {
        EntityKind::Framework => Facet::Framework,
        EntityKind::Device => Facet::Device,
        EntityKind::HardwareClass => Facet::Class,
        EntityKind::Network => Facet::Network,
        EntityKind::Dataset => Facet::Dataset,
        EntityKind::Source => Facet::Source,
    };
    let names = store.exact(&normalise(name))?;
    Ok(names.into_iter().find(|name| name.facet == facet).map(|name| name.value))
}

fn of_entity<E: StoredKind + Serialize>(store: &Store, facet: Facet, name: &str) -> Result<CardLookup, StoreError> {
    let found = |id: &str, entity: E| -> Result<CardLookup, StoreError> {
        let title = format!("{} {id}", E::KIND.noun());
        Ok(CardLookup::Found(Card { title, facts: serde_json::to_value(entity)? }))
    };
    if let Some(entity) = store.entity::<E>(name)? {
        return found(name, entity);
    }
    let names = store.exact(&normalise(name))?;
    let mut ids: Vec<String> = names.into_iter().filter(|n| n.facet == facet).map(|n| n.value).collect();
    ids.dedup();
    if let [only] = ids.as_slice()
        && let Some(entity) = store.entity::<E>(only)?
    {
        return found(only, entity);
    }
    if ids.is_empty() {
        ids = near_ids(store, facet, name)?;
    }
    Ok(CardLookup::NotFound { near: ids })
}

fn near_ids(store: &Store, facet: Facet, id: &str) -> Result<Vec<String>, StoreError> {
    let names = store.all()?;
    let of_facet = || names.iter().filter(|name| name.facet == facet);
    let near = nearest(&normalise(id), of_facet().map(|name| name.normal.as_str()), 3);
    let mut ids = Vec::new();
    for normal in near {
        for name in of_facet().filter(|name| name.normal == normal) {
            if !ids.contains(&name.value) {
                ids.push(name.value.clone());
            }
        }
    }
    Ok(ids)
}

fn of_measurement(store: &Store, prefix: &str) -> Result<CardLookup, StoreError> {
    /// More candidates help nobody.
    const MOST_NEAR: usize = 6;
    let mut found = store.measurements_by_prefix(prefix, MOST_NEAR)?;
    if found.len() == 1 {
        let measurement = JoinedRow::from(found.remove(0));
        let title = format!("measurement {}", measurement.id());
        return Ok(CardLookup::Found(Card { title, facts: serde_json::to_value(measurement)? }));
    }
    Ok(CardLookup::NotFound { near: found.iter().map(|measurement| measurement.id().to_owned()).collect() })
}
