//! Finds two numbers of a row, or of two rows of one run, that are not related as in the other rows of the source.

use std::collections::{BTreeMap, HashMap};
use std::iter;

use rayon::prelude::*;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample, level_of};
use crate::model::{Code, Field, Measurement, Metric, Severity, Value};
use crate::reading::Located;
use crate::values::Decimal;
use crate::values::text::and_list;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(423),
    title: "two numbers that are not related as in the other rows",
    severity: Severity::Error,
    page: "Numbers of one row are often two views of one run: operations a second over tokens a second is the work of a token and the same for all rows of a network; utilisation over operations a second is the peak of the device; batch over latency is the throughput. Which numbers are related, and among which rows, is read off the source: the quotient or product of two metrics, or that with a batch, a length or a number of devices, is nearly the same in all rows of a network, a device or the whole source. A row where it differs by much more has a digit, a unit or a total in one of the numbers. Where the row fits with its two values exchanged, they are in each other's column.

The same is read off two rows of one run: a source may print the times in one table and the rates in another, or the step in sequences and the rate in tokens. Which of the two rows is wrong is not known, and both are reported. The price of a cloud machine over its devices is the same in all rows of an instance.",
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

/// A product of counts and lengths of a row.
type Counted = &'static [(Field, f64)];

/// Counts by which a relation may be multiplied or divided.
const COUNTS: &[Counted] = &[
    &[(Field::BatchSize, 1.0)],
    &[(Field::BatchSizeGlobal, 1.0)],
    &[(Field::DeviceCount, 1.0)],
    &[(Field::InputLength, 1.0)],
    &[(Field::OutputLength, 1.0)],
    &[(Field::MeanOutputLength, 1.0)],
    &[(Field::SequenceLength, 1.0)],
    &[(Field::Concurrency, 1.0)],
];

/// The same for the work per step that one row states in sequences and the other in tokens, for all devices or each.
const WORK: &[Counted] = &[
    &[(Field::BatchSizeGlobal, 1.0), (Field::SequenceLength, 1.0), (Field::DeviceCount, -1.0)],
    &[(Field::BatchSizeGlobal, 1.0), (Field::SequenceLength, 1.0)],
    &[(Field::BatchSizeGlobal, 1.0), (Field::DeviceCount, -1.0)],
    &[(Field::BatchSize, 1.0), (Field::SequenceLength, 1.0)],
];

/// Fields in which two rows of one run may differ.
const OF_ONE_RUN: &[Field] = &[Field::Counts, Field::Label, Field::Timed, Field::Threads];

/// Fields by which rows are grouped: a relation may hold within the groups of any of these sets.
const COMMON: &[&[Field]] = &[
    &[],
    &[Field::Network],
    &[Field::Device],
    &[Field::Device, Field::Precision],
    &[Field::Network, Field::SequenceLength],
    &[Field::Network, Field::DeviceCount],
    &[Field::Network, Field::Device, Field::Stage],
];

/// Minimum numbers of rows of a relation and of a group.
const FEWEST: usize = 8;
const FEWEST_OF_GROUP: usize = 4;

/// A relation holds if all rows but the odd ones, and one in `ROWS_PER_FAR`, are within this of the median of their group
/// (logarithms): some rows differ in what the source does not state.
const WITHIN: f64 = 0.18;
const ROWS_PER_FAR: usize = 12;

/// A row contradicts a relation if its distance to the nearest row of its group is at least this multiple of the largest such
/// distance among the other rows, and at least this logarithm.
const TIMES: f64 = 3.0;
const LEAST: f64 = 0.07;

/// The same for a pair of rows, which may come from two runs: at least this logarithm, or this multiple if the other
/// rows agree closely.
const LEAST_OF_RUN: f64 = 0.2;
const TIMES_OF_RUN: f64 = 6.0;

