//! More power than the board may draw.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Metric, Severity};
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(405),
    title: "more power than the board may draw, or hardly any",
    severity: Severity::Warning,
    page: "The mean power of a run stays below the thermal design power of its devices. More is the power of the whole machine (say so in `metered`: `host` or `wall`), of more devices than the row states, or of another card. A device that computes draws more than a fiftieth of it: less is in kW.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "230", "420"),
    check: Check::Claim(find),
};
fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let Some(power) = measurement.metric(Metric::PowerW) else { return };
    let limits = measurement.text(Field::Device).and_then(|device| context.limits.get(device));
    let Some(limit) = limits.and_then(|limits| limits.tdp_w) else { return };
    let devices = measurement.devices() as f64;
    if power.value() < limit * LEAST {
        let message = format!("{power} W where one device may draw {limit} W");
        found
            .in_row(row, Metric::PowerW.key(), message, "less than an idle board draws")
            .help("is it in kW?")
            .rests_on(EntityKind::Device, measurement.text(Field::Device), "tdp-w");
    }
    // The machine around the devices draws what it draws.
    let of_machine = matches!(measurement.text(Field::Metered), Some("host" | "wall"));
    if !of_machine && power.value() > limit * devices * SLACK {
        let message = format!("{power} W where {devices} x {limit} W are the limit");
        found
            .in_row(row, Metric::PowerW.key(), message, "above the board's limit")
            .help("power of the whole machine, or of more devices?")
            .rests_on(EntityKind::Device, measurement.text(Field::Device), "tdp-w");
    }
}

/// An idle board draws more than this share of its limit.
const LEAST: f64 = 0.02;

/// Meters err by a few per cent, and boards of other makers than the chip's may draw a fifth more.
const SLACK: f64 = 1.2;
