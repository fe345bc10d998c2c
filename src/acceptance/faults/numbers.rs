//! A deterministic random number generator.

/// Knuth's MMIX generator.
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `end`, which must be above 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}
