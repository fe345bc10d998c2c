//! A fact that no citation covers.

use crate::contribute::rule_interface::{Check, Findings, LintContext, LocatedEntity, Rule, Sample};
use crate::model::{Code, Severity, stated_facts};
use crate::reading::Step;
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(205),
    title: "a fact that no citation covers",
    severity: Severity::Warning,
    page: "The citations of this entry all say which `facts` they cover, and this key is in none of the lists. Add it to the one it is from.",
    sample: Sample::edited("catalog/datasets/tiny-pictures.toml", r#", "train-size""#, ""),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    for LocatedEntity { entity, place } in citing(context) {
        let (citations, id) = (entity.citations(), entity.id());
        if citations.is_empty() || citations.iter().any(|citation| citation.facts.is_empty()) {
            continue;
        }
        for fact in stated_facts(entity) {
            if !citations.iter().any(|citation| citation.facts.contains(&fact)) {
                let message = format!("no citation covers `{fact}` of the {} `{id}`", entity.kind().noun());
                found
                    .at(place, [Step::from(fact.as_str())], message, "where is this from?")
                    .of(id)
                    .help(format!("add \"{fact}\" to the `facts` of the citation it is from"));
            }
        }
    }
}

/// The entities whose facts have citations: a source is its own.
pub(super) fn citing<'l>(context: &LintContext<'l>) -> impl Iterator<Item = LocatedEntity<'l>> {
    context.entities().filter(|cited| cited.entity.kind() != EntityKind::Source)
}
