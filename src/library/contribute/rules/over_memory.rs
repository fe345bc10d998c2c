//! More memory than the device has.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::physics::bytes_of;
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::values::{EntityKind, Stage};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(404),
    title: "more memory than the device has, or less than the network takes",
    severity: Severity::Error,
    page: "The row states more memory than all its devices have together, or the weights alone do not fit: parameters times the bytes of the format that they are kept in, and gradients of the same size in training. Memory in use is also not less than the weights take in one byte each: then it is in GiB.",
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
            .help("is it in MB or KiB, for another number of devices, or memory of the host?")
            .rests_on(EntityKind::Device, measurement.text(Field::Device), "memory-gib");
    }
    if let (Some(used), Some(parameters)) = (measurement.metric(Metric::MemoryMib), parameters(context, measurement))
        && used.value() * BYTES_PER_MIB < parameters * LEAST_BYTES
    {
        let message = format!("{used} MiB in use, and {:.1} million parameters", parameters / 1e6);
        found
            .in_row(row, Metric::MemoryMib.key(), message, "less than the weights take")
            .help("is it in GiB?")
            .rests_on(EntityKind::Network, measurement.text(Field::Network), "parameters-m");
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
            .help("another precision, more devices, or a network of another size")
            .rests_on(EntityKind::Device, measurement.text(Field::Device), "memory-gib")
            .rests_on(EntityKind::Network, measurement.text(Field::Network), "parameters-m");
    }
}

const MIB_PER_GIB: f64 = 1024.0;

/// Sources round, and take GB for GiB.
const SLACK: f64 = 1.08;

const BYTES_PER_MIB: f64 = 1024.0 * 1024.0;

/// Quantised to four bits, and some of them left on the host.
const LEAST_BYTES: f64 = 0.3;

/// Parameters of the network, as a number.
fn parameters(context: &LintContext<'_>, measurement: &Measurement) -> Option<f64> {
    let network = context.loaded.catalog.networks.get(measurement.text(Field::Network)?)?;
    Some(network.parameters_m?.value() * 1e6)
}

/// GiB of the weights, and of the gradients in training.
fn weights(context: &LintContext<'_>, measurement: &Measurement) -> Option<f64> {
    let network = context.loaded.catalog.networks.get(measurement.text(Field::Network)?)?;
    let bytes = bytes_of_a_weight(measurement)?;
    let copies = if measurement.stage() == Some(Stage::Train) { 2.0 } else { 1.0 };
    Some(network.parameters_m?.value() * 1e6 * bytes * copies / (MIB_PER_GIB * MIB_PER_GIB * MIB_PER_GIB))
}

/// Bytes of one weight: it may be kept in another format than the one that is computed in. `None` where the row states no
/// format, or one whose size is not known here, such as a GGUF type.
fn bytes_of_a_weight(measurement: &Measurement) -> Option<f64> {
    Some(match measurement.text(Field::WeightFormat) {
        Some(format) => bytes_of(format.parse().ok()?),
        None => bytes_of(measurement.precision()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

    fn row(fields: &[(Field, &str)]) -> Measurement {
        let fields = fields.iter().map(|&(field, text)| (field, Value::Text(text.into())));
        Measurement::new("x".parse().unwrap(), fields.collect(), Default::default())
    }

    #[test]
    fn weights_take_what_the_format_takes_in_which_they_are_kept() {
        let computed = (Field::Precision, "fp16");
        assert_eq!(bytes_of_a_weight(&row(&[computed])), Some(2.0));
        assert_eq!(bytes_of_a_weight(&row(&[computed, (Field::WeightFormat, "int4")])), Some(0.5));
        assert_eq!(bytes_of_a_weight(&row(&[computed, (Field::WeightFormat, "q4_k_m")])), None, "of no known size");
        assert_eq!(bytes_of_a_weight(&row(&[])), None);
    }
}
