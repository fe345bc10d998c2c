//! Copied values and rows, exchanged numbers, and counts of devices that contradict their spelling.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::exchanged_values;
use crate::contribute::rule_interface::{Findings, IndexedRow, LintContext};
use crate::model::Field;

/// Adds its findings to those of the rule on odd rows.
pub(super) fn find(context: &LintContext<'_>, found: &mut Findings) {
    find_copied_values(context, found);
    find_copied_rows(context, found);
    find_exchanged(context, found);
    exchanged_values::find(context, found);
    find_odd_device_counts(context, found);
}

/// Equal values with at least this many digits count as copies if all other values of the file differ. In longer files
/// that are sorted by value, some values agree by chance.
const DIGITS_OF_COPY: u8 = 6;
const VALUES_OF_COPY: std::ops::RangeInclusive<usize> = 6..=300;

/// The largest distance between a copy and its original, in rows.
const ROWS_TO_COPY: usize = 3;

/// Reports a value that two nearby rows of different devices or networks share, if no other value of the file is repeated.
fn find_copied_values(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut files: BTreeMap<(&Path, &str), Vec<(u64, usize)>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        for (metric, value) in row.get().metrics().iter().filter(|(metric, _)| !metric.is_of_quality()) {
            if value.significant_digits() >= DIGITS_OF_COPY && value.value() % 10.0 != 0.0 {
                files.entry((&row.file().path, metric.key())).or_default().push((value.value().to_bits(), at));
            }
        }
    }
    for ((_, metric), mut values) in files.into_iter().filter(|(_, values)| VALUES_OF_COPY.contains(&values.len())) {
        values.sort_unstable();
        let mut equal = values.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let (Some([(value, first), (_, at)]), None) = (equal.next(), equal.next()) else { continue };
        let differs = |field: &Field| rows[*at].get().get(*field) != rows[*first].get().get(*field);
        if at - first <= ROWS_TO_COPY && [Field::Device, Field::Network].iter().any(differs) {
            let message = format!(
                "`{metric}` is {} here and in a row nearby, and no other value of the file is repeated",
                f64::from_bits(*value)
            );
            let row = IndexedRow { at: *at, row: &rows[*at] };
            found.in_row(&row, metric, message, "a copy?").related(&rows[*first], "the same value");
        }
    }
}

/// Minimum number of metrics in a copied row, and minimum digits for a metric to count.
const METRICS_OF_COPY: usize = 3;
const DIGITS_OF_METRIC: u8 = 4;

/// The first and the second row of a pair, and the number of further pairs in the file.
type Repeated = (usize, usize, usize);

/// Reports a row whose metrics (three or more) all equal those of a nearby row, if no other two rows of the file do.
fn find_copied_rows(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut seen: HashMap<(&Path, Vec<u64>), usize> = HashMap::new();
    let mut repeated: BTreeMap<&Path, Repeated> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        let metrics = row.get().metrics();
        let long = metrics.iter().filter(|(_, value)| value.significant_digits() >= DIGITS_OF_METRIC);
        if long.count() < METRICS_OF_COPY {
            continue;
        }
        let path = row.file().path.as_path();
        let values = metrics.iter().flat_map(|(metric, value)| [*metric as u64, value.value().to_bits()]).collect();
        if let Some(first) = seen.insert((path, values), at) {
            repeated.entry(path).and_modify(|pair| pair.2 += 1).or_insert((first, at, 0));
        }
    }
    // One run may count for two accuracy targets.
    let target = |at: usize| rows[at].get().get(Field::RelativeAccuracyTarget);
    let is_copy =
        |(first, at, more): &Repeated| *more == 0 && at - first <= ROWS_TO_COPY && target(*first) == target(*at);
    for (first, at, _) in repeated.into_values().filter(is_copy) {
        let Some((metric, _)) = rows[at].get().metrics().first() else { continue };
        let message = "every value of this row is that of a row nearby, and no other two rows of the file are so alike";
        let row = IndexedRow { at, row: &rows[at] };
        found.in_row(&row, metric.key(), message, "a copy?").related(&rows[first], "the same values");
    }
}

/// Rows with the usual order of the two numbers must outnumber the exchanged ones by this factor.
const TIMES_EXCHANGED: usize = 3;

