//! The stopping rules: when a process has enough samples, and a configuration enough processes.

use std::time::Duration;

use super::stats::{Levels, Summary, block_medians, quantile, sorted};
use crate::values::t95;

/// Maximum number of samples of a configuration: more would only fill the file.
const MOST_SAMPLES: usize = 2000;

/// Minimum total sampling time of all processes, so that slow changes of the machine show.
const LEAST_TIME_S: f64 = 1.0;

/// Number of blocks of samples for estimating the error of a process's level; between 10 and 30 it makes little difference
/// (Schmeiser, "Batch Size Effects in the Analysis of Simulation Output", Operations Research 30, 1982).
const BLOCKS: usize = 10;

/// Minimum number of samples for estimating the error of a process's level.
const LEAST_SAMPLES: usize = 5;

/// If all processes start within this time, s, their interval does not include slow drift.
pub(super) const LEAST_SPAN_S: f64 = 900.0;

/// When a process has enough samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StopRule {
    /// When the relative half-width of the median's 95% interval is small enough.
    Interval,
    /// After this number of iterations.
    Fixed(u32),
    /// After this many samples, rounded up to whole batches.
    Samples(u32),
}

/// The limits of one process: its share of those of the configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ProcessShare {
    /// The desired relative half-width of the interval of its level.
    pub goal: f64,
    /// Minimum number of iterations.
    pub least: usize,
    /// Maximum number of iterations.
    pub most: usize,
    /// Minimum sampling time, s …
    pub least_s: f64,
    /// … and maximum time of warm-up and sampling together, s.
    pub time_s: f64,
    /// How long energy is metered after the samples, s, if requested.
    pub energy_s: Option<f64>,
}

impl ProcessShare {
    /// The share of one process out of `processes`.
    pub fn of(limits: &RunLimits, processes: usize) -> Self {
        Self {
            goal: limits.goal,
            least: (limits.least as usize).div_ceil(processes),
            most: MOST_SAMPLES.div_ceil(processes),
            least_s: LEAST_TIME_S / processes as f64,
            time_s: limits.time_s / processes as f64,
            energy_s: limits.energy_s.map(|seconds| seconds / processes as f64),
        }
    }
}

impl StopRule {
    /// Number of iterations, if it is fixed in advance.
    pub fn count(self, batch: u32) -> Option<u32> {
        match self {
            Self::Interval => None,
            Self::Fixed(count) => Some(count),
            Self::Samples(samples) => Some(samples.div_ceil(batch)),
        }
    }

    /// Whether a process has enough samples (ms). `sampling_s` is the sampling time, `total_s` includes warm-up.
    pub(super) fn is_enough(
        self,
        batch: u32,
        samples: &[f64],
        (sampling_s, total_s): (f64, f64),
        share: &ProcessShare,
    ) -> bool {
        if let Some(fixed) = self.count(batch) {
            // A named protocol is always completed, however long it takes; otherwise it would be a different protocol.
            return samples.len() >= fixed as usize;
        }
        let is_known = || half_width(samples).is_some_and(|width| width <= share.goal);
        total_s > share.time_s
            || samples.len() >= share.most
            || samples.len() >= share.least && sampling_s >= share.least_s && is_known()
    }

    /// The number of processes that a configuration needs, given those that ran: at least the planned ones, and as many as reduce
    /// the interval of their levels to the goal, if they fit into the time limit at `process_s` each from start to end. Spread
    /// rounds may take at most twice the planned time.
    pub(super) fn processes(self, planned: usize, levels: &Levels, process_s: f64, limits: &RunLimits) -> usize {
        match self {
            Self::Interval => {
                let fit = (limits.time_s / process_s.max(1e-9)) as usize;
                let spread = if limits.spread_s > 0.0 { 2 * planned.max(1) - 1 } else { usize::MAX };
                levels.wanted(limits.goal).min(fit).min(spread).max(planned)
            }
            Self::Fixed(_) | Self::Samples(_) => planned,
        }
    }
}

/// Half-width of the 95% confidence interval of one process's level, relative to it; `None` with too few samples. Computed from
/// blocks of consecutive samples, which absorb most of the correlation between iterations.
fn half_width(samples: &[f64]) -> Option<f64> {
    if samples.len() < LEAST_SAMPLES {
        return None;
    }
    let blocks = Summary::of(&block_medians(samples, BLOCKS))?;
    let error = blocks.std_deviation / (blocks.n as f64).sqrt();
    Some(t95((blocks.n - 1) as f64) * error / quantile(&sorted(samples), 0.5))
}

