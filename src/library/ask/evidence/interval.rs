//! The confidence interval of an effect: a bootstrap over everything that was sampled. Single rows never are independent samples.
//!
//! Effects on one network are correlated, and so are effects of one device if devices represent a class: a board that is fast is
//! fast on every network. Each factor is resampled with replacement independently, and the weight of an effect is the product of
//! its counts (Owen 2007, The pigeonhole bootstrap, Annals of Applied Statistics 1; for any number of factors Owen and Eckles 2012,
//! Bootstrapping data arrays of arbitrary order, ibid. 6): this is mildly too wide, never too narrow. With networks alone it is the
//! cluster bootstrap (Davison and Hinkley 1997, Bootstrap Methods and their Application, section 3.8). Percentile intervals of few
//! units are too narrow, so the levels are widened to agree with Student's t for the factor with the fewest members (the expanded
//! percentile interval: Hesterberg 2015, What Teachers Should Know About the Bootstrap, The American Statistician 69, section 4.2).
//!
//! Rankings use `dlbench_effects`, whose variances are calibrated for named devices, not for a class with few measured devices. Its
//! class intervals are too narrow: 0.42 (0.26 to 0.68) for ASIC/GPU latency instead of 0.53 (0.10 to 1.10).

use std::collections::HashMap;
use std::hash::Hash;

/// Number of bootstrap draws. The widened level of five units lies at 0.001, the second of these draws.
const DRAWS: usize = 2000;

/// A fixed seed, so that results are reproducible.
const SEED: u64 = 1907_03626;

/// The confidence level of the intervals.
pub(super) const LEVEL: f64 = 0.95;

/// An estimate and its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    /// The mean over all units.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Interval {
    /// The interval of the effects with the opposite sign; 0 stays 0, not -0.
    pub fn negated(self) -> Self {
        Self { mean: 0.0 - self.mean, low: 0.0 - self.high, high: 0.0 - self.low }
    }
}

/// A sampled factor, such as networks or devices: the member of each effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Factor {
    of: Vec<usize>,
    members: usize,
}

impl Factor {
    /// A factor from the member's name of each effect.
    pub fn of<T: Eq + Hash>(names: impl IntoIterator<Item = T>) -> Self {
        let mut known: HashMap<T, usize> = HashMap::new();
        let mut number = |name: T| {
            let next = known.len();
            *known.entry(name).or_insert(next)
        };
        let of: Vec<usize> = names.into_iter().map(&mut number).collect();
        Self { of, members: known.len() }
    }

    /// The number of members.
    pub fn members(&self) -> usize {
        self.members
    }

    /// Draws as many members as there are, with replacement; `times` counts how often each was drawn.
    fn drawn(&self, random: &mut Random, times: &mut Vec<u32>) {
        times.clear();
        times.resize(self.members, 0);
        for _ in 0..self.members {
            times[random.below(self.members)] += 1;
        }
    }
}

/// Effects with the factors within which they are correlated.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Effects {
    effects: Vec<f64>,
    /// The units over which the mean is taken, usually networks.
    units: Factor,
    /// The devices of each side, if they represent a class.
    devices: [Option<Factor>; 2],
}

impl Effects {
    /// Effects with the unit of each and, for sides whose devices were sampled, the device of each.
    pub fn new(effects: Vec<f64>, units: Factor, devices: [Option<Factor>; 2]) -> Self {
        Self { effects, units, devices }
    }

    /// The number of units.
    pub fn units(&self) -> usize {
        self.units.members()
    }

    /// The number of devices of the side with fewer, among sides whose devices were sampled.
    pub fn devices(&self) -> Option<usize> {
        self.devices.iter().flatten().map(Factor::members).min()
    }

    /// The mean over units with its interval; `None` without effects.
    pub fn interval(&self) -> Option<Interval> {
        let mut sums = vec![(0.0, 0.0); self.units()];
        for (unit, effect) in self.units.of.iter().zip(&self.effects) {
            sums[*unit].0 += effect;
            sums[*unit].1 += 1.0;
        }
        let means = sums.iter().map(|(sum, n)| sum / n);
        let mean = (self.units() > 0).then(|| means.sum::<f64>() / self.units() as f64)?;
        let fewest = self.fewest();
        if fewest == 1 {
            return Some(Interval { mean, low: f64::NEG_INFINITY, high: f64::INFINITY });
        }
        let mut drawn: Vec<f64> = Vec::with_capacity(DRAWS);
        self.each_draw(|weights| {
            drawn.push(weights.iter().zip(&self.effects).map(|(weight, effect)| weight * effect).sum())
        });
        drawn.sort_unstable_by(f64::total_cmp);
        let below = outer(fewest, drawn.len());
        let (low, high) = drawn.get(below).zip(drawn.iter().rev().nth(below))?;
        Some(Interval { mean, low: *low, high: *high })
    }

