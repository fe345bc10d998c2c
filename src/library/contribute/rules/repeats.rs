//! Finds inconsistent rows of one run: repeats far from each other, percentiles out of order.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::values::Decimal;

pub(in crate::contribute) const FAR_REPEAT: Rule = Rule {
    code: Code::new(422),
    title: "a repeat far off the others",
    severity: Severity::Warning,
    page: "Rows of one file that differ in the number of the run alone, which their label states (`run 0`, `run 1`), repeat one thing: trainings to an accuracy take twice as long at most where the seed is bad. One that is more than three times off the middle of the others has a digit too many or too few. Two rows that differ in their label alone and agree in one metric do not have the digits of another one exchanged.",
    sample: Sample::edited(
        "measurements/imagined-2018/repeats.toml",
        "[\"c\", 64, 221.0],\n  [\"d\", 64, 223.5],\n  [\"e\", 64, 224.0],",
        "[\"run 0\", 32, 121.0],\n  [\"run 1\", 32, 410.0],\n  [\"run 2\", 32, 122.0],\n  [\"run 3\", 32, 123.0],",
    ),
    check: Check::Rows(find_far_repeat),
};

/// Minimum number of other repeats for a median.
const FEWEST: usize = 4;

/// Maximum factor between a repeat and the median.
const MOST: f64 = 3.0;

const METRICS: &[Metric] = &[Metric::TimeToAccuracyS, Metric::TotalS, Metric::LatencyMs, Metric::ThroughputPerS];

static RUN: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\brun \d+\b").expect("the pattern is tested"));

fn find_far_repeat(context: &LintContext<'_>, found: &mut Findings) {
    let mut repeats: HashMap<(&Path, u64, String), Vec<usize>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let Some(label) = row.get().text(Field::Label).filter(|label| RUN.is_match(label)) else { continue };
        let setting = context.setting_but_for(at, &[Field::Label]);
        repeats.entry((&row.file().path, setting, RUN.replace_all(label, "").into_owned())).or_default().push(at);
    }
    let mut told: Vec<(usize, Metric, f64)> = Vec::new();
    for rows in repeats.values().filter(|rows| rows.len() >= FEWEST) {
        for metric in METRICS {
            let value = |at: &usize| Some((*at, context.loaded.rows[*at].get().metric(*metric)?.value()));
            let mut values: Vec<(usize, f64)> =
                rows.iter().filter_map(value).filter(|(_, value)| *value > 0.0).collect();
            if values.len() < FEWEST {
                continue;
            }
            values.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
            let middle = values[values.len() / 2].1;
            let far = values.iter().filter(|(_, value)| !(middle / MOST..=middle * MOST).contains(value));
            told.extend(far.map(|(at, _)| (*at, *metric, middle)));
        }
    }
    find_printed_twice(context, found);
    told.sort_unstable_by_key(|(at, _, _)| *at);
    for (at, metric, middle) in told {
        let row = IndexedRow { at, row: &context.loaded.rows[at] };
        let message = format!("the middle of the other runs is {middle}");
        found.in_row(&row, metric.key(), message, "a digit too many or too few?");
    }
}

/// Minimum digits for two values with the same digits in another order.
const DIGITS_EXCHANGED: u8 = 3;

/// Reports two rows that differ only in their label and agree in one metric, while another metric has transposed
/// digits: a source that prints a row in two tables prints equal values.
fn find_printed_twice(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut settings: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.get().metrics().len() > 1) {
        if row.get().text(Field::Label).is_some() {
            settings.entry(context.setting_but_for(at, &[Field::Label])).or_default().push(at);
        }
    }
    let digits = |value: Decimal| {
        let mut digits: Vec<u8> = value.to_string().bytes().filter(u8::is_ascii_digit).collect();
        digits.sort_unstable();
        digits
    };
    let is_long = |value: Decimal| value.significant_digits() >= DIGITS_EXCHANGED;
    let pairs = settings.values().filter(|rows| rows.len() < MOST_PRINTED).flat_map(|rows| {
        rows.iter().enumerate().flat_map(move |(place, one)| rows[..place].iter().map(move |other| [*one, *other]))
    });
    let mut told: Vec<(usize, usize, Metric, Decimal, Decimal)> = Vec::new();
    for [at, other] in pairs {
        let both = || {
            let metrics = rows[at].get().metrics().iter();
            metrics.filter_map(|(metric, own)| Some((*metric, *own, rows[other].get().metric(*metric)?)))
        };
        let exchanged =
            both().find(|(_, own, theirs)| own != theirs && is_long(*own) && digits(*own) == digits(*theirs));
        if let Some((metric, own, theirs)) = exchanged
            && both().any(|(_, own, theirs)| own == theirs && is_long(own))
        {
            told.push((at, other, metric, own, theirs));
        }
    }
    told.sort_unstable_by_key(|(at, ..)| *at);
    for (at, other, metric, own, theirs) in told {
        for (at, other, own, theirs) in [(at, other, own, theirs), (other, at, theirs, own)] {
            let row = IndexedRow { at, row: &rows[at] };
            let message = format!("`{metric}` is {own}, and {theirs} in a row that differs in its label alone");
            let finding = found.in_row(&row, metric.key(), message, "the digits of one of the two are exchanged");
            finding.related(&rows[other], "the other row");
        }
    }
}

