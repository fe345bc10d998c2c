//! One name for two entities.

use std::collections::BTreeMap;

use crate::contribute::rule_interface::{Check, Findings, LintContext, LocatedEntity, Rule, Sample};
use crate::model::{Code, Severity};
use crate::values::EntityKind;
use crate::values::text::normalise;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(104),
    title: "one name for two entities",
    severity: Severity::Error,
    page: "A question that uses the name would mean both, and an import could not tell which was measured. Names are compared without case, blanks, hyphens and dots.

Keep the name with the entity that people mean by it; make it longer at the other (`GeForce GTX 1080 mobile`). Where a maker gave two products one name, keep it at both and except this rule at one with the reason.",
    sample: Sample::edited("catalog/networks/deepnet-18.toml", "deepnet eighteen", "deepnet 50"),
    check: Check::Catalog(find),
};
/// The entity that has a name, and which of its aliases that is.
type Owner = (usize, Option<usize>);

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let mut owners: BTreeMap<(EntityKind, String), Vec<Owner>> = BTreeMap::new();
    let entities: Vec<LocatedEntity<'_>> = context.entities().collect();
    for (at, entity) in entities.iter().map(|located| located.entity).enumerate() {
        let own = [entity.id(), entity.name()].map(|name| (name, None));
        let others = entity.aliases().iter().enumerate().map(|(alias, name)| (name.as_str(), Some(alias)));
        for (name, alias) in own.into_iter().chain(others) {
            let named = owners.entry((entity.kind(), normalise(name))).or_default();
            if !named.iter().any(|(other, _)| *other == at) {
                named.push((at, alias));
            }
        }
    }
    for ((kind, _), named) in &owners {
        // What is told of is an alias, if there is one: the name of an entity is harder to change.
        let mut named = named.clone();
        named.sort_by_key(|(_, alias)| alias.is_some());
        let [(first, _), rest @ ..] = named.as_slice() else { continue };
        for (second, alias) in rest {
            let (first, second) = (&entities[*first], &entities[*second]);
            let name = alias.map_or(second.entity.name(), |alias| &second.entity.aliases()[alias]);
            let steps = match alias {
                Some(alias) => vec!["aliases".into(), (*alias).into()],
                None => vec!["name".into()],
            };
            let message = format!(
                "the name {name:?} leads to two {}: `{}` and `{}`",
                kind.plural(),
                first.entity.id(),
                second.entity.id()
            );
            found
                .at(second.place, steps, message, "this name")
                .of(second.entity.id())
                .related(first.place, "the other one")
                .help("keep it at one of them, or make it longer");
        }
    }
}
