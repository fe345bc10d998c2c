//! Shows one entity or measurement in full, found by id or name.

use serde::Serialize;
use serde_json::Value;
use strum::VariantArray as _;

use crate::ask::evidence::judged_grades;
use crate::ask::parse::QueryError;
use crate::model::{Dataset, Device, Facet, Framework, HardwareClassRecord, Lookup as _, Network, Source};
use crate::rows::JoinedRow;
use crate::stores::Stores;
use crate::stores::database::{Database, DatabaseError, StoredKind};
use crate::values::EntityKind;
use crate::values::text::nearest;
use crate::values::text::normalise;

/// The kinds of things that have a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardKind {
    /// An entity of the catalog.
    Entity(EntityKind),
    /// A measurement.
    Measurement,
}

impl CardKind {
    /// The kind with this name, in the singular or plural.
    pub fn called(word: &str) -> Option<Self> {
        let is = |kind: &&EntityKind| <&str>::from(**kind) == word || kind.plural() == word;
        match word {
            "measurement" | "measurements" => Some(Self::Measurement),
            "class" => Some(Self::Entity(EntityKind::HardwareClass)),
            _ => EntityKind::VARIANTS.iter().find(is).map(|kind| Self::Entity(*kind)),
        }
    }
}

/// All recorded facts of one entity or measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// The kind and the id.
    pub title: String,
    /// The facts, as one JSON object.
    pub facts: Value,
}

/// The result of looking up an id or a name.
#[derive(Debug, Clone, PartialEq)]
pub enum CardLookup {
    /// One entity or measurement.
    Found(Card),
    /// Entities of several kinds have this id or name.
    Ambiguous {
        /// The kinds.
        are: Vec<String>,
    },
    /// No match, or no unique one within the kind; similar or matching ids are given.
    NotFound {
        /// The ids, nearest first.
        near: Vec<String>,
    },
}

/// The card of an entity by id or unambiguous name, or of a measurement by a prefix of its id.
///
/// # Errors
///
/// When the database fails.
pub fn card(store: &Database, kind: CardKind, name: &str) -> Result<CardLookup, DatabaseError> {
    let CardKind::Entity(kind) = kind else { return measurement_card(store, name) };
    match kind {
        EntityKind::Framework => entity_card::<Framework>(store, Facet::Framework, name),
        EntityKind::Device => entity_card::<Device>(store, Facet::Device, name),
        EntityKind::HardwareClass => entity_card::<HardwareClassRecord>(store, Facet::Class, name),
        EntityKind::Network => entity_card::<Network>(store, Facet::Network, name),
        EntityKind::Dataset => entity_card::<Dataset>(store, Facet::Dataset, name),
        EntityKind::Source => entity_card::<Source>(store, Facet::Source, name),
    }
}

/// The card of anything with this id or name; ids take precedence over names, and the id of a measurement contains a colon.
///
/// # Errors
///
/// When the database fails.
pub fn card_of_any(store: &Database, name: &str) -> Result<CardLookup, DatabaseError> {
    if name.contains(':') {
        return measurement_card(store, name);
    }
    let mut known: Vec<EntityKind> = Vec::new();
    for &kind in EntityKind::VARIANTS {
        if store.ids(kind)?.iter().any(|id| id == name) {
            known.push(kind);
        }
    }
    if known.is_empty() {
        let names = store.exact(&normalise(name))?;
        known.extend(names.into_iter().filter_map(|name| name.facet.entity_kind()));
        known.sort();
        known.dedup();
    }
    match known.as_slice() {
        [only] => card(store, CardKind::Entity(*only), name),
        [] => {
            let facets: Vec<Facet> = EntityKind::VARIANTS.iter().map(|kind| Facet::of_entities(*kind)).collect();
            Ok(CardLookup::NotFound { near: near_ids(store, &facets, name)? })
        }
        several => {
            Ok(CardLookup::Ambiguous { are: several.iter().map(|kind| <&str>::from(*kind).to_owned()).collect() })
        }
    }
}

/// Adds the evidence for each grade to the card of a hardware class; other cards stay unchanged.
///
/// # Errors
///
/// When a store fails.
pub fn with_evidence(stores: &Stores, mut found: CardLookup) -> Result<CardLookup, QueryError> {
    if let CardLookup::Found(card) = &mut found
        && let Some(Value::Object(grades)) = card.facts.get("grades")
        && !grades.is_empty()
        && let Some(class) = card.facts.get("id").and_then(Value::as_str)
    {
        let judged = judged_grades(stores, |graded, _| graded == class)?;
        let lines = judged.iter().filter_map(|claim| Some((claim.metric.clone()?, Value::String(claim.in_words()))));
        card.facts["evidence"] = Value::Object(lines.collect());
    }
    Ok(found)
}

/// The id of the entity with this id, otherwise of the first one with exactly this name; `None` if there is none.
///
/// # Errors
///
/// When the database fails.
pub fn id_of_name(store: &Database, kind: EntityKind, name: &str) -> Result<Option<String>, DatabaseError> {
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

/// The ids with this prefix, sorted, followed by other names with this prefix that are not ids.
///
/// # Errors
///
/// When the database fails.
pub fn names_beginning(
    store: &Database,
    kind: Option<EntityKind>,
    beginning: &str,
) -> Result<Vec<String>, DatabaseError> {
    let mut names: Vec<String> = Vec::new();
    let wanted = beginning.to_lowercase();
    for &of in EntityKind::VARIANTS.iter().filter(|of| kind.is_none_or(|kind| kind == **of)) {
        names.extend(store.ids(of)?.into_iter().filter(|id| id.starts_with(&wanted)));
    }
    names.sort();
    let normal = normalise(beginning);
    if normal.is_empty() {
        return Ok(names);
    }
    // `v1` completes to `v100`, the usual name for what the catalog calls tesla-v100.
    let is_of_kind = |facet: Facet| facet.entity_kind().is_some_and(|of| kind.is_none_or(|kind| kind == of));
    let others = store.beginning(&normal)?.into_iter().filter(|name| is_of_kind(name.facet));
    let ids: Vec<String> = names.iter().map(|id| normalise(id)).collect();
    let mut others: Vec<String> = others.map(|name| name.normal).filter(|name| !ids.contains(name)).collect();
    others.sort();
    others.dedup();
    names.extend(others);
    Ok(names)
}

fn entity_card<E: StoredKind + Serialize>(
    store: &Database,
    facet: Facet,
    name: &str,
) -> Result<CardLookup, DatabaseError> {
    let found = |id: &str, entity: E| -> Result<CardLookup, DatabaseError> {
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
        ids = near_ids(store, &[facet], name)?;
    }
    Ok(CardLookup::NotFound { near: ids })
}

/// The ids of entities with a similar name.
fn near_ids(store: &Database, facets: &[Facet], id: &str) -> Result<Vec<String>, DatabaseError> {
    let names = store.all()?;
    let of_facet = || names.iter().filter(|name| facets.contains(&name.facet));
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

fn measurement_card(store: &Database, prefix: &str) -> Result<CardLookup, DatabaseError> {
    /// Maximum number of candidates returned.
    const MAX_CANDIDATES: usize = 6;
    let mut found = store.measurements_by_prefix(prefix, MAX_CANDIDATES)?;
    if found.len() == 1 {
        let measurement = JoinedRow::from(found.remove(0));
        let title = format!("measurement {}", measurement.id());
        return Ok(CardLookup::Found(Card { title, facts: serde_json::to_value(measurement)? }));
    }
    Ok(CardLookup::NotFound { near: found.iter().map(|measurement| measurement.id().to_owned()).collect() })
}
