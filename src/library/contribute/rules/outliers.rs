//! Finds values that differ from comparable rows, other sources or neighbouring rows.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::contribute::rule_interface::plausible_rate::rate;
use crate::contribute::rule_interface::{
    AxisFields, Check, Findings, IndexedRow, LintContext, Neighbours, Rule, Sample, neighbours,
};
use crate::model::{Code, Direction, Field, Measurement, Metric, Severity};
use crate::reading::Located;
use crate::values::Unit;

pub(in crate::contribute) const FAR_OFF: Rule = Rule {
    code: Code::new(408),
    title: "far off every comparable row",
    severity: Severity::Warning,
    page: "Other rows measure the same network, stage and precision with about this batch on this device, and this one is more than ten times faster or slower than every one of them. Only networks with parameters or multiply-adds in the catalog count: others may be of any size. Rows of all sources that are loaded count; a check of one file compares only with files of its source that could hold the same measurement.",
    sample: Sample::edited("measurements/imagined-2018/repeats.toml", "221.0", "22100.0"),
    check: Check::Rows(find_far_off),
};

fn find_far_off(context: &LintContext<'_>, found: &mut Findings) {
    let mut groups: HashMap<[&str; 6], Vec<(usize, f64)>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let text = |field| measurement.text(field).unwrap_or_default();
        let (Some((rate, _)), Some(network)) = (rate(measurement), measurement.text(Field::Network)) else { continue };
        let Some(device) = measurement.text(Field::Device).filter(|_| context.is_undisputed(measurement)) else {
            continue;
        };
        // A single layer (DeepBench) can have any size; a network with parameters or multiply-adds is the same work every time.
        let entry = context.loaded.catalog.networks.get(network);
        if entry.is_none_or(|entry| entry.parameters_m.is_none() && entry.multiply_adds_g.is_none()) {
            continue;
        }
        let size = match measurement.items_in_batch() {
            None => "",
            Some(batch) if batch <= 2 => "one",
            Some(batch) if batch <= 16 => "few",
            Some(_) => "many",
        };
        let recipe = (text(Field::Precision), text(Field::Counts));
        let devices = measurement.devices() as f64;
        let key = [network, device, text(Field::Stage), recipe.0, recipe.1, size];
        groups.entry(key).or_default().push((at, rate / devices));
    }
    let mut told = Vec::new();
    for rows in groups.into_values().filter(|rows| rows.len() >= FEWEST) {
        let mut sorted: Vec<f64> = rows.iter().map(|(_, rate)| *rate).collect();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        for (at, rate) in rows {
            // The nearest other value: the adjacent one in the sorted order, since only the first and last rows are tested.
            let slow = rate <= sorted[0] && rate * FAR < sorted[1];
            let fast = rate >= sorted[n - 1] && rate > sorted[n - 2] * FAR;
            if slow || fast {
                let nearest = if slow { sorted[1] } else { sorted[n - 2] };
                told.push((at, rate, nearest, n - 1));
            }
        }
    }
    told.sort_by_key(|(at, ..)| *at);
    for (at, own, nearest, others) in told {
        let row = &context.loaded.rows[at];
        let Some((_, key)) = rate(row.get()) else { continue };
        let (times, how) = if own > nearest { (own / nearest, "faster") } else { (nearest / own, "slower") };
        let message = format!("{times:.0} times {how} than the nearest of {others} comparable rows");
        let finding =
            found.in_row(&IndexedRow { at, row }, key, message, format!("the nearest makes {nearest:.1} a second"));
        let batch = row.get().items_in_batch().unwrap_or(1) as f64;
        if batch > 1.0 && (0.5..2.0).contains(&(times / batch)) {
            finding.help(format!("per item taken for per batch? The batch is {batch}"));
        } else if (500.0..2000.0).contains(&times) {
            finding.help("seconds taken for milliseconds?");
        }
    }
}

/// Minimum factor; a difference in driver or framework is smaller.
const FAR: f64 = 10.0;

/// Minimum number of comparable rows.
const FEWEST: usize = 5;

