//! Pairs of sides that never ran the same batch, or frameworks never on as many threads: each at what suits it best, all else being
//! equal. They are comparable along the batch or the threads, which is said.

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

/// What each side may have its own of.
struct Rung {
    fields: &'static [Field],
    /// How that is told.
    words: &'static str,
    /// Only where this is compared.
    compared: Option<Field>,
    /// The metrics that it leaves comparable; all where none is named.
    metrics: &'static [Metric],
}

/// The least first.
const LADDER: &[Rung] = &[
    // A framework has its own choice of threads: one that knows a single thread leaves the others idle, which is what it costs.
    Rung {
        fields: &[Field::Threads],
        words: "each with its own threads",
        compared: Some(Field::Framework),
        metrics: &[],
    },
    Rung {
        fields: &[Field::BatchSize, Field::BatchSizeGlobal],
        words: "each at its own best batch",
        compared: None,
        metrics: AT_ANY_BATCH,
    },
    Rung {
        fields: &[Field::BatchSize, Field::BatchSizeGlobal, Field::FrameworkVersion],
        words: "each at its own best batch and framework version",
        compared: None,
        metrics: AT_ANY_BATCH,
    },
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
    let is_asked = |rung: &&Rung| rung.compared.is_none_or(|field| pairing.varied.contains(&field));
    for rung in LADDER.iter().filter(is_asked) {
        let is_alike = |metric: &Metric| rung.metrics.is_empty() || rung.metrics.contains(metric);
        let metrics: Vec<Metric> = metrics.iter().copied().filter(is_alike).collect();
        let varied: Vec<Field> = pairing.varied.iter().chain(rung.fields).copied().collect();
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
            return Ok(Some((kept, rung.words)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, number};

    #[test]
    fn frameworks_that_never_ran_on_as_many_threads_stand_with_their_own() {
        let rows = r#"
[[table]]
columns = ["framework", "threads", "latency-ms"]
rows = [["firelight", 1, 64], ["firelight", 2, 32], ["gridflow", 4, 128]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("", &["framework:firelight", "framework:gridflow"]));
        assert_eq!((number(&told.entries[0]), told.entries[0].n), (4.0, 1), "{}", told.text);
        assert!(told.text.contains("each with its own threads"), "{}", told.text);
        let beside = "Beside the framework: Firelight with threads 2; Gridflow with threads 4.";
        assert!(told.text.contains(beside), "{}", told.text);
        // Where both ran on as many, no other numbers stand against each other.
        let alike = Sample::of(&[("paper-2020", &rows.replace("4, 128", "1, 128"))]);
        let told = alike.conclude(&alike.versus("", &["framework:firelight", "framework:gridflow"]));
        assert_eq!((number(&told.entries[0]), told.entries[0].n), (2.0, 1), "{}", told.text);
    }

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
