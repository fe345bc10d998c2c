//! An entity that nothing mentions.

use std::collections::HashSet;

use crate::contribute::rule_interface::{Check, Findings, LintContext, LocatedEntity, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(107),
    title: "an entity that nothing mentions",
    severity: Severity::Info,
    page: "No measurement, no framework, no other entity and no citation mentions it. That is no mistake for a device or a network, which people look up for its own facts; a source that nothing cites is often a slip.",
    sample: Sample::edited("catalog/frameworks/firelight.toml", "tested-datasets = [\"tiny-pictures\"]\n", ""),
    check: Check::Whole(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let mentioned = mentioned(context);
    for LocatedEntity { entity, place } in context.entities() {
        if !mentioned.contains(&(entity.kind(), entity.id())) {
            let message = format!("nothing mentions the {} `{}`", entity.kind().noun(), entity.id());
            found.at(place, ["name".into()], message, "no measurement, no entity, no citation").of(entity.id());
        }
    }
}

fn mentioned<'l>(context: &LintContext<'l>) -> HashSet<(EntityKind, &'l str)> {
    use EntityKind::*;
    let mut all = HashSet::new();
    for row in &context.loaded.rows {
        let measurement = row.get();
        all.insert((Source, measurement.source().as_str()));
        all.extend(Field::of_entities().filter_map(|(field, kind)| Some((kind, measurement.text(field)?))));
    }
    let catalog = &context.loaded.catalog;
    let citations = catalog.entities().flat_map(|entity| entity.citations());
    all.extend(citations.filter_map(|citation| Some((Source, citation.source.as_ref()?.as_str()))));
    for framework in catalog.frameworks.values() {
        all.extend(framework.tested_networks.iter().map(|id| (Network, id.as_str())));
        all.extend(framework.tested_datasets.iter().map(|id| (Dataset, id.as_str())));
        all.extend(framework.reported.keys().map(|id| (Source, id.as_str())));
    }
    for device in catalog.devices.values() {
        all.extend(device.variant_of.iter().map(|id| (Device, id.as_str())));
        // Of a family that is mentioned each SKU is, and a SKU has its family to stand for.
        all.extend(device.variant_of.iter().map(|_| (Device, device.id.as_str())));
        all.extend(device.reported.keys().map(|id| (Source, id.as_str())));
        all.extend(device.cloud.iter().map(|offer| (Source, offer.source.as_str())));
    }
    for network in catalog.networks.values() {
        all.extend(network.family.iter().chain(&network.variant_of).map(|id| (Network, id.as_str())));
    }
    for class in catalog.hardware_classes.values() {
        all.extend(class.reported.keys().map(|id| (Source, id.as_str())));
        all.extend(class.grades.values().map(|grade| (Source, grade.source.as_str())));
    }
    for part in context.loaded.suites.iter().flat_map(|suite| &suite.parts) {
        all.extend(part.networks.iter().map(|id| (Network, id.as_str())));
        all.extend(part.dataset.iter().map(|id| (Dataset, id.as_str())));
    }
    for source in catalog.sources.values() {
        all.extend(source.standing.iter().filter_map(|s| Some((Source, s.replaced_by.as_ref()?.as_str()))));
    }
    all
}
