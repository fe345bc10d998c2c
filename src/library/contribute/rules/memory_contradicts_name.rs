//! A device whose name states another memory than its entry.

use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(216),
    title: "a name that states another memory",
    severity: Severity::Warning,
    page: "The SKU is called after a memory that its entry does not have: `memory-gib` is that of a sibling, or the entry was copied from it and the rest of it may be the sibling's, too.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "memory-gib = 32", "memory-gib = 16"),
    check: Check::Catalog(find),
};

/// `16GB`, `16 GB`, `16 GiB`.
static STATED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(\d{1,4})[\s-]?gi?b\b").expect("the pattern is tested by the rule's samples"));

fn find(context: &LintContext<'_>, found: &mut Findings) {
    for (id, device) in &context.loaded.catalog.devices {
        let (Some(memory), Some(place)) = (device.memory_gib, context.place(EntityKind::Device, id.as_str())) else {
            continue;
        };
        let stated = |text: &str| STATED.captures(text).and_then(|found| found[1].parse::<f64>().ok());
        let by_alias = || device.aliases.iter().find_map(|alias| stated(alias));
        let Some(stated) = stated(&device.name).or_else(|| stated(id.as_str())).or_else(by_alias) else { continue };
        // A thousand times as much is MiB taken for GiB, which has a rule of its own.
        let siblings = (stated / 20.0..stated * 20.0).contains(&memory.value());
        if siblings && (memory.value() - stated).abs() > stated * SLACK {
            let message = format!("`{id}` is called after {stated} GB and has {memory} GiB");
            found.at(place, ["memory-gib".into()], message, "another memory than that of its name").of(id);
        }
    }
}

/// Boards keep some of their memory for error correction, and 10^9 byte are 0.93 GiB.
const SLACK: f64 = 0.1;
