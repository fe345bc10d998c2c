//! Choosing as the world does: some things are asked for often, most of them hardly ever.

use fastrand::Rng;

/// Things with the weight that each has among them.
pub struct Popularity<T> {
    things: Vec<T>,
    /// Sums of the weights up to and with each thing.
    sums: Vec<f64>,
}

impl<T> Popularity<T> {
    /// Things that occur as often as their weights say.
    pub fn new(weighted: impl IntoIterator<Item = (T, f64)>) -> Self {
        let mut sum = 0.0;
        let (things, sums) = weighted
            .into_iter()
            .map(|(thing, weight)| {
                sum += weight;
                (thing, sum)
            })
            .unzip();
        Self { things, sums }
    }

    /// One of them; `None` when there is none.
    pub fn draw(&self, rng: &mut Rng) -> Option<&T> {
        let at = rng.f64() * self.sums.last()?;
        let found = self.sums.partition_point(|sum| *sum <= at);
        self.things.get(found.min(self.things.len() - 1))
    }
}

/// A rank below `count`: rank r comes up about 1/(r+1) as often as rank 0 (Zipf's law with exponent 1).
pub fn zipf(rng: &mut Rng, count: usize) -> usize {
    let rank = (count as f64 + 1.0).powf(rng.f64()) - 1.0;
    (rank as usize).min(count.saturating_sub(1))
}

/// A factor around 1 whose logarithm is normal with this standard deviation (Irwin-Hall, twelve terms).
pub fn noise(rng: &mut Rng, deviation: f64) -> f64 {
    let normal: f64 = (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0;
    (normal * deviation).exp()
}