/// Two values are exchanged if the other rows are within this of the median, the row is at least this multiple and this
/// logarithm off, and it fits with its values exchanged.
const WITHIN_EXCHANGED: f64 = 2.0;
const TIMES_EXCHANGED: f64 = 2.0;
const LEAST_EXCHANGED: f64 = 1.0;

/// From this number of rows on, two rows may contradict a relation. For metrics defined by each other, whose relation
/// the other rows follow this closely, one row in `ROWS_PER_ODD_OF_CLOSE` may, by at least this logarithm.
const ROWS_PER_ODD: usize = 100;
const DEFINED: &[Metric] = &[
    Metric::LatencyMs,
    Metric::ThroughputPerS,
    Metric::DeviceThroughputPerS,
    Metric::Gflops,
    Metric::DeviceGflops,
    Metric::Mfu,
    Metric::EnergyJ,
    Metric::EnergyPerItemJ,
    Metric::ItemsPerJoule,
];
const CLOSE: f64 = 0.02;
const ROWS_PER_ODD_OF_CLOSE: usize = 7;
const LEAST_OF_CLOSE: f64 = 0.18;

/// The product or quotient of two metrics, with a count to a power.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Relation {
    metrics: [Metric; 2],
    /// 1 for the product, -1 for the quotient.
    sign: f64,
    count: Option<(Counted, f64)>,
}

/// A row, or two rows of one run, with two metrics: the rows that state them, and the logarithms of their values.
#[derive(Debug, Clone, Copy)]
struct Pair {
    rows: [usize; 2],
    values: [f64; 2],
}

/// A row that contradicts a relation.
#[derive(Debug, Clone, Copy)]
struct Odd {
    /// The row of each of the two metrics.
    rows: [usize; 2],
    relation: Relation,
    apart: Apart,
}

/// The distance of a row from the others.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Apart {
    /// Logarithms: the distance of the row from the median, and the largest distance of the other rows.
    off: f64,
    within: f64,
    others: usize,
    exchanged: bool,
}

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut sources: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| context.is_undisputed(row.get())) {
        if METRICS.iter().any(|metric| value(row.get(), *metric).is_some()) {
            sources.entry(row.get().source().as_str()).or_default().push(at);
        }
    }
    let sources: Vec<Vec<usize>> = sources.into_values().filter(|rows| rows.len() >= FEWEST).collect();
    let odd: Vec<Odd> = sources.par_iter().flat_map_iter(|of_source| of_source_rows(context, of_source)).collect();
    let mut by_rows: BTreeMap<[usize; 2], Vec<Odd>> = BTreeMap::new();
    for odd in odd {
        by_rows.entry([odd.rows[0].min(odd.rows[1]), odd.rows[0].max(odd.rows[1])]).or_default().push(odd);
    }
    for odd in by_rows.into_values() {
        tell(context, &odd, found);
    }
    for (at, own, usual) in prices(rows) {
        let row = IndexedRow { at, row: &rows[at] };
        let message =
            format!("an hour of one device costs {own:.2} dollars here, {usual:.2} in other rows of the instance");
        let finding = found.in_row(&row, Field::PriceUsdPerHour.key(), message, "not the price of so many devices");
        finding.beside([Field::DeviceCount.key().into()], "or this");
    }
}

