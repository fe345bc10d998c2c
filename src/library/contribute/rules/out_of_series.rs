//! A value out of its series.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use rayon::prelude::*;

use crate::contribute::rule_interface::plausible_rate::rate;
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::physics::items_per_second;
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::values::Statistic;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(410),
    title: "a value out of its series",
    severity: Severity::Warning,
    page: "Rows that differ in the batch only, or in the number of devices only, bound each other: a larger batch takes no less time and is not three times slower for each item; more devices do not do more than their share. The rule tells of the row that contradicts most of its series; in a series of two, of both. Two rows whose rates are those of their batches in their times contradict no others: a slip would show within the row.

Networks count only with parameters or multiply-adds in the catalog: what a layer does with a larger batch is the library's choice.",
    sample: Sample::edited("measurements/imagined-2018/many.toml", "1500.0],
  [\"deepnet-101\"", "6000.0],
  [\"deepnet-101\""),
    check: Check::Rows(find),
};

/// The fields that a series may be over, what varies with them, the least that the items a
/// second of the larger one are of the smaller one's, and the most that they grow by over what the axis grows by: clocks
/// and caches help a little.
const AXES: &[(Field, &[Field], RangeInclusive<f64>)] = &[
    (Field::BatchSize, &[Field::BatchSize, Field::BatchSizeGlobal], 0.3..=1.5),
    // Machines with more devices have faster ones and faster hosts.
    // And what they have to send each other may take most of the time.
    (Field::DeviceCount, &[Field::DeviceCount, Field::BatchSizeGlobal], 0.1..=2.5),
];

/// What may differ in a series of the row. Over the devices the batch of all of them varies with their number; a row that
/// states no batch of one device has its like among those with the same batch of all.
fn differing<'f>(axis: Field, but: &'f [Field], measurement: &Measurement) -> &'f [Field] {
    let is_shared = axis == Field::DeviceCount && measurement.count(Field::BatchSize).is_none();
    if is_shared { &but[..1] } else { but }
}

/// A row of a series: its index, its place on the axis, its items a second.
type Point = (usize, f64, f64);

fn find(context: &LintContext<'_>, found: &mut Findings) {
    for (axis, but, gains) in AXES {
        let rows = &context.loaded.rows;
        let points: Vec<(u64, Point)> = rows
            .par_iter()
            .enumerate()
            .filter_map(|(at, row)| {
                let measurement = row.get();
                let on_axis = measurement.count(*axis)? as f64;
                let (rate, _) = rate(measurement)?;
                // The slowest samples of a run are as slow as chance has it.
                let middle = measurement.statistic().is_none_or(Statistic::is_middle);
                let counts = middle && context.has_figures(measurement) && context.is_claimed(measurement);
                counts.then(|| (context.setting_but_for(at, differing(*axis, but, measurement)), (at, on_axis, rate)))
            })
            .collect();
        let mut series: HashMap<u64, Vec<Point>> = HashMap::new();
        for (setting, point) in points {
            series.entry(setting).or_default().push(point);
        }
        let mut told: Vec<(usize, usize)> = series
            .into_values()
            .filter(|points| points.len() > 1)
            .flat_map(|points| contradicting(points, gains))
            .collect();
        // A slip in the batch, the time or the rate would break the product of them that holds.
        let agrees = |at: usize| agrees_with_itself(rows[at].get());
        told.retain(|(at, other)| *axis != Field::BatchSize || !(agrees(*at) && agrees(*other)));
        told.sort_unstable();
        for (at, other) in told {
            tell(context, *axis, at, other, found);
        }
    }
}

/// Whether a row states batch, time and rate, and the rate is that of the batch in that time.
fn agrees_with_itself(measurement: &Measurement) -> bool {
    let metric = |metric| measurement.metric(metric).map(|value| value.value());
    let (Some(latency), Some(stated)) = (metric(Metric::LatencyMs), metric(Metric::ThroughputPerS)) else {
        return false;
    };
    let implied = measurement.items_in_batch().and_then(|items| items_per_second(items, latency));
    implied.is_some_and(|implied| (stated / implied - 1.0).abs() < ROUNDING)
}

