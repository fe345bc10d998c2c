//! Which of a candidate's runs stand for it: of repetitions the one in the middle; of runs under several conditions, such as two
//! power modes of one board, the best condition counts, since a median over unlike runs is what nobody measured.

use crate::ask::hits::PartNumbers;

/// Repetitions of one run are no further apart than this: what differs by more ran otherwise, whatever else is stated.
const REPEATED: f64 = 1.2;

/// A value and its hit.
type Run = (f64, usize);

/// The runs that stand for a candidate of several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BestOfLike {
    /// Their median.
    pub value: f64,
    /// The hit in the middle.
    pub hit: usize,
    /// How many they are.
    pub runs: usize,
}

/// Of several runs, from the lowest value to the highest, those under the best of their conditions; `None` where there is one
/// alone. Runs are of one condition that state the same of their setup, work, protocol and batch and are no further apart than
/// repetitions.
pub(super) fn best_of_like(
    runs: &[Run],
    parts: impl Fn(usize) -> PartNumbers,
    lower_is_better: bool,
) -> Option<BestOfLike> {
    if runs.len() < 2 {
        return None;
    }
    let mut sorted: Vec<(PartNumbers, Run)> = runs.iter().map(|run| (parts(run.1), *run)).collect();
    // Stable, so that the runs of one condition stay in order.
    sorted.sort_by_key(|(parts, _)| *parts);
    let median = |alike: &[(PartNumbers, Run)]| -> Option<BestOfLike> {
        let value = |at: usize| alike.get(at).map(|(_, (value, _))| *value);
        let (first, last) = (value(0)?, value(alike.len() - 1)?);
        let is_repeated = |(_, (value, _)): &&(PartNumbers, Run)| match lower_is_better {
            true => *value <= first * REPEATED,
            false => *value * REPEATED >= last,
        };
        let repeated: Vec<Run> = alike.iter().filter(is_repeated).map(|(_, run)| *run).collect();
        let (low, high) = (repeated.get((repeated.len() - 1) / 2)?, repeated.get(repeated.len() / 2)?);
        Some(BestOfLike { value: (low.0 + high.0) / 2.0, hit: low.1, runs: repeated.len() })
    };
    sorted.chunk_by(|a, b| a.0 == b.0).filter_map(median).min_by(|a, b| {
        let by_value = a.value.total_cmp(&b.value);
        (if lower_is_better { by_value } else { by_value.reverse() }).then(b.runs.cmp(&a.runs))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(runs: &[(f64, u32)], lower_is_better: bool) -> Option<(f64, usize)> {
        let mut runs = runs.to_vec();
        runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let numbered: Vec<Run> = runs.iter().enumerate().map(|(hit, (value, _))| (*value, hit)).collect();
        let parts = |hit: usize| {
            let mut parts = PartNumbers::default();
            parts[0] = runs[hit].1;
            parts
        };
        best_of_like(&numbered, parts, lower_is_better).map(|best| (best.value, best.runs))
    }

    #[test]
    fn repetitions_have_a_median_and_of_conditions_the_best_counts() {
        assert_eq!(best(&[(7.0, 0)], false), None);
        assert_eq!(best(&[(380.0, 0), (420.0, 0), (400.0, 0)], false), Some((400.0, 3)));
        // Ten epochs and twelve.
        assert_eq!(best(&[(27.0, 1), (31.0, 2)], true), Some((27.0, 1)));
        // Two power modes of which nothing but the label tells.
        assert_eq!(best(&[(3100.0, 0), (6300.0, 0), (6340.0, 0)], false), Some((6320.0, 2)));
        assert_eq!(best(&[(9.0, 0), (2.0, 0), (2.2, 0)], true), Some((2.1, 2)));
    }
}
