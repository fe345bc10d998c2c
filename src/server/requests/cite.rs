//! Citations of sources and measurements.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::{all_named, names};
use crate::limits::MOST_NAMES;
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::ask::cards::{CardKind, CardLookup};
use dlbench::model::{Reference, References};
use dlbench::render::answer::citation;
use dlbench::render::bibtex::bibtex;
use dlbench::values::EntityKind;

/// Cite sources.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CiteRequest {
    /// Ids of sources, or of measurements, whose sources are cited: `u39kun-2018`, `u39kun-2018:8wqbgj9ves`
    #[serde(deserialize_with = "names")]
    #[schemars(with = "Vec<String>", length(min = 1, max = MOST_NAMES))]
    pub ids: Vec<String>,
}

/// The references.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Cited {
    /// One per source, and one for the knowledge base.
    pub references: Vec<CitedReference>,
    /// All references as a BibTeX file.
    pub bibtex: String,
}

/// A source, a page, or the knowledge base.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CitedReference {
    /// Its BibTeX key: for a source its id.
    pub key: String,
    /// The reference in one line.
    pub text: String,
    /// Its URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl CiteRequest {
    /// The citations.
    ///
    /// # Errors
    ///
    /// When an id matches nothing, or a store fails.
    pub fn cited(&self, kb: &KnowledgeBase) -> Result<Cited, Refusal> {
        let mut sources = Vec::new();
        for id in all_named("ids", &self.ids)? {
            sources.push(source_of(id, kb)?);
        }
        Ok(Cited::from(&kb.references(sources.iter().map(String::as_str), &[])?))
    }
}

/// The source's id: of a source given by id or name, or of a measurement given by the beginning of its id.
fn source_of(id: &str, kb: &KnowledgeBase) -> Result<String, Refusal> {
    let kind = match id.contains(':') {
        true => CardKind::Measurement,
        false => CardKind::Entity(EntityKind::Source),
    };
    match kb.card(kind, id)? {
        CardLookup::Found(card) => {
            let source = &card.facts[if kind == CardKind::Measurement { "source" } else { "id" }];
            Ok(source.as_str().unwrap_or_default().to_owned())
        }
        CardLookup::NotFound { near } | CardLookup::Ambiguous { are: near } => Err(Refusal::not_found(id, near)),
    }
}

impl From<&References> for Cited {
    fn from(references: &References) -> Self {
        let cited = references.iter().map(|(key, reference)| {
            let (text, url) = match reference {
                Reference::Source(source) => (citation(source), source.url.clone()),
                Reference::Page { url, title, .. } => {
                    let title = title.as_deref().map_or_else(String::new, |title| format!("{title}. "));
                    (format!("{title}{url}"), Some(url.clone()))
                }
                Reference::KnowledgeBase(kb) => (format!("{}, content {}", kb.name, kb.content), None),
            };
            CitedReference { key: key.to_owned(), text, url }
        });
        Self { references: cited.collect(), bibtex: bibtex(references) }
    }
}