pub(in crate::contribute) const CONTRADICTS_SOURCE: Rule = Rule {
    code: Code::new(416),
    title: "a value that contradicts what others measured",
    severity: Severity::Warning,
    page: "Only `dlbench check --contradictions` asks, most usefully of the files that are new: `dlbench check --contradictions measurements/my-source`. Two who are independent of each other measured the same configuration, and their values lie farther apart than repetitions, the circumstances that both state and their dispersions explain; `dlbench evidence --contradictions` tells how that is made out. Or the value is more than three times, and more than 9 of 10 new measurements would be, from what the other devices of its setting and all other evidence on its device predict.\n\nLook at the row first: a wrong unit, a count of another thing, a batch of all devices, a percentile taken for a mean. Where the row says what its source says, what differs is worth a note; nothing else need be done, and nobody has to be right.",
    sample: Sample::edited(
        "measurements/imagined-2018/matrix.toml",
        r#"["deepnet-50", "NHWC", 34.0]"#,
        r#"["deepnet-50", "HWCN", 34.0]"#,
    ),
    check: Check::Evidence(find_contradicts_source),
};

fn find_contradicts_source(context: &LintContext<'_>, found: &mut Findings) {
    let Some(contradictions) = &context.options.contradictions else { return };
    let rows: HashMap<&str, usize> =
        context.loaded.rows.iter().enumerate().map(|(at, row)| (row.get().id(), at)).collect();
    let mut known: HashSet<(&str, &str)> = HashSet::new();
    for told in contradictions {
        let other = told.other.as_deref().unwrap_or_default();
        // Report a pair once, even if both of its rows were asked for.
        if !known.insert((&told.row, other)) || known.contains(&(other, told.row.as_str())) {
            continue;
        }
        let row_of = |id: &str| rows.get(id).map(|at| IndexedRow { at: *at, row: &context.loaded.rows[*at] });
        let Some(row) = row_of(&told.row) else { continue };
        let message = match &told.other {
            Some(other) => format!(
                "{} has a {} of {}, {other} of {}: {} times apart, where {} would be usual",
                told.row, told.metric, told.value, told.other_value, told.factor, told.usual
            ),
            None => format!(
                "{} has a {} of {}, {} times from the {} that its setting and its device predict, where {} would be usual",
                told.row, told.metric, told.value, told.factor, told.other_value, told.usual
            ),
        };
        let finding = found.in_row(&row, &told.metric, message, "contradicts what others measured");
        finding.help(match told.differs.as_str() {
            differs if told.other.is_none() => format!("{differs}; see whether the row says what its source says"),
            "" => "nothing that both state differs; see whether the row says what its source says".to_owned(),
            differs => format!("what differs: {differs}; see whether the row says what its source says"),
        });
        if let Some(other) = row_of(other) {
            finding.related(other.row, "the other row");
        }
    }
}

pub(in crate::contribute) const UNLIKE_NEIGHBOURS: Rule = Rule {
    code: Code::new(411),
    title: "a value unlike its neighbours",
    severity: Severity::Warning,
    page: "A source that varies several things at once gives a table: mixed precision is about so many times as fast as fp32 on every network, eight devices as one in either precision, a network as another in every setting; so with memory, power and every other metric but those of quality. Rows that leave the same field unstated have it in common. The rule takes two rows that differ in one field, and compares their ratio with that of all other pairs of the source that differ in the same way. A row that stands apart in nearly all of its pairs, by five times (three or two, if more pairs agree better) and by much more than the pairs differ among themselves, is most often a slip of a digit, a unit or a neighbour's value. Where memory was short or a kernel is missing it may be true: then except it with the reason. More than eight such rows in one file are not slips, and nothing is told.",
    sample: Sample::edited(
        "measurements/imagined-2018/matrix.toml",
        r#"["deepnet-18", "NCHW", 30.0]"#,
        r#"["deepnet-18", "NCHW", 900.0]"#,
    ),
    check: Check::Rows(find_unlike_neighbours),
};

