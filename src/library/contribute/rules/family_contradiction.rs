//! A member that contradicts its family.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::values::{EntityId, EntityKind};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(109),
    title: "a member that contradicts its family",
    severity: Severity::Error,
    page: "What a family states holds for all its members: class, vendor and architecture of a device, family and task of a network that others are revisions of. A member that differs belongs to another family, or the family states too much.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", r#""Supernova""#, r#""Hypernova""#),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    for (id, device) in &catalog.devices {
        let Some(family) = device.variant_of.as_ref().and_then(|family| catalog.devices.get(family)) else { continue };
        let class = (Some(device.class.to_string()), Some(family.class.to_string()));
        for (key, (own, of_family)) in [
            ("class", class),
            ("vendor", (device.vendor.clone(), family.vendor.clone())),
            ("architecture", (device.architecture.clone(), family.architecture.clone())),
        ] {
            compare(context, EntityKind::Device, (id, own), (&family.id, of_family), key, found);
        }
    }
    let is_said = |of: &Option<EntityId>| of.as_ref().map(ToString::to_string);
    for (id, network) in &catalog.networks {
        let base = network.variant_of.as_ref().and_then(|base| catalog.networks.get(base));
        let Some(base) = base else { continue };
        // The base may be the family itself, which states none.
        let families = (is_said(&network.family), is_said(&base.family));
        for (key, (own, of_base)) in [("family", families), ("task", (network.task.clone(), base.task.clone()))] {
            compare(context, EntityKind::Network, (id, own), (&base.id, of_base), key, found);
        }
    }
}

fn compare(
    context: &LintContext<'_>,
    kind: EntityKind,
    (id, own): (&EntityId, Option<String>),
    (family, of_family): (&EntityId, Option<String>),
    key: &str,
    found: &mut Findings,
) {
    let (Some(own), Some(of_family)) = (own, of_family) else { return };
    let Some(place) = context.place(kind, id.as_str()).filter(|_| own != of_family) else { return };
    let message = format!("`{id}` has the {key} {own:?}, its family `{family}` {of_family:?}");
    let finding = found.at(place, [key.into()], message, "differs from its family").of(id);
    finding.beside(["variant-of".into()], "its family");
    if let Some(family) = context.place(kind, family.as_str()) {
        finding.related(family, "the family");
    }
}
