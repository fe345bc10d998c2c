//! Whether times still move: by a test for a trend, which noise alone does not pass.

use super::stats::{Summary, quantile, sorted};
use crate::values::t95;

/// A trend is looked for in at least so many times: of fewer, no order is rare enough (with 4 of them 2 of 24 orders, 8 %, rise or
/// fall all the way).
const LEAST_WINDOW: usize = 6;

/// … and in the medians of at most so many blocks, so that iterations that depend on each other stand in one.
const MOST_BLOCKS: usize = 24;

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_964;

/// Whether warm-up has to go on: the level of the times (of one process) still moves, or there are too few to say. What was before
/// the last two thirds is what warm-up is for.
///
/// A move is a trend by the test of Mann and Kendall ("Nonparametric Tests Against Trend", Econometrica 13, 1945) at 5 %, which is also larger than `tolerance` (relative): what noise makes of itself is the first one time
/// in twenty, and then rarely the second; what would be seen only in thousands of iterations is not waited for.
pub(super) fn still_moves(times: &[f64], tolerance: f64) -> bool {
    let window = &times[times.len() / 3..];
    if window.len() < LEAST_WINDOW {
        return true;
    }
    let blocks = block_medians(window, MOST_BLOCKS);
    has_trend(&blocks) && step(window).is_some_and(|step| step.abs() > tolerance)
}

/// By how much the times fell (below 0) or rose from the first to the second half of the samples, relatively, where this happened
/// in fresh processes alike: the mean over processes differs from 0 by Student's test at 5 %. `None` where it may be noise, and of
/// fewer than three processes.
///
/// Processes are independent of each other, so this holds however iterations depend on each other.
pub(super) fn common_drift<'p>(processes: impl Iterator<Item = &'p [f64]>) -> Option<f64> {
    let steps: Vec<f64> = processes.filter_map(step).collect();
    let summary = Summary::of(&steps).filter(|summary| summary.n > 2)?;
    let error = summary.std_deviation / (summary.n as f64).sqrt();
    (summary.mean.abs() > t95((summary.n - 1) as f64) * error).then_some(summary.mean)
}

/// The step from the median of the first half to that of the second, relative to the second.
fn step(times: &[f64]) -> Option<f64> {
    let half = times.len() / 2;
    let (first, second) = (times.get(..half)?, times.get(times.len() - half..)?);
    if half == 0 {
        return None;
    }
    let [first, second] = [first, second].map(|half| quantile(&sorted(half), 0.5));
    Some((second - first) / second)
}

/// The medians of so many blocks of neighbours, or the values where there are not more of them.
pub(super) fn block_medians(values: &[f64], blocks: usize) -> Vec<f64> {
    if values.len() <= blocks {
        return values.to_vec();
    }
    let bound = |block: usize| block * values.len() / blocks;
    (0..blocks).map(|block| quantile(&sorted(&values[bound(block)..bound(block + 1)]), 0.5)).collect()
}

/// The test of Mann and Kendall, with the correction for continuity.
fn has_trend(values: &[f64]) -> bool {
    let n = values.len() as f64;
    let sign = |from: f64, to: f64| f64::from(u8::from(to > from)) - f64::from(u8::from(to < from));
    let pairs = values.iter().enumerate().flat_map(|(at, from)| values[at + 1..].iter().map(move |to| (*from, *to)));
    let sum: f64 = pairs.map(|(from, to)| sign(from, to)).sum();
    let variance = n * (n - 1.0) * (2.0 * n + 5.0) / 18.0;
    sum.abs() - 1.0 > Z * variance.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise of a few percent, the same every time.
    fn noise(seed: u64, n: usize, share: f64) -> Vec<f64> {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..n).map(|_| 10.0 * (1.0 + share * (random.f64() - 0.5))).collect()
    }

    #[test]
    fn what_falls_moves_and_what_has_settled_does_not() {
        let falling: Vec<f64> = (0..9).map(|at| 100.0 - 8.0 * f64::from(at)).collect();
        assert!(still_moves(&falling, 0.01));
        assert!(!still_moves(&[50.0, 20.0, 10.0, 10.1, 10.0, 9.9, 10.0, 10.1, 10.0], 0.01));
        assert!(still_moves(&[10.0; 5], 0.01), "of so few times nothing can be said");
        assert!(!still_moves(&[10.0; 9], 0.01));
    }

    #[test]
    fn noise_is_no_move_and_hides_none() {
        // The old rule took a noisy fall for rest: windows that differ by less than their noise agreed.
        let moving = (0..200).filter(|&seed| still_moves(&noise(seed, 60, 0.4), 0.01)).count();
        assert!(moving <= 20, "{moving} of 200");
        let falling = |seed| -> Vec<f64> {
            noise(seed, 120, 0.4).into_iter().enumerate().map(|(at, time)| time * (1.5 - 0.004 * at as f64)).collect()
        };
        let seen = (0..200).filter(|&seed| still_moves(&falling(seed), 0.01)).count();
        assert!(seen >= 180, "{seen} of 200");
    }

    #[test]
    fn a_drift_is_what_all_processes_share() {
        let processes: Vec<Vec<f64>> = (0..5).map(|seed| noise(seed, 40, 0.1)).collect();
        assert_eq!(common_drift(processes.iter().map(Vec::as_slice)), None);
        let falling: Vec<Vec<f64>> = processes
            .iter()
            .map(|times| times.iter().enumerate().map(|(at, time)| time * (1.0 - 0.002 * at as f64)).collect())
            .collect();
        let drift = common_drift(falling.iter().map(Vec::as_slice)).unwrap();
        assert!((-0.06..-0.03).contains(&drift), "{drift}");
        assert_eq!(common_drift(falling[..2].iter().map(Vec::as_slice)), None, "of two nothing can be said");
    }
}
