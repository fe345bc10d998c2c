//! Finds two neighbouring rows whose values were exchanged.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use strum::VariantArray as _;

use crate::contribute::rule_interface::{Findings, IndexedRow, LintContext, hash_of};
use crate::model::{Field, Measurement, Metric, Tier};

/// Maximum distance in rows between exchanged values.
const NEAR: usize = 3;

/// Maximum number of fields in which the rows of a pair may differ; more differences allow no conclusion.
const MOST_DIFFERENCES: usize = 3;

/// Minimum number of other pairs with the same differences, to know which value should be larger.
const FEWEST_PAIRS: usize = 8;

/// Minimum share of those pairs that must agree on which value is larger.
const AGREEING: f64 = 0.9;

/// The odd pair must be outside the others by at least this factor, and by this many times their logarithmic range.
const BEYOND: f64 = 1.8;
const TIMES_THE_RANGE: f64 = 3.2;

/// A pair of rows in one file, and the logarithm of the ratio of their values.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct Pair {
    ratio: f64,
    rows: [usize; 2],
}

/// Reports two neighbouring values whose ratio is inverse to that of the source's other pairs with the same
/// differences, so that exchanging the values would make them consistent.
pub(super) fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut sources: BTreeMap<&str, BTreeMap<&Path, Vec<usize>>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        sources.entry(row.get().source().as_str()).or_default().entry(&row.file().path).or_default().push(at);
    }
    let sources: Vec<_> = sources.into_values().collect();
    let of_source = |files: &BTreeMap<&Path, Vec<usize>>| {
        let mut changes: BTreeMap<(Metric, u64), Vec<Pair>> = BTreeMap::new();
        for of_file in files.values() {
            for (place, at) in of_file.iter().enumerate() {
                for other in of_file.iter().skip(place + 1).take(NEAR) {
                    let (first, second) = (rows[*at].get(), rows[*other].get());
                    let Some((change, is_turned)) = change(first, second) else { continue };
                    for (metric, value) in first.metrics() {
                        let Some(next) = second.metric(*metric) else { continue };
                        let ratio = (next.value() / value.value()).ln();
                        let ratio = if is_turned { -ratio } else { ratio };
                        if ratio.is_finite() {
                            changes.entry((*metric, change)).or_default().push(Pair { ratio, rows: [*at, *other] });
                        }
                    }
                }
            }
        }
        let odd = changes.into_iter().filter_map(|((metric, _), pairs)| Some((metric, odd_pair(pairs)?)));
        odd.collect::<Vec<_>>()
    };
    let mut told: Vec<(Metric, (Pair, usize))> = sources.par_iter().flat_map_iter(of_source).collect();
    told.sort_by_key(|(metric, (pair, _))| (pair.rows, *metric));
    told.dedup_by_key(|(_, (pair, _))| pair.rows);
    for (metric, (pair, others)) in told {
        let [first, second] = pair.rows.map(|at| IndexedRow { at, row: &rows[at] });
        let value =
            |row: &IndexedRow<'_>| row.row.get().metric(metric).map(|value| value.to_string()).unwrap_or_default();
        let message = format!(
            "`{metric}` is {} here and {} in a row nearby; in {others} other pairs of rows that differ in the same way the other one is larger",
            value(&first),
            value(&second),
        );
        found.in_row(&first, metric.key(), message, "exchanged?").related(second.row, "with this?");
    }
}

/// A hash of the differences between two rows, and whether the order of the two was swapped to compute it.
fn change(first: &Measurement, second: &Measurement) -> Option<(u64, bool)> {
    let mut all = Vec::new();
    for field in Field::VARIANTS.iter().filter(|field| is_condition(**field)) {
        let values = [first, second].map(|row| row.get(*field).map_or(0, |value| hash_of(*field, value)));
        if values[0] != values[1] {
            all.push(values);
        }
        if all.len() > MOST_DIFFERENCES {
            return None;
        }
    }
    let is_turned = all.first().is_some_and(|[own, other]| own > other);
    let turned = |[own, other]: [u64; 2]| if is_turned { [other, own] } else { [own, other] };
    let change = all.iter().copied().flat_map(turned).fold(0_u64, |sum, value| sum.rotate_left(7) ^ value);
    (!all.is_empty()).then_some((change, is_turned))
}

fn is_condition(field: Field) -> bool {
    !field.is_remark() && field.tier() != Tier::Disclosure && !field.key().ends_with("-raw") && field != Field::Label
}

/// The one pair that lies outside all others but among them once its values are exchanged, and the number of others.
fn odd_pair(mut pairs: Vec<Pair>) -> Option<(Pair, usize)> {
    if pairs.len() <= FEWEST_PAIRS {
        return None;
    }
    pairs.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let (lowest, highest) = (pairs[0], pairs[pairs.len() - 1]);
    let is_odd = |odd: Pair, others: &[Pair]| {
        let (low, high) = (others[0].ratio, others[others.len() - 1].ratio);
        let agreeing = others.iter().filter(|other| other.ratio * odd.ratio < 0.0).count();
        let distance = (odd.ratio - high).max(low - odd.ratio);
        distance > BEYOND.ln().max(TIMES_THE_RANGE * (high - low))
            && (low..=high).contains(&-odd.ratio)
            && agreeing as f64 >= AGREEING * others.len() as f64
    };
    [(lowest, &pairs[1..]), (highest, &pairs[..pairs.len() - 1])]
        .into_iter()
        .find_map(|(odd, others)| is_odd(odd, others).then_some((odd, others.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_that_fits_with_its_values_exchanged_is_odd() {
        let pairs =
            |ratios: &[f64]| ratios.iter().map(|ratio| Pair { ratio: *ratio, rows: [0, 1] }).collect::<Vec<_>>();
        let odd = |ratios: &[f64]| odd_pair(pairs(ratios)).map(|(pair, others)| (pair.ratio, others));
        let usual = [1.0, 1.2, 1.1, 0.9, 1.3, 0.8, 1.0, 1.1];
        assert_eq!(odd(&[&usual[..], &[-1.1]].concat()), Some((-1.1, 8)));
        assert_eq!(odd(&[&usual[..], &[-3.0]].concat()), None, "exchanged it would not fit either");
        assert_eq!(odd(&[&usual[..], &[-1.1, -1.0]].concat()), None, "two are no exception");
        assert_eq!(odd(&[1.0, 1.2, -1.1]), None, "two others show nothing");
    }
}
