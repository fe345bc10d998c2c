//! What samples say: their middle, their spread, and which of them stand out.

/// What the samples of one configuration come to; times in the unit of the samples.
#[derive(Debug, Clone, Default, PartialEq)]
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
}

/// A sample farther from the median than this many deviations is flagged. The deviation is 1.4826 MAD, which is the
/// standard deviation where samples are normal; then five of them leave out 6 samples in 10^7.
const OUTLIER_DEVIATIONS: f64 = 5.0;

/// The standard deviation of a normal distribution, in median absolute deviations.
const DEVIATION_PER_MAD: f64 = 1.4826;

impl Summary {
    /// `None` without samples.
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

/// Positions of the samples that stand out; they are flagged, never dropped.
pub fn outliers(samples: &[f64]) -> Vec<usize> {
    let Some(summary) = Summary::of(samples) else { return Vec::new() };
    let far = OUTLIER_DEVIATIONS * DEVIATION_PER_MAD * summary.mad;
    let stands_out = |x: f64| summary.mad > 0.0 && (x - summary.median).abs() > far;
    (0..samples.len()).filter(|&at| stands_out(samples[at])).collect()
}

/// The samples in order.
pub(super) fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Linear interpolation between the two nearest, as most statistics programs do by default.
pub(super) fn quantile(sorted: &[f64], q: f64) -> f64 {
    let at = q * (sorted.len() - 1) as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * (at - low as f64)
}

fn deviation(sorted: &[f64], median: f64) -> f64 {
    let distances = self::sorted(&sorted.iter().map(|x| (x - median).abs()).collect::<Vec<_>>());
    quantile(&distances, 0.5)
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
}