/// Reports the contradicted relation with the clearest deviation, at the metric that occurs in most contradicted
/// relations; if the two metrics are in two rows, in both.
fn tell(context: &LintContext<'_>, all: &[Odd], found: &mut Findings) {
    let clear = |odd: &&Odd| odd.apart.off.abs() / odd.apart.within.max(LEAST);
    let Some(odd) = all.iter().max_by(|a, b| clear(a).total_cmp(&clear(b))) else { return };
    let times_told = |metric: Metric| all.iter().filter(|odd| odd.relation.metrics.contains(&metric)).count();
    let [one, other] = odd.relation.metrics;
    let blamed = usize::from(times_told(other) > times_told(one));
    let counted = odd.relation.count.map_or(&[] as Counted, |(counted, _)| counted);
    let label = if odd.apart.exchanged { "exchanged with the other?" } else { "not related as in the other rows" };
    let is_one_row = odd.rows[0] == odd.rows[1];
    let places = if is_one_row { blamed..=blamed } else { 0..=1 };
    for place in places {
        let (at, other_at) = (odd.rows[place], odd.rows[1 - place]);
        let row = IndexedRow { at, row: &context.loaded.rows[at] };
        let metric = odd.relation.metrics[place];
        let Some(own) = row.get().metric(metric) else { continue };
        let times = odd.apart.off.exp().powf(if place == 0 { 1.0 } else { odd.relation.sign });
        let usual = own.value() / times;
        let usual = usual.to_string().parse::<Decimal>().map_or(own, |exact| exact.cut(DIGITS));
        let related =
            iter::once(odd.relation.metrics[1 - place].key()).chain(counted.iter().map(|(field, _)| field.key()));
        let message = format!(
            "`{metric}` is {own}; by {} it would be about {}: in {} similar rows of the source that rule is at most {} off",
            and_list(&related.map(|key| format!("`{key}`")).collect::<Vec<_>>()),
            usual,
            odd.apart.others,
            factor_or_percent(odd.apart.within.exp())
        );
        let finding = found.in_row(&row, metric.key(), message, label);
        match is_one_row {
            true => drop(finding.beside([odd.relation.metrics[1 - place].key().into()], "or this")),
            false => drop(finding.related(&context.loaded.rows[other_at], "or the other row of the run")),
        }
        for (field, _) in counted {
            finding.beside([field.key().into()], "or this");
        }
    }
}

/// Formats a deviation: `12 %`, `3.6 times`.
fn factor_or_percent(factor: f64) -> String {
    if factor < 2.0 { format!("{:.0} %", (factor - 1.0) * 100.0) } else { format!("{factor:.1} times") }
}

/// Significant digits of the suggested value.
const DIGITS: u8 = 4;

/// A price of one device is the same in all rows of an instance up to this factor.
const SAME_PRICE: f64 = 1.2;

/// Rows whose device price differs from the other rows of their instance: index, price and usual price.
fn prices(rows: &[Located<Measurement>]) -> Vec<(usize, f64, f64)> {
    let mut instances: BTreeMap<(&str, &str), Vec<(usize, f64)>> = BTreeMap::new();
    let mut devices: BTreeMap<(&str, &str), Vec<(&str, f64)>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        let measurement = row.get();
        let price = measurement.number(Field::PriceUsdPerHour).map(|price| price.value());
        let count = measurement.count(Field::DeviceCount).filter(|count| *count > 0);
        let (Some(price), Some(count)) = (price.filter(|price| *price > 0.0), count) else { continue };
        let Some(instance) = measurement.text(Field::Instance) else { continue };
        let source = measurement.source().as_str();
        let price = price / count as f64;
        instances.entry((source, instance)).or_default().push((at, price));
        if let Some(device) = measurement.text(Field::Device) {
            devices.entry((source, device)).or_default().push((instance, price));
        }
    }
    let is_same = |a: f64, b: f64| a.max(b) <= a.min(b) * SAME_PRICE;
    let mut told = Vec::new();
    for ((source, instance), prices) in &instances {
        let agreeing = |own: f64| prices.iter().filter(|(_, other)| is_same(own, *other)).count();
        let device = rows[prices[0].0].get().text(Field::Device).unwrap_or_default();
        let others = devices.get(&(*source, device)).into_iter().flatten().filter(|(other, _)| other != instance);
        let others: Vec<f64> = others.map(|(_, price)| *price).collect();
        // If equally many rows have either price, the right one is nearer to the prices of other instances with the device.
        let apart = |own: f64| others.iter().map(|other| (own / other).ln().abs()).fold(f64::INFINITY, f64::min);
        let is_better = |a: &f64, b: &f64| agreeing(*a).cmp(&agreeing(*b)).then(apart(*b).total_cmp(&apart(*a)));
        let Some(usual) = prices.iter().map(|(_, price)| *price).max_by(is_better) else { continue };
        let odd = prices.iter().filter(|(_, price)| !is_same(usual, *price));
        told.extend(odd.map(|(at, price)| (*at, *price, usual)));
    }
    told
}

