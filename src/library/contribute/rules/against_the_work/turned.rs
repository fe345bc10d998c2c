//! Columns in which nearly every pair of rows is the wrong way round.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use crate::contribute::rule_interface::{AxisFields, Findings, IndexedRow, LintContext, Neighbours, neighbours};
use crate::model::physics::items_per_second;
use crate::model::{Field, Measurement, Metric};
use crate::values::Stage;

/// What decides which of two rows is faster: a device or a format with a higher peak, less to do. More devices decide nothing:
/// of several, often only one computes at a time.
const AXES: &[AxisFields] = &[
    (Field::Precision, &[Field::Label, Field::Date]),
    (
        Field::Device,
        &[Field::DeviceRaw, Field::Host, Field::Instance, Field::Driver, Field::Os, Field::Label, Field::Date],
    ),
    (Field::Stage, &[Field::Timed, Field::Label, Field::Date]),
];

/// A peak so many times as high makes a difference that is seen.
const CLEAR: f64 = 1.8;
/// Rows that are nearer than this are equal.
const EQUAL: f64 = 1.1;
/// So many pairs of a file are the wrong way round, and so many for each that is not.
const FEWEST: usize = 4;
const MAJORITY: usize = 4;

/// The pairs of a file: how many are the right and the wrong way round, and the first row among them.
#[derive(Default)]
struct Ways {
    right: usize,
    wrong: usize,
    first: usize,
}

/// Tells of the files in which `metric` is turned round.
pub(super) fn find(context: &LintContext<'_>, metric: Metric, found: &mut Findings) {
    let all = &context.loaded.rows;
    let counts = |at: &usize| {
        let measurement = all[*at].get();
        measurement.metric(metric).is_some() && context.is_whole_network(measurement) && context.is_claimed(measurement)
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
        if wrong >= FEWEST && wrong >= MAJORITY * right {
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

/// How many times as fast the first row should be at best: above 1 where it is the stronger one; `None` where that is not
/// clear.
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
