//! The distribution of ratios: the geometric mean, its interval from clusters, and outliers.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::Hash;

/// The distribution of a set of ratios.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::ask) struct Spread {
    /// The geometric mean.
    pub mean: f64,
    /// The lower end of the mean's interval; without an interval, the lowest ratio.
    pub low: f64,
    /// The upper end of the mean's interval; without an interval, the highest ratio.
    pub high: f64,
    /// How many ratios there are.
    pub n: usize,
    /// Whether `low` and `high` are an interval of the mean rather than the lowest and highest ratio.
    pub is_interval: bool,
}

/// An interval needs at least this many clusters.
const MIN_CLUSTERS: usize = 3;

impl Spread {
    /// The distribution of ratios, each assigned to a cluster of correlated ratios; `None` without ratios. The interval is the 95 %
    /// interval of the mean logarithm, from the spread between clusters (the linearised variance of a ratio mean, with Student's t
    /// for the number of clusters: Cochran 1977, Sampling Techniques, section 9.3).
    pub fn of<C: Eq + Hash>(ratios: impl IntoIterator<Item = (f64, C)>) -> Option<Self> {
        let usable = |(ratio, _): &(f64, C)| ratio.is_finite() && *ratio > 0.0;
        let ratios: Vec<(f64, C)> = ratios.into_iter().filter(usable).collect();
        let n = ratios.len();
        let extreme = |pick: fn(f64, f64) -> f64| ratios.iter().map(|(ratio, _)| *ratio).reduce(pick);
        let (low, high) = (extreme(f64::min)?, extreme(f64::max)?);
        let mean = ratios.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>() / n as f64;
        let mut clusters: HashMap<&C, f64> = HashMap::new();
        for (ratio, cluster) in &ratios {
            *clusters.entry(cluster).or_default() += ratio.ln() - mean;
        }
        let many = clusters.len();
        let spread = Self { mean: mean.exp(), low, high, n, is_interval: false };
        if many < MIN_CLUSTERS {
            return Some(spread);
        }
        let squares: f64 = clusters.values().map(|sum| sum * sum).sum();
        let error = (squares * many as f64 / (many - 1) as f64).sqrt() / n as f64;
        let half = t95(many - 1) * error;
        Some(Self { low: (mean - half).exp(), high: (mean + half).exp(), is_interval: true, ..spread })
    }

    /// Whether the better side is known: by the interval of the mean or, without one, because two or more ratios all agree.
    pub fn is_decided(&self) -> bool {
        self.n > 1 && (self.low > 1.0 || self.high < 1.0)
    }
}

/// Student's t for a two-sided 95 % interval.
fn t95(freedom: usize) -> f64 {
    const SMALL: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    ];
    let larger = || 1.96 + 2.4 / freedom as f64;
    freedom.checked_sub(1).and_then(|at| SMALL.get(at).copied()).unwrap_or_else(larger)
}

/// The outer fences are this many interquartile ranges beyond the quartiles (Tukey 1977, Exploratory Data Analysis, chapter 2).
const FENCE: f64 = 3.0;

/// A ratio within this factor of the median is plausible: number formats and frameworks gain as much on some networks.
const PLAUSIBLE_FACTOR: f64 = 5.0;

/// Outliers are only searched among at least this many ratios.
const MIN_RATIOS_FOR_OUTLIERS: usize = 8;

/// Marks outliers: ratios beyond the outer fences of the logarithms. Usually one side of such a pair measured something else or is
/// a failed run, so it must not affect the mean.
pub(in crate::ask) fn far_from_others(ratios: &[f64]) -> Vec<bool> {
    let mut sorted: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    sorted.sort_by(f64::total_cmp);
    if sorted.len() < MIN_RATIOS_FOR_OUTLIERS {
        return vec![false; ratios.len()];
    }
    let (low, middle, high) = (quantile(&sorted, 0.25), quantile(&sorted, 0.5), quantile(&sorted, 0.75));
    let fence = FENCE * (high - low);
    let is_far = |ratio: &f64| {
        let place = ratio.ln();
        let beyond = place < low - fence || place > high + fence;
        beyond && (place - middle).abs() > PLAUSIBLE_FACTOR.ln()
    };
    ratios.iter().map(is_far).collect()
}

/// A quantile of sorted values, with linear interpolation.
pub(in crate::ask) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len().saturating_sub(1)) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    match (sorted.get(below), sorted.get(above)) {
        (Some(low), Some(high)) => low + (high - low) * place.fract(),
        _ => f64::NAN,
    }
}

/// Compares two numbers in ascending or descending order.
pub(super) fn in_order(a: f64, b: f64, largest_first: bool) -> Ordering {
    if largest_first { b.total_cmp(&a) } else { a.total_cmp(&b) }
}

/// Rounds to four significant digits.
pub(in crate::ask) fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    match 3 - number.abs().log10().floor() as i32 {
        digits @ 0.. => (number * 10f64.powi(digits)).round() / 10f64.powi(digits),
        digits => (number / 10f64.powi(-digits)).round() * 10f64.powi(-digits),
    }
}

/// A number from the index, rounded to its storage precision: 737.29999924 becomes the source's 737.3.
pub(in crate::ask) fn stated(number: f64) -> f64 {
    format!("{number:.7e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_an_interval_from_three_clusters_on() {
        assert_eq!(Spread::of(Vec::<(f64, u8)>::new()), None);
        let two = Spread::of([(0.5, 0), (2.0, 1)]).unwrap();
        assert!((two.mean - 1.0).abs() < 1e-12 && !two.is_interval && !two.is_decided());
        assert_eq!((two.low, two.high, two.n), (0.5, 2.0, 2));
        let three = Spread::of([(2.0, 0), (2.2, 1), (1.8, 2)]).unwrap();
        assert!(three.is_interval && three.is_decided(), "{three:?}");
        // Many ratios in one cluster are no more certain than one.
        let one = Spread::of((0..50).map(|at| (if at < 45 { 1.5 } else { 0.5 }, usize::from(at >= 45)))).unwrap();
        assert!(!one.is_interval && !one.is_decided());
    }

    #[test]
    fn ends_of_an_interval_are_those_of_students_t_where_each_ratio_is_a_cluster() {
        let logs = [0.1f64, 0.3, 0.2, 0.4];
        let spread = Spread::of(logs.iter().map(|log| log.exp()).zip(0..)).unwrap();
        let deviation = (0.05f64 / 3.0).sqrt();
        let half = 3.182 * deviation / 2.0;
        assert!((spread.low - (0.25 - half).exp()).abs() < 1e-9 && (spread.high - (0.25 + half).exp()).abs() < 1e-9);
    }

    #[test]
    fn what_is_beyond_the_outer_fences_is_far() {
        let mut ratios = vec![1.1, 1.2, 1.25, 1.3, 1.35, 1.4, 1.5, 1.6, 233.0];
        assert_eq!(far_from_others(&ratios).iter().position(|far| *far), Some(8));
        // A ratio close to the others is not an outlier, however close these are to each other.
        ratios[8] = 2.0;
        assert!(far_from_others(&ratios).iter().all(|far| !far));
        // Too few ratios to tell.
        assert!(far_from_others(&[1.0, 1.0, 1.0, 500.0]).iter().all(|far| !far));
        let even: Vec<f64> = (0..20).map(|power| 1.3f64.powi(power)).collect();
        assert!(far_from_others(&even).iter().all(|far| !far));
    }

    #[test]
    fn a_quantile_lies_between_its_neighbours() {
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.25), 1.75);
        assert_eq!(quantile(&[7.0], 0.75), 7.0);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