/// Maximum rows that differ only in their label; more are a series rather than a table printed twice.
const MOST_PRINTED: usize = 12;

pub(in crate::contribute) const PERCENTILES: Rule = Rule {
    code: Code::new(421),
    title: "times out of their order",
    severity: Severity::Warning,
    page: "Of one run the time within which 99 % of the answers came is no shorter than that of 95 % or 90 %, and hardly shorter than the mean, whether rows state them by their `statistic` or metrics of one row do. The first token of an answer waits for its prompt and takes longer than the next ones, and the whole answer longer than its first token. Where it is otherwise, a digit slipped or two columns are exchanged. Some sources print such tables: except the row with the source's own figures.",
    sample: Sample::edited(
        "measurements/imagined-2018/repeats.toml",
        "columns = [\"label\", \"batch-size\", \"latency-ms\"]\nrows = [\n  [\"a\", 64, 220.0],\n  [\"b\", 64, 222.0],\n  [\"c\", 64, 221.0],\n  [\"d\", 64, 223.5],\n  [\"e\", 64, 224.0],\n",
        "columns = [\"statistic\", \"batch-size\", \"latency-ms\"]\nrows = [\n  [\"p90\", 64, 220.0],\n  [\"p99\", 64, 122.0],\n",
    ),
    check: Check::Rows(find_percentiles),
};

/// Percentiles in ascending order.
const ORDER: &[&str] = &["median", "p50", "p90", "p95", "p97", "p99", "p99.9"];

/// Tolerance for percentiles: sources print those of few samples that are this close in the wrong order.
const NOISE: f64 = 0.995;

/// Tolerance for a mean: half of a skewed distribution lies below its mean, 99 % hardly ever.
const NOISE_OF_MEAN: f64 = 0.85;

/// Times for which sources give percentiles.
const TIMES: &[Metric] =
    &[Metric::LatencyMs, Metric::TimeToFirstTokenMs, Metric::TimePerOutputTokenMs, Metric::InterTokenLatencyMs];

/// Pairs of metrics in which the first is at most the second, up to this factor: percentiles in order; the mean below
/// the highest percentile; each token after the first is generated faster than a prompt is read (of 5,300 rows two are
/// 9 % off); and the first token is part of the answer.
const AT_MOST: &[(Metric, Metric, f64)] = &[
    (Metric::MedianTimeToFirstTokenMs, Metric::P90TimeToFirstTokenMs, NOISE),
    (Metric::MedianTimeToFirstTokenMs, Metric::P95TimeToFirstTokenMs, NOISE),
    (Metric::MedianTimeToFirstTokenMs, Metric::P99TimeToFirstTokenMs, NOISE),
    (Metric::P90TimeToFirstTokenMs, Metric::P95TimeToFirstTokenMs, NOISE),
    (Metric::P90TimeToFirstTokenMs, Metric::P99TimeToFirstTokenMs, NOISE),
    (Metric::P95TimeToFirstTokenMs, Metric::P99TimeToFirstTokenMs, NOISE),
    (Metric::TimeToFirstTokenMs, Metric::P99TimeToFirstTokenMs, NOISE_OF_MEAN),
    (Metric::MedianTimePerOutputTokenMs, Metric::P90TimePerOutputTokenMs, NOISE),
    (Metric::MedianTimePerOutputTokenMs, Metric::P95TimePerOutputTokenMs, NOISE),
    (Metric::MedianTimePerOutputTokenMs, Metric::P99TimePerOutputTokenMs, NOISE),
    (Metric::P90TimePerOutputTokenMs, Metric::P95TimePerOutputTokenMs, NOISE),
    (Metric::P90TimePerOutputTokenMs, Metric::P99TimePerOutputTokenMs, NOISE),
    (Metric::P95TimePerOutputTokenMs, Metric::P99TimePerOutputTokenMs, NOISE),
    (Metric::TimePerOutputTokenMs, Metric::P99TimePerOutputTokenMs, NOISE_OF_MEAN),
    (Metric::MedianInterTokenLatencyMs, Metric::P90InterTokenLatencyMs, NOISE),
    (Metric::MedianInterTokenLatencyMs, Metric::P95InterTokenLatencyMs, NOISE),
    (Metric::MedianInterTokenLatencyMs, Metric::P99InterTokenLatencyMs, NOISE),
    (Metric::P90InterTokenLatencyMs, Metric::P95InterTokenLatencyMs, NOISE),
    (Metric::P90InterTokenLatencyMs, Metric::P99InterTokenLatencyMs, NOISE),
    (Metric::P95InterTokenLatencyMs, Metric::P99InterTokenLatencyMs, NOISE),
    (Metric::InterTokenLatencyMs, Metric::P99InterTokenLatencyMs, NOISE_OF_MEAN),
    (Metric::TimePerOutputTokenMs, Metric::TimeToFirstTokenMs, NOISE_OF_MEAN),
    (Metric::InterTokenLatencyMs, Metric::TimeToFirstTokenMs, NOISE_OF_MEAN),
    (Metric::MedianTimePerOutputTokenMs, Metric::MedianTimeToFirstTokenMs, NOISE_OF_MEAN),
    (Metric::MedianInterTokenLatencyMs, Metric::MedianTimeToFirstTokenMs, NOISE_OF_MEAN),
    (Metric::P99TimePerOutputTokenMs, Metric::P99TimeToFirstTokenMs, NOISE_OF_MEAN),
    (Metric::TimeToFirstTokenMs, Metric::MeanLatencyMs, NOISE),
];

