//! A family that is its own member.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Catalog, Code, Severity};
use crate::values::{EntityId, EntityKind};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(108),
    title: "a family that is its own member",
    severity: Severity::Error,
    page: "`variant-of` and `family` lead from the member to the family, and so on to the last one. A loop has no last one, and a question about any of them would mean all. A chain of more than 32 is taken for one: of its members only the nearest families would count.",
    sample: Sample::edited("catalog/devices/core.toml", "class =", "variant-of = \"core-9\"\nclass ="),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    let loops = |parents: &[&EntityId], lineage: &dyn Fn(&EntityId) -> Vec<EntityId>, id: &EntityId| {
        parents.iter().any(|parent| lineage(parent).contains(id))
    };
    for (id, device) in &catalog.devices {
        let parents: Vec<&EntityId> = device.variant_of.iter().collect();
        if loops(&parents, &|parent| catalog.device_lineage(parent), id) {
            tell(context, EntityKind::Device, id, "variant-of", found);
        }
        tell_of_chain(context, EntityKind::Device, id, &catalog.device_lineage(id), found);
    }
    for (id, network) in &catalog.networks {
        for (key, parent) in [("variant-of", &network.variant_of), ("family", &network.family)] {
            let parents: Vec<&EntityId> = parent.iter().collect();
            if loops(&parents, &|parent| catalog.network_lineage(parent), id) {
                tell(context, EntityKind::Network, id, key, found);
            }
        }
        tell_of_chain(context, EntityKind::Network, id, &catalog.network_lineage(id), found);
    }
}

/// Tells of an entity that has more families above it than count.
fn tell_of_chain(
    context: &LintContext<'_>,
    kind: EntityKind,
    id: &EntityId,
    lineage: &[EntityId],
    found: &mut Findings,
) {
    const MOST: usize = Catalog::MOST_ANCESTORS;
    if let (true, Some(place)) = (lineage.len() > MOST, context.place(kind, id.as_str())) {
        let message = format!("`{id}` has {MOST} families above it or more");
        found
            .at(place, ["name".into()], message, "only the nearest ones count")
            .of(id)
            .help("a family of families is rarely deeper than three");
    }
}

fn tell(context: &LintContext<'_>, kind: EntityKind, id: &EntityId, key: &str, found: &mut Findings) {
    if let Some(place) = context.place(kind, id.as_str()) {
        let message = format!("`{id}` is a member of itself");
        found.at(place, [key.into()], message, "this leads back to it").of(id).help("a family names no member");
    }
}
