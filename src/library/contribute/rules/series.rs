//! Finds values out of their series over batch size, device count, picture size, threads or concurrent requests.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::path::Path;

use rayon::prelude::*;

use super::outliers::speeds;
use crate::contribute::rule_interface::plausible_rate::rate;
use crate::contribute::rule_interface::{
    AxisFields, Check, Findings, IndexedRow, LintContext, Neighbours, Rule, Sample, neighbours,
};
use crate::model::physics::items_per_second;
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::reading::Located;
use crate::values::{Stage, Statistic};

pub(in crate::contribute) const OUT_OF_SERIES: Rule = Rule {
    code: Code::new(410),
    title: "a value out of its series",
    severity: Severity::Warning,
    page: "Rows that differ in the batch only, in the number of devices or in the size of the picture only bound each other: a larger batch takes no less time and is not three times slower for each item; a larger picture is not faster; more devices do not do more than their share, nor in training each of them more than with fewer and with more of them. The rule tells of the row that contradicts most of its series; in a series of two, of both. Two rows whose rates are those of their batches in their times contradict no others: a slip would show within the row.

Where every metric of a file goes one way over threads, requests at once, devices or batches (with more of them, the rate is always higher) and the other way in one row alone, that row has another one's value.

Over devices, networks count only with parameters or multiply-adds in the catalog. Single layers do not count: what a layer does with a larger batch is the library's choice.",
    sample: Sample::edited("measurements/imagined-2018/many.toml", "1500.0],
  [\"deepnet-101\"", "7000.0],
  [\"deepnet-101\""),
    check: Check::Rows(find_out_of_series),
};

/// The axes of series: the field, the fields that vary with it, the minimum ratio of the larger point's rate to the
/// smaller's, and the maximum gain relative to the growth of the axis (clocks and caches help a little).
const AXES: &[(Field, &[Field], RangeInclusive<f64>)] = &[
    (Field::BatchSize, &[Field::BatchSize, Field::BatchSizeGlobal], 0.25..=1.5),
    // A smaller picture is not slower, and gains as much as it has fewer pixels.
    (Field::InputShape, &[Field::InputShape], 0.7..=2.5),
    // Batches over several devices need scheduling, and the first requests bear the common overhead.
    (Field::BatchSizeGlobal, &[Field::BatchSizeGlobal], 0.25..=2.4),
    // Machines with more devices have faster devices and hosts. Communication may take most of the time.
    (Field::DeviceCount, &[Field::DeviceCount, Field::BatchSizeGlobal], 0.1..=2.5),
];

/// The position of a row on an axis, from much work per item to little: for pictures, the inverse of the pixel count.
fn place_on(axis: Field, measurement: &Measurement) -> Option<f64> {
    if axis != Field::InputShape {
        return measurement.count(axis).map(|count| count as f64);
    }
    match measurement.input_shape()?.extents() {
        [3, height, width] => Some(1.0 / (f64::from(*height) * f64::from(*width))),
        _ => None,
    }
}

/// The fields that may differ in the row's series. Over device counts, the global batch varies with their number; a row
/// that states no batch per device is compared with rows of the same global batch.
fn differing<'f>(axis: Field, but: &'f [Field], measurement: &Measurement) -> &'f [Field] {
    let is_shared = axis == Field::DeviceCount && measurement.count(Field::BatchSize).is_none();
    if is_shared { &but[..1] } else { but }
}

/// A point of a series: row index, position on the axis, items per second.
type Point = (usize, f64, f64);

fn find_out_of_series(context: &LintContext<'_>, found: &mut Findings) {
    find_turned(context, found);
    for (axis, but, gains) in AXES {
        let rows = &context.loaded.rows;
        let points: Vec<(u64, Point)> = rows
            .par_iter()
            .enumerate()
            .filter_map(|(at, row)| {
                let measurement = row.get();
                let on_axis = place_on(*axis, measurement)?;
                // If the batch per device is stated, the global batch follows from it.
                if *axis == Field::BatchSizeGlobal && measurement.count(Field::BatchSize).is_some() {
                    return None;
                }
                let (rate, _) = rate(measurement)?;
                // The slowest samples of a run depend on chance.
                let middle = measurement.statistic().is_none_or(Statistic::is_middle);
                // The speed of a single layer with a larger batch depends on the library's choice of algorithm.
                let is_network = context.has_figures(measurement)
                    || *axis != Field::DeviceCount
                        && measurement
                            .text(Field::Network)
                            .and_then(|id| context.task(id))
                            .is_some_and(|of| of != "layer");
                let counts = middle && is_network && context.is_undisputed(measurement);
                counts.then(|| (context.setting_but_for(at, differing(*axis, but, measurement)), (at, on_axis, rate)))
            })
            .collect();
        let mut series: HashMap<u64, Vec<Point>> = HashMap::new();
        for (setting, point) in points {
            series.entry(setting).or_default().push(point);
        }
        let is_training =
            |points: &&Vec<Point>| *axis == Field::DeviceCount && rows[points[0].0].get().stage() == Some(Stage::Train);
        let peaks = series.values().filter(is_training).flat_map(|points| peaks(points));
        let peaks: Vec<(usize, usize)> = peaks.collect();
        let mut told: Vec<(usize, usize)> = series
            .into_values()
            .filter(|points| points.len() > 1)
            .flat_map(|points| contradicting(points, gains))
            .collect();
        told.extend(peaks);
        // A wrong batch, time or rate would break their product, so rows that satisfy it are not reported.
        let agrees = |at: usize| agrees_with_itself(rows[at].get());
        told.retain(|(at, other)| *axis == Field::DeviceCount || !(agrees(*at) && agrees(*other)));
        told.sort_unstable();
        told.dedup_by_key(|(at, _)| *at);
        for (at, other) in told {
            tell(context, *axis, at, other, found);
        }
    }
}

