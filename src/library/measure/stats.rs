//! Statistics of samples: median, spread, outliers, trend, and the confidence interval of the mean level of fresh processes.

use crate::values::t95;

/// Summary of the samples of one configuration, in the unit of the samples.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// Number of samples.
    pub n: usize,
    /// The median sample.
    pub median: f64,
    /// Their mean.
    pub mean: f64,
    /// The smallest.
    pub minimum: f64,
    /// The largest.
    pub maximum: f64,
    /// 5th percentile.
    pub p5: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Median absolute deviation from the median.
    pub mad: f64,
    /// Standard deviation (n - 1).
    pub std_deviation: f64,
}

/// Samples farther from the median than this many deviations are flagged. The deviation is 1.4826 MAD, which is the standard
/// deviation of normal samples; five of them then flag 6 samples in 10^7.
const OUTLIER_DEVIATIONS: f64 = 5.0;

/// The standard deviation of a normal distribution, in median absolute deviations (MAD).
const DEVIATION_PER_MAD: f64 = 1.4826;

impl Summary {
    /// Summarises samples; `None` without samples.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let sorted = sorted(samples);
        let (&minimum, &maximum) = (sorted.first()?, sorted.last()?);
        let n = sorted.len();
        let median = quantile(&sorted, 0.5);
        let mean = sorted.iter().sum::<f64>() / n as f64;
        let squares: f64 = sorted.iter().map(|x| (x - mean).powi(2)).sum();
        Some(Self {
            n,
            median,
            mean,
            minimum,
            maximum,
            p5: quantile(&sorted, 0.05),
            p95: quantile(&sorted, 0.95),
            p99: quantile(&sorted, 0.99),
            mad: deviation(&sorted, median),
            std_deviation: if n > 1 { (squares / (n - 1) as f64).sqrt() } else { 0.0 },
        })
    }
}

/// Positions of outliers, which are flagged but never dropped.
pub fn outliers(samples: &[f64]) -> Vec<usize> {
    let Some(summary) = Summary::of(samples) else { return Vec::new() };
    let far = OUTLIER_DEVIATIONS * DEVIATION_PER_MAD * summary.mad;
    let stands_out = |x: f64| summary.mad > 0.0 && (x - summary.median).abs() > far;
    (0..samples.len()).filter(|&at| stands_out(samples[at])).collect()
}

/// The samples, sorted.
pub(super) fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// A quantile by linear interpolation between the two nearest samples, the usual default of statistics programs.
pub(super) fn quantile(sorted: &[f64], q: f64) -> f64 {
    let at = q * (sorted.len() - 1) as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * (at - low as f64)
}

fn deviation(sorted: &[f64], median: f64) -> f64 {
    let distances = self::sorted(&sorted.iter().map(|x| (x - median).abs()).collect::<Vec<_>>());
    quantile(&distances, 0.5)
}

/// Maximum number of processes for a configuration.
const MOST_PROCESSES: usize = 30;

/// The levels of processes, in the order of execution.
#[derive(Debug, Clone, PartialEq)]
pub struct Levels {
    values: Vec<f64>,
    pilot: usize,
}

impl Levels {
    /// `pilot` processes were planned; their deviation decided how many more ran.
    pub fn new(values: Vec<f64>, pilot: usize) -> Self {
        Self { values, pilot }
    }

    /// The levels.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The mean of the levels: the value of the configuration.
    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// The standard deviation between all processes; `None` for a single process.
    pub fn deviation(&self) -> Option<f64> {
        interval_deviation(&self.values)
    }

    /// The 95% confidence interval of the mean level over all possible processes; `None` for a single process.
    ///
    /// Uses the deviation of the pilot even if more processes followed. The pilot decided how many, and the interval only holds
    /// with 95% if the later processes do not contribute to the deviation (Stein, "A Two-Sample Test for a Linear Hypothesis Whose
    /// Power is Independent of the Variance", Annals of Mathematical Statistics 16, 1945).
    pub fn interval(&self) -> Option<(f64, f64)> {
        let half = self.half_width()? * self.mean();
        // A time cannot be negative.
        Some(((self.mean() - half).max(0.0), self.mean() + half))
    }

    /// Half-width of the interval, relative to the mean.
    pub fn half_width(&self) -> Option<f64> {
        Some(self.student_error()? / (self.values.len() as f64).sqrt() / self.mean())
    }

