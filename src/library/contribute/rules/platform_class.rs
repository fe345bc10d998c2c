//! A framework whose kinds of hardware and makers do not agree.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::values::{EntityKind, Target};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(224),
    title: "kinds of hardware that disagree with the makers named",
    severity: Severity::Warning,
    page: "`hardware` of a framework says of what kinds the devices are that it runs on, `platforms` and `platforms-by-plug-in` which makers' they are. A kind of which no maker is named, or a maker's device whose kind is missing, makes a filter answer falsely.",
    sample: Sample::edited(
        "catalog/frameworks/firelight.toml",
        "hardware = [\"gpu\"]",
        "hardware = [\"gpu\"]\nplatforms = [\"nvidia-gpu\", \"x86-cpu\"]",
    ),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    for (id, framework) in &context.loaded.catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        let named = || framework.platforms.iter().chain(&framework.platforms_by_plug_in);
        if named().next().is_none() || framework.hardware.is_empty() {
            continue;
        }
        for (key, platforms) in
            [("platforms", &framework.platforms), ("platforms-by-plug-in", &framework.platforms_by_plug_in)]
        {
            if let Some(platform) = platforms.iter().find(|platform| !has(&framework.hardware, platform.target())) {
                let message = format!("`{platform}` is a {}, which `hardware` does not have", platform.target());
                found.at(place, [key.into()], message, "its kind is missing in `hardware`").of(id);
            }
        }
        let unnamed = |target: &&Target| {
            **target != Target::Mobile && !named().any(|platform| has(&[**target], platform.target()))
        };
        if let Some(target) = framework.hardware.iter().find(unnamed) {
            let message = format!("`hardware` has {target}, and `platforms` names no maker's");
            found.at(place, ["hardware".into()], message, "of which maker?").of(id);
        }
    }
}

/// Whether hardware of these kinds has what is of that one: TPUs are made for the purpose, and a phone has units that are.
fn has(hardware: &[Target], target: Target) -> bool {
    let also: &[Target] = match target {
        Target::Asic => &[Target::Asic, Target::Mobile, Target::Tpu],
        Target::Tpu => &[Target::Tpu, Target::Asic],
        Target::Cpu => &[Target::Cpu, Target::Mobile],
        Target::Gpu => &[Target::Gpu, Target::Mobile],
        other => &[other],
    };
    hardware.iter().any(|own| also.contains(own))
}
