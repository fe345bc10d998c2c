//! A throughput that contradicts latency and batch.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::physics::{forward_passes, is_one_image, items_per_second};
use crate::model::{Code, Metric, Severity};
use crate::values::{Scenario, Stage};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(406),
    title: "a throughput that contradicts latency and batch",
    severity: Severity::Error,
    page: "One batch after another gives batch / latency items a second. A row that states all three must agree, within what rounding and overlapped input allow; where several batches are on their way at once (a server, several streams), more comes out, never less.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", "2064.5", "206.45"),
    check: Check::Claim(find),
};
fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let metric = |metric| measurement.metric(metric).map(|value| value.value());
    let (Some(latency), Some(throughput)) = (metric(Metric::LatencyMs), metric(Metric::ThroughputPerS)) else { return };
    // Tokens come one after the other; percentiles are not the mean.
    if !measurement.counts().is_some_and(is_one_image)
        || measurement.scenario().is_some_and(|scenario| scenario != Scenario::SingleStream)
        || matches!(measurement.stage(), Some(Stage::Prefill | Stage::Decode))
    {
        return;
    }
    let Some(batch) = measurement.items_in_batch() else { return };
    let Some(implied) = items_per_second(batch, latency) else { return };
    let batch = batch as f64;
    let ratio = throughput / implied;
    if (LEAST..=MOST).contains(&ratio) {
        return;
    }
    let message = format!("{throughput} items a second, where a batch of {batch} in {latency} ms makes {implied:.1}");
    let finding = found.in_row(row, Metric::ThroughputPerS.key(), message, "contradicts latency and batch");
    let near = |factor: f64| (0.8..1.25).contains(&(ratio * factor));
    let devices = measurement.devices() as f64;
    let slip = if batch > 1.0 && near(batch) {
        Some("the throughput counts batches, or the latency is that of one item")
    } else if batch > 1.0 && near(1.0 / batch) {
        Some("the latency is per item, not per batch")
    } else if near(1000.0) || near(1e-3) {
        Some("seconds were taken for milliseconds")
    } else if near(forward_passes(Stage::Backward)) || near(forward_passes(Stage::Train)) {
        Some("one is for the forward pass, the other for forward and backward")
    } else if devices > 1.0 && (near(devices) || near(1.0 / devices)) {
        Some("one is for one device, the other for all")
    } else {
        None
    };
    if let Some(slip) = slip {
        finding.help(format!("this would explain it: {slip}"));
    }
}

/// Loading and waiting between batches cost at most this share.
const LEAST: f64 = 0.45;
/// Batches that overlap give at most so many times more.
const MOST: f64 = 4.0;
