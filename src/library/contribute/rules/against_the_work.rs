//! Finds metric columns that run against their networks' work or devices' speed, and rows with exchanged values.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use crate::contribute::rule_interface::{
    AxisFields, Check, Findings, IndexedRow, LintContext, Neighbours, Rule, Sample, neighbours,
};
use crate::model::physics::items_per_second;
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::values::Stage;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(413),
    title: "a column that runs against the work",
    severity: Severity::Error,
    page: "In a file with many networks, a larger one takes longer: latencies rise with multiply-adds times batch, throughputs fall with multiply-adds. The rule compares their order (Spearman's rank correlation) over the file. Where it is turned round, latencies stand under throughput or the other way, or the names are shifted against the values. So they are where, of the pairs of rows that differ in a device or a number format of another peak, or in the stage only, nearly every one has the weaker row ahead. A row that states both latency and throughput and does many times more or less work a second than the others of its file, but with its two values exchanged about as much as they, has them in each other's place: with the batch they agree either way.",
    sample: Sample::edited("measurements/imagined-2018/many.toml", "\"latency-ms\"", "\"throughput-per-s\""),
    check: Check::Rows(find),
};

/// Minimum rows in a file, and minimum ratio between its largest and smallest work.
const FEWEST: usize = 12;

const WIDTH: f64 = 4.0;

/// Report a file below this rank correlation; correct files have one above 0.
const TURNED: f64 = -0.25;

/// The rows of each file: index, work and value.
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
        find_turned(context, *metric, found);
    }
    find_exchanged(context, |measurement| work(context, measurement), found);
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

/// Multiply-adds of one sample in 10^9; `None` if the input shape is not the network's own or the row is disputed.
fn work(context: &LintContext<'_>, measurement: &Measurement) -> Option<f64> {
    let network = context.loaded.catalog.networks.get(measurement.text(Field::Network)?)?;
    let own = network.input_shape.as_ref();
    let shape = measurement.input_shape();
    let usual = shape.is_none() || own.is_none() || shape.as_ref() == own;
    let claimed = usual && context.is_undisputed(measurement);
    network.multiply_adds_g.map(|work| work.value()).filter(|work| *work > 0.0 && claimed)
}

/// Spearman's rank correlation; `None` if all values of one side are equal.
fn rank_correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let sum = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let spread = (sum(&a, &a) * sum(&b, &b)).sqrt();
    (spread > 0.0).then(|| sum(&a, &b) / spread)
}

/// The rank of each value; equal values get the same rank.
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

/// Minimum rows in a file to tell what is usual.
const EXCHANGED_FEWEST: usize = 8;

/// A row is suspect if its work per second is this far off the file's median. Networks that hardly use a device do a tenth.
const FAR: f64 = 8.0;

/// Exchanging its two values must bring the row nearer by this factor; no correct row of any file reaches it.
const NEARER: f64 = 15.0;

/// A row: its index, and the logarithms of its work per second with its values as stated and exchanged.
struct Both {
    at: usize,
    own: f64,
    exchanged: f64,
}

/// Reports rows that fit their file only with latency and throughput exchanged; `work` returns a row's work, if known.
fn find_exchanged(context: &LintContext<'_>, work: impl Fn(&Measurement) -> Option<f64>, found: &mut Findings) {
    let mut files: BTreeMap<(&Path, Option<Stage>), Vec<Both>> = BTreeMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let value = |metric| measurement.metric(metric).map(|value| value.value()).filter(|value| *value > 0.0);
        let Some((latency, rate)) = value(Metric::LatencyMs).zip(value(Metric::ThroughputPerS)) else { continue };
        let Some(work) = work(measurement) else { continue };
        let both = Both { at, own: (rate * work).ln(), exchanged: (latency * work).ln() };
        files.entry((&row.file().path, measurement.stage())).or_default().push(both);
    }
    for rows in files.into_values().filter(|rows| rows.len() >= EXCHANGED_FEWEST) {
        let mut works: Vec<f64> = rows.iter().map(|row| row.own).collect();
        let middle = works.len() / 2;
        let usual = *works.select_nth_unstable_by(middle, f64::total_cmp).1;
        for Both { at, own, exchanged } in rows {
            if is_exchanged(own - usual, exchanged - usual) {
                let message = format!(
                    "{:.0} times off the work a second of the other rows, exchanged {:.1} times",
                    (own - usual).abs().exp(),
                    (exchanged - usual).abs().exp()
                );
                let row = IndexedRow { at, row: &context.loaded.rows[at] };
                found
                    .in_row(&row, Metric::ThroughputPerS.key(), message, "is this the time?")
                    .beside([Metric::LatencyMs.key().into()], "and this the throughput?");
            }
        }
    }
}

/// Whether a row fits only with its values exchanged. The arguments are logarithmic distances from the median.
fn is_exchanged(own: f64, exchanged: f64) -> bool {
    own.abs() > FAR.ln() && own.abs() - exchanged.abs() > NEARER.ln()
}

