//! A framework on hardware that it does not run on.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::{EntityKind, HardwareClass, Target};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(305),
    title: "a framework on hardware that it does not run on",
    severity: Severity::Warning,
    page: "The framework's entry lists the hardware it runs on, and the class of the row's device, or the maker's kind that its documents name, is not among it. The entry is incomplete, or the row names another framework or device.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", r#""nova-100-16gb""#, r#""core-9""#),
    check: Check::Row(find),
};
fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let catalog = &context.loaded.catalog;
    let framework = measurement.text(Field::Framework).and_then(|id| catalog.frameworks.get(id));
    let device = measurement.text(Field::Device).and_then(|id| catalog.devices.get(id));
    let (Some(framework), Some(device)) = (framework, device) else { return };
    // With a backend it is the backend that runs.
    if framework.hardware.is_empty() || measurement.text(Field::Backend).is_some() {
        return;
    }
    let runs = framework.hardware.iter().any(|target| match target {
        Target::Cpu => device.class == HardwareClass::Cpu,
        Target::Gpu => device.class == HardwareClass::Gpu,
        Target::Fpga => device.class == HardwareClass::Fpga,
        Target::Asic | Target::Tpu => device.class == HardwareClass::Asic,
        // A phone has all of them.
        Target::Mobile => true,
    });
    if !runs {
        let message = format!("`{}` is a {}, which `{}` does not run on", device.id, device.class, framework.id);
        found
            .in_row(row, "framework", message, "its entry lists no such hardware")
            .help(format!("mend the row, or `hardware` in catalog/frameworks/{}.toml", framework.id))
            .rests_on(EntityKind::Framework, Some(framework.id.as_str()), "hardware")
            .rests_on(EntityKind::Device, Some(device.id.as_str()), "class");
        return;
    }
    let named = || framework.platforms.iter().chain(&framework.platforms_by_plug_in);
    let Some(vendor) = &device.vendor else { return };
    let judged = named().filter_map(|platform| platform.is_of(vendor, device.class)).collect::<Vec<_>>();
    if judged.iter().any(|is_of| *is_of) || judged.is_empty() {
        return;
    }
    let message = format!("`{}` is a {} of {vendor}, which `{}` does not name", device.id, device.class, framework.id);
    found
        .in_row(row, "framework", message, "`platforms` of its entry lists no such hardware")
        .help(format!("mend the row, or `platforms` in catalog/frameworks/{}.toml", framework.id))
        .rests_on(EntityKind::Framework, Some(framework.id.as_str()), "platforms")
        .rests_on(EntityKind::Device, Some(device.id.as_str()), "vendor");
}
