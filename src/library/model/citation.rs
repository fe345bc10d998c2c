//! Where a fact comes from.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CatalogEntity;
use crate::values::{Date, EntityId};

/// A citation: a source of the catalog or a page, and the facts (keys of the entity) that it covers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Citation {
    /// A source of the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<EntityId>,
    /// A page, when the source is not an entry of the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What the page is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// When the page was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accessed: Option<Date>,
    /// The keys it covers; empty means every key that no other citation covers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
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