/// Maximum rate per device in training over the rates with fewer and with more devices.
const PEAK: f64 = 1.2;

/// Points at which each device does more than with the next lower and next higher device count, each with the next point.
fn peaks(points: &[Point]) -> Vec<(usize, usize)> {
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.1.total_cmp(&b.1));
    let each = |point: &Point| point.2 / point.1;
    let is_peak = |points: &&[Point]| {
        let counts = points[0].1 < points[1].1 && points[1].1 < points[2].1;
        counts && each(&points[1]) > each(&points[0]).max(each(&points[2])) * PEAK
    };
    points.windows(3).filter(is_peak).map(|points| (points[1].0, points[2].0)).collect()
}

/// Whether a row states batch, time and rate, and the rate equals batch over time.
fn agrees_with_itself(measurement: &Measurement) -> bool {
    let metric = |metric| measurement.metric(metric).map(|value| value.value());
    let (Some(latency), Some(stated)) = (metric(Metric::LatencyMs), metric(Metric::ThroughputPerS)) else {
        return false;
    };
    let implied = measurement.items_in_batch().and_then(|items| items_per_second(items, latency));
    implied.is_some_and(|implied| (stated / implied - 1.0).abs() < ROUNDING)
}

/// Tolerance for a time rounded to three digits.
const ROUNDING: f64 = 0.01;

fn contradicts(a: Point, b: Point, gains: &RangeInclusive<f64>) -> bool {
    let (small, large) = if a.1 < b.1 { (a, b) } else { (b, a) };
    let gain = large.2 / small.2;
    small.1 < large.1 && !(*gains.start()..=gains.end() * large.1 / small.1).contains(&gain)
}

/// Maximum number of neighbours on each side that a point is compared with.
const NEIGHBOURS: usize = 12;

/// The rows that contradict most of their series, each with a row that it contradicts.
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
    let level = |row: &Located<Measurement>| row.get().get(axis).map(ToString::to_string).unwrap_or_default();
    let message = format!("{own:.4} a second with {axis} {}, where {} gives {theirs:.4}", level(row), level(neighbour));
    found
        .in_row(&IndexedRow { at, row }, key, message, "out of its series")
        .beside([axis.key().into()], "or this")
        .related(neighbour, "its neighbour");
}

/// Axes over which all rows of a file may change in one direction, with the fields that vary along.
const WORKERS: &[AxisFields] = &[
    (Field::Threads, &[Field::Label, Field::Date]),
    (Field::Concurrency, &[Field::Label, Field::Date]),
    (Field::DeviceCount, &[Field::BatchSizeGlobal, Field::Hosts, Field::Label, Field::Date]),
    (Field::BatchSize, &[Field::BatchSizeGlobal, Field::Label, Field::Date]),
    (Field::BatchSizeGlobal, &[Field::Label, Field::Date]),
];

/// Minimum number of pairs that go one way for each that goes the other way, by at least this factor; the pairs may belong to
/// one row.
const FEWEST_ONE_WAY: usize = 10;
const TURNED: f64 = 1.2;

/// A file, a metric, and whether the first row of the pairs leaves the field unstated.
type Column<'l> = (&'l Path, Metric, bool);

