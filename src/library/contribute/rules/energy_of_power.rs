//! An energy that is not power times time, or that the board cannot draw.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(417),
    title: "an energy that is not power times time",
    severity: Severity::Error,
    page: "Energy is mean power times time: 60 s at 280 W are 16,800 J. Where a row states all three, they agree within what meters and pauses explain. Where it states no power, its energy over its time is a power that its devices can draw: neither many times their limit nor less than an idle board. Programs report mJ, Wh and kWh under the name of J; the help names the unit that would explain the factor.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "latency-ms = 20.0\nmemory-mib = 12000\npower-w = 230\n",
        "latency-ms = 20.0\ntotal-s = 60\nmemory-mib = 12000\npower-w = 230\nenergy-j = 13800000\n",
    ),
    check: Check::Claim(find),
};

/// Pauses, idle time and another place of the meter explain such a factor.
const PAUSES: f64 = 1.6;
/// The machine around the devices draws as much again, and more around small ones.
const MACHINE: f64 = 20.0;
/// Boards of other makers than the chip's may draw a fifth more, and meters err.
const SLACK: f64 = 1.3;
/// An idle board draws more than this share of its limit.
const LEAST: f64 = 0.02;

/// Units that stand for joules by mistake: how many joules each is.
const UNITS: &[(f64, &str)] =
    &[(1e-6, "µJ"), (1e-3, "mJ"), (3.6, "mWh"), (1e3, "kJ"), (3600.0, "Wh"), (1e6, "MJ"), (3.6e6, "kWh")];
/// A factor is the unit's within this.
const NEAR: f64 = 1.6;

/// An energy and the time in which it was drawn, by their metrics.
struct Drawn {
    energy: Metric,
    joules: f64,
    beside: Metric,
    seconds: f64,
    share: Share,
}

/// How the energy relates to power times this time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    Whole,
    /// It may be more: of several batches.
    AtLeast,
    /// It may be less: several requests share the time.
    AtMost,
}

fn drawn(measurement: &Measurement) -> Vec<Drawn> {
    let metric = |metric| measurement.metric(metric).map(|value| value.value()).filter(|value| *value > 0.0);
    let mut all = Vec::new();
    if let Some(joules) = metric(Metric::EnergyJ) {
        for (beside, each, share) in [
            (Metric::TotalS, 1.0, Share::Whole),
            (Metric::TimeToAccuracyS, 1.0, Share::Whole),
            (Metric::EpochS, 1.0, Share::AtLeast),
            (Metric::LatencyMs, 1e-3, Share::AtLeast),
        ] {
            if let Some(time) = metric(beside) {
                all.push(Drawn { energy: Metric::EnergyJ, joules, beside, seconds: time * each, share });
                break;
            }
        }
    }
    let an_item = metric(Metric::EnergyPerItemJ);
    if let (Some(joules), Some(rate)) = (an_item, metric(Metric::ThroughputPerS)) {
        let seconds = 1.0 / rate;
        let beside = Metric::ThroughputPerS;
        all.push(Drawn { energy: Metric::EnergyPerItemJ, joules, beside, seconds, share: Share::Whole });
    }
    let of_request = metric(Metric::EnergyPerRequestJ);
    if let (Some(joules), Some(time)) = (of_request, metric(Metric::LatencyMs)) {
        let (energy, beside) = (Metric::EnergyPerRequestJ, Metric::LatencyMs);
        all.push(Drawn { energy, joules, beside, seconds: time / 1000.0, share: Share::AtMost });
    }
    all
}

fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let power = measurement.metric(Metric::PowerW).map(|value| value.value()).filter(|value| *value > 0.0);
    let device = measurement.text(Field::Device);
    let limit = device.and_then(|id| context.limits.get(id)).and_then(|limits| limits.tdp_w);
    let devices = measurement.devices() as f64;
    let of_machine = matches!(measurement.text(Field::Metered), Some("host" | "wall"));
    for Drawn { energy, joules, beside, seconds, share } in drawn(measurement) {
        let watts = joules / seconds;
        if let Some(power) = power {
            let ratio = watts / power;
            let too_little = ratio < 1.0 / PAUSES && share != Share::AtMost;
            let too_much = ratio > PAUSES && share != Share::AtLeast;
            if too_little || too_much {
                let message = format!(
                    "{} s at {power} W are {} J, not {}",
                    short(seconds),
                    short(power * seconds),
                    plain(joules)
                );
                let finding = found.in_row(row, energy.key(), message, "not power times time");
                let of_time = if beside == Metric::ThroughputPerS { "the rate" } else { "the time" };
                finding.beside([Metric::PowerW.key().into()], "the power").beside([beside.key().into()], of_time);
                if let Some(slip) = slip(ratio, devices) {
                    finding.help(format!("this would explain it: {slip}"));
                }
                continue;
            }
        }
        let Some(limit) = limit.map(|limit| limit * devices).filter(|_| power.is_none()) else { continue };
        let most = if of_machine { MACHINE } else { SLACK };
        // A row with several devices may state the energy of one.
        let least = LEAST / devices;
        let too_much = watts > limit * most && share != Share::AtLeast;
        let too_little = watts < limit * least && share != Share::AtMost;
        if too_much || too_little {
            let board = if devices > 1.0 { format!("{devices} devices") } else { "the device".to_owned() };
            let message = format!(
                "{} J in {} s are {} W, where {board} may draw {limit} W",
                plain(joules),
                short(seconds),
                plain(watts)
            );
            let label = if too_much { "more than the device can draw" } else { "less than an idle device draws" };
            let finding = found.in_row(row, energy.key(), message, label);
            finding.beside([beside.key().into()], "the time").rests_on(EntityKind::Device, device, "tdp-w");
            let units: Vec<&str> = UNITS
                .iter()
                .filter(|(unit, _)| {
                    let in_unit = watts * unit;
                    in_unit <= limit * most && in_unit >= limit * LEAST
                })
                .map(|(_, name)| *name)
                .collect();
            if !units.is_empty() {
                finding.help(format!("this would explain it: the energy is in {}", units.join(" or ")));
            }
        }
    }
}

/// What makes an energy so many times as large as power times time.
fn slip(ratio: f64, devices: f64) -> Option<String> {
    let near = |factor: f64| (1.0 / NEAR..=NEAR).contains(&(ratio * factor));
    let by_unit: Vec<&str> = UNITS.iter().filter(|(unit, _)| near(*unit)).map(|(_, name)| *name).collect();
    if !by_unit.is_empty() {
        let time = if near(1e3) { ", or the time is in milliseconds" } else { "" };
        return Some(format!("the energy is in {}, not J{time}", by_unit.join(" or ")));
    }
    let of_one = devices > 1.0 && (near(devices) || near(1.0 / devices));
    of_one.then(|| "one is for one device, the other for all".to_owned())
}

/// A number to three digits.
fn short(value: f64) -> String {
    let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

/// A number without a long tail.
fn plain(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { short(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_names_the_unit_that_explains_it() {
        for (ratio, devices, told) in [
            (983.0, 1.0, Some("mJ")),
            (1.0 / 3600.0, 1.0, Some("Wh")),
            (1.0 / 3.6e6, 1.0, Some("kWh")),
            (1e-3, 1.0, Some("kJ, not J, or the time")),
            (8.0, 8.0, Some("one device")),
            (30.0, 1.0, None),
        ] {
            let slip = slip(ratio, devices);
            assert_eq!(slip.is_some(), told.is_some(), "{ratio}: {slip:?}");
            assert!(told.is_none_or(|told| slip.unwrap_or_default().contains(told)), "{ratio}");
        }
    }
}
