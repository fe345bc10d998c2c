//! More memory than the device has.

use crate::contribute::lint::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Metric, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(404),
    title: "more memory than the device has",
    severity: Severity::Error,
    page: "The row states more memory than all its devices have together, or the weights alone do not fit: parameters times the bytes of the number format, and gradients of the same size in training.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "12000", "20000"),
    check: Check::Claim(find),
};
fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let limits = measurement.text(Field::Device).and_then(|device| context.limits.get(device));
    let Some(memory) = limits.and_then(|limits| limits.memory_gib) else { return };
    let devices = measurement.count(Field::DeviceCount).unwrap_or(1) as f64;
    if let Some(used) = measurement.metric(Metric::MemoryMib)
        && used.value() > memory * devices * MIB_PER_GIB * SLACK
    {
        let message = format!("{used} MiB in use on {devices} x {memory} GiB");
        found
            .in_row(row, Metric::MemoryMib.key(), message, "more than the device has")
            .help("is it in MB or KiB, for another number of devices, or memory of the host?");
    }
    if measurement.metrics().is_empty() {
        return;
    }
    let Some(weights) = weights(context, measurement) else { return };
    if weights > memory * devices {
        let key = if measurement.text(Field::Precision).is_some() { "precision" } else { "network" };
        let message = format!("the weights take {weights:.1} GiB, {devices} x {memory} GiB are there");
        found
            .in_row(row, key, message, "does not fit into memory")
            .help("another precision, more devices, or a network of another size");
    }
}

const MIB_PER_GIB: f64 = 1024.0;

/// Sources round, and take GB for GiB.
const SLACK: f64 = 1.08;

/// GiB of the weights, and of the gradients in training.
fn weights(context: &LintContext<'_>, measurement: &Measurement) -> Option<f64> {
    let network = context.loaded.catalog.networks.get(measurement.text(Field::Network)?)?;
    let bytes = match measurement.text(Field::Precision)? {
        "fp64" => 8.0,
        "fp32" | "tf32" => 4.0,
        // Mixed recipes for inference may hold 16 bits only.
        "fp16" | "bf16" | "amp-fp16" | "amp-bf16" => 2.0,
        "fp8" | "int8" => 1.0,
        "int4" => 0.5,
        _ => return None,
    };
    let copies = if measurement.text(Field::Stage) == Some("train") { 2.0 } else { 1.0 };
    Some(network.parameters_m?.value() * 1e6 * bytes * copies / (MIB_PER_GIB * MIB_PER_GIB * MIB_PER_GIB))
}
