//! Finds metrics of a row that contradict each other, and energies that are not power times time.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Metric, NumberFormat, Severity};
use crate::values::{Counted, EntityKind, Precision};

pub(in crate::contribute) const METRICS_CONTRADICT: Rule = Rule {
    code: Code::new(315),
    title: "metrics of a row that contradict each other",
    severity: Severity::Error,
    page: "A whole training takes as long as its epochs, throughput over power is items for a joule, the rate of a device times the devices of its stage that of all, accuracy and error rate are one together, the rate of operations is the peak times the utilisation, an epoch at the row's throughput is about the size of its data set; a run that stops at an accuracy has reached it, and hardly more; a cost is a time at the price of a machine; an answer takes as long as its first token and the others, and tokens a second times the time of one are no more requests than there are at once. Where a row states both sides, they agree within rounding and pauses; a ratio states what it is relative to.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "accuracy = 0.759",
        "accuracy = 0.759\nerror-rate = 0.759",
    ),
    check: Check::Claim(find_metrics_contradict),
};

/// Tolerated factor between the two sides, for pauses, rounding and different measurement points.
const PAUSES: f64 = 1.6;

/// By Little's law, rate times time per token is the number of concurrent requests; no correct row exceeds it by more.
const AT_ONCE: f64 = 1.15;

/// Maximum ratio of an answer's time to the sum of the times of its first and further tokens.
const OF_PARTS: f64 = 2.5;

/// Maximum ratio between the rate of a device times their number and the rate of all, both rounded.
const ROUNDING: f64 = 1.06;

/// Tolerance for the sum of two shares, each rounded.
const SUM: std::ops::RangeInclusive<f64> = 0.97..=1.03;

/// Tolerance for a stated utilisation over the computed one: peaks are rounded, and the source may mean another SKU's peak.
const UTILISATION: std::ops::RangeInclusive<f64> = 0.7..=1.4;

fn find_metrics_contradict(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    served(row, found);
    let measurement = row.get();
    let metric = |metric| measurement.metric(metric).map(|value| value.value());
    if let (Some(target), Some(total), None) =
        (measurement.number(Field::AccuracyTarget), metric(Metric::TotalS), metric(Metric::TimeToAccuracyS))
    {
        let message = format!("{total} s until an accuracy of {target} are `time-to-accuracy-s`");
        found.in_row(row, Metric::TotalS.key(), message, "of the whole training, or until the accuracy?");
    }
    let mut tell = |a: Metric, b: Metric, message: String| {
        found.in_row(row, a.key(), message, format!("contradicts `{b}`")).beside([b.key().into()], "with this");
    };
    let epochs = measurement.count(Field::Epochs).unwrap_or(1) as f64;
    if let (Some(epoch), Some(total)) = (metric(Metric::EpochS), metric(Metric::TotalS))
        && total * PAUSES < epoch * epochs
    {
        tell(Metric::EpochS, Metric::TotalS, format!("{epochs} epochs of {epoch} s take no {total} s"));
    } else if let (Some(epoch), Some(total), Some(_)) =
        (metric(Metric::EpochS), metric(Metric::TotalS), measurement.count(Field::Epochs))
        && total > epoch * epochs * PAUSES * 4.0
    {
        tell(Metric::EpochS, Metric::TotalS, format!("{epochs} epochs of {epoch} s are far from {total} s"));
    }
    if let (Some(ratio), Some(power), Some(rate)) =
        (metric(Metric::ItemsPerJoule), metric(Metric::PowerW), metric(Metric::ThroughputPerS))
        && !(1.0 / PAUSES..=PAUSES).contains(&(ratio * power / rate))
    {
        tell(
            Metric::ItemsPerJoule,
            Metric::PowerW,
            format!("{rate} a second at {power} W are {:.3} a joule, no {ratio}", rate / power),
        );
    }
    if let (Some(all), Some(each), Some(devices)) = (
        metric(Metric::ThroughputPerS),
        metric(Metric::DeviceThroughputPerS),
        measurement.devices_of_stage().map(|devices| devices as f64),
    ) && !(1.0 / ROUNDING..=ROUNDING).contains(&(each * devices / all))
    {
        tell(
            Metric::DeviceThroughputPerS,
            Metric::ThroughputPerS,
            format!("{each} a second on each of {devices} devices are not {all}"),
        );
    }
    if let (Some(right), Some(wrong)) = (metric(Metric::Accuracy), metric(Metric::ErrorRate))
        && !SUM.contains(&(right + wrong))
        && right <= 1.0
        && wrong <= 1.0
    {
        tell(Metric::ErrorRate, Metric::Accuracy, format!("{right} right and {wrong} wrong are not all"));
    }
    let dataset = measurement.text(Field::Dataset).and_then(|id| context.loaded.catalog.datasets.get(id));
    if let (Some(epoch), Some(rate), Some(size)) =
        (metric(Metric::EpochS), metric(Metric::ThroughputPerS), dataset.and_then(|dataset| dataset.train_size))
        && !(0.2..=5.0).contains(&(epoch * rate / size as f64))
    {
        tell(
            Metric::EpochS,
            Metric::ThroughputPerS,
            format!("{rate} a second for {epoch} s are not an epoch of {size} samples"),
        );
    }
    if let (Some(epoch), Some(latency)) = (metric(Metric::EpochS), metric(Metric::LatencyMs))
        && epoch * 1000.0 * PAUSES < latency
    {
        let message = format!("an epoch of {epoch} s holds no batch of {latency} ms");
        found
            .in_row(row, Metric::EpochS.key(), message, format!("contradicts `{}`", Metric::LatencyMs))
            .beside([Metric::LatencyMs.key().into()], "with this");
    }
    let format = match measurement.precision() {
        Some(Precision::Fp16 | Precision::AmpFp16) => Some(NumberFormat::Fp16Tensor),
        Some(Precision::Bf16 | Precision::AmpBf16) => Some(NumberFormat::Bf16Tensor),
        _ => None,
    };
    if let (Some(share), Some(gflops)) = (metric(Metric::Mfu), metric(Metric::DeviceGflops))
        && let Some(limits) = measurement.text(Field::Device).and_then(|device| context.limits.get(device))
        && let Some((peak, format)) = format.and_then(|format| Some((limits.rate(format)?, format)))
        && !UTILISATION.contains(&(gflops / 1000.0 / peak / share))
    {
        let message = format!("{gflops} GFLOP/s of {peak} TFLOP/s are not a share of {share}");
        found
            .in_row(row, Metric::Mfu.key(), message, format!("contradicts `{}`", Metric::DeviceGflops))
            .beside([Metric::DeviceGflops.key().into()], "with this")
            .rests_on(
                EntityKind::Device,
                measurement.text(Field::Device),
                format!("peak-tflops.{}", <&str>::from(format)),
            );
    }
    target(row, found);
    cost(row, found);
    for ratio in [Metric::Speedup, Metric::EfficiencyRatio] {
        if measurement.metric(ratio).is_some() && measurement.text(Field::Baseline).is_none() {
            found.in_row(row, ratio.key(), format!("`{ratio}` without `baseline`"), "relative to what?");
        }
    }
}

