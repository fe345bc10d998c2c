//! A rate or a traffic beyond what the device has.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Metric, Severity};
use crate::values::{EntityKind, HardwareClass, Precision};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(409),
    title: "a rate beyond what the device has",
    severity: Severity::Error,
    page: "`gflops` stays below the highest peak of the device (of all devices together), `bandwidth-gb-per-s` below its memory's. More is another unit: MB/s, MFLOP/s, FLOP/s.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "accuracy = 0.759",
        "accuracy = 0.759\nbandwidth-gb-per-s = 90000",
    ),
    check: Check::Claim(find),
};

fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let Some(device) = measurement.text(Field::Device).and_then(|id| context.loaded.catalog.devices.get(id)) else {
        return;
    };
    let limits = context.limits.get(device.id.as_str());
    // Where the entry says nothing, what no device of its class has.
    let plain = matches!(measurement.precision(), None | Some(Precision::Fp32 | Precision::Fp64));
    let (rate, bandwidth) = match device.class {
        HardwareClass::Cpu if plain => (5e4, 1e4),
        HardwareClass::Cpu => (1e6, 1e4),
        _ if plain => (1e6, 1e5),
        _ => (1e8, 1e5),
    };
    let devices = measurement.devices() as f64;
    let most = [
        (
            Metric::Gflops,
            limits.and_then(|l| l.highest_peak()).map_or(rate, |peak| peak * 1e3),
            "10^9 operations a second",
            "peak-tflops",
        ),
        (
            Metric::BandwidthGbPerS,
            limits.and_then(|l| l.bandwidth).unwrap_or(bandwidth),
            "10^9 bytes a second",
            "bandwidth-gb-per-s",
        ),
    ];
    for (metric, most, unit, fact) in most {
        let Some(value) = measurement.metric(metric) else { continue };
        if value.value() > most * devices * CACHED {
            let message = format!("`{metric}` is {value}, the device has {:.0}", most * devices);
            found
                .in_row(row, metric.key(), message, "more than the device has")
                .help(format!("it is in {unit}"))
                .rests_on(EntityKind::Device, measurement.text(Field::Device), fact);
        }
    }
}

/// Caches serve a part of the traffic, and boards run above their nominal clock.
const CACHED: f64 = 1.5;