/// Two rows of a column, the key of their metric, and the logarithm of the second value over the first.
type Step = ([usize; 2], &'static str, f64);

/// Reports rows that alone go against the direction of all others in their file along an axis.
fn find_turned(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let of_row = |(at, row): (usize, &Located<Measurement>)| -> Vec<(usize, Metric, &'static str, f64)> {
        let counts = context.is_undisputed(row.get()) && !is_scattered(row.get());
        speeds(row.get()).filter(|_| counts).map(|(metric, speed, key)| (at, metric, key, speed.ln())).collect()
    };
    let cells: Vec<_> = rows.par_iter().enumerate().flat_map_iter(of_row).collect();
    let kinds: Vec<(usize, u64)> = cells.iter().map(|(at, metric, ..)| (*at, *metric as u64)).collect();
    for (axis, beside) in WORKERS {
        let mut columns: BTreeMap<Column<'_>, Vec<Step>> = BTreeMap::new();
        for Neighbours { rows: [a, b], .. } in neighbours(context, &kinds, (*axis, beside)) {
            let ((at, metric, key, from), (other, .., to)) = (cells[a], cells[b]);
            let path = rows[at].file().path.as_path();
            if path == rows[other].file().path {
                let is_open = rows[at].get().get(*axis).is_none();
                columns.entry((path, metric, is_open)).or_default().push(([at, other], key, to - from));
            }
        }
        for ((_, metric, _), steps) in columns {
            for (at, other, key) in turned(&steps) {
                let level = |at: usize| rows[at].get().get(*axis).map_or("unstated".to_owned(), ToString::to_string);
                let message = format!(
                    "`{metric}` goes the other way over `{axis}` ({} and {}) than in {} other pairs of the file",
                    level(at),
                    level(other),
                    steps.len() - 1
                );
                let finding =
                    found.in_row(&IndexedRow { at, row: &rows[at] }, key, message, "another row's value, or a digit?");
                finding.related(&rows[other], "the row beside it");
            }
        }
    }
}

/// Samples of a row that are farther apart than this factor have no reliable direction.
const SCATTERED: f64 = 3.0;

fn is_scattered(measurement: &Measurement) -> bool {
    let [lowest, highest] = [Field::Lowest, Field::Highest].map(|field| measurement.number(field));
    lowest.zip(highest).is_some_and(|(lowest, highest)| highest.value() > lowest.value() * SCATTERED)
}

/// The row whose steps alone go against the direction, or both rows of the only such step; each with the other row and the key.
fn turned(steps: &[Step]) -> Vec<(usize, usize, &'static str)> {
    let up = steps.iter().filter(|(.., step)| *step > 0.0).count();
    let sign = if up * 2 > steps.len() { 1.0 } else { -1.0 };
    let against: Vec<&Step> = steps.iter().filter(|(.., step)| step * sign < 0.0).collect();
    let [(first, key, step), ..] = against.as_slice() else { return Vec::new() };
    let shared: BTreeSet<usize> = against
        .iter()
        .map(|(rows, ..)| BTreeSet::from(*rows))
        .reduce(|all, rows| all.intersection(&rows).copied().collect())
        .unwrap_or_default();
    let is_clear = against.iter().any(|(.., step)| step.abs() > TURNED.ln());
    if !is_clear || shared.is_empty() || steps.len() < (FEWEST_ONE_WAY + 1) * against.len() || *step == 0.0 {
        return Vec::new();
    }
    let other = |at: usize| if first[0] == at { first[1] } else { first[0] };
    shared.into_iter().map(|at| (at, other(at), *key)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

    #[test]
    fn a_rate_per_device_above_both_neighbours_is_a_peak() {
        let with_four = |rate: f64| peaks(&[(0, 1.0, 2987.0), (1, 2.0, 5658.0), (2, 4.0, rate), (3, 8.0, 17822.0)]);
        assert_eq!(with_four(15090.0), [(2, 3)]);
        assert_eq!(with_four(10509.0), []);
    }

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
        let [.., (axis, but, _)] = AXES else { panic!("batch and devices") };
        let row = |batch: Field| {
            let fields = [(batch, Value::Count(64)), (Field::DeviceCount, Value::Count(4))];
            Measurement::new("x".parse().unwrap(), fields.into_iter().collect(), Default::default())
        };
        assert_eq!(differing(*axis, but, &row(Field::BatchSizeGlobal)), [Field::DeviceCount]);
        assert_eq!(differing(*axis, but, &row(Field::BatchSize)), *but);
    }

    #[test]
    fn one_step_against_all_others_is_told_with_both_of_its_rows() {
        let steps = |last: f64| -> Vec<Step> {
            (0..12).map(|at| ([2 * at, 2 * at + 1], "latency-ms", if at == 11 { last } else { 1.0 })).collect()
        };
        let told = |steps: &[Step]| turned(steps).iter().map(|(at, ..)| *at).collect::<Vec<_>>();
        assert_eq!(told(&steps(-0.4)), [22, 23]);
        assert_eq!(told(&steps(-0.1)), [0; 0], "noise");
        let mut two = steps(-0.4);
        two[0].2 = -0.4;
        assert_eq!(told(&two), [0; 0], "no direction that all have");
    }
}
