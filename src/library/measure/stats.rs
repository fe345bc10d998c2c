//! What samples say: their middle, their spread, and how sure the middle is.

/// What the samples of one configuration come to; times in the unit of the samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Samples.
    pub n: usize,
    /// The middle one.
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
    /// Where the median of all possible samples lies with 95% confidence; `None` below [`LEAST_FOR_INTERVAL`] samples.
    pub interval: Option<(f64, f64)>,
}

/// With five samples the chance that all lie on one side of the median is 2 / 2^5 > 5%: no interval has 95%.
pub const LEAST_FOR_INTERVAL: usize = 6;

/// A sample farther from the median than this many deviations is flagged. The deviation is 1.4826 MAD, which is the
/// standard deviation where samples are normal; then five of them leave out 6 samples in 10^7.
const OUTLIER_DEVIATIONS: f64 = 5.0;

/// The standard deviation of a normal distribution, in median absolute deviations.
const DEVIATION_PER_MAD: f64 = 1.4826;

/// The 97.5% point of the normal distribution, for intervals of 95%.
const Z: f64 = 1.959_964;

/// Warm-up is over when the medians of two neighbouring windows differ by no more than this, relatively …
const STEADY: f64 = 0.02;

/// … or by no more than this many standard errors of a median.
const STEADY_ERRORS: f64 = 2.0;

/// Samples in each of the two windows, at least.
const STEADY_WINDOW: usize = 3;

impl Summary {
    /// `None` without samples.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
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
            interval: interval(&sorted),
        })
    }

    /// Half the interval, relative to the median.
    pub fn half_width(&self) -> Option<f64> {
        self.interval.map(|(low, high)| (high - low) / 2.0 / self.median)
    }
}

/// Positions of the samples that stand out; they are flagged, never dropped.
pub fn outliers(samples: &[f64]) -> Vec<usize> {
    let Some(summary) = Summary::of(samples) else { return Vec::new() };
    let far = OUTLIER_DEVIATIONS * DEVIATION_PER_MAD * summary.mad;
    let stands_out = |x: f64| summary.mad > 0.0 && (x - summary.median).abs() > far;
    (0..samples.len()).filter(|&at| stands_out(samples[at])).collect()
}

/// Whether the times have stopped drifting: the last two windows, each a third of what there is, agree.
pub fn is_steady(samples: &[f64]) -> bool {
    let window = (samples.len() / 3).max(STEADY_WINDOW);
    let Some(start) = samples.len().checked_sub(2 * window) else { return false };
    let (before, last) = samples[start..].split_at(window);
    let (Some(before), Some(last)) = (Summary::of(before), Summary::of(last)) else { return false };
    let difference = (before.median - last.median).abs();
    // The standard error of a median is 1.2533 times that of a mean where samples are normal.
    let error = 1.2533 * DEVIATION_PER_MAD * last.mad / (window as f64).sqrt();
    difference <= STEADY * last.median || difference <= STEADY_ERRORS * error
}

/// Linear interpolation between the two nearest, as most statistics programs do by default.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let at = q * (sorted.len() - 1) as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * (at - low as f64)
}

fn deviation(sorted: &[f64], median: f64) -> f64 {
    let mut distances: Vec<f64> = sorted.iter().map(|x| (x - median).abs()).collect();
    distances.sort_by(f64::total_cmp);
    quantile(&distances, 0.5)
}

/// The interval between two order statistics: how many samples lie below the median is binomial with chance one half,
/// whatever their distribution (here in its normal approximation, rounded outwards).
fn interval(sorted: &[f64]) -> Option<(f64, f64)> {
    let n = sorted.len();
    if n < LEAST_FOR_INTERVAL {
        return None;
    }
    let half = Z * (n as f64).sqrt() / 2.0;
    let low = ((n as f64 / 2.0 - half).floor() as usize).max(1);
    let high = ((n as f64 / 2.0 + half).ceil() as usize + 1).min(n);
    Some((sorted[low - 1], sorted[high - 1]))
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
    fn few_samples_have_no_interval() {
        assert_eq!(Summary::of(&[1.0; 5]).unwrap().interval, None);
        // With six, the interval is from the smallest to the largest (97% by the binomial).
        assert_eq!(Summary::of(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap().interval, Some((1.0, 6.0)));
    }

    #[test]
    fn the_interval_holds_the_median_about_as_often_as_it_says() {
        // A generator of its own, so that the test is the same every time: lopsided samples with median 0.5^3.
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for n in [8, 20, 50] {
            let held = (0..2000)
                .filter(|_| {
                    let samples: Vec<f64> = (0..n).map(|_| next().powi(3)).collect();
                    let (low, high) = Summary::of(&samples).unwrap().interval.unwrap();
                    (low..=high).contains(&0.125)
                })
                .count();
            assert!((1900..=2000).contains(&held), "{n} samples: {held} of 2000");
        }
    }

    #[test]
    fn outliers_are_far_from_the_rest() {
        let mut samples = vec![10.0, 10.1, 9.9, 10.05, 9.95, 10.0, 10.1, 9.9];
        assert!(outliers(&samples).is_empty());
        samples.insert(3, 20.0);
        assert_eq!(outliers(&samples), [3]);
        assert!(outliers(&[1.0, 1.0, 1.0, 1.0, 5.0]).is_empty(), "without spread nothing can be judged");
    }

    #[test]
    fn steadiness_is_seen_after_the_drift() {
        let falling: Vec<f64> = (0..9).map(|at| 100.0 - 8.0 * f64::from(at)).collect();
        assert!(!is_steady(&falling));
        let settled: Vec<f64> = [50.0, 20.0, 10.0, 10.1, 10.0, 9.9, 10.0, 10.1, 10.0].to_vec();
        assert!(is_steady(&settled));
        assert!(!is_steady(&[10.0; 5]), "two windows of three are needed");
    }

    proptest! {
        #[test]
        fn a_summary_is_ordered_and_knows_no_order(mut samples in prop::collection::vec(0.001f64..1e6, 1..60)) {
            let summary = Summary::of(&samples).unwrap();
            prop_assert!(summary.minimum <= summary.p5 && summary.p5 <= summary.median);
            prop_assert!(summary.median <= summary.p95 && summary.p95 <= summary.p99 && summary.p99 <= summary.maximum);
            if let Some((low, high)) = summary.interval {
                prop_assert!(low <= summary.median && summary.median <= high);
            }
            samples.reverse();
            let reversed = Summary::of(&samples).unwrap();
            prop_assert_eq!((reversed.median, reversed.mad), (summary.median, summary.mad));
        }
    }
}