/// The limits that the user can set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunLimits {
    /// The desired relative half-width of the value's 95% interval.
    pub goal: f64,
    /// Minimum number of iterations of all processes together.
    pub least: u32,
    /// Maximum time of warm-up and samples of all processes together, s; processes beyond the planned ones only start if
    /// they fit in from start to end.
    pub time_s: f64,
    /// Timeout for one answer of a worker, s, after which the worker counts as hanging.
    pub answer_s: f64,
    /// Maximum total time for which a run waits until other processes leave the processors alone, s.
    pub wait_s: f64,
    /// The time over which the planned rounds are spread, s; 0 runs them back to back. Machines drift over minutes, so back-to-back
    /// processes agree better with each other than with a run an hour later.
    pub spread_s: f64,
    /// Fresh processes per configuration; those of the method if absent.
    pub processes: Option<u32>,
    /// How long energy is metered per configuration, over all processes, s; if absent, only during sampling.
    pub energy_s: Option<f64>,
}

impl RunLimits {
    /// Timeout for one answer of a worker; values beyond the range of the clock mean no timeout.
    pub fn patience(&self) -> Duration {
        Duration::try_from_secs_f64(self.answer_s).unwrap_or(Duration::MAX)
    }
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            goal: 0.01,
            least: 10,
            time_s: 60.0,
            answer_s: 600.0,
            wait_s: 60.0,
            spread_s: 1200.0,
            processes: None,
            energy_s: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: RunLimits = RunLimits {
        goal: 0.01,
        least: 10,
        time_s: 60.0,
        answer_s: 600.0,
        wait_s: 0.0,
        spread_s: 0.0,
        processes: None,
        energy_s: None,
    };

    #[test]
    fn a_level_that_is_known_ends_the_sampling_not_before_its_share_of_a_second() {
        let share = ProcessShare::of(&LIMITS, 5);
        let is_enough = |samples: &[f64], sampling_s, total_s| {
            StopRule::Interval.is_enough(1, samples, (sampling_s, total_s), &share)
        };
        let same = [10.0; 20];
        assert!(!is_enough(&same, 0.1, 0.5));
        assert!(is_enough(&same, 0.2, 0.5));
        assert!(!is_enough(&same[..4], 0.3, 0.5), "too few to tell");
        let wide: Vec<f64> = (0..20).map(|n| if n % 3 == 0 { 10.0 } else { 30.0 }).collect();
        assert!(!is_enough(&wide, 10.0, 11.9));
        assert!(is_enough(&wide, 10.0, 12.1), "a fifth of a minute is over");
    }

    #[test]
    fn iterations_that_depend_on_each_other_are_not_taken_for_many() {
        // The level wanders: neighbouring samples are alike, blocks are not.
        let wandering: Vec<f64> = (0..200).map(|at| 10.0 + f64::from(at / 20 % 2)).collect();
        assert!(half_width(&wandering).is_some_and(|width| width > 0.03), "{:?}", half_width(&wandering));
    }

    #[test]
    fn a_fixed_count_is_kept_whatever_the_time() {
        let share = ProcessShare::of(&LIMITS, 1);
        assert!(!StopRule::Fixed(20).is_enough(1, &[10.0; 19], (500.0, 900.0), &share));
        assert!(StopRule::Samples(1024).is_enough(512, &[1.0; 2], (0.0, 0.0), &share));
        let apart = Levels::new(vec![10.0, 20.0], 2);
        assert_eq!(StopRule::Fixed(20).processes(2, &apart, 1.0, &LIMITS), 2);
    }

    #[test]
    fn processes_that_deviate_are_joined_by_others_as_far_as_time_allows() {
        let apart = Levels::new(vec![10.0, 10.2, 9.8, 10.1, 9.9], 5);
        // (2.776 x 0.158 / 0.1)^2 = 19.3.
        assert_eq!(StopRule::Interval.processes(5, &apart, 1.0, &LIMITS), 20);
        assert_eq!(StopRule::Interval.processes(5, &apart, 6.0, &LIMITS), 10);
        assert_eq!(StopRule::Interval.processes(5, &apart, 20.0, &LIMITS), 5);
        let spread = RunLimits { spread_s: 1200.0, ..LIMITS };
        assert_eq!(StopRule::Interval.processes(5, &apart, 1.0, &spread), 9, "in as long again");
        let alike = Levels::new(vec![10.0, 10.02, 9.98, 10.01, 9.99], 5);
        assert_eq!(StopRule::Interval.processes(5, &alike, 1.0, &LIMITS), 5);
    }
}
