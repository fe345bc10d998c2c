//! Where a fact comes from.

use serde::{Deserialize, Serialize};

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
