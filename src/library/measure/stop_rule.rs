//! When a configuration has been measured precisely enough: the stopping rule.

use super::limits::RunLimits;
use super::stats::Summary;

/// Samples of a configuration at most: more would only fill the file.
pub const MOST_SAMPLES: usize = 2000;

/// Samples take at least this long together, so that slow changes of the machine show.
const LEAST_TIME_S: f64 = 1.0;

/// When there are enough samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StopRule {
    /// When the relative half-width of the median's 95% interval is small enough.
    Interval,
    /// After so many iterations.
    Fixed(u32),
    /// After this many samples have gone through, in whole batches.
    Samples(u32),
}

/// Whether more samples are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enough {
    /// More are needed.
    NotYet,
    /// There are enough; `converged` when the goal was reached, not only a limit.
    Stop {
        /// Whether the goal was reached.
        converged: bool,
    },
}

impl StopRule {
    /// Iterations that are fixed beforehand.
    pub fn count(self, batch: u32) -> Option<u32> {
        match self {
            Self::Interval => None,
            Self::Fixed(count) => Some(count),
            Self::Samples(samples) => Some(samples.div_ceil(batch)),
        }
    }

    /// Whether these samples (ms) of a batch are enough. `sampling_s` is how long they took, `total_s` the same with warm-up.
    pub fn judge(self, batch: u32, samples: &[f64], sampling_s: f64, total_s: f64, limits: &RunLimits) -> Enough {
        if let Some(fixed) = self.count(batch) {
            // A named protocol is kept to the end, however long it takes: else it would be another.
            return if samples.len() >= fixed as usize { Enough::Stop { converged: true } } else { Enough::NotYet };
        }
        let least = samples.len() >= limits.least as usize;
        let narrow =
            Summary::of(samples).and_then(|summary| summary.half_width()).is_some_and(|width| width <= limits.goal);
        if least && narrow && sampling_s >= LEAST_TIME_S {
            return Enough::Stop { converged: true };
        }
        if total_s > limits.time_s || samples.len() >= MOST_SAMPLES {
            return Enough::Stop { converged: narrow && least };
        }
        Enough::NotYet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: RunLimits = RunLimits { goal: 0.01, least: 10, time_s: 60.0, answer_s: 600.0, wait_s: 0.0 };

    #[test]
    fn a_narrow_interval_ends_the_sampling_not_before_a_second() {
        let same = [10.0; 20];
        assert_eq!(StopRule::Interval.judge(1, &same, 0.2, 0.5, &LIMITS), Enough::NotYet);
        assert_eq!(StopRule::Interval.judge(1, &same, 1.5, 2.0, &LIMITS), Enough::Stop { converged: true });
        assert_eq!(StopRule::Interval.judge(1, &same[..5], 1.5, 2.0, &LIMITS), Enough::NotYet);
    }

    #[test]
    fn a_limit_ends_it_and_says_that_the_goal_was_missed() {
        let wide: Vec<f64> = (0..20).map(|n| if n % 2 == 0 { 10.0 } else { 30.0 }).collect();
        assert_eq!(StopRule::Interval.judge(1, &wide, 50.0, 61.0, &LIMITS), Enough::Stop { converged: false });
        assert_eq!(StopRule::Interval.judge(1, &wide, 50.0, 59.0, &LIMITS), Enough::NotYet);
    }

    #[test]
    fn a_fixed_count_is_kept_whatever_the_time() {
        assert_eq!(StopRule::Fixed(20).judge(1, &[10.0; 19], 500.0, 900.0, &LIMITS), Enough::NotYet);
        assert_eq!(StopRule::Samples(1024).judge(512, &[1.0; 2], 0.0, 0.0, &LIMITS), Enough::Stop { converged: true });
    }
}
