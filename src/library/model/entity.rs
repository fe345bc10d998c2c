//! Properties of all kinds of entities: an id, names, citations, and findings that are allowed with a reason.

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

/// A catalog entity of any kind.
pub trait CatalogEntity {
    /// Its kind.
    fn kind(&self) -> EntityKind;
    /// Its id, unique among those of its kind.
    fn id(&self) -> &str;
    /// Its full name.
    fn name(&self) -> &str;
    /// Other spellings.
    fn aliases(&self) -> &[String];
    /// The sources of its facts. A source has none: it is its own source.
    fn citations(&self) -> &[Citation];
    /// The addresses among its facts, with their keys.
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

/// Keys that are not facts but names, remarks or citations. An address is its own source.
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

/// The keys, as spelled in files, of the facts that an entity states and that need a citation.
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

/// Allowed findings of one rule: a source's own error, or an unusual fact that the rule does not expect.
///
/// It covers its own file; in the entry of a source it also covers all measurements of that source. If there are more
/// findings than it allows, one of them is a new mistake: then it covers none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// The rule.
    pub rule: Code,
    /// Why its findings are allowed.
    pub reason: String,
    /// In the entry of a source: limits it to this batch, the stem of a file of its measurements.
    pub batch: Option<String>,
    /// Limits it to these entries of a collection.
    pub ids: Vec<EntityId>,
    /// Limits it to rows whose fields have these values.
    pub fields: Vec<(Field, String)>,
    /// The number of findings that it covers, where stated.
    pub count: Option<i64>,
}

impl Exception {
    /// Maximum number of findings: without a count one, or any number if it names rows or entries.
    pub fn allowed(&self) -> Option<usize> {
        let stated = self.count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        stated.or_else(|| (self.fields.is_empty() && self.ids.is_empty()).then_some(1))
    }
}
