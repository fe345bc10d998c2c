//! Keys of rows by some of what they state, a number for each part, so that many rows are grouped without reading a value twice.

use strum::VariantArray as _;

use crate::ask::hits::{CombinedNumbers, PartNumbers, SharedValues};
use crate::model::{Aspect, Part};

/// What a row states in some aspects, as a number for each part.
pub(in crate::ask::conclude) type ShareKey = [u32; Part::VARIANTS.len()];

/// The keys of all shares.
#[derive(Debug)]
pub(in crate::ask::conclude) struct ShareKeys {
    numbers: [Vec<u32>; Part::VARIANTS.len()],
}

impl ShareKeys {
    /// The keys by these aspects.
    pub fn of(values: &SharedValues, aspects: impl Iterator<Item = Aspect>) -> Self {
        let aspects: Vec<Aspect> = aspects.collect();
        let mut numbers: [Vec<u32>; Part::VARIANTS.len()] = Default::default();
        for part in Part::VARIANTS {
            let own = aspects.iter().filter(|aspect| aspect.part() == Some(*part));
            let columns: Vec<_> = own.filter_map(|aspect| values.column(*aspect)).collect();
            numbers[*part as usize] = CombinedNumbers::of_columns(&columns).into_numbers();
        }
        Self { numbers }
    }

    /// The key of a row.
    pub fn key(&self, parts: &PartNumbers) -> ShareKey {
        let mut key = ShareKey::default();
        for ((number, share), numbers) in key.iter_mut().zip(parts).zip(&self.numbers) {
            *number = numbers.get(*share as usize).copied().unwrap_or_default();
        }
        key
    }
}