    /// Permutation check: how often the interval lies above 0, and how often below, if signs are flipped at random `shuffles`
    /// times. All effects of a device flip together (half of the times by the devices of each side); if no devices were sampled,
    /// all effects of a unit. The draws are those of the interval.
    pub fn by_chance(&self, shuffles: usize) -> [usize; 2] {
        let mut flipped: Vec<&Factor> = self.devices.iter().flatten().collect();
        if flipped.is_empty() {
            flipped.push(&self.units);
        }
        let mut found = [0, 0];
        for (factor, shuffles) in flipped.iter().zip([shuffles.div_ceil(flipped.len()), shuffles / flipped.len()]) {
            // The mean of a draw is a sum over members, each with its sign.
            let mut parts: Vec<f64> = Vec::with_capacity(DRAWS * factor.members());
            self.each_draw(|weights| {
                let start = parts.len();
                parts.resize(start + factor.members(), 0.0);
                for ((weight, effect), member) in weights.iter().zip(&self.effects).zip(&factor.of) {
                    parts[start + member] += weight * effect;
                }
            });
            let draws = parts.len() / factor.members().max(1);
            let below = outer(self.fewest(), draws);
            let mut random = Random(SEED ^ 1);
            for _ in 0..shuffles {
                let signs: Vec<f64> =
                    (0..factor.members()).map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }).collect();
                let (mut above_0, mut below_0) = (0, 0);
                for parts in parts.chunks_exact(factor.members().max(1)) {
                    let mut mean = 0.0;
                    for (sign, part) in signs.iter().zip(parts) {
                        mean += sign * part;
                    }
                    above_0 += usize::from(mean > 0.0);
                    below_0 += usize::from(mean < 0.0);
                }
                found[0] += usize::from(draws - above_0 <= below);
                found[1] += usize::from(draws - below_0 <= below);
            }
        }
        found
    }

    /// The number of members of the smallest factor.
    fn fewest(&self) -> usize {
        self.devices().map_or(self.units(), |devices| devices.min(self.units()))
    }

    /// Draws all factors repeatedly and passes on the weight of each effect in the mean over units; skips draws without effects.
    fn each_draw(&self, mut told: impl FnMut(&[f64])) {
        let mut random = Random(SEED);
        let (mut units, mut times): (Vec<u32>, Vec<u32>) = Default::default();
        let mut weights = vec![0.0; self.effects.len()];
        let mut sums = vec![0.0; self.units()];
        for _ in 0..DRAWS {
            self.units.drawn(&mut random, &mut units);
            weights.fill(1.0);
            for devices in self.devices.iter().flatten() {
                devices.drawn(&mut random, &mut times);
                for (weight, device) in weights.iter_mut().zip(&devices.of) {
                    *weight *= f64::from(times[*device]);
                }
            }
            sums.fill(0.0);
            for (weight, unit) in weights.iter().zip(&self.units.of) {
                sums[*unit] += weight;
            }
            let met = sums.iter().zip(&units).filter(|(sum, _)| **sum > 0.0);
            let all: u32 = met.map(|(_, times)| *times).sum();
            if all == 0 {
                continue;
            }
            for (sum, times) in sums.iter_mut().zip(&units) {
                *sum = if *sum > 0.0 { f64::from(*times) / f64::from(all) / *sum } else { 0.0 };
            }
            for (weight, unit) in weights.iter_mut().zip(&self.units.of) {
                *weight *= sums[*unit];
            }
            told(&weights);
        }
    }
}

/// The number of draws outside the interval at either end; rounded down if the level falls between two draws.
fn outer(members: usize, draws: usize) -> usize {
    if members < 2 { 0 } else { (widened_level(members) * draws as f64).floor() as usize }
}

/// A deterministic random number generator: SplitMix64 (Steele, Lea and Flood 2014, Fast Splittable Pseudorandom Number Generators,
/// figure 16).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`: the upper half of the product, with a bias of at most n / 2^64.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// The level of the interval's lower end for `n` units.
fn widened_level(n: usize) -> f64 {
    let n = n as f64;
    normal_below(-(n / (n - 1.0)).sqrt() * students_t(n - 1.0))
}