/// Reports token times that contradict the time of the answer or the number of concurrent requests.
fn served(row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let metric = |metric| measurement.metric(metric).map(|value| value.value());
    let count = |field| measurement.count(field).map(|count| count as f64);
    let each = metric(Metric::TimePerOutputTokenMs).or_else(|| metric(Metric::InterTokenLatencyMs));
    if let (Some(rate), Some(each), Some(at_once), Some(Counted::Token)) =
        (metric(Metric::ThroughputPerS), each, count(Field::Concurrency), measurement.counts())
        && rate * each / 1e3 > at_once * AT_ONCE
    {
        let message = format!(
            "{rate} tokens a second, {each} ms for each, are {:.0} requests at once, not {at_once}",
            rate * each / 1e3
        );
        found
            .in_row(row, Field::Concurrency.key(), message, "more than there are")
            .beside([Metric::ThroughputPerS.key().into()], "or this");
    }
    let any_of = |metrics: &[Metric]| metrics.iter().find_map(|of| metric(*of));
    if let (Some(whole), Some(first), Some(each), Some(tokens)) = (
        any_of(&[Metric::LatencyMs, Metric::MeanLatencyMs]),
        any_of(&[Metric::TimeToFirstTokenMs, Metric::MedianTimeToFirstTokenMs]),
        each.or_else(|| any_of(&[Metric::MedianTimePerOutputTokenMs, Metric::MedianInterTokenLatencyMs])),
        count(Field::OutputLength),
    ) && !(1.0 / OF_PARTS..=OF_PARTS).contains(&((first + (tokens - 1.0) * each) / whole))
    {
        let message =
            format!("{first} ms to the first of {tokens} tokens and {each} ms for each further one are not {whole} ms");
        found
            .in_row(row, Field::OutputLength.key(), message, "contradicts the times")
            .beside([Field::InputLength.key().into()], "exchanged with this?");
    }
}