/// Reports rows whose device count is the batch size of most other rows and vice versa.
fn find_exchanged(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut files: BTreeMap<&Path, BTreeMap<(i64, i64), Vec<usize>>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        let count = |field| row.get().count(field);
        if let Some(pair) = count(Field::DeviceCount).zip(count(Field::BatchSize)) {
            files.entry(&row.file().path).or_default().entry(pair).or_default().push(at);
        }
    }
    for pairs in files.into_values() {
        for ((devices, batch), of_pair) in pairs.iter().filter(|((devices, batch), _)| devices != batch && *devices > 1)
        {
            let usual = pairs.get(&(*batch, *devices)).map_or(0, Vec::len);
            let is_alone = pairs.keys().filter(|(other, _)| other == devices).count() == 1;
            if usual < of_pair.len() * TIMES_EXCHANGED || !is_alone {
                continue;
            }
            for at in of_pair {
                let row = IndexedRow { at: *at, row: &rows[*at] };
                let message = format!(
                    "a batch of {batch} on {devices} devices; {usual} rows of the file have {devices} on {batch}"
                );
                let finding = found.in_row(&row, Field::DeviceCount.key(), message, "exchanged?");
                finding.beside([Field::BatchSize.key().into()], "with this");
            }
        }
    }
}

/// Minimum number of rows, and of different spellings, whose spelled number is the same multiple of their device count.
const FEWEST_COUNTED: usize = 4;
const FEWEST_SPELLINGS: usize = 2;

/// A row, the number in its spelling, and its device count.
type Counted = (usize, i64, i64);

/// Reports the row whose spelled number is another multiple of its device count than in all other rows of the file with
/// that device: in `v5p-256` and `v5p-512` the number counts cores, two per chip.
fn find_odd_device_counts(context: &LintContext<'_>, found: &mut Findings) {
    static LAST: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(.*?)(\d{1,6})\D*$").expect("the pattern is tested"));
    let rows = &context.loaded.rows;
    let mut files: BTreeMap<(&Path, &str, &str), Vec<Counted>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        let measurement = row.get();
        let of_row = |field| measurement.text(field);
        let (Some(device), Some(raw)) = (of_row(Field::Device), of_row(Field::DeviceRaw)) else { continue };
        let Some(count) = measurement.count(Field::DeviceCount).filter(|count| *count > 0) else { continue };
        let Some(spelled) = LAST.captures(raw) else { continue };
        let Ok(number) = spelled[2].parse::<i64>() else { continue };
        let stem = spelled.get(1).map_or("", |stem| stem.as_str());
        files.entry((&row.file().path, device, stem)).or_default().push((at, number, count));
    }
    for of_file in files.into_values() {
        let Some((odd, others)) = odd_multiple(&of_file) else { continue };
        let row = IndexedRow { at: odd.0, row: &rows[odd.0] };
        let message = format!(
            "`device-raw` has {} and the row {} devices; as in {} other rows it would have {}",
            odd.1,
            odd.2,
            others.len(),
            odd.1 * others[0].2 / others[0].1.max(1)
        );
        let finding = found.in_row(&row, Field::DeviceCount.key(), message, "unlike the other rows of the device");
        finding.beside([Field::DeviceRaw.key().into()], "or this");
    }
}

/// The one row whose ratio of spelled number to device count differs from all others, and the others.
fn odd_multiple(all: &[Counted]) -> Option<(Counted, Vec<Counted>)> {
    let is_like = |a: &Counted, b: &Counted| a.1 * b.2 == b.1 * a.2;
    let (alike, unlike): (Vec<Counted>, Vec<Counted>) = all.iter().copied().partition(|own| is_like(own, &all[0]));
    let (odd, others) = match (alike.as_slice(), unlike.as_slice()) {
        (_, [odd]) => (*odd, alike),
        ([odd], _) => (*odd, unlike),
        _ => return None,
    };
    let spellings: BTreeSet<i64> = others.iter().map(|(_, number, _)| *number).collect();
    let are_many = others.len() >= FEWEST_COUNTED && spellings.len() >= FEWEST_SPELLINGS;
    (are_many && others.iter().all(|other| is_like(other, &others[0]))).then_some((odd, others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_count_that_is_another_multiple_of_its_spelling_is_odd() {
        let odd = |counts: &[(i64, i64)]| {
            let all: Vec<Counted> =
                counts.iter().enumerate().map(|(at, (number, count))| (at, *number, *count)).collect();
            odd_multiple(&all).map(|((at, ..), _)| at)
        };
        let slices = [(128, 64), (256, 128), (512, 256), (256, 128), (1024, 512)];
        assert_eq!(odd(&slices), None);
        assert_eq!(odd(&[&slices[..], &[(256, 256)]].concat()), Some(5));
        assert_eq!(odd(&[&[(256, 256)], &slices[..]].concat()), Some(0));
        assert_eq!(odd(&[&slices[..], &[(256, 256), (512, 512)]].concat()), None, "two are no exception");
        assert_eq!(
            odd(&[(256, 128), (256, 128), (256, 128), (256, 128), (256, 256)]),
            None,
            "one spelling shows no multiple"
        );
    }
}
