//! Everything recorded about one entity or measurement.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::arguments::named;
use crate::limits::LONGEST_NAME;
use crate::refusal::{Refusal, RefusalKind};
use dlbench::KnowledgeBase;
use dlbench::ask::cards::{Card, CardKind, CardLookup};
use dlbench::model::{Citation, References};
use dlbench::values::EntityKind;
use dlbench::values::text::or_list;
use strum::VariantArray as _;

/// Show one entity or measurement in full.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowRequest {
    /// Its id or name, or a prefix of a measurement id: `tesla-v100`, `v100`, `u39kun-2018`, `u39kun-2018:8wqbgj9ves`
    #[schemars(length(min = 1, max = LONGEST_NAME))]
    pub name: String,
    /// Its kind, if the name is ambiguous
    #[serde(default)]
    #[schemars(with = "String", extend("enum" = ["framework", "device", "hardware-class", "network", "dataset", "source", "measurement"]))]
    pub kind: Option<String>,
}

/// An entity or measurement, and its references.
pub struct Shown {
    /// Title and facts.
    pub card: Card,
    /// The sources of the facts.
    pub references: References,
}

impl ShowRequest {
    /// Looks up the entity or measurement.
    ///
    /// # Errors
    ///
    /// When nothing or several things have this name, or a store fails.
    pub fn shown(&self, kb: &KnowledgeBase) -> Result<Shown, Refusal> {
        let name = named("name", &self.name)?;
        let found = match self.kind()? {
            Some(kind) => kb.card(kind, name)?,
            None => kb.card_of_any(name)?,
        };
        match found {
            CardLookup::Found(card) => Ok(Shown { references: references(&card.facts, kb)?, card }),
            CardLookup::Ambiguous { are } => {
                let message = format!("several are called `{name}`");
                let help = format!("say in `kind` which is meant: {}", or_list(&are));
                Err(Refusal::new(RefusalKind::Mistake, message).help(help))
            }
            CardLookup::NotFound { near } => Err(Refusal::not_found(name, near)),
        }
    }

    fn kind(&self) -> Result<Option<CardKind>, Refusal> {
        let Some(kind) = &self.kind else { return Ok(None) };
        CardKind::called(kind.trim()).map(Some).ok_or_else(|| {
            let kinds = EntityKind::VARIANTS.iter().map(|kind| <&str>::from(*kind)).chain(["measurement"]);
            Refusal::mistake(format!("`{kind}` is not a kind"))
                .help(format!("it is one of {}", kinds.collect::<Vec<_>>().join(", ")))
        })
    }
}

/// The kind of entities with this name, in the singular or the plural.
///
/// # Errors
///
/// When there is no such kind.
pub(crate) fn entities_of(kind: &str) -> Result<EntityKind, Refusal> {
    match CardKind::called(kind) {
        Some(CardKind::Entity(kind)) => Ok(kind),
        _ => Err(Refusal::not_found(kind, EntityKind::VARIANTS.iter().map(|kind| kind.plural().to_owned()).collect())),
    }
}

/// The references of the facts: a measurement's source, an entity's citations, or a source itself.
fn references(facts: &Value, kb: &KnowledgeBase) -> Result<References, Refusal> {
    let source = facts["source"].as_str().or_else(|| facts["id"].as_str().filter(|_| facts.get("authors").is_some()));
    let citations: Vec<Citation> = match facts.get("sources") {
        Some(sources) => serde_json::from_value(sources.clone()).unwrap_or_default(),
        None => Vec::new(),
    };
    Ok(kb.references(source, &citations.iter().collect::<Vec<_>>())?)
}
