//! One address or identifier for two entities.

use std::collections::BTreeMap;

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::reading::{Located, Step};
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(113),
    title: "one address or identifier for two entities",
    severity: Severity::Warning,
    page: "Two frameworks do not share a homepage or a repository, two boards no PCI id, two sources no address at one commit. One was copied with the entry; or the two entries are one.",
    sample: Sample::edited(
        "catalog/devices/nova-100-32gb.toml",
        "memory-type = \"HBM2\"",
        "memory-type = \"HBM2\"\npci-ids = [\"10de:1234\"]",
    ),
    check: Check::Catalog(find),
};

type Owner<'l> = (&'l Located<()>, &'l str, Vec<Step>);

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    let mut owners: BTreeMap<(&str, String), Vec<Owner<'_>>> = BTreeMap::new();
    let mut add = |what: &'static str, value: String, kind: EntityKind, id, steps: Vec<Step>| {
        if let Some(place) = context.place(kind, id) {
            owners.entry((what, value.trim_end_matches('/').to_lowercase())).or_default().push((place, id, steps));
        }
    };
    for framework in catalog.frameworks.values() {
        for (key, url) in [("homepage", &framework.homepage), ("repository", &framework.repository)] {
            if let Some(url) = url {
                add(key, url.clone(), EntityKind::Framework, framework.id.as_str(), vec![key.into()]);
            }
        }
    }
    for device in catalog.devices.values() {
        for (at, pci) in device.pci_ids.iter().enumerate() {
            add("PCI id", pci.clone(), EntityKind::Device, device.id.as_str(), vec!["pci-ids".into(), at.into()]);
        }
    }
    for source in catalog.sources.values() {
        if let Some(url) = &source.url {
            add("address", url.clone(), EntityKind::Source, source.id.as_str(), vec!["url".into()]);
        }
    }
    for ((what, value), owners) in owners {
        let [(first, other, _), ..] = owners.as_slice() else { continue };
        let several = owners.iter().any(|(_, id, _)| id != other);
        for (place, id, steps) in owners.iter().filter(|_| several) {
            let (with, there) = if id == other { (owners[1].1, owners[1].0) } else { (*other, *first) };
            let message = format!("`{id}` and `{with}` have one {what}, {value}");
            found.at(place, steps.iter().cloned(), message, "the other's, too").of(id).related(there, "the other one");
        }
    }
}
