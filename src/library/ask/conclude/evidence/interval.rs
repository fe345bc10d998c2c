//! How sure an effect is: an interval by bootstrap over units, which are networks as a rule and never rows.
//!
//! Rows of one network stand or fall together, so that networks are drawn with replacement (the cluster bootstrap: Davison and
//! Hinkley 1997, Bootstrap Methods and their Application, section 3.8). Percentile intervals of few units are too narrow; the
//! levels are widened so that they agree with Student's t (the expanded percentile interval: Hesterberg 2015, What Teachers
//! Should Know About the Bootstrap, The American Statistician 69, section 4.2).

/// So many times units are drawn. The widened levels of five units lie at 0.001, the second of these.
const DRAWS: usize = 2000;

/// The draws are the same every time.
const SEED: u64 = 1907_03626;

/// An estimate and its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    /// The mean of all units.
    pub mean: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// The mean of the units' effects and its interval; `None` where there are none.
    pub fn of(effects: &[f64]) -> Option<Self> {
        let n = effects.len();
        let mean_of = |sum: f64| sum / n as f64;
        let mean = (n > 0).then(|| mean_of(effects.iter().sum()))?;
        if n == 1 {
            return Some(Self { mean, low: f64::NEG_INFINITY, high: f64::INFINITY });
        }
        let mut random = Random(SEED);
        let draw = |_| mean_of((0..n).map(|_| effects[random.below(n)]).sum());
        let mut means: Vec<f64> = (0..DRAWS).map(draw).collect();
        means.sort_unstable_by(f64::total_cmp);
        // Both ends are drawn means, the outer one where a level falls between two.
        let below = (widened_level(n) * DRAWS as f64).floor() as usize;
        Some(Self { mean, low: means[below], high: means[DRAWS - 1 - below] })
    }
}

/// Numbers that look random and are the same everywhere: SplitMix64 (Steele, Lea and Flood 2014, Fast Splittable Pseudorandom
/// Number Generators, figure 16).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`: the upper half of the product, which favours none by more than n / 2^64.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// The level of the lower end for so many units.
fn widened_level(n: usize) -> f64 {
    let n = n as f64;
    normal_below(-(n / (n - 1.0)).sqrt() * students_t(n - 1.0))
}

/// The two-sided 95 % quantile of Student's t: the Cornish-Fisher expansion (Abramowitz and Stegun 1964, 26.7.5), and for few
/// degrees of freedom, where it is too small, the tabulated value (table 26.10).
fn students_t(freedom: f64) -> f64 {
    const Z: f64 = 1.959_964;
    const FEW: &[f64] = &[12.706, 4.303, 3.182];
    if let Some(tabulated) = FEW.get(freedom as usize - 1) {
        return *tabulated;
    }
    let z2 = Z * Z;
    let first = Z * (z2 + 1.0) / 4.0;
    let second = Z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = Z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    Z + first / freedom + second / freedom.powi(2) + third / freedom.powi(3)
}

/// The share of a normal distribution below so many deviations (Abramowitz and Stegun 1964, 26.2.17, error below 7.5e-8).
fn normal_below(z: f64) -> f64 {
    const B: [f64; 5] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let series = B.iter().rev().fold(0.0, |sum, b| (sum + b) * t);
    let upper = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * series;
    if z < 0.0 { upper } else { 1.0 - upper }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, t) in [(1.0, 12.706), (4.0, 2.776), (9.0, 2.262), (30.0, 2.042), (1000.0, 1.962)] {
            assert!((students_t(freedom) - t).abs() < 0.01, "{freedom}: {}", students_t(freedom));
        }
        assert!((normal_below(-1.959_964) - 0.025).abs() < 1e-6);
        assert!((normal_below(1.0) - 0.841_344_7).abs() < 1e-6);
    }

    #[test]
    fn an_interval_is_wide_for_few_units_and_the_same_every_time() {
        let five = [0.9, 1.1, 1.0, 1.2, 0.8];
        let interval = Interval::of(&five).unwrap();
        assert_eq!(Interval::of(&five), Some(interval));
        assert!((interval.mean - 1.0).abs() < 1e-12 && interval.low > 0.79 && interval.high < 1.21, "{interval:?}");
        let fifty: Vec<f64> = five.iter().copied().cycle().take(50).collect();
        let narrow = Interval::of(&fifty).unwrap();
        assert!(narrow.high - narrow.low < (interval.high - interval.low) / 2.0, "{narrow:?}");
        assert_eq!(Interval::of(&[]), None);
        assert_eq!(Interval::of(&[3.0]).unwrap().low, f64::NEG_INFINITY, "one unit tells nothing of others");
    }

    /// The classes of each network are exchanged at random: where nothing but chance tells them apart, what is called better is
    /// so no more often than the level says, a twentieth for both sides together.
    #[test]
    fn shuffled_classes_are_called_better_no_more_often_than_the_level() {
        let mut random = fastrand::Rng::with_seed(7);
        for n in [5, 8, 20] {
            const TRIALS: usize = 400;
            let mut called = 0;
            for _ in 0..TRIALS {
                // Ratios of classes lie far apart from network to network, and a few are extreme.
                let effects: Vec<f64> = (0..n)
                    .map(|_| {
                        let size = 3.0 * random.f64().powi(3) + 0.1;
                        if random.bool() { size } else { -size }
                    })
                    .collect();
                let interval = Interval::of(&effects).unwrap();
                called += usize::from(interval.low > 0.0 || interval.high < 0.0);
            }
            // Three standard deviations above a twentieth of the trials.
            assert!(called <= 33, "{called} of {TRIALS} with {n} networks");
        }
    }
}
