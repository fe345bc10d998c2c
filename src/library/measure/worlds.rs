//! Simulated times of iterations, with what real ones have: noise, memory, and processes that differ.

use std::f64::consts::{LN_2, TAU};

use fastrand::Rng;

/// The typical time of an iteration, ms.
pub(super) const TRUE_MS: f64 = 20.0;

/// How iterations of one process scatter; a share of the time. Half of it is below 0.
#[derive(Debug, Clone, Copy)]
pub(super) enum Noise {
    /// Normal, of this standard deviation.
    Normal(f64),
    /// Exponential, of this standard deviation: most are a little fast, some very slow.
    Tail(f64),
}

/// What is simulated.
#[derive(Debug)]
pub(super) struct World {
    pub name: &'static str,
    pub noise: Noise,
    /// The share of its deviation that each iteration leaves to the next one.
    pub memory: f64,
    /// The standard deviation between processes, as a share of the time.
    pub between: f64,
    /// The share of processes that are slower, and by what share of the time.
    pub slow: Option<(f64, f64)>,
}

impl World {
    /// The true value: the mean over processes of the median of each.
    pub fn truth(&self) -> f64 {
        TRUE_MS * (1.0 + self.slow.map_or(0.0, |(share, by)| share * by))
    }

    /// The iterations of a fresh process, for ever.
    pub fn process(&self, random: &mut Rng) -> impl Iterator<Item = f64> + use<> {
        let slow = self.slow.filter(|(share, _)| random.f64() < *share).map_or(0.0, |(_, by)| by);
        let level = TRUE_MS * (1.0 + slow + self.between * normal(random));
        let (noise, memory) = (self.noise, self.memory);
        // The deviation of each keeps that of the whole what it is.
        let fresh = (1.0 - memory * memory).sqrt();
        let mut random = random.fork();
        let mut deviation = normal(&mut random);
        std::iter::repeat_with(move || {
            let share = match noise {
                Noise::Normal(share) => share * deviation,
                Noise::Tail(share) => share * (-(1.0 - random.f64()).ln() - LN_2),
            };
            deviation = memory * deviation + fresh * normal(&mut random);
            level * (1.0 + share)
        })
    }
}

/// Of the normal distribution, by Box and Muller.
fn normal(random: &mut Rng) -> f64 {
    (-2.0 * (1.0 - random.f64()).ln()).sqrt() * (TAU * random.f64()).cos()
}
