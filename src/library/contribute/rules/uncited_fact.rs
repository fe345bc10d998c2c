//! A fact that no citation covers.

use crate::contribute::lint::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Citation, Code, Severity, stated_facts};
use crate::reading::Step;
use crate::values::{EntityId, EntityKind};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(205),
    title: "a fact that no citation covers",
    severity: Severity::Warning,
    page: "The citations of this entry all say which `facts` they cover, and this key is in none of the lists. Add it to the one it is from.",
    sample: Sample::edited("catalog/datasets/tiny-pictures.toml", r#", "train-size""#, ""),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    for (kind, id, citations, facts) in cited(context) {
        if citations.is_empty() || citations.iter().any(|citation| citation.facts.is_empty()) {
            continue;
        }
        let Some(place) = context.place(kind, id.as_str()) else { continue };
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

type Cited<'l> = (EntityKind, &'l EntityId, &'l [Citation], Vec<String>);

/// Each entity with its citations and the keys of the facts that it states.
pub(super) fn cited<'l>(context: &LintContext<'l>) -> Vec<Cited<'l>> {
    let catalog = &context.loaded.catalog;
    let mut all: Vec<Cited<'l>> = Vec::new();
    let lists = |citations: &[Citation]| citations.iter().all(|citation| !citation.facts.is_empty());
    for (id, entity) in &catalog.frameworks {
        let facts = if lists(&entity.sources) { stated_facts(entity) } else { Vec::new() };
        all.push((EntityKind::Framework, id, &entity.sources, facts));
    }
    for (id, entity) in &catalog.devices {
        let facts = if lists(&entity.sources) { stated_facts(entity) } else { Vec::new() };
        all.push((EntityKind::Device, id, &entity.sources, facts));
    }
    for (id, entity) in &catalog.networks {
        let facts = if lists(&entity.sources) { stated_facts(entity) } else { Vec::new() };
        all.push((EntityKind::Network, id, &entity.sources, facts));
    }
    for (id, entity) in &catalog.datasets {
        let facts = if lists(&entity.sources) { stated_facts(entity) } else { Vec::new() };
        all.push((EntityKind::Dataset, id, &entity.sources, facts));
    }
    all
}
