//! Ratios that lie far outside all others: what one side of such a pair measured was another thing or a failed run, as a rule,
//! and no mean should hang on it.

use super::matched_pairs::quantile;

/// The outer fences lie so many distances between the quartiles beyond these (Tukey 1977, Exploratory Data Analysis, chapter 2).
const FENCE: f64 = 3.0;

/// What differs from the ratio in the middle by a smaller factor may well be so: formats and frameworks gain that much on some
/// networks.
const LEAST_FACTOR: f64 = 5.0;

/// Among fewer ratios nobody knows what is far.
const FEWEST: usize = 8;

/// Which of some ratios are far from the others: beyond the outer fences of their logarithms.
pub(in crate::ask::conclude) fn far_from_others(ratios: &[f64]) -> Vec<bool> {
    let mut sorted: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    sorted.sort_by(f64::total_cmp);
    if sorted.len() < FEWEST {
        return vec![false; ratios.len()];
    }
    let (low, middle, high) = (quantile(&sorted, 0.25), quantile(&sorted, 0.5), quantile(&sorted, 0.75));
    let fence = FENCE * (high - low);
    let is_far = |ratio: &f64| {
        let place = ratio.ln();
        let beyond = place < low - fence || place > high + fence;
        beyond && (place - middle).abs() > LEAST_FACTOR.ln()
    };
    ratios.iter().map(is_far).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_outer_fences_is_far() {
        let mut ratios = vec![1.1, 1.2, 1.25, 1.3, 1.35, 1.4, 1.5, 1.6, 233.0];
        assert_eq!(far_from_others(&ratios).iter().position(|far| *far), Some(8));
        // A ratio that is no factor away from the others is not, however close these are to each other.
        ratios[8] = 2.0;
        assert!(far_from_others(&ratios).iter().all(|far| !far));
        // Of a few nobody knows.
        assert!(far_from_others(&[1.0, 1.0, 1.0, 500.0]).iter().all(|far| !far));
    }

    #[test]
    fn ratios_of_every_size_are_not_far_from_each_other() {
        let ratios: Vec<f64> = (0..20).map(|power| 1.3f64.powi(power)).collect();
        assert!(far_from_others(&ratios).iter().all(|far| !far));
    }
}