/// Metrics of one row that are out of order, each with the metric that it falls below.
fn out_of_order(measurement: &Measurement) -> impl Iterator<Item = (Metric, Metric, String)> {
    let metric = |metric| measurement.metric(metric).map(|value| value.value());
    AT_MOST.iter().filter_map(move |(lower, higher, noise)| {
        let (low, high) = (metric(*lower)?, metric(*higher)?);
        (high < low * noise)
            .then(|| (*higher, *lower, format!("`{higher}` is {high}, below `{lower}`, which is {low}")))
    })
}

fn find_percentiles(context: &LintContext<'_>, found: &mut Findings) {
    /// A percentile: its index in the order, the row, and its time.
    type Percentile = (usize, usize, f64);
    let mut runs: HashMap<(&Path, Metric, u64), Vec<Percentile>> = HashMap::new();
    let mut told: Vec<(usize, Metric, String, usize)> = Vec::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        for (higher, lower, message) in out_of_order(measurement).filter(|_| context.is_undisputed(measurement)) {
            let row = IndexedRow { at, row };
            let finding = found.in_row(&row, higher.key(), message, "exchanged with the other, or a digit wrong?");
            finding.beside([lower.key().into()], "the other");
        }
        let place = measurement.text(Field::Statistic).and_then(|own| ORDER.iter().position(|name| *name == own));
        let Some(place) = place.filter(|_| context.is_undisputed(measurement)) else { continue };
        let setting = context.setting_but_for(at, &[Field::Statistic]);
        let value = |metric: Metric| Some((metric, measurement.metric(metric)?.value()));
        for (metric, time) in TIMES.iter().filter_map(|metric| value(*metric)) {
            runs.entry((&row.file().path, metric, setting)).or_default().push((place, at, time));
        }
        if let Some(((_, latency), (_, mean))) = value(Metric::LatencyMs).zip(value(Metric::MeanLatencyMs))
            && ORDER[place].starts_with("p99")
            && latency < mean * NOISE_OF_MEAN
        {
            told.push((at, Metric::LatencyMs, format!("{} is {latency} ms, the mean {mean} ms", ORDER[place]), at));
        }
    }
    for ((_, metric, _), mut rows) in runs.into_iter().filter(|(_, rows)| rows.len() > 1) {
        rows.sort_unstable_by_key(|(place, at, _)| (*place, *at));
        for pair in rows.windows(2) {
            let [(lower, other, before), (higher, at, time)] = pair else { continue };
            if lower < higher && *time < before * NOISE {
                let message = format!("{} is {time} ms, {} of the same {before} ms", ORDER[*higher], ORDER[*lower]);
                told.push((*at, metric, message, *other));
            }
        }
    }
    told.sort_unstable_by(|a, b| (a.0, a.1.key(), &a.2).cmp(&(b.0, b.1.key(), &b.2)));
    for (at, metric, message, other) in told {
        let row = IndexedRow { at, row: &context.loaded.rows[at] };
        let finding = found.in_row(&row, metric.key(), message, "out of order: exchanged, or a digit wrong?");
        finding.beside([Field::Statistic.key().into()], "of what it is");
        if other != at {
            finding.related(&context.loaded.rows[other], "the lower one");
        }
    }
}
