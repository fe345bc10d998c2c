//! A value unlike what its neighbours give.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::contribute::rule_interface::plausible_rate::rate;
use crate::contribute::rule_interface::{
    AxisFields, Check, Findings, IndexedRow, LintContext, Neighbours, Rule, Sample, neighbours,
};
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::reading::Located;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(411),
    title: "a value unlike its neighbours",
    severity: Severity::Warning,
    page: "A source that varies several things at once gives a table: mixed precision is about so many times as fast as fp32 on every network, eight devices as one in either precision, a network as another in every setting. The rule takes two rows that differ in one field, and compares their ratio with that of all other pairs of the source that differ in the same way. A row that stands apart in nearly all of its pairs, by five times and by much more than the pairs differ among themselves, is most often a slip of a digit, a unit or a neighbour's value. Where memory was short or a kernel is missing it may be true: then except it with the reason. More than eight such rows in one file are no slips, and nothing is told.",
    sample: Sample::edited(
        "measurements/imagined-2018/matrix.toml",
        r#"["deepnet-18", "NCHW", 30.0]"#,
        r#"["deepnet-18", "NCHW", 900.0]"#,
    ),
    check: Check::Rows(find),
};

/// What two rows may differ in.
const AXES: &[AxisFields] = &[
    (Field::Network, &[Field::NetworkRaw, Field::InputShape, Field::SequenceLength, Field::Label, Field::Date]),
    (
        Field::Device,
        &[Field::DeviceRaw, Field::Host, Field::Instance, Field::Driver, Field::Os, Field::Label, Field::Date],
    ),
    (Field::DeviceCount, &[Field::BatchSizeGlobal, Field::Hosts, Field::Label, Field::Date]),
    (Field::Precision, &[Field::Label, Field::Date]),
    (Field::BatchSize, &[Field::BatchSizeGlobal, Field::Label, Field::Date]),
    (Field::Stage, &[Field::Timed, Field::Label, Field::Date]),
    (Field::Framework, FRAMEWORK),
    (Field::FrameworkVersion, FRAMEWORK),
    (Field::KernelLibrary, &[Field::FrameworkRaw, Field::Cudnn, Field::Label, Field::Date]),
    (Field::Statistic, &[]),
    (Field::Layout, &[]),
    (Field::Mode, &[Field::Label]),
    (Field::Partition, &[Field::Label]),
    (Field::Setting, &[Field::Label]),
];

const FRAMEWORK: &[Field] = &[
    Field::Framework,
    Field::FrameworkVersion,
    Field::FrameworkRaw,
    Field::Backend,
    Field::BackendVersion,
    Field::KernelLibrary,
    Field::Cuda,
    Field::Cudnn,
    Field::Container,
    Field::Software,
    Field::Label,
    Field::Date,
];

/// So many times off is no kernel or cache.
const FAR: f64 = 5.0;
/// And so many times the usual distance (median of absolute deviations) of pairs that differ in the same way.
const SPREADS: f64 = 6.0;
/// So many pairs that differ in the same way tell what is usual.
const FEWEST_PAIRS: usize = 3;
/// A row stands apart in so many pairs at least, and in so many for each in which it does not.
const FEWEST_VOTES: u16 = 2;
const MAJORITY: u16 = 3;
/// More rows of a file are no slips: memory was short, or a kernel missing.
const MOST_SLIPS: usize = 8;

/// What a row is compared by: kinds of values, each with how fast or how frugal it is, and the key that says it.
fn speeds(measurement: &Measurement) -> impl Iterator<Item = (Metric, f64, &'static str)> {
    let rate = rate(measurement).map(|(rate, key)| (Metric::ThroughputPerS, rate, key));
    let times = [Metric::LatencyMs, Metric::EpochS, Metric::TotalS, Metric::TimeToAccuracyS];
    let value = |metric: Metric| measurement.metric(metric).map(|value| value.value());
    let time = || times.into_iter().find_map(|metric| Some((metric, 1.0 / value(metric)?, metric.key())));
    let frugal = value(Metric::ItemsPerJoule).map(|items| (Metric::ItemsPerJoule, items, Metric::ItemsPerJoule.key()));
    rate.or_else(time).into_iter().chain(frugal).filter(|(_, speed, _)| speed.is_finite() && *speed > 0.0)
}

/// A value of a row: its index, a number for the kind of the value and its key, the logarithm of how fast the row is.
struct Cell {
    at: usize,
    kind: u64,
    key: &'static str,
    speed: f64,
}

/// Two rows that differ in one field: what in, their indices among the cells, the logarithm of their ratio.
struct Pair {
    levels: u64,
    rows: [usize; 2],
    ratio: f64,
}

/// In how many pairs a row is too fast, too slow, and as others are; the largest factor.
#[derive(Default, Clone, Copy)]
struct Votes {
    fast: u16,
    slow: u16,
    usual: u16,
    farthest: f64,
}

