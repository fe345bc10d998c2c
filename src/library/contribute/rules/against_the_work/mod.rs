//! A column that runs against the work of its networks, or against the strength of its devices, and rows in it that do.

mod exchanged;
mod turned;

use std::collections::BTreeMap;
use std::ffi::OsStr;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Metric, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(413),
    title: "a column that runs against the work",
    severity: Severity::Error,
    page: "In a file with many networks, a larger one takes longer: latencies rise with multiply-adds times batch, throughputs fall with multiply-adds. The rule compares their order (Spearman's rank correlation) over the file. Where it is turned round, latencies stand under throughput or the other way, or the names are shifted against the values. So they are where, of the pairs of rows that differ in a device or a number format of another peak, or in the stage only, nearly every one has the weaker row ahead. A row that states both latency and throughput and does many times more or less work a second than the others of its file, but with its two values exchanged about as much as they, has them in each other's place: with the batch they agree either way.",
    sample: Sample::edited("measurements/imagined-2018/many.toml", "\"latency-ms\"", "\"throughput-per-s\""),
    check: Check::Rows(find),
};

/// A file has at least so many rows, and works that differ so many times.
const FEWEST: usize = 12;
const WIDTH: f64 = 4.0;
/// A correlation of files as they are is above 0.
const TURNED: f64 = -0.25;

/// The rows of each file: index, work, value.
type Files<'l> = BTreeMap<&'l OsStr, Vec<(usize, f64, f64)>>;

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let mut by_metric = [Metric::LatencyMs, Metric::ThroughputPerS].map(|metric| (metric, Files::new()));
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let Some(work) = work(context, measurement) else { continue };
        for (metric, files) in &mut by_metric {
            let Some(value) = measurement.metric(*metric) else { continue };
            let batch = measurement.count(Field::BatchSize).unwrap_or(1) as f64;
            let done = if *metric == Metric::LatencyMs { work * batch } else { 1.0 / work };
            files.entry(row.file().path.as_os_str()).or_default().push((at, done, value.value()));
        }
    }
    for (metric, _) in &by_metric {
        turned::find(context, *metric, found);
    }
    exchanged::find(context, |measurement| work(context, measurement), found);
    for (metric, files) in by_metric {
        for rows in files.into_values().filter(|rows| rows.len() >= FEWEST) {
            let done: Vec<f64> = rows.iter().map(|(_, done, _)| *done).collect();
            let values: Vec<f64> = rows.iter().map(|(.., value)| *value).collect();
            let (least, most) = done.iter().fold((f64::MAX, 0.0f64), |(a, b), x| (a.min(*x), b.max(*x)));
            let correlation = rank_correlation(&done, &values);
            if most < least * WIDTH || correlation.is_none_or(|correlation| correlation > TURNED) {
                continue;
            }
            let at = rows[0].0;
            let message = format!(
                "over {} rows `{metric}` runs against the networks' multiply-adds (rank correlation {:.2})",
                rows.len(),
                correlation.unwrap_or_default()
            );
            found.in_row(
                &IndexedRow { at, row: &context.loaded.rows[at] },
                metric.key(),
                message,
                "another metric, or shifted rows?",
            );
        }
    }
}

/// Multiply-adds of one sample, 10^9; none where the sample is not the network's own.
fn work(context: &LintContext<'_>, measurement: &Measurement) -> Option<f64> {
    let network = context.loaded.catalog.networks.get(measurement.text(Field::Network)?)?;
    let own = network.input_shape.as_ref();
    let shape = measurement.input_shape();
    let usual = shape.is_none() || own.is_none() || shape.as_ref() == own;
    let claimed = usual && context.is_claimed(measurement);
    network.multiply_adds_g.map(|work| work.value()).filter(|work| *work > 0.0 && claimed)
}

/// Spearman's rank correlation; none where all of one side are equal.
fn rank_correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let sum = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let spread = (sum(&a, &a) * sum(&b, &b)).sqrt();
    (spread > 0.0).then(|| sum(&a, &b) / spread)
}

/// The place of each value in the order, the same for equal ones.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let mut end = start;
        while end + 1 < order.len() && values[order[end + 1]] == values[order[start]] {
            end += 1;
        }
        for at in &order[start..=end] {
            ranks[*at] = (start + end) as f64 / 2.0;
        }
        start = end + 1;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_compared_with_ties() {
        assert_eq!(rank_correlation(&[1.0, 2.0, 3.0], &[10.0, 20.0, 30.0]), Some(1.0));
        assert_eq!(rank_correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), Some(-1.0));
        assert_eq!(rank_correlation(&[1.0, 1.0, 1.0], &[3.0, 2.0, 1.0]), None);
        assert_eq!(ranks(&[5.0, 1.0, 5.0]), [1.5, 0.0, 1.5]);
    }
}
