//! Versions of what stands around a run (CUDA, cuDNN, the driver): rows that differ in one of them and in nothing else.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::ask::conclude::basis::sizes::Sizes;
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, PartNumbers, SharedValues};
use crate::model::{Aspect, Direction, Field, Metric};
use crate::rows::by_value;

/// What is a circumstance where it is not what is asked for: rows that differ in two of them do not tell what one does.
const CIRCUMSTANCES: &[Field] = &[Field::Cuda, Field::Cudnn, Field::Driver];

/// Whether the values of a field are versions.
pub(super) fn is_version(field: Field) -> bool {
    CIRCUMSTANCES.contains(&field) || matches!(field, Field::FrameworkVersion | Field::BackendVersion)
}

/// Whether two rows agree in the circumstances besides the one along which a question goes; true for other axes.
pub(super) fn under_one_circumstance(
    values: &SharedValues,
    field: Field,
    one: &PartNumbers,
    other: &PartNumbers,
) -> bool {
    !CIRCUMSTANCES.contains(&field) || beside(values, field, one) == beside(values, field, other)
}

/// The circumstances of a row besides one, by their numbers.
fn beside(values: &SharedValues, field: Field, parts: &PartNumbers) -> Vec<u32> {
    let others = CIRCUMSTANCES.iter().filter(|other| **other != field);
    others.map(|other| values.number(Aspect::Field(*other), parts)).collect()
}

/// The pairs of a newer and an older version of which some rows are alike in everything else, those with the most first.
pub(super) fn versions_in_pairs(
    (values, sizes): (&SharedValues, &Sizes),
    hits: &HitColumns,
    metrics: &[Metric],
    field: Field,
) -> Vec<(String, String)> {
    let aspect = Aspect::Field(field);
    let mut pairs: BTreeMap<(String, String), usize> = BTreeMap::new();
    for &metric in metrics.iter().filter(|metric| metric.direction() != Direction::Neutral) {
        let keys = ComparisonKeys::new(values, metric, &[field]);
        let mut versions: HashMap<(ComparisonKey, Vec<u32>), BTreeSet<&str>> = HashMap::new();
        for (hit, &value) in hits.values(metric).iter().enumerate() {
            let parts = hits.parts(hit);
            let (true, Some(version)) = (value > 0.0 && values.stands(&parts), values.text(aspect, &parts)) else {
                continue;
            };
            let key = sizes.of(values, hits.row(hit), &parts).and_then(|size| keys.key(values, &parts, size));
            if let Some(key) = key {
                versions.entry((key, beside(values, field, &parts))).or_default().insert(version);
            }
        }
        for group in versions.into_values().filter(|group| group.len() > 1) {
            let mut sorted: Vec<&str> = group.into_iter().collect();
            sorted.sort_by(|a, b| by_value(aspect, Some(a), Some(b)));
            for step in sorted.windows(2) {
                *pairs.entry((step[1].to_owned(), step[0].to_owned())).or_default() += 1;
            }
        }
    }
    let mut pairs: Vec<((String, String), usize)> = pairs.into_iter().collect();
    pairs.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    pairs.into_iter().map(|(versions, _)| versions).collect()
}
