//! A framework on hardware that it does not run on.

use crate::contribute::lint::{Check, Findings, IndexedRow, LintContext, Rule};
use crate::model::{Code, Field, Severity};
use crate::values::{HardwareClass, Target};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(305),
    title: "a framework on hardware that it does not run on",
    severity: Severity::Warning,
    page: "The framework's entry lists the hardware it runs on, and the class of the row's device is not among it. The entry is incomplete, or the row names another framework or device.",
    fails: &[
        (
            "catalog/devices/core-9.toml",
            r##"name = "Acme Core 9"
class = "cpu"

[[sources]]
source = "imagined-2018"
"##,
        ),
        (
            "measurements/imagined-2018/more.toml",
            r##"[defaults]
framework = "firelight"
device = "core-9"
network = "deepnet-50"
stage = "train"
counts = "image"

[[table]]
columns = ["precision", "batch-size", "latency-ms"]
rows = [
  ["fp32", 16, 65.0],
  ["fp16", 16, 31.0],
]
"##,
        ),
    ],
    passes: &[(
        "measurements/imagined-2018/more.toml",
        r##"[defaults]
framework = "firelight"
device = "nova-100-16gb"
network = "deepnet-50"
stage = "train"
counts = "image"

[[table]]
columns = ["precision", "batch-size", "latency-ms"]
rows = [
  ["fp32", 16, 65.0],
  ["fp16", 16, 31.0],
]
"##,
    )],
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
            .help(format!("mend the row, or `hardware` in catalog/frameworks/{}.toml", framework.id));
    }
}
