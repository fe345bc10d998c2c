//! Two numbers of a row that are not related as in the other rows of its source.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample, level_of};
use crate::model::{Code, Field, Measurement, Metric, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(423),
    title: "two numbers that are not related as in the other rows",
    severity: Severity::Error,
    page: "Numbers of one row are often two views of one run: operations a second over tokens a second is the work of a token and the same for all rows of a network; utilisation over operations a second is the peak of the device; batch over latency is the throughput. Which numbers are related, and among which rows, is read off the source: the quotient or product of two metrics, or that with a batch, a length or a number of devices, is nearly the same in all rows of a network, a device or the whole source. A row where it differs by much more has a digit, a unit or a total in one of the numbers. Where the row fits with its two values exchanged, they are in each other's column.",
    sample: Sample::edited(
        "measurements/imagined-2018/serving.toml",
        "  [\"decode\", \"fifth quantisation\", 57.0],\n]",
        "  [\"decode\", \"fifth quantisation\", 57.0],\n]\n\n[[table]]\nstage = \"eval\"\ncolumns = [\"label\", \"throughput-per-s\", \"device-gflops\"]\nrows = [\n  [\"1\", 10.0, 20.0],\n  [\"2\", 11.0, 22.0],\n  [\"3\", 12.0, 24.0],\n  [\"4\", 13.0, 26.0],\n  [\"5\", 14.0, 28.0],\n  [\"6\", 15.0, 30.0],\n  [\"7\", 16.0, 23.0],\n  [\"8\", 17.0, 34.0],\n]",
    ),
    check: Check::Rows(find),
};

/// Numbers that may be related. Shares and losses are not: they hardly vary, or vary freely.
const METRICS: &[Metric] = &[
    Metric::LatencyMs,
    Metric::ThroughputPerS,
    Metric::MeanLatencyMs,
    Metric::TimeToFirstTokenMs,
    Metric::TimePerOutputTokenMs,
    Metric::InterTokenLatencyMs,
    Metric::MedianTimeToFirstTokenMs,
    Metric::MedianTimePerOutputTokenMs,
    Metric::DeviceThroughputPerS,
    Metric::Gflops,
    Metric::DeviceGflops,
    Metric::Mfu,
    Metric::BandwidthGbPerS,
    Metric::PowerW,
    Metric::MemoryMib,
    Metric::EnergyJ,
    Metric::EnergyPerItemJ,
    Metric::EnergyPerRequestJ,
    Metric::ItemsPerJoule,
    Metric::EpochS,
    Metric::TotalS,
    Metric::TimeToAccuracyS,
    Metric::CostUsd,
];

/// What a relation may be for each of.
const COUNTS: &[Field] = &[
    Field::BatchSize,
    Field::BatchSizeGlobal,
    Field::DeviceCount,
    Field::InputLength,
    Field::OutputLength,
    Field::SequenceLength,
    Field::Concurrency,
];

/// Fields that rows have in common within which a relation may hold; the last set is with the file.
const COMMON: &[&[Field]] = &[
    &[],
    &[Field::Network],
    &[Field::Device],
    &[Field::Device, Field::Precision],
    &[Field::Network, Field::SequenceLength],
    &[Field::Network, Field::DeviceCount],
    &[Field::Network, Field::Device, Field::Stage],
];

/// Fewer rows show no relation, nor do fewer rows of one group their middle.
const FEWEST: usize = 8;
const FEWEST_OF_GROUP: usize = 4;

/// A relation holds if all rows but a few are within this of the middle of their group, as logarithms.
const WITHIN: f64 = 0.18;

/// A row contradicts it if it is so many times as far off as all others, and at least this.
const TIMES: f64 = 3.0;
const LEAST: f64 = 0.05;

/// Two values are exchanged if others are within this of their middle, and the row is so many times as far off, but not exchanged.
const WITHIN_EXCHANGED: f64 = 2.0;
const TIMES_EXCHANGED: f64 = 2.0;
const LEAST_EXCHANGED: f64 = 1.0;

/// Of how many rows one may contradict a relation, beside one.
const ROWS_PER_ODD: usize = 100;

/// A relation of two numbers, and of a count, to these powers.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Relation {
    metrics: [Metric; 2],
    /// 1 for their product, -1 for their quotient.
    sign: f64,
    count: Option<(Field, f64)>,
}

/// A row that contradicts a relation.
#[derive(Debug, Clone, Copy)]
struct Odd {
    at: usize,
    relation: Relation,
    apart: Apart,
}