fn value(measurement: &Measurement, metric: Metric) -> Option<f64> {
    measurement.metric(metric).map(|value| value.value()).filter(|value| *value > 0.0 && value.is_finite())
}

/// The rows of a source that contradict a relation.
fn of_source_rows(context: &LintContext<'_>, of_source: &[usize]) -> Vec<Odd> {
    let rows = &context.loaded.rows;
    let runs = runs(context, of_source);
    let mut told = Vec::new();
    for (first, one) in METRICS.iter().enumerate() {
        for other in &METRICS[first + 1..] {
            // DL0315 compares the time of an epoch with the total time.
            if (*one, *other) == (Metric::EpochS, Metric::TotalS) {
                continue;
            }
            let both = |[at, beside]: [usize; 2]| {
                let values = [value(rows[at].get(), *one)?.ln(), value(rows[beside].get(), *other)?.ln()];
                Some(Pair { rows: [at, beside], values })
            };
            let pairs: Vec<Pair> = of_source.iter().filter_map(|at| both([*at, *at])).collect();
            if pairs.len() >= FEWEST {
                told.extend(of_pair(context, [*one, *other], &pairs, COUNTS));
            }
            let pairs: Vec<Pair> = runs.iter().filter_map(|[a, b]| both([*a, *b]).or_else(|| both([*b, *a]))).collect();
            if pairs.len() >= FEWEST {
                let counts: Vec<Counted> = COUNTS.iter().chain(WORK).copied().collect();
                told.extend(of_pair(context, [*one, *other], &pairs, &counts));
            }
        }
    }
    told
}

/// Pairs of rows by which a source states one run with different metrics.
fn runs(context: &LintContext<'_>, of_source: &[usize]) -> Vec<[usize; 2]> {
    let mut settings: HashMap<u64, Vec<usize>> = HashMap::new();
    for at in of_source {
        settings.entry(context.setting_but_for(*at, OF_ONE_RUN)).or_default().push(*at);
    }
    let metrics = |at: usize| context.loaded.rows[at].get().metrics();
    let differ =
        |a: usize, b: usize| !metrics(a).iter().any(|(own, _)| metrics(b).iter().any(|(other, _)| own == other));
    let pairs = settings.into_values().filter_map(|rows| <[usize; 2]>::try_from(rows).ok());
    let mut runs: Vec<[usize; 2]> = pairs.filter(|[a, b]| differ(*a, *b)).collect();
    runs.sort_unstable();
    runs
}

/// The logarithm of a product of counts; NaN where a row lacks one.
fn logarithm(measurement: &Measurement, counted: Counted) -> f64 {
    let of = |(field, power): &(Field, f64)| {
        let number = match measurement.get(*field) {
            Some(Value::Count(count)) => *count as f64,
            Some(Value::Number(number)) => number.value(),
            _ => return f64::NAN,
        };
        if number > 0.0 { number.ln() * power } else { f64::NAN }
    };
    counted.iter().map(of).sum()
}

