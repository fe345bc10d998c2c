//! A unit that is not that of the scenario.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Metric, Severity};
use crate::values::{Counted, Scenario};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(318),
    title: "a unit that is not that of the scenario",
    severity: Severity::Warning,
    page: "MLPerf's inference rules give each scenario its metric: offline samples a second, server and interactive queries (or tokens) a second that meet a latency, single stream and multi-stream the latency that 90 or 99 % of the queries keep. A row with the unit of another scenario is of that scenario, or its value is of another metric.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "batch-size = 16\nlatency-ms = 20.0",
        "scenario = \"offline\"\nstatistic = \"p99\"\nlatency-ms = 20.0",
    ),
    check: Check::Claim(find),
};

fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let Some(scenario) = measurement.scenario() else { return };
    let has = |metric| measurement.metric(metric).is_some();
    let is_query = measurement.counts() == Some(Counted::Query);
    let is_percentile = measurement.text(Field::Statistic).is_some_and(|statistic| statistic.starts_with('p'));
    let is_of_rules = measurement.text(Field::Division).is_some() || is_percentile;
    let rate = has(Metric::ThroughputPerS);
    let latency = has(Metric::LatencyMs);
    let told = match scenario {
        Scenario::Offline if rate && is_query => {
            (Field::Counts.key(), "queries a second are the unit of the server scenario; offline counts samples")
        }
        Scenario::Offline if latency && !rate && is_of_rules => (
            Metric::LatencyMs.key(),
            "a latency is the metric of single stream and multi-stream; offline has a throughput",
        ),
        Scenario::Server | Scenario::Interactive if latency && !rate && is_of_rules => (
            Metric::LatencyMs.key(),
            "a latency is the metric of single stream and multi-stream; a server has a throughput",
        ),
        Scenario::SingleStream | Scenario::MultiStream
            if rate
                && !latency
                && measurement.counts().is_some_and(|counts| matches!(counts, Counted::Sample | Counted::Query)) =>
        {
            (Metric::ThroughputPerS.key(), "a throughput is the metric of offline and server; a stream has a latency")
        }
        _ => return,
    };
    let (key, message) = told;
    found
        .in_row(row, key, format!("`{scenario}`: {message}"), "of another scenario?")
        .beside([Field::Scenario.key().into()], "the scenario");
}
