//! Pairs of sides that never ran the same batch: each at the batch that suits it best, all else being equal. They are comparable
//! along the batch, which is said.

use crate::ask::conclude::basis::matched_pairs::{MatchedPair, Pairing, Picked};
use crate::ask::conclude::basis::possible::Possible;
use crate::ask::hits::HitColumns;
use crate::ask::question::QueryError;
use crate::model::{Field, Metric};
use crate::stores::Stores;

/// What says the same of one item whatever the batch is: a latency is that of a whole batch.
const AT_ANY_BATCH: &[Metric] = &[
    Metric::ThroughputPerS,
    Metric::DeviceThroughputPerS,
    Metric::EpochS,
    Metric::ItemsPerJoule,
    Metric::EnergyPerItemJ,
];

/// What each side may have its own of, and how that is told; the least first.
const LADDER: &[(&[Field], &str)] = &[
    (&[Field::BatchSize, Field::BatchSizeGlobal], "each at its own best batch"),
    (
        &[Field::BatchSize, Field::BatchSizeGlobal, Field::FrameworkVersion],
        "each at its own best batch and framework version",
    ),
];

/// The pairs, and how they were chosen; none where the sides differ in more.
pub(super) fn best_batch_pairs(
    stores: &Stores,
    pairing: Pairing<'_>,
    subject: &HitColumns,
    baseline: &HitColumns,
    metrics: &[Metric],
) -> Result<Option<(Vec<MatchedPair>, &'static str)>, QueryError> {
    let mut possible = Possible::new(stores, pairing.values);
    let metrics: Vec<Metric> = metrics.iter().copied().filter(|metric| AT_ANY_BATCH.contains(metric)).collect();
    for (free, words) in LADDER {
        let varied: Vec<Field> = pairing.varied.iter().chain(*free).copied().collect();
        let at_best = Pairing { varied: &varied, picked: Picked::Best, ..pairing };
        let mut kept = Vec::new();
        // The best of many is where a failed run would show.
        for pair in at_best.pairs(subject, baseline, &metrics) {
            let mut is_possible = true;
            for run in [&pair.subject, &pair.baseline] {
                is_possible &= possible.is_possible(&run.parts, pair.metric, run.value)?;
            }
            kept.extend(is_possible.then_some(pair));
        }
        if !kept.is_empty() {
            return Ok(Some((kept, words)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, number};

    #[test]
    fn sides_that_never_ran_the_same_batch_stand_at_their_best() {
        let rows = r#"
[[table]]
columns = ["device", "batch-size", "throughput-per-s"]
rows = [["nova", 96, 300], ["nova", 192, 400], ["core", 20, 100], ["core", 10, 80]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let conclusion = sample.conclude(&sample.versus("", &["device:nova", "device:core"]));
        let headline = &conclusion.entries[0];
        assert_eq!((number(headline), headline.n), (4.0, 1), "{}", conclusion.text);
        assert!(conclusion.text.contains("each at its own best batch"), "{}", conclusion.text);
    }
}