fn of_pair(context: &LintContext<'_>, metrics: [Metric; 2], pairs: &[Pair], counts: &[Counted]) -> Vec<Odd> {
    let rows = &context.loaded.rows;
    let groups: Vec<Vec<Vec<usize>>> = COMMON.iter().map(|common| groups(context, common, pairs)).collect();
    let counts = counts.iter().filter_map(|counted| {
        let of_pair = |pair: &Pair| {
            let own = logarithm(rows[pair.rows[0]].get(), counted);
            // A count in which the two rows of a run differ may be stated by only one of them.
            if own.is_nan() { logarithm(rows[pair.rows[1]].get(), counted) } else { own }
        };
        let logarithms: Vec<f64> = pairs.iter().map(of_pair).collect();
        let first = logarithms.iter().find(|count| !count.is_nan())?;
        let varies = logarithms.iter().any(|count| !count.is_nan() && count != first);
        varies.then_some((*counted, logarithms))
    });
    let counts: Vec<(Counted, Vec<f64>)> = counts.collect();
    let mut told = Vec::new();
    for sign in [1.0, -1.0] {
        let plain: Vec<f64> = pairs.iter().map(|Pair { values: [one, other], .. }| one + sign * other).collect();
        let mut close: Vec<(usize, Odd)> = Vec::new();
        let mut of_counts: Vec<Holding> = Vec::new();
        let mut judge = |count: Option<(Counted, f64)>, numbers: &[f64]| {
            let relation = Relation { metrics, sign, count };
            let odd = |(index, apart): (usize, Apart)| Odd { rows: pairs[index].rows, relation, apart };
            if sign < 0.0 && count.is_none() {
                told.extend(groups.iter().flat_map(|groups| exchanged(groups, numbers)).map(odd));
            }
            let holding: Vec<Holding> = groups.iter().filter_map(|groups| Holding::of(groups, numbers)).collect();
            for of in &holding {
                let contradict = of.odd().into_iter().filter(|(index, apart)| {
                    let [one, other] = pairs[*index].rows;
                    let least = LEAST_OF_RUN.min(apart.within * TIMES_OF_RUN);
                    let is_clear = one == other || apart.off.abs() > least;
                    is_clear && !holding.iter().any(|of| of.fits(*index))
                });
                match of.is_close {
                    true => close.extend(contradict.map(|(index, apart)| (index, odd((index, apart))))),
                    false => told.extend(contradict.map(odd)),
                }
            }
            let is_plain = holding.iter().any(|of| !of.is_close);
            of_counts.extend(holding);
            is_plain
        };
        // If two numbers of a row are related, further relations are coincidence. Between two rows of a run, the work
        // per step relates more rows than their groups do.
        if judge(None, &plain) && pairs.iter().all(|pair| pair.rows[0] == pair.rows[1]) {
            continue;
        }
        for (counted, logarithms) in &counts {
            for power in [1.0, -1.0] {
                let numbers: Vec<f64> = plain.iter().zip(logarithms).map(|(x, count)| x + power * count).collect();
                judge(Some((*counted, power)), &numbers);
            }
        }
        // A relation contradicted by many rows is the wrong one if those rows follow another relation.
        let is_defined = metrics.iter().all(|metric| DEFINED.contains(metric));
        close.retain(|(index, _)| is_defined && !of_counts.iter().any(|of| of.fits(*index)));
        told.extend(close.into_iter().map(|(_, odd)| odd));
    }
    told
}

/// Groups the indices of pairs whose rows share the given fields.
fn groups(context: &LintContext<'_>, common: &[Field], pairs: &[Pair]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<Vec<u64>, Vec<usize>> = BTreeMap::new();
    for (index, pair) in pairs.iter().enumerate() {
        let measurement = context.loaded.rows[pair.rows[0]].get();
        let key = common.iter().map(|field| level_of(measurement, *field)).collect();
        groups.entry(key).or_default().push(index);
    }
    groups.into_values().filter(|group| group.len() >= FEWEST_OF_GROUP).collect()
}

/// The distances of a row to the nearest other row of its group and to the group's median.
struct Off {
    index: usize,
    nearest: f64,
    from_middle: f64,
    middle: f64,
}

