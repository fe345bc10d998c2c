//! More memory than the device has.

use crate::contribute::lint::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::physics::bytes_of;
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::values::Stage;

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
    let devices = measurement.devices() as f64;
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
        let key = if measurement.precision().is_some() { "precision" } else { "network" };
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
    let bytes = bytes_of(measurement.precision()?);
    let copies = if measurement.stage() == Some(Stage::Train) { 2.0 } else { 1.0 };
    Some(network.parameters_m?.value() * 1e6 * bytes * copies / (MIB_PER_GIB * MIB_PER_GIB * MIB_PER_GIB))
}
