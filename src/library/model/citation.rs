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

impl Citation {
    /// The citations that cover a fact, by its key in the files; those without keys cover what no other one does.
    pub fn covering<'c>(citations: &'c [Self], key: &str) -> impl Iterator<Item = &'c Self> + use<'c> {
        let names = |citation: &Self| citation.facts.iter().any(|fact| fact == key);
        let is_named = citations.iter().any(names);
        let covering: Vec<&Self> = citations
            .iter()
            .filter(|citation| if is_named { names(citation) } else { citation.facts.is_empty() })
            .collect();
        covering.into_iter()
    }

    /// How running text names it: the source's id, else the title of the page, else its address.
    pub fn short_name(&self) -> String {
        let id = self.source.as_ref().map(EntityId::to_string);
        id.or_else(|| self.title.clone()).or_else(|| self.url.clone()).unwrap_or_default()
    }
}