/// The distances of the rows in a group; empty if the group is too small.
fn offs(group: &[usize], numbers: &[f64]) -> Vec<Off> {
    let mut sorted: Vec<(f64, usize)> =
        group.iter().map(|index| (numbers[*index], *index)).filter(|(number, _)| !number.is_nan()).collect();
    if sorted.len() < FEWEST_OF_GROUP {
        return Vec::new();
    }
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let middle = sorted[sorted.len() / 2].0;
    let off = |(place, (number, index)): (usize, &(f64, usize))| {
        let apart = |other: Option<&(f64, usize)>| other.map_or(f64::INFINITY, |(other, _)| (other - number).abs());
        let nearest = apart(sorted.get(place + 1)).min(apart(place.checked_sub(1).and_then(|at| sorted.get(at))));
        Off { index: *index, nearest, from_middle: number - middle, middle }
    };
    sorted.iter().enumerate().map(off).collect()
}

/// Maximum number of rows that contradict a relation.
fn most_odd(groups: &[Vec<usize>]) -> usize {
    if groups.iter().map(Vec::len).sum::<usize>() < ROWS_PER_ODD { 1 } else { 2 }
}

/// A relation that holds: its rows, farthest from their nearest other first, and the maximum distance of the rows that are not odd.
struct Holding {
    off: Vec<Off>,
    odd: usize,
    within: f64,
    /// Whether the relation holds so closely that more rows may contradict it.
    is_close: bool,
}

impl Holding {
    fn of(groups: &[Vec<usize>], numbers: &[f64]) -> Option<Self> {
        let total: usize = groups.iter().map(Vec::len).sum();
        let odd = total / ROWS_PER_ODD_OF_CLOSE;
        let close = || Some(Self { is_close: true, ..Self::but_for(groups, numbers, odd, CLOSE)? });
        Self::but_for(groups, numbers, most_odd(groups), WITHIN).or_else(|| close().filter(|_| odd > 1))
    }

    /// Returns the relation if all but `odd` rows are within `most` of their nearest other row.
    fn but_for(groups: &[Vec<usize>], numbers: &[f64], odd: usize, most: f64) -> Option<Self> {
        let total: usize = groups.iter().map(Vec::len).sum();
        let (mut far, mut off): (usize, Vec<Off>) = (0, Vec::new());
        for group in groups {
            let of_group = offs(group, numbers);
            far += of_group.iter().filter(|off| off.from_middle.abs() > WITHIN).count();
            off.extend(of_group);
            // Most relations fail in their first groups, so stop early.
            if far > odd + total / ROWS_PER_FAR {
                return None;
            }
        }
        if off.len() < FEWEST || far > odd + off.len() / ROWS_PER_FAR {
            return None;
        }
        off.sort_unstable_by(|a, b| b.nearest.total_cmp(&a.nearest).then(a.index.cmp(&b.index)));
        let within = off.get(odd)?.nearest;
        (within <= most).then_some(Self { off, odd, within, is_close: false })
    }

    /// The rows that contradict the relation, by index.
    fn odd(&self) -> Vec<(usize, Apart)> {
        let Self { within, .. } = *self;
        let others = self.off.len() - 1;
        let least = if self.is_close { LEAST_OF_CLOSE } else { LEAST };
        let odd = self.off[..self.odd].iter().filter(|off| off.nearest > (within * TIMES).max(least));
        odd.map(|off| (off.index, Apart { off: off.from_middle, within, others, exchanged: false })).collect()
    }

    /// Whether a row is close to another one.
    fn fits(&self, index: usize) -> bool {
        self.off.iter().any(|off| off.index == index && off.nearest <= self.within.max(LEAST))
    }
}