/// Fields in which two neighbouring rows may differ, with the fields that change along.
const NEIGHBOUR_AXES: &[AxisFields] = &[
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

/// When a row is reported.
struct Test {
    /// Minimum factor between the ratio of a pair and the usual ratio.
    far: f64,
    /// Minimum deviation, in median absolute deviations of the pairs with the same levels.
    spreads: f64,
    /// Minimum number of pairs with the same levels.
    pairs: usize,
    /// Minimum number of deviating pairs of the row.
    votes: u16,
    /// Minimum number of deviating pairs for each pair that agrees.
    majority: u16,
}

/// No kernel or cache makes a factor of five. Smaller factors need more pairs, which agree better with each other.
const TESTS: &[Test] = &[
    Test { far: 5.0, spreads: 6.0, pairs: 3, votes: 2, majority: 3 },
    Test { far: 3.0, spreads: 8.0, pairs: 5, votes: 4, majority: 6 },
    Test { far: 2.0, spreads: 10.0, pairs: 6, votes: 5, majority: 8 },
];

/// Maximum deviating rows per file; more are not mistakes but a cause such as short memory or a missing kernel.
const MOST_SLIPS: usize = 8;

/// The values by which a row is compared, as metric, speed (higher is better) and key. Quality metrics are left out
/// because they are bounded.
pub(super) fn speeds(measurement: &Measurement) -> impl Iterator<Item = (Metric, f64, &'static str)> {
    let rate = rate(measurement).map(|(rate, key)| (Metric::ThroughputPerS, rate, key));
    let key = rate.map(|(.., key)| key);
    let others = measurement.metrics().iter().filter_map(move |(metric, value)| {
        let speed = match metric.direction() {
            _ if metric.is_of_quality() || key == Some(metric.key()) => None,
            // The waiting time of a request under load says little about other settings.
            _ if metric.unit() == Unit::Milliseconds && (key.is_some() || *metric != Metric::LatencyMs) => None,
            _ if *metric == Metric::DeviceThroughputPerS && key.is_some() => None,
            // The power of a waiting machine does not fall in proportion to its work.
            _ if metric.is_of_energy() && *metric != Metric::ItemsPerJoule => None,
            Direction::Higher => Some(value.value()),
            Direction::Lower => Some(1.0 / value.value()),
            Direction::Neutral => None,
        };
        Some((*metric, speed?, metric.key()))
    });
    rate.into_iter().chain(others).filter(|(_, speed, _)| speed.is_finite() && *speed > 0.0)
}

/// A value of a row: the row's index, a hash of the kind of value and its key, and the logarithm of the speed.
struct Cell {
    at: usize,
    kind: u64,
    /// 0 for rates and times, whose ratios are comparable; otherwise the kind.
    apart: u64,
    key: &'static str,
    speed: f64,
}

/// Rates, times and items per joule: a row that is twice as fast is so by each of them.
const FAST: &[Metric] = &[
    Metric::ThroughputPerS,
    Metric::LatencyMs,
    Metric::EpochS,
    Metric::TotalS,
    Metric::TimeToAccuracyS,
    Metric::ItemsPerJoule,
];

/// Two rows that differ in one field: a hash of the difference, their indices among the cells, and the logarithm of their ratio.
struct Pair {
    levels: u64,
    rows: [usize; 2],
    ratio: f64,
}

/// The numbers of pairs in which a row is too fast, too slow, or usual, and the largest factor.
#[derive(Default, Clone, Copy)]
struct Votes {
    fast: u16,
    slow: u16,
    usual: u16,
    farthest: f64,
}

impl Votes {
    /// Whether the row deviates, and in which direction.
    fn apart(self, test: &Test) -> Option<&'static str> {
        let is = |own: u16, other: u16| own >= test.votes && own >= test.majority.saturating_mul(self.usual + other);
        match () {
            () if is(self.fast, self.slow) => Some("faster"),
            () if is(self.slow, self.fast) => Some("slower"),
            () => None,
        }
    }
}