/// How far a row is from the others.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Apart {
    /// How far it is off, and all others at most, as logarithms.
    off: f64,
    within: f64,
    others: usize,
    exchanged: bool,
}

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut sources: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| context.is_claimed(row.get())) {
        if METRICS.iter().filter(|metric| value(row.get(), **metric).is_some()).count() > 1 {
            sources.entry(row.get().source().as_str()).or_default().push(at);
        }
    }
    let sources: Vec<Vec<usize>> = sources.into_values().filter(|rows| rows.len() >= FEWEST).collect();
    let odd: Vec<Odd> = sources.par_iter().flat_map_iter(|of_source| of_source_rows(context, of_source)).collect();
    let mut by_row: BTreeMap<usize, Vec<Odd>> = BTreeMap::new();
    for odd in odd {
        by_row.entry(odd.at).or_default().push(odd);
    }
    for (at, odd) in by_row {
        tell(context, at, &odd, found);
    }
}

/// Reports the clearest relation that a row contradicts, at the metric that most of them have in common.
fn tell(context: &LintContext<'_>, at: usize, all: &[Odd], found: &mut Findings) {
    let clear = |odd: &&Odd| odd.apart.off.abs() / odd.apart.within.max(LEAST);
    let Some(odd) = all.iter().max_by(|a, b| clear(a).total_cmp(&clear(b))) else { return };
    let times_told = |metric: Metric| all.iter().filter(|odd| odd.relation.metrics.contains(&metric)).count();
    let [one, other] = odd.relation.metrics;
    let (blamed, beside) = if times_told(other) > times_told(one) { (other, one) } else { (one, other) };
    let row = IndexedRow { at, row: &context.loaded.rows[at] };
    let sign = if odd.relation.sign > 0.0 { "x" } else { "/" };
    let count = odd.relation.count.map(|(field, power)| format!(" {} `{field}`", if power > 0.0 { "x" } else { "/" }));
    let message = format!(
        "`{one}` {sign} `{other}`{} is {:.2} times that of the like of {} rows of the source, which agree within {:.0} %",
        count.unwrap_or_default(),
        odd.apart.off.exp(),
        odd.apart.others,
        (odd.apart.within.exp() - 1.0) * 100.0
    );
    let label = if odd.apart.exchanged { "exchanged with the other?" } else { "not related as in the other rows" };
    let finding = found.in_row(&row, blamed.key(), message, label);
    finding.beside([beside.key().into()], "or this");
    if let Some((field, _)) = odd.relation.count {
        finding.beside([field.key().into()], "or this");
    }
}

fn value(measurement: &Measurement, metric: Metric) -> Option<f64> {
    measurement.metric(metric).map(|value| value.value()).filter(|value| *value > 0.0 && value.is_finite())
}

/// The rows of a source that contradict a relation.
fn of_source_rows(context: &LintContext<'_>, of_source: &[usize]) -> Vec<Odd> {
    let rows = &context.loaded.rows;
    let mut told = Vec::new();
    for (first, one) in METRICS.iter().enumerate() {
        for other in &METRICS[first + 1..] {
            // DL0315 compares an epoch with all of them.
            if (*one, *other) == (Metric::EpochS, Metric::TotalS) {
                continue;
            }
            let both = |at: &usize| {
                let measurement = rows[*at].get();
                Some((*at, value(measurement, *one)?.ln(), value(measurement, *other)?.ln()))
            };
            let values: Vec<(usize, f64, f64)> = of_source.iter().filter_map(both).collect();
            if values.len() >= FEWEST {
                told.extend(of_pair(context, [*one, *other], &values));
            }
        }
    }
    told
}

fn of_pair(context: &LintContext<'_>, metrics: [Metric; 2], values: &[(usize, f64, f64)]) -> Vec<Odd> {
    let rows = &context.loaded.rows;
    let groups: Vec<Vec<Vec<usize>>> = COMMON.iter().map(|common| groups(context, common, values)).collect();
    let counts = COUNTS.iter().filter_map(|field| {
        let logarithms: Vec<f64> = values
            .iter()
            .map(|(at, ..)| rows[*at].get().count(*field).filter(|count| *count > 0).map_or(f64::NAN, |n| (n as f64).ln()))
            .collect();
        let first = logarithms.iter().find(|count| !count.is_nan())?;
        let varies = logarithms.iter().any(|count| !count.is_nan() && count != first);
        varies.then_some((*field, logarithms))
    });
    let counts: Vec<(Field, Vec<f64>)> = counts.collect();
    let mut told = Vec::new();
    for sign in [1.0, -1.0] {
        let plain: Vec<f64> = values.iter().map(|(_, one, other)| one + sign * other).collect();
        let mut judge = |count: Option<(Field, f64)>, numbers: &[f64]| {
            let relation = Relation { metrics, sign, count };
            for groups in &groups {
                let may_be_exchanged = sign < 0.0 && count.is_none();
                let odd = contradicting(groups, numbers, may_be_exchanged).into_iter();
                told.extend(odd.map(|(index, apart)| Odd { at: values[index].0, relation, apart }));
            }
        };
        judge(None, &plain);
        for (field, logarithms) in &counts {
            for power in [1.0, -1.0] {
                let numbers: Vec<f64> = plain.iter().zip(logarithms).map(|(x, count)| x + power * count).collect();
                judge(Some((*field, power)), &numbers);
            }
        }
    }
    told
}

