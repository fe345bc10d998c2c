//! Maps with a fast hash (one multiplication for each number) for keys from our own stores. The standard hash is slower, to resist
//! keys chosen to collide.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose keys are numbers that no outsider chooses.
pub type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// 2^64 divided by the golden ratio, odd: spreads consecutive numbers over all bits (Knuth, The Art of Computer Programming, volume
/// 3, section 6.4, Fibonacci hashing).
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Folds numbers into one hash.
#[derive(Debug, Clone, Copy, Default)]
pub struct NumberHasher(u64);

impl NumberHasher {
    fn fold(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(26) ^ number).wrapping_mul(SPREAD);
    }
}

impl Hasher for NumberHasher {
    /// Only the upper bits depend on the whole number, but a map uses the lower ones: mix them.
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.fold(u64::from_le_bytes(*word)));
        rest.iter().for_each(|byte| self.fold(u64::from(*byte)));
    }

    fn write_u8(&mut self, number: u8) {
        self.fold(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.fold(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.fold(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.fold(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::Hash as _;

    use super::*;

    #[test]
    fn keys_that_are_near_have_places_of_their_own() {
        let place = |key: [u32; 4]| {
            let mut hasher = NumberHasher::default();
            key.hash(&mut hasher);
            hasher.finish()
        };
        let keys = (0..40).flat_map(|a| (0..40).flat_map(move |b| (0..40).map(move |c| [a, b, 0, c])));
        let keys: Vec<[u32; 4]> = keys.collect();
        let places: HashSet<u64> = keys.iter().map(|key| place(*key)).collect();
        assert_eq!(places.len(), keys.len());
        // In a table of 2^17 places, the lower bits collide no more often than by chance.
        let low: HashSet<u64> = places.iter().map(|place| place & ((1 << 17) - 1)).collect();
        assert!(low.len() > 45_000, "{}", low.len());
    }
}
