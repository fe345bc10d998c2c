//! What the entities of every kind have: an id, names, citations, and findings that are allowed with a reason.

use serde_json::Value;

use super::{Catalog, Citation, Code, Dataset, Device, Field, Framework, HardwareClassRecord, Network, Source};
use crate::values::{EntityId, EntityKind};

macro_rules! entities {
    ($($record:ty: $kind:ident, |$own:ident| $id:expr, $citations:expr, [$($url:ident),*];)+) => {
        $(impl CatalogEntity for $record {
            fn kind(&self) -> EntityKind {
                EntityKind::$kind
            }
            fn id(&self) -> &str {
                let $own = self;
                $id
            }
            fn name(&self) -> &str {
                &self.name
            }
            fn aliases(&self) -> &[String] {
                &self.aliases
            }
            fn citations(&self) -> &[Citation] {
                let $own = self;
                let _ = $own;
                $citations
            }
            fn urls(&self) -> Vec<(&'static str, &str)> {
                let all: &[(&'static str, &Option<String>)] = &[$((stringify!($url), &self.$url)),*];
                all.iter().filter_map(|(key, url)| Some((*key, url.as_deref()?))).collect()
            }
            fn json(&self) -> Value {
                serde_json::to_value(self).unwrap_or_default()
            }
        })+
    };
}

/// An entity of the catalog, of whatever kind.
pub trait CatalogEntity {
    /// Its kind.
    fn kind(&self) -> EntityKind;
    /// Its id, unique among those of its kind.
    fn id(&self) -> &str;
    /// Its full name.
    fn name(&self) -> &str;
    /// Other spellings.
    fn aliases(&self) -> &[String];
    /// Where its facts are from. A source has none: it is its own.
    fn citations(&self) -> &[Citation];
    /// The addresses among its facts, by their keys.
    fn urls(&self) -> Vec<(&'static str, &str)>;
    /// Its whole record.
    fn json(&self) -> Value;
}

entities! {
    Framework: Framework, |own| own.id.as_str(), &own.sources, [homepage, repository];
    Device: Device, |own| own.id.as_str(), &own.sources, [];
    Network: Network, |own| own.id.as_str(), &own.sources, [paper];
    Dataset: Dataset, |own| own.id.as_str(), &own.sources, [homepage];
    Source: Source, |own| own.id.as_str(), &[], [url];
    HardwareClassRecord: HardwareClass, |own| own.id.into(), &own.sources, [];
}

impl Catalog {
    /// Every entity, by kind and id.
    pub fn entities(&self) -> impl Iterator<Item = &dyn CatalogEntity> {
        let frameworks = self.frameworks.values().map(|entity| entity as &dyn CatalogEntity);
        frameworks
            .chain(self.devices.values().map(|entity| entity as &dyn CatalogEntity))
            .chain(self.networks.values().map(|entity| entity as &dyn CatalogEntity))
            .chain(self.datasets.values().map(|entity| entity as &dyn CatalogEntity))
            .chain(self.sources.values().map(|entity| entity as &dyn CatalogEntity))
            .chain(self.hardware_classes.values().map(|entity| entity as &dyn CatalogEntity))
    }

    /// The ids of a kind, sorted.
    pub fn ids(&self, kind: EntityKind) -> impl Iterator<Item = &str> {
        self.entities().filter(move |entity| entity.kind() == kind).map(CatalogEntity::id)
    }
}

/// Keys that are names, remarks or citations themselves, not facts. An address is its own source.
const NO_FACTS: &[&str] = &[
    "id",
    "name",
    "aliases",
    "notes",
    "sources",
    "reported",
    "cloud",
    // Computed from `cloud`.
    "rent",
    "differs-in",
    "homepage",
    "repository",
    "paper",
];

/// The keys, as files have them, of the facts that an entity states and that need a citation.
pub fn stated_facts(entity: &dyn CatalogEntity) -> Vec<String> {
    let Value::Object(facts) = entity.json() else { return Vec::new() };
    let absent = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(items) => items.is_empty(),
        _ => false,
    };
    let keys = facts.into_iter().filter(|(_, value)| !absent(value)).map(|(key, _)| key.replace('_', "-"));
    keys.filter(|key| !NO_FACTS.contains(&key.as_str())).collect()
}

/// Findings of one rule that are right as they are: a source's own error, or a fact stranger than the rule expects.
///
/// It covers the file it is in; in the entry of a source it also covers all measurements of that source. More findings than
/// it allows are a new mistake among the known ones: then it covers none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// The rule.
    pub rule: Code,
    /// Why its findings are right as they are.
    pub reason: String,
    /// In the entry of a source: only this batch, the stem of a file of its measurements.
    pub batch: Option<String>,
    /// Only these entries of a collection.
    pub ids: Vec<EntityId>,
    /// Only rows whose fields have these values.
    pub fields: Vec<(Field, String)>,
    /// How many findings it is for, where it says so.
    pub count: Option<i64>,
}

impl Exception {
    /// How many findings it is for: without a count one, unless it names rows or entries.
    pub fn allowed(&self) -> Option<usize> {
        let stated = self.count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        stated.or_else(|| (self.fields.is_empty() && self.ids.is_empty()).then_some(1))
    }
}