/// Rows that are far off their group's median, but not with their two values exchanged.
fn exchanged(groups: &[Vec<usize>], numbers: &[f64]) -> Vec<(usize, Apart)> {
    let odd = most_odd(groups);
    let mut off: Vec<Off> = groups.iter().flat_map(|group| offs(group, numbers)).collect();
    if off.len() < FEWEST {
        return Vec::new();
    }
    off.sort_unstable_by(|a, b| b.from_middle.abs().total_cmp(&a.from_middle.abs()).then(a.index.cmp(&b.index)));
    let within = off[odd].from_middle.abs();
    let others = off.len() - 1;
    let is_exchanged = |off: &&Off| {
        within <= WITHIN_EXCHANGED
            && off.from_middle.abs() > (within * TIMES_EXCHANGED).max(LEAST_EXCHANGED)
            && (numbers[off.index] + off.middle).abs() <= within.max(LEAST)
    };
    let apart = |off: &Off| (off.index, Apart { off: off.from_middle, within, others, exchanged: true });
    off[..odd].iter().filter(is_exchanged).map(apart).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(numbers: &[f64]) -> [Vec<usize>; 1] {
        [(0..numbers.len()).collect()]
    }

    fn odd(numbers: &[f64]) -> Vec<usize> {
        let holding = Holding::of(&all(numbers), numbers);
        holding.map_or(Vec::new(), |holding| holding.odd().iter().map(|(index, _)| *index).collect())
    }

    #[test]
    fn a_row_is_told_where_all_others_agree() {
        assert_eq!(odd(&[2.0, 2.01, 1.99, 2.0, 2.02, 2.17, 2.0, 2.01]), [5]);
        assert_eq!(odd(&[2.0, 2.1, 1.9, 2.15, 2.05, 2.2, 1.95, 1.85]), [0; 0], "no further off than others");
        assert_eq!(odd(&[2.0, 2.0, 2.0, 2.0, 2.5, 2.5, 2.5, 2.0]), [0; 0], "two kinds of rows");
        assert_eq!(odd(&[2.0, 2.0, 2.0, 2.0, 2.0, 9.0]), [0; 0], "too few rows");
    }

    fn row(fields: &[(Field, Value)]) -> Located<Measurement> {
        let measurement = Measurement::new("x".parse().unwrap(), fields.to_vec(), Default::default());
        Located::new(measurement, &std::sync::Arc::new(crate::model::SourceFile::new("x", "")), 0..0)
    }

    #[test]
    fn one_device_of_an_instance_has_one_price() {
        let of = |instance: &'static str, price: &str, devices| {
            row(&[
                (Field::Device, Value::Text("v100".into())),
                (Field::DeviceCount, Value::Count(devices)),
                (Field::Instance, Value::Text(instance.into())),
                (Field::PriceUsdPerHour, Value::Number(price.parse().unwrap())),
            ])
        };
        let told = |rows: &[Located<Measurement>]| prices(rows).iter().map(|(at, ..)| *at).collect::<Vec<_>>();
        let p3 = of("p3.2xlarge", "3.06", 1);
        assert_eq!(told(&[of("gn6e", "32.960", 128), of("gn6e", "20.60", 8), p3]), [0]);
        assert_eq!(told(&[of("gn6e", "329.60", 128), of("gn6e", "20.60", 8)]), [0; 0]);
    }

    #[test]
    fn the_work_of_a_step_is_a_product_of_counts() {
        let step = row(&[
            (Field::BatchSizeGlobal, Value::Count(256)),
            (Field::SequenceLength, Value::Count(8192)),
            (Field::DeviceCount, Value::Count(64)),
        ]);
        assert!((logarithm(step.get(), WORK[0]).exp() - 32768.0).abs() < 1e-6);
        assert!(logarithm(step.get(), WORK[3]).is_nan(), "the batch of one device is not stated");
    }

    #[test]
    fn values_are_exchanged_where_the_row_fits_the_other_way() {
        let told =
            |numbers: &[f64]| exchanged(&all(numbers), numbers).iter().map(|(index, _)| *index).collect::<Vec<_>>();
        let mut quotients = [3.0, 3.6, 2.7, 3.3, 2.5, 3.1, 3.4, 2.9];
        quotients[3] = -3.3;
        assert_eq!(told(&quotients), [3]);
        quotients[3] = -9.0;
        assert_eq!(told(&quotients), [0; 0], "it fits neither way");
    }
}
