//! A fact that no citation covers.

use super::super::findings::Found;
use super::super::rule::{Check, Rule};
use super::super::subject::Subject;
use crate::model::Citation;
use crate::model::Code;
use crate::model::Severity;
use crate::reading::Step;
use crate::values::{EntityId, EntityKind};
use serde::Serialize;
use serde_json::Value;

pub(in super::super) const RULE: Rule = Rule {
    code: Code::new(205),
    title: "a fact that no citation covers",
    severity: Severity::Warning,
    page: "The citations of this entry all say which `facts` they cover, and this key is in none of the lists. Add it to the one it is from.",
    fails: &[(
        "catalog/devices/nova-100-32gb.toml",
        r##"name = "Acme Nova 100 32 GB"
variant-of = "nova-100"
class = "gpu"
vendor = "Acme"
memory-gib = 32

[[sources]]
source = "imagined-2018"
facts = ["class", "vendor", "variant-of"]
"##,
    )],
    passes: &[(
        "catalog/devices/nova-100-32gb.toml",
        r##"name = "Acme Nova 100 32 GB"
variant-of = "nova-100"
class = "gpu"
vendor = "Acme"
memory-gib = 32

[[sources]]
source = "imagined-2018"
facts = ["class", "vendor", "variant-of", "memory-gib"]
"##,
    )],
    check: Check::Catalog(find),
};
fn find(subject: &Subject<'_>, found: &mut Found) {
    for (kind, id, citations, facts) in cited(subject) {
        if citations.is_empty() || citations.iter().any(|citation| citation.facts.is_empty()) {
            continue;
        }
        let Some(place) = subject.place(kind, id.as_str()) else { continue };
        for fact in facts {
            if !citations.iter().any(|citation| citation.facts.contains(&fact)) {
                let message = format!("no citation covers `{fact}` of the {} `{id}`", kind.noun());
                found
                    .at(place, [Step::from(fact.as_str())], message, "where is this from?")
                    .of(id)
                    .help(format!("add \"{fact}\" to the `facts` of the citation it is from"));
            }
        }
    }
}

/// Keys that are names, remarks or citations themselves, not facts.
///
/// An address is its own source.
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

type Cited<'l> = (EntityKind, &'l EntityId, &'l [Citation], Vec<String>);

/// Each entity with its citations and the keys of the facts that it states.
pub(super) fn cited<'l>(subject: &Subject<'l>) -> Vec<Cited<'l>> {
    let catalog = &subject.loaded.catalog;
    let mut all: Vec<Cited<'l>> = Vec::new();
    let lists = |citations: &[Citation]| citations.iter().all(|citation| !citation.facts.is_empty());
    for (id, entity) in &catalog.frameworks {
        let facts = if lists(&entity.sources) { stated(entity) } else { Vec::new() };
        all.push((EntityKind::Framework, id, &entity.sources, facts));
    }
    for (id, entity) in &catalog.devices {
        let facts = if lists(&entity.sources) { stated(entity) } else { Vec::new() };
        all.push((EntityKind::Device, id, &entity.sources, facts));
    }
    for (id, entity) in &catalog.networks {
        let facts = if lists(&entity.sources) { stated(entity) } else { Vec::new() };
        all.push((EntityKind::Network, id, &entity.sources, facts));
    }
    for (id, entity) in &catalog.datasets {
        let facts = if lists(&entity.sources) { stated(entity) } else { Vec::new() };
        all.push((EntityKind::Dataset, id, &entity.sources, facts));
    }
    all
}

fn stated(entity: &impl Serialize) -> Vec<String> {
    let Ok(Value::Object(facts)) = serde_json::to_value(entity) else { return Vec::new() };
    let absent = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(items) => items.is_empty(),
        _ => false,
    };
    let keys = facts.into_iter().filter(|(_, value)| !absent(value)).map(|(key, _)| key.replace('_', "-"));
    keys.filter(|key| !NO_FACTS.contains(&key.as_str())).collect()
}