/// What a time of three digits leaves open.
const ROUNDING: f64 = 0.01;

fn contradicts(a: Point, b: Point, gains: &RangeInclusive<f64>) -> bool {
    let (small, large) = if a.1 < b.1 { (a, b) } else { (b, a) };
    let gain = large.2 / small.2;
    small.1 < large.1 && !(*gains.start()..=gains.end() * large.1 / small.1).contains(&gain)
}

/// Longer series are compared with so many neighbours on each side.
const NEIGHBOURS: usize = 12;

/// The rows that contradict most of their series, each with one that it contradicts.
fn contradicting(mut points: Vec<Point>, gains: &RangeInclusive<f64>) -> Vec<(usize, usize)> {
    points.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    let mut told = Vec::new();
    loop {
        let mut counts = vec![0usize; points.len()];
        let mut with = vec![0usize; points.len()];
        for at in 0..points.len() {
            for other in at + 1..points.len().min(at + 1 + NEIGHBOURS) {
                if contradicts(points[at], points[other], gains) {
                    counts[at] += 1;
                    counts[other] += 1;
                    (with[at], with[other]) = (points[other].0, points[at].0);
                }
            }
        }
        let Some(most) = counts.iter().copied().max().filter(|most| *most > 0) else { return told };
        let worst: Vec<usize> = (0..points.len()).filter(|at| counts[*at] == most).collect();
        told.extend(worst.iter().map(|at| (points[*at].0, with[*at])));
        let mut at = 0;
        points.retain(|_| {
            at += 1;
            !worst.contains(&(at - 1))
        });
    }
}

fn tell(context: &LintContext<'_>, axis: Field, at: usize, other: usize, found: &mut Findings) {
    let [row, neighbour] = [at, other].map(|at| &context.loaded.rows[at]);
    let (Some((own, key)), Some((theirs, _))) = (rate(row.get()), rate(neighbour.get())) else { return };
    let count = |measurement: &crate::model::Measurement| measurement.count(axis).unwrap_or_default();
    let message = format!(
        "{own:.4} a second with {axis} {}, where {} gives {theirs:.4}",
        count(row.get()),
        count(neighbour.get())
    );
    found
        .in_row(&IndexedRow { at, row }, key, message, "out of its series")
        .beside([axis.key().into()], "or this")
        .related(neighbour, "its neighbour");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

    #[test]
    fn the_row_that_contradicts_most_is_told() {
        let steady = vec![(0, 1.0, 100.0), (1, 2.0, 180.0), (2, 4.0, 300.0), (3, 8.0, 400.0)];
        assert_eq!(contradicting(steady.clone(), &(0.3..=1.5)), []);
        let mut slipped = steady;
        slipped[2].2 = 3000.0;
        assert_eq!(contradicting(slipped, &(0.3..=1.5)).iter().map(|(at, _)| *at).collect::<Vec<_>>(), [2]);
        let two = contradicting(vec![(0, 1.0, 100.0), (1, 2.0, 1000.0)], &(0.3..=1.5));
        assert_eq!(two, [(0, 1), (1, 0)], "which of two it is nobody can tell");
    }
    #[test]
    fn rows_that_state_the_batch_of_all_devices_alone_are_a_series_of_that_batch() {
        let [_, (axis, but, _)] = AXES else { panic!("batch and devices") };
        let row = |batch: Field| {
            let fields = [(batch, Value::Count(64)), (Field::DeviceCount, Value::Count(4))];
            Measurement::new("x".parse().unwrap(), fields.into_iter().collect(), Default::default())
        };
        assert_eq!(differing(*axis, but, &row(Field::BatchSizeGlobal)), [Field::DeviceCount]);
        assert_eq!(differing(*axis, but, &row(Field::BatchSize)), *but);
    }
}
