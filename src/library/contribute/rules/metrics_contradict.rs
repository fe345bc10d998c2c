//! Metrics of a row that contradict each other.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Metric, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(315),
    title: "metrics of a row that contradict each other",
    severity: Severity::Error,
    page: "A whole training takes as long as its epochs, throughput over power is items for a joule, the rate of a device times the devices of its stage that of all, accuracy and error rate are one together, an epoch at the row's throughput is about the size of its data set; a run that stops at an accuracy has reached it, and hardly more; a cost is a time at the price of a machine. Where a row states both sides, they agree within rounding and pauses; a ratio states what it is relative to.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "accuracy = 0.759",
        "accuracy = 0.759\nerror-rate = 0.759",
    ),
    check: Check::Claim(find),
};

/// Factors between the two sides that pauses, rounding and another place of the meter explain.
const PAUSES: f64 = 1.6;
/// The rate of a device and that of all, each rounded.
const ROUNDING: f64 = 1.06;
/// A sum of two shares, rounded.
const SUM: std::ops::RangeInclusive<f64> = 0.97..=1.03;

fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let metric = |metric| measurement.metric(metric).map(|value| value.value());
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
            format!("{rate} a second for {epoch} s are no epoch of {size} samples"),
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
    target(row, found);
    cost(row, found);
    for ratio in [Metric::Speedup, Metric::EfficiencyRatio] {
        if measurement.metric(ratio).is_some() && measurement.text(Field::Baseline).is_none() {
            found.in_row(row, ratio.key(), format!("`{ratio}` without `baseline`"), "relative to what?");
        }
    }
}

/// Who trains until an accuracy is reached stops there.
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

/// A run ends at the first evaluation that reaches its target: no error is half as large as allowed.
const FAR_ABOVE: f64 = 2.0;

/// A cost is a time multiplied by a price.
fn cost(row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let metric = |metric| measurement.metric(metric).map(|value| value.value());
    let seconds = metric(Metric::TotalS)
        .or_else(|| metric(Metric::TimeToAccuracyS))
        .or_else(|| Some(metric(Metric::LatencyMs)? / 1000.0));
    let (Some(cost), Some(seconds)) = (metric(Metric::CostUsd), seconds) else { return };
    let an_hour = cost / (seconds / 3600.0) / measurement.devices() as f64;
    if cost > 0.0 && !(LEAST_AN_HOUR..=MOST_AN_HOUR).contains(&an_hour) {
        let message = format!("{cost} dollars for {seconds} s are {an_hour:.4} an hour for each device");
        found.in_row(row, Metric::CostUsd.key(), message, "is it in dollars?");
    }
}

/// The dearest accelerators cost about 15 dollars an hour on demand.
const MOST_AN_HOUR: f64 = 40.0;
/// The cheapest machines of a cloud about one cent.
const LEAST_AN_HOUR: f64 = 0.005;