/// Reports an accuracy that misses its target: training until an accuracy is reached stops there.
fn target(row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let (Some(target), Some(reached)) =
        (measurement.number(Field::AccuracyTarget), measurement.metric(Metric::Accuracy))
    else {
        return;
    };
    let (target, reached) = (target.value(), reached.value());
    let told = match reached {
        _ if !(0.0..1.0).contains(&reached) || !(0.0..1.0).contains(&target) => return,
        _ if reached < target => "below the target",
        _ if (1.0 - target) / (1.0 - reached) > FAR_ABOVE => "far above the target",
        _ => return,
    };
    let message = format!("an accuracy of {reached} where {target} was asked for");
    found
        .in_row(row, Metric::Accuracy.key(), message, told)
        .beside([Field::AccuracyTarget.key().into()], "what was asked for");
}

/// A run ends at the first evaluation that reaches its target, so its error is not smaller than the allowed one by this factor.
const FAR_ABOVE: f64 = 2.0;

/// Checks a cost, which is a time multiplied by a price.
fn cost(row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let metric = |metric| measurement.metric(metric).map(|value| value.value());
    let seconds = metric(Metric::TotalS)
        .or_else(|| metric(Metric::TimeToAccuracyS))
        .or_else(|| Some(metric(Metric::LatencyMs)? / 1000.0));
    let price = measurement.number(Field::PriceUsdPerHour).map(|price| price.value() / measurement.devices() as f64);
    if let Some(price) = price.filter(|price| !(LEAST_A_MACHINE_HOUR..=MOST_AN_HOUR).contains(price)) {
        let message = format!("an hour of each device costs {price:.4} dollars");
        found.in_row(row, Field::PriceUsdPerHour.key(), message, "is it in dollars, for all devices?");
    }
    let (Some(cost), Some(seconds)) = (metric(Metric::CostUsd), seconds) else { return };
    let an_hour = cost / (seconds / 3600.0) / measurement.devices() as f64;
    if cost > 0.0 && !(LEAST_AN_HOUR..=MOST_AN_HOUR).contains(&an_hour) {
        let message = format!("{cost} dollars for {seconds} s are {an_hour:.4} an hour for each device");
        found.in_row(row, Metric::CostUsd.key(), message, "is it in dollars?");
    }
}

/// Maximum price of a device hour; the most expensive accelerators cost about 15 dollars on demand.
const MOST_AN_HOUR: f64 = 40.0;

/// Minimum price of a device hour for machines with a stated price; no price in the repository comes near it.
const LEAST_A_MACHINE_HOUR: f64 = 0.03;

/// Minimum price of a device hour; the cheapest cloud machines cost about one cent.
const LEAST_AN_HOUR: f64 = 0.005;

pub(in crate::contribute) const ENERGY_OF_POWER: Rule = Rule {
    code: Code::new(417),
    title: "an energy that is not power times time",
    severity: Severity::Error,
    page: "Energy is mean power times time: 60 s at 280 W are 16,800 J. Where a row states all three, they agree within what meters and pauses explain. Where it states no power, its energy over its time is a power that its devices can draw: neither many times their limit nor less than an idle board. Programs report mJ, Wh and kWh under the name of J; the help names the unit that would explain the factor.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "latency-ms = 20.0\nmemory-mib = 12000\npower-w = 230\n",
        "latency-ms = 20.0\ntotal-s = 60\nmemory-mib = 12000\npower-w = 230\nenergy-j = 13800000\n",
    ),
    check: Check::Claim(find_energy_of_power),
};

/// Maximum power of the whole machine over its devices' limit: the rest draws about as much again, around small devices more.
const MACHINE: f64 = 20.0;

/// Tolerance: board partners' cards may draw a fifth more than the reference, and meters err.
const SLACK: f64 = 1.3;

/// Minimum share of its power limit that even an idle board draws.
const LEAST: f64 = 0.02;

/// Units that are mistaken for joules, with their size in joules.
const UNITS: &[(f64, &str)] =
    &[(1e-6, "µJ"), (1e-3, "mJ"), (3.6, "mWh"), (1e3, "kJ"), (3600.0, "Wh"), (1e6, "MJ"), (3.6e6, "kWh")];

/// Tolerance for attributing a factor to a unit.
const NEAR: f64 = 1.6;

/// An energy and the time during which it was drawn, with their metrics.
struct Drawn {
    energy: Metric,
    joules: f64,
    beside: Metric,
    seconds: f64,
    share: Share,
}

/// How the energy relates to power times the time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    Whole,
    /// The energy may be larger, because it covers several batches.
    AtLeast,
    /// The energy may be smaller, because several requests share the time.
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

fn find_energy_of_power(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
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
        // A row with several devices may state the energy of a single one.
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

/// The mistake that explains an energy that is `ratio` times power times time.
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

/// Formats a number with three significant digits.
fn short(value: f64) -> String {
    let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

/// Formats a number without a long fraction.
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