/// The two-sided 95 % quantile of Student's t: the Cornish-Fisher expansion (Abramowitz and Stegun 1964, 26.7.5), and for few
/// degrees of freedom, where it is too small, the tabulated value (table 26.10).
fn students_t(freedom: f64) -> f64 {
    const Z: f64 = 1.959_964;
    const TABULATED: &[f64] = &[12.706, 4.303, 3.182];
    if let Some(tabulated) = TABULATED.get(freedom as usize - 1) {
        return *tabulated;
    }
    let z2 = Z * Z;
    let first = Z * (z2 + 1.0) / 4.0;
    let second = Z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = Z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    Z + first / freedom + second / freedom.powi(2) + third / freedom.powi(3)
}

/// The cumulative normal distribution at `z` (Abramowitz and Stegun 1964, 26.2.17, error below 7.5e-8).
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

    /// Effects that are each a unit of their own.
    fn alone(effects: &[f64]) -> Effects {
        Effects::new(effects.to_vec(), Factor::of(0..effects.len()), [None, None])
    }

    #[test]
    fn an_interval_is_wide_for_few_units_and_the_same_every_time() {
        let five = [0.9, 1.1, 1.0, 1.2, 0.8];
        let interval = alone(&five).interval().unwrap();
        assert_eq!(alone(&five).interval(), Some(interval));
        assert!((interval.mean - 1.0).abs() < 1e-12 && interval.low > 0.79 && interval.high < 1.21, "{interval:?}");
        let fifty: Vec<f64> = five.iter().copied().cycle().take(50).collect();
        let narrow = alone(&fifty).interval().unwrap();
        assert!(narrow.high - narrow.low < (interval.high - interval.low) / 2.0, "{narrow:?}");
        assert_eq!(alone(&[]).interval(), None);
        assert_eq!(alone(&[3.0]).interval().unwrap().low, f64::NEG_INFINITY, "one unit tells nothing of others");
    }

    #[test]
    fn many_networks_on_few_devices_tell_little_of_a_class() {
        // Six devices on thirty networks each; only the device makes a difference.
        let of_devices = [2.0, 0.5, 1.5, -0.5, 1.0, 0.8];
        let effects: Vec<f64> = (0..180).map(|at| of_devices[at % 6]).collect();
        let networks = || Factor::of((0..180).map(|at| at / 6));
        let fixed = Effects::new(effects.clone(), networks(), [None, None]).interval().unwrap();
        let sampled = Effects::new(effects.clone(), networks(), [Some(Factor::of((0..180).map(|at| at % 6))), None]);
        let [least, most] = sampled.interval().map(|interval| [interval.low, interval.high]).unwrap();
        assert!(fixed.high - fixed.low < 1e-9 && least < 0.3 && most > 1.4, "{fixed:?} {least} to {most}");
        let one = Effects::new(effects, networks(), [Some(Factor::of([0; 180])), None]).interval().unwrap();
        assert_eq!(one.low, f64::NEG_INFINITY, "one device tells nothing of its class");
    }

    /// Classes that differ only by chance: each device is better or worse than the others on all of its networks.
    #[test]
    fn what_chance_alone_calls_better_is_no_more_than_the_level() {
        let mut random = fastrand::Rng::with_seed(7);
        let size = |random: &mut fastrand::Rng| 3.0 * random.f64().powi(3) + 0.1;
        let pairs = 60;
        let (mut called, shuffles) = (0, 200);
        for _ in 0..4 {
            let [own, other]: [Vec<usize>; 2] = [7, 9].map(|n| (0..pairs).map(|_| random.usize(..n)).collect());
            let networks: Vec<usize> = (0..pairs).map(|_| random.usize(..12)).collect();
            let devices: Vec<f64> = (0..7).map(|_| size(&mut random)).collect();
            let effects: Vec<f64> = own.iter().map(|device| devices[*device] + 0.2 * random.f64()).collect();
            let both = [Some(Factor::of(own.clone())), Some(Factor::of(other))];
            let effects = Effects::new(effects, Factor::of(networks), both);
            called += effects.by_chance(shuffles).iter().sum::<usize>();
        }
        assert!(called <= 800 / 20, "{called} of 800");
    }
}
