//! A value in another unit than its file.

use std::collections::BTreeMap;
use std::path::Path;

use crate::contribute::lint::{Check, Findings, IndexedRow, LintContext, Rule, Sample, nearest_factors};
use crate::model::{Code, Metric, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(414),
    title: "a value in another unit than its file",
    severity: Severity::Warning,
    page: "Memory, power, energy, cost and long times of one file lie close to each other: the nearest other value is less than twenty times as much. One that is farther off is in GiB among MiB, in cents among dollars, in minutes or in mW.",
    sample: Sample::edited("measurements/imagined-2018/epochs.toml", "300]", "5.0]"),
    check: Check::Rows(find),
};

/// What is compared within a file: rates and latencies span more, and have rules of their own.
const METRICS: &[Metric] = &[
    Metric::MemoryMib,
    Metric::PowerW,
    Metric::CostUsd,
    Metric::EnergyJ,
    Metric::EpochS,
    Metric::TotalS,
    Metric::TimeToAccuracyS,
    Metric::Gflops,
    Metric::BandwidthGbPerS,
    Metric::ItemsPerJoule,
];

/// The nearest other value of a file is never so many times off in the repository's knowledge base.
const FAR: f64 = 20.0;
/// Fewer values are no company.
const FEWEST: usize = 5;

fn find(context: &LintContext<'_>, found: &mut Findings) {
    for metric in METRICS {
        let mut files: BTreeMap<&Path, Vec<(usize, f64)>> = BTreeMap::new();
        for (at, row) in context.loaded.rows.iter().enumerate() {
            let value = row.get().metric(*metric).map(|value| value.value()).filter(|value| *value > 0.0);
            if let Some(value) = value.filter(|_| context.is_claimed(row.get())) {
                files.entry(&row.file().path).or_default().push((at, value));
            }
        }
        for rows in files.into_values().filter(|rows| rows.len() >= FEWEST) {
            let values: Vec<f64> = rows.iter().map(|(_, value)| *value).collect();
            for ((at, value), factor) in rows.iter().zip(nearest_factors(&values)) {
                if factor > FAR {
                    let row = IndexedRow { at: *at, row: &context.loaded.rows[*at] };
                    let message = format!("`{metric}` is {value}, {factor:.0} times off the nearest of its file");
                    found.in_row(&row, metric.key(), message, "in another unit?");
                }
            }
        }
    }
}