/// The indices of the values of rows that have fields in common.
fn groups(context: &LintContext<'_>, common: &[Field], values: &[(usize, f64, f64)]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<Vec<u64>, Vec<usize>> = BTreeMap::new();
    for (index, (at, ..)) in values.iter().enumerate() {
        let measurement = context.loaded.rows[*at].get();
        let key = common.iter().map(|field| level_of(measurement, *field)).collect();
        groups.entry(key).or_default().push(index);
    }
    groups.into_values().filter(|group| group.len() >= FEWEST_OF_GROUP).collect()
}

/// The rows that are far off the middle of their group where all others are close to it, by their indices.
fn contradicting(groups: &[Vec<usize>], numbers: &[f64], may_be_exchanged: bool) -> Vec<(usize, Apart)> {
    let total: usize = groups.iter().map(Vec::len).sum();
    let most_odd = if total < ROWS_PER_ODD { 1 } else { 2 };
    let most = if may_be_exchanged { WITHIN_EXCHANGED } else { WITHIN };
    let (mut far, mut off): (usize, Vec<(f64, usize, f64)>) = (0, Vec::new());
    for group in groups {
        let mut sorted: Vec<f64> = group.iter().map(|index| numbers[*index]).filter(|x| !x.is_nan()).collect();
        if sorted.len() < FEWEST_OF_GROUP {
            continue;
        }
        sorted.sort_unstable_by(f64::total_cmp);
        let middle = sorted[sorted.len() / 2];
        for index in group.iter().filter(|index| !numbers[**index].is_nan()) {
            let apart = (numbers[*index] - middle).abs();
            far += usize::from(apart > most);
            off.push((apart, *index, middle));
        }
        // Most relations fail within their first groups.
        if far > most_odd {
            return Vec::new();
        }
    }
    if off.len() < FEWEST {
        return Vec::new();
    }
    off.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let within = off[most_odd].0;
    let others = off.len() - 1;
    let odd = off[..most_odd].iter().filter_map(|(apart, index, middle)| {
        let is_odd = within <= WITHIN && *apart > (within * TIMES).max(LEAST);
        let exchanged = may_be_exchanged
            && *apart > (within * TIMES_EXCHANGED).max(LEAST_EXCHANGED)
            && (numbers[*index] + middle).abs() <= within.max(LEAST);
        let off = numbers[*index] - middle;
        (is_odd || exchanged).then_some((*index, Apart { off, within, others, exchanged }))
    });
    odd.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(numbers: &[f64], may_be_exchanged: bool) -> Vec<(usize, bool)> {
        let all: Vec<usize> = (0..numbers.len()).collect();
        let odd = contradicting(&[all], numbers, may_be_exchanged).into_iter();
        odd.map(|(index, apart)| (index, apart.exchanged)).collect()
    }

    #[test]
    fn a_row_is_told_where_all_others_agree() {
        assert_eq!(told(&[2.0, 2.01, 1.99, 2.0, 2.02, 2.17, 2.0, 2.01], false), [(5, false)]);
        assert_eq!(told(&[2.0, 2.1, 1.9, 2.15, 2.02, 2.17, 2.0, 1.85], false), [], "no further off than others");
        assert_eq!(told(&[2.0, 2.0, 2.0, 2.0, 2.5, 2.5, 2.5, 2.0], false), [], "two kinds of rows");
        assert_eq!(told(&[2.0, 2.0, 2.0, 2.0, 2.0, 9.0], false), [], "too few rows");
    }

    #[test]
    fn values_are_exchanged_where_the_row_fits_the_other_way() {
        let mut quotients = [3.0, 3.6, 2.7, 3.3, 2.5, 3.1, 3.4, 2.9];
        quotients[3] = -3.3;
        assert_eq!(told(&quotients, true), [(3, true)]);
        assert_eq!(told(&quotients, false), []);
        quotients[3] = -9.0;
        assert_eq!(told(&quotients, true), [], "it fits neither way");
    }
}
