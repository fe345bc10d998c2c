//! Keys of rows by some of what they state, a number for each part, so that many rows are grouped without reading a value twice.

use strum::VariantArray as _;

use crate::ask::hits::{NumberMap, PartNumbers, SharedValues};
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
            let shares = columns.iter().map(|column| column.len()).max().unwrap_or_default() as u32;
            let mut known: NumberMap<Vec<u32>, u32> = NumberMap::default();
            let number = |share: u32| {
                let stated: Vec<u32> = columns.iter().map(|column| column.number(share)).collect();
                let next = known.len() as u32;
                *known.entry(stated).or_insert(next)
            };
            numbers[*part as usize] = (0..shares).map(number).collect();
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