/// Fields that decide which of two rows is faster: a device or format with a higher peak, a stage with less work. The
/// device count is not among them: often only one of several devices computes.
const AXES: &[AxisFields] = &[
    (Field::Precision, &[Field::Label, Field::Date]),
    (
        Field::Device,
        &[Field::DeviceRaw, Field::Host, Field::Instance, Field::Driver, Field::Os, Field::Label, Field::Date],
    ),
    (Field::Stage, &[Field::Timed, Field::Label, Field::Date]),
];

/// Minimum ratio of peaks for a visible difference in speed.
const CLEAR: f64 = 1.8;

/// Rows whose rates differ by less than this factor count as equal.
const EQUAL: f64 = 1.1;

/// To be reported, a file needs this many pairs in the wrong order, and this many for each pair in the right order.
const TURNED_FEWEST: usize = 4;

const MAJORITY: usize = 4;

/// The number of pairs in the right and in the wrong order in a file, and the first row among them.
#[derive(Default)]
struct Ways {
    right: usize,
    wrong: usize,
    first: usize,
}

/// Reports the files in which `metric` has the opposite direction.
fn find_turned(context: &LintContext<'_>, metric: Metric, found: &mut Findings) {
    let all = &context.loaded.rows;
    let counts = |at: &usize| {
        let measurement = all[*at].get();
        measurement.metric(metric).is_some()
            && context.is_whole_network(measurement)
            && context.is_undisputed(measurement)
    };
    let rows: Vec<(usize, u64)> = (0..all.len()).filter(counts).map(|at| (at, 0)).collect();
    let mut files: BTreeMap<&OsStr, Ways> = BTreeMap::new();
    for axis in AXES {
        for Neighbours { rows: [a, b], .. } in neighbours(context, &rows, *axis) {
            let [a, b] = [rows[a].0, rows[b].0];
            let path = all[a].file().path.as_os_str();
            let (one, other) = (all[a].get(), all[b].get());
            let Some(gain) = gain(metric, one, other).filter(|_| path == all[b].file().path.as_os_str()) else {
                continue;
            };
            let Some(expected) = expected(context, axis.0, one, other) else { continue };
            let gain = if expected > 1.0 { gain } else { 1.0 / gain };
            let ways = files.entry(path).or_insert_with(|| Ways { first: a, ..Ways::default() });
            ways.first = ways.first.min(a).min(b);
            match () {
                () if gain > EQUAL => ways.right += 1,
                () if gain < 1.0 / EQUAL => ways.wrong += 1,
                () => {}
            }
        }
    }
    for Ways { right, wrong, first } in files.into_values() {
        if wrong >= TURNED_FEWEST && wrong >= MAJORITY * right {
            let row = IndexedRow { at: first, row: &all[first] };
            let message = format!(
                "of {} pairs of rows {wrong} are the wrong way round: by `{metric}` the weaker one is faster",
                right + wrong
            );
            found.in_row(&row, metric.key(), message, "another metric, or shifted rows?");
        }
    }
}

/// How many times as fast the first row is as the second.
fn gain(metric: Metric, one: &Measurement, other: &Measurement) -> Option<f64> {
    let value = |measurement: &Measurement| measurement.metric(metric).map(|value| value.value());
    let (own, theirs) = (value(one)?, value(other)?);
    if metric != Metric::LatencyMs {
        return Some(own / theirs);
    }
    let rate = |measurement: &Measurement, latency| items_per_second(measurement.items_in_batch()?, latency);
    let (own, theirs) = (rate(one, own)?, rate(other, theirs)?);
    (theirs > 0.0).then_some(own / theirs)
}

/// The expected speed ratio of the first row to the second: above 1 if the first is stronger; `None` if that is
/// unclear.
fn expected(context: &LintContext<'_>, axis: Field, one: &Measurement, other: &Measurement) -> Option<f64> {
    let strength = |measurement: &Measurement| match axis {
        Field::Stage => match measurement.stage()? {
            Stage::Eval => Some(2.0),
            Stage::Train => Some(1.0),
            _ => None,
        },
        _ => {
            let limits = context.limits.get(measurement.text(Field::Device)?)?;
            limits.peak(Some(measurement.precision()?)).map(|(peak, _)| peak)
        }
    };
    let ratio = strength(one)? / strength(other)?;
    (!(1.0 / CLEAR..=CLEAR).contains(&ratio)).then_some(ratio)
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

    #[test]
    fn a_row_is_exchanged_that_fits_only_so() {
        assert!(is_exchanged(-(116.0_f64.ln()), 1.2_f64.ln()));
        assert!(!is_exchanged(-(23.0_f64.ln()), 1.7_f64.ln()), "a network may use a device badly");
        assert!(!is_exchanged(2.0_f64.ln(), -(100.0_f64.ln())));
    }
}