    /// The number of processes that reduces the relative half-width to `goal`, by Stein's rule; at least that of the pilot.
    pub fn wanted(&self, goal: f64) -> usize {
        let pilot = &self.values[..self.pilot.min(self.values.len())];
        let mean = pilot.iter().sum::<f64>() / pilot.len().max(1) as f64;
        let Some(error) = self.student_error() else { return self.pilot };
        let wanted = (error / (goal * mean)).powi(2).ceil();
        if wanted.is_finite() {
            (wanted as usize).clamp(self.pilot, MOST_PROCESSES.max(self.pilot))
        } else {
            self.pilot
        }
    }

    /// Half-width of the pilot's interval for a single process: Student's t times the pilot's standard deviation.
    fn student_error(&self) -> Option<f64> {
        let pilot = &self.values[..self.pilot.min(self.values.len())];
        Some(t95(pilot.len().checked_sub(1)? as f64) * interval_deviation(pilot)?)
    }
}

fn interval_deviation(values: &[f64]) -> Option<f64> {
    Summary::of(values).filter(|summary| summary.n > 1).map(|summary| summary.std_deviation)
}

/// Minimum number of times for a trend test: with fewer, no order is improbable enough (of 4 times, 2 of 24 orders, 8 %, are
/// monotonic).
const LEAST_WINDOW: usize = 6;

/// … and maximum number of blocks whose medians are tested, so that correlated iterations share a block.
const MOST_BLOCKS: usize = 24;

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_964;

/// Whether warm-up must go on: the times of one process still drift, or are too few to tell. Ignores the first third of the times.
///
/// A drift is a trend in the Mann-Kendall test ("Nonparametric Tests Against Trend", Econometrica 13, 1945) at 5 % that is also
/// larger than `tolerance` (relative). Noise passes the first test one time in twenty, and then rarely the second; a trend that
/// only shows over thousands of iterations is ignored.
pub(super) fn still_moves(times: &[f64], tolerance: f64) -> bool {
    let window = &times[times.len() / 3..];
    if window.len() < LEAST_WINDOW {
        return true;
    }
    let blocks = block_medians(window, MOST_BLOCKS);
    has_trend(&blocks) && step(window).is_some_and(|step| step.abs() > tolerance)
}

/// Relative change of the times from the first to the second half of the samples (negative: they fell), if fresh processes have it
/// in common: the mean over processes differs from 0 by Student's t-test at 5 %. `None` if it may be noise, or with fewer than
/// three processes.
///
/// Processes are independent, so the test is valid even if iterations are correlated.
pub(super) fn common_drift<'p>(processes: impl Iterator<Item = &'p [f64]>) -> Option<f64> {
    let steps: Vec<f64> = processes.filter_map(step).collect();
    let summary = Summary::of(&steps).filter(|summary| summary.n > 2)?;
    let error = summary.std_deviation / (summary.n as f64).sqrt();
    (summary.mean.abs() > t95((summary.n - 1) as f64) * error).then_some(summary.mean)
}

/// The change from the median of the first half to that of the second, relative to the second.
fn step(times: &[f64]) -> Option<f64> {
    let half = times.len() / 2;
    let (first, second) = (times.get(..half)?, times.get(times.len() - half..)?);
    if half == 0 {
        return None;
    }
    let [first, second] = [first, second].map(|half| quantile(&sorted(half), 0.5));
    Some((second - first) / second)
}

/// The medians of this number of consecutive blocks; the values themselves if there are not more than blocks.
pub(super) fn block_medians(values: &[f64], blocks: usize) -> Vec<f64> {
    if values.len() <= blocks {
        return values.to_vec();
    }
    let bound = |block: usize| block * values.len() / blocks;
    (0..blocks).map(|block| quantile(&sorted(&values[bound(block)..bound(block + 1)]), 0.5)).collect()
}

/// The Mann-Kendall test with continuity correction.
fn has_trend(values: &[f64]) -> bool {
    let n = values.len() as f64;
    let sign = |from: f64, to: f64| f64::from(u8::from(to > from)) - f64::from(u8::from(to < from));
    let pairs = values.iter().enumerate().flat_map(|(at, from)| values[at + 1..].iter().map(move |to| (*from, *to)));
    let sum: f64 = pairs.map(|(from, to)| sign(from, to)).sum();
    let variance = n * (n - 1.0) * (2.0 * n + 5.0) / 18.0;
    sum.abs() - 1.0 > Z * variance.sqrt()
}