fn find_unlike_neighbours(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let of_row = |(at, row): (usize, &Located<Measurement>)| {
        let measurement = row.get();
        let counts = context.is_undisputed(measurement);
        let cell = move |(metric, speed, key): (Metric, f64, _)| {
            let kind = metric as u64;
            Cell { at, kind, apart: if FAST.contains(&metric) { 0 } else { kind }, key, speed: speed.ln() }
        };
        speeds(measurement).filter(|_| counts).map(cell).collect::<Vec<Cell>>()
    };
    let cells: Vec<Cell> = rows.par_iter().enumerate().flat_map_iter(of_row).collect();
    let pairs: Vec<Vec<Pair>> = NEIGHBOUR_AXES.par_iter().map(|axis| pairs(context, &cells, *axis)).collect();
    let mut told: BTreeMap<usize, (Votes, &str)> = BTreeMap::new();
    for test in TESTS {
        for (at, votes) in votes(&pairs, cells.len(), test).into_iter().enumerate() {
            // A single layer is slow if the library has no kernel for its shape.
            let counts = |how: &&str| *how == "faster" || context.is_whole_network(rows[cells[at].at].get());
            if let Some(how) = votes.apart(test).filter(counts) {
                told.entry(at).or_insert((votes, how));
            }
        }
    }
    let mut apart: BTreeMap<&Path, Vec<(&Cell, Votes, &str)>> = BTreeMap::new();
    for (at, (votes, how)) in told {
        apart.entry(&rows[cells[at].at].file().path).or_default().push((&cells[at], votes, how));
    }
    for (cell, votes, how) in apart.into_values().filter(|rows| rows.len() <= MOST_SLIPS).flatten() {
        let row = IndexedRow { at: cell.at, row: &rows[cell.at] };
        let message = format!(
            "up to {:.0} times {how} than expected from {} rows that differ from it in one field",
            votes.farthest.exp(),
            votes.fast.max(votes.slow)
        );
        let finding = found.in_row(&row, cell.key, message, "a digit, a unit, or a neighbour's value?");
        for field in [Field::BatchSize, Field::DeviceCount].into_iter().filter(|field| row.get().get(*field).is_some())
        {
            finding.beside([field.key().into()], "or is this another?");
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

/// The pairs of cells that differ in the axis, sorted by the two levels.
fn pairs(context: &LintContext<'_>, cells: &[Cell], axis: AxisFields) -> Vec<Pair> {
    let rows: Vec<(usize, u64)> = cells.iter().map(|cell| (cell.at, cell.kind)).collect();
    let pair = |Neighbours { rows: [a, b], levels: [level, other] }| {
        let source = context.loaded.rows[cells[a].at].get().source().as_str();
        let levels = xxh3_64_with_seed(source.as_bytes(), level.rotate_left(1) ^ other).wrapping_add(cells[a].apart);
        Pair { levels, rows: [a, b], ratio: cells[a].speed - cells[b].speed }
    };
    let mut pairs: Vec<Pair> = neighbours(context, &rows, axis).into_iter().map(pair).collect();
    pairs.sort_unstable_by(|a, b| a.levels.cmp(&b.levels).then(a.rows.cmp(&b.rows)));
    pairs
}

/// The votes on each cell, one for each pair with a cell that differs in one field.
fn votes(pairs: &[Vec<Pair>], cells: usize, test: &Test) -> Vec<Votes> {
    let mut votes = vec![Votes::default(); cells];
    let alike = pairs.iter().flat_map(|pairs| pairs.chunk_by(|a, b| a.levels == b.levels));
    for alike in alike.filter(|alike| alike.len() >= test.pairs) {
        let usual = median(alike.iter().map(|pair| pair.ratio));
        let spread = median(alike.iter().map(|pair| (pair.ratio - usual).abs()));
        let most = (spread * test.spreads).max(test.far.ln());
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

/// The median. With an even count it is the mean of the two middle values, so that swapping the rows of a pair does not
/// change the result.
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
        let votes = |fast, slow, usual| Votes { fast, slow, usual, farthest: 0.0 }.apart(&TESTS[0]);
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
