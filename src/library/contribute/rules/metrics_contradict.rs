//! Metrics of a row that contradict each other.

use crate::contribute::lint::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Metric, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(315),
    title: "metrics of a row that contradict each other",
    severity: Severity::Error,
    page: "A whole training takes as long as its epochs, throughput over power is items for a joule, accuracy and error rate are one together, an epoch at the row's throughput is about the size of its data set. Where a row states both sides, they agree within rounding and pauses; a ratio states what it is relative to.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "accuracy = 0.759",
        "accuracy = 0.759\nerror-rate = 0.759",
    ),
    check: Check::Claim(find),
};

/// Factors between the two sides that pauses, rounding and another place of the meter explain.
const PAUSES: f64 = 1.6;
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
    for ratio in [Metric::Speedup, Metric::EfficiencyRatio] {
        if measurement.metric(ratio).is_some() && measurement.text(Field::Baseline).is_none() {
            found.in_row(row, ratio.key(), format!("`{ratio}` without `baseline`"), "relative to what?");
        }
    }
}