/// Significant digits of a measured figure; further digits are noise.
pub(super) const DIGITS: usize = 5;

/// Rounds a time as in the file. Everything is computed from rounded times, so it can be reproduced from the file.
pub(super) fn round_as_written(value: f64) -> f64 {
    significant(value, DIGITS).parse().unwrap_or(value)
}

/// A list of figures as TOML.
pub(super) fn list(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(|&value| significant(value, DIGITS)).collect();
    format!("[{}]", texts.join(", "))
}

/// Formats a number with this many significant digits.
pub(super) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0.0".to_owned();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = (digits as i32 - 1 - magnitude).max(0) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_summary_of_known_numbers() {
        let summary = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((summary.median, summary.mean, summary.minimum, summary.maximum), (4.5, 5.0, 2.0, 9.0));
        assert_eq!(summary.mad, 0.5);
        assert!((summary.std_deviation - 2.138_09).abs() < 1e-5);
        assert!((summary.p95 - 8.3).abs() < 1e-9 && (summary.p5 - 2.7).abs() < 1e-9);
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn outliers_are_far_from_the_rest() {
        let mut samples = vec![10.0, 10.1, 9.9, 10.05, 9.95, 10.0, 10.1, 9.9];
        assert!(outliers(&samples).is_empty());
        samples.insert(3, 20.0);
        assert_eq!(outliers(&samples), [3]);
        assert!(outliers(&[1.0, 1.0, 1.0, 1.0, 5.0]).is_empty(), "without spread nothing can be judged");
    }

    proptest! {
        #[test]
        fn a_summary_is_ordered_and_knows_no_order(mut samples in prop::collection::vec(0.001f64..1e6, 1..60)) {
            let summary = Summary::of(&samples).unwrap();
            prop_assert!(summary.minimum <= summary.p5 && summary.p5 <= summary.median);
            prop_assert!(summary.median <= summary.p95 && summary.p95 <= summary.p99 && summary.p99 <= summary.maximum);
            samples.reverse();
            let reversed = Summary::of(&samples).unwrap();
            prop_assert_eq!((reversed.median, reversed.mad), (summary.median, summary.mad));
        }
    }

    #[test]
    fn the_interval_is_students_over_processes() {
        let levels = Levels::new(vec![10.0, 11.0, 9.0, 10.5, 9.5], 5);
        assert_eq!((levels.mean(), levels.deviation().map(|s| (s * 1e4).round())), (10.0, Some(7906.0)));
        // 2.776 x 0.7906 / sqrt(5) = 0.9815.
        let (low, high) = levels.interval().unwrap();
        assert!((low - 9.0185).abs() < 1e-4 && (high - 10.9815).abs() < 1e-4, "{low} {high}");
        assert!((levels.half_width().unwrap() - 0.09815).abs() < 1e-5);
        assert_eq!(Levels::new(vec![10.0], 5).interval(), None, "one process says nothing of the next");
    }

    #[test]
    fn more_processes_are_wanted_where_they_deviate_and_the_pilot_decides() {
        let pilot = vec![10.0, 11.0, 9.0, 10.5, 9.5];
        // (2.776 x 0.7906 / 0.5)^2 = 19.3 for 5 %.
        assert_eq!(Levels::new(pilot.clone(), 5).wanted(0.05), 20);
        assert_eq!(Levels::new(pilot.clone(), 5).wanted(0.2), 5, "never fewer than were planned");
        assert_eq!(Levels::new(pilot.clone(), 5).wanted(1e-6), 30);
        assert_eq!(Levels::new(vec![10.0; 5], 5).wanted(0.01), 5);
        let mut more = pilot.clone();
        more.extend([10.0; 15]);
        let more = Levels::new(more, 5);
        assert_eq!(more.wanted(0.05), 20, "what followed changes nothing");
        assert!(more.half_width().is_some_and(|width| width < 0.05), "{more:?}");
    }

    /// Reproducible noise of this relative amplitude.
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
        // An earlier rule mistook a noisy fall for rest: windows counted as equal if they differed by less than their noise.
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

    #[test]
    fn figures_have_as_many_digits_as_were_measured() {
        assert_eq!(significant(812.345_678, 5), "812.35");
        assert_eq!(significant(0.001_234_567, 5), "0.0012346");
        assert_eq!(significant(123_456.7, 5), "123457");
        assert_eq!(significant(0.0, 3), "0.0");
        assert_eq!(round_as_written(812.345_678), 812.35);
    }
}