impl Votes {
    /// Whether the row stands apart, and which way.
    fn apart(self) -> Option<&'static str> {
        let is = |own: u16, other: u16| own >= FEWEST_VOTES && own >= MAJORITY.saturating_mul(self.usual + other);
        match () {
            () if is(self.fast, self.slow) => Some("faster"),
            () if is(self.slow, self.fast) => Some("slower"),
            () => None,
        }
    }
}

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let of_row = |(at, row): (usize, &Located<Measurement>)| {
        let measurement = row.get();
        let counts = context.is_whole_network(measurement) && context.is_claimed(measurement);
        let cell =
            move |(metric, speed, key): (Metric, f64, _)| Cell { at, kind: metric as u64, key, speed: speed.ln() };
        speeds(measurement).filter(|_| counts).map(cell).collect::<Vec<Cell>>()
    };
    let cells: Vec<Cell> = rows.par_iter().enumerate().flat_map_iter(of_row).collect();
    let of_axes: Vec<Vec<Votes>> = AXES.par_iter().map(|axis| votes(context, &cells, *axis)).collect();
    let mut apart: BTreeMap<&Path, Vec<(&Cell, Votes, &str)>> = BTreeMap::new();
    for (at, cell) in cells.iter().enumerate() {
        let all = of_axes.iter().fold(Votes::default(), |all, votes| all.with(votes[at]));
        if let Some(how) = all.apart() {
            apart.entry(&rows[cell.at].file().path).or_default().push((cell, all, how));
        }
    }
    for (cell, votes, how) in apart.into_values().filter(|rows| rows.len() <= MOST_SLIPS).flatten() {
        let row = IndexedRow { at: cell.at, row: &rows[cell.at] };
        let message = format!(
            "up to {:.0} times {how} than {} rows that differ in one field say",
            votes.farthest.exp(),
            votes.fast.max(votes.slow)
        );
        let finding = found.in_row(&row, cell.key, message, "a digit, a unit, or a neighbour's value?");
        for field in [Field::BatchSize, Field::DeviceCount].into_iter().filter(|field| row.get().get(*field).is_some())
        {
            finding.beside([field.key().into()], "or this");
        }
    }
}

impl Votes {
    fn with(self, other: Self) -> Self {
        Self {
            fast: self.fast.saturating_add(other.fast),
            slow: self.slow.saturating_add(other.slow),
            usual: self.usual.saturating_add(other.usual),
            farthest: self.farthest.max(other.farthest),
        }
    }
}

/// How each row stands to those that differ from it in the axis.
fn votes(context: &LintContext<'_>, cells: &[Cell], axis: AxisFields) -> Vec<Votes> {
    let mut votes = vec![Votes::default(); cells.len()];
    let rows: Vec<(usize, u64)> = cells.iter().map(|cell| (cell.at, cell.kind)).collect();
    let pair = |Neighbours { rows: [a, b], levels: [level, other] }| {
        let source = context.loaded.rows[cells[a].at].get().source().as_str();
        let levels = xxh3_64_with_seed(source.as_bytes(), level.rotate_left(1) ^ other);
        Pair { levels, rows: [a, b], ratio: cells[a].speed - cells[b].speed }
    };
    let mut pairs: Vec<Pair> = neighbours(context, &rows, axis).into_iter().map(pair).collect();
    pairs.sort_unstable_by(|a, b| a.levels.cmp(&b.levels).then(a.rows.cmp(&b.rows)));
    for alike in pairs.chunk_by(|a, b| a.levels == b.levels).filter(|alike| alike.len() >= FEWEST_PAIRS) {
        let usual = median(alike.iter().map(|pair| pair.ratio));
        let spread = median(alike.iter().map(|pair| (pair.ratio - usual).abs()));
        let most = (spread * SPREADS).max(FAR.ln());
        for Pair { rows: [a, b], ratio, .. } in alike {
            let off = ratio - usual;
            for (row, off) in [(*a, off), (*b, -off)] {
                let vote = match () {
                    () if off > most => Votes { fast: 1, farthest: off, ..Votes::default() },
                    () if off < -most => Votes { slow: 1, farthest: -off, ..Votes::default() },
                    () => Votes { usual: 1, ..Votes::default() },
                };
                votes[row] = votes[row].with(vote);
            }
        }
    }
    votes
}

/// The middle one, or the mean of the two in the middle: which of two rows comes first must not matter, and with one of the two
/// alone it would.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    let (middle, is_odd) = (values.len() / 2, values.len() % 2 == 1);
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    match below.iter().copied().max_by(f64::total_cmp) {
        Some(lower) if !is_odd => f64::midpoint(lower, upper),
        _ => upper,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_stands_apart_that_most_of_its_pairs_contradict() {
        let votes = |fast, slow, usual| Votes { fast, slow, usual, farthest: 0.0 }.apart();
        assert_eq!(votes(3, 0, 0), Some("faster"));
        assert_eq!(votes(0, 3, 1), Some("slower"));
        assert_eq!(votes(1, 0, 0), None, "which of two it is nobody can tell");
        assert_eq!(votes(3, 0, 2), None);
        assert_eq!(votes(2, 2, 0), None);
    }

    #[test]
    fn which_row_of_a_pair_comes_first_does_not_matter() {
        let ratios = [0.1, 0.2, 0.7, 3.0];
        assert!((median(ratios.into_iter()) - 0.45).abs() < 1e-12);
        assert_eq!(median(ratios.iter().map(|ratio| -ratio)), -median(ratios.into_iter()));
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([5.0].into_iter()), 5.0);
    }
}
