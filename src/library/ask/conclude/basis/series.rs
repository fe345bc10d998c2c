//! Series: rows that are alike in everything that decides comparability but their place on an axis of whole numbers.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::matched_pairs::{Run, Runs};
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, NumberMap, PartNumbers, SharedValues};
use crate::model::{Field, Metric};

/// The run in the middle of each place.
pub(in crate::ask::conclude) type Series = BTreeMap<i64, Run>;

/// Series are those of whole networks.
const NO_LAYER: u32 = 0;

/// The series of a metric where these fields vary, the longest first; `place` tells where on the axis a row stands.
pub(in crate::ask::conclude) fn series_along(
    values: &SharedValues,
    hits: &HitColumns,
    metric: Metric,
    varied: &[Field],
    place: impl Fn(&PartNumbers) -> Option<i64>,
) -> Vec<Series> {
    let keys = ComparisonKeys::new(values, metric, varied);
    let mut all: NumberMap<ComparisonKey, BTreeMap<i64, Runs>> = NumberMap::default();
    for (hit, &value) in hits.values(metric).iter().enumerate().filter(|(_, value)| **value > 0.0) {
        let parts = hits.parts(hit);
        let ranked = values.stands(&parts) && !values.is_extreme(&parts);
        let key = ranked.then(|| keys.key(values, &parts, NO_LAYER)).flatten();
        if let (Some(key), Some(place)) = (key, place(&parts)) {
            all.entry(key).or_default().entry(place).or_default().push(value, hit);
        }
    }
    let middle = |places: BTreeMap<i64, Runs>| -> Series {
        places.into_iter().filter_map(|(place, mut runs)| Some((place, runs.middle(hits)?))).collect()
    };
    let mut series: Vec<Series> = all.into_values().map(middle).filter(|series| series.len() > 1).collect();
    series.sort_by_key(|series| (Reverse(series.len()), series.first_key_value().map(|(_, run)| run.row)));
    series
}
