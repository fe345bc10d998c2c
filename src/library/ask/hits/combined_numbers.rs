//! Numbers for combinations of columns: shares with the same values in several columns get the same number.

use super::number_map::NumberMap;
use crate::stores::database::AspectColumn;

/// Up to this many places (four bytes each), clearing a table is faster than filling a map.
const MAX_TABLE_SIZE: usize = 1 << 16;

/// The numbers of shares, refined by one column after the other.
#[derive(Debug)]
pub struct CombinedNumbers {
    /// The number of each share, counted from 0.
    numbers: Vec<u32>,
    /// How many distinct numbers there are.
    distinct: usize,
}

impl CombinedNumbers {
    /// Starts without columns: all shares have the same number.
    pub fn of(shares: usize) -> Self {
        Self { numbers: vec![0; shares], distinct: usize::from(shares > 0) }
    }

    /// The numbers of shares over these columns; the longest column determines the number of shares.
    pub fn of_columns(columns: &[&AspectColumn]) -> Self {
        let shares = columns.iter().map(|column| column.len()).max().unwrap_or_default();
        let mut combined = Self::of(shares);
        columns.iter().for_each(|column| combined.add(column.distinct() + 1, |share| column.number(share)));
        combined
    }

    /// Adds a column whose numbers are below `distinct`.
    pub fn add(&mut self, distinct: usize, number: impl Fn(u32) -> u32) {
        // A column with a single value distinguishes nothing.
        if distinct < 2 {
            return;
        }
        let mut known = 0;
        let mut next = || {
            known += 1;
            known
        };
        let both = self.numbers.iter_mut().zip(0..);
        if self.distinct.saturating_mul(distinct) <= MAX_TABLE_SIZE {
            let mut places = vec![0; self.distinct * distinct];
            for (own, share) in both {
                let place = &mut places[*own as usize * distinct + number(share) as usize];
                if *place == 0 {
                    *place = next();
                }
                *own = *place - 1;
            }
        } else {
            let mut places: NumberMap<u64, u32> = NumberMap::default();
            for (own, share) in both {
                let pair = u64::from(*own) << 32 | u64::from(number(share));
                *own = *places.entry(pair).or_insert_with(&mut next) - 1;
            }
        }
        self.distinct = known as usize;
    }

    /// The number of each share.
    pub fn into_numbers(self) -> Vec<u32> {
        self.numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_that_state_the_same_have_the_same_number() {
        let columns: [&[u32]; 3] = [&[0, 1, 1, 0, 2], &[3, 3, 0, 3, 3], &[1, 1, 1, 1, 1]];
        // Once with a table, once with a map.
        for distinct in [5, MAX_TABLE_SIZE] {
            let mut combined = CombinedNumbers::of(5);
            columns.iter().for_each(|column| combined.add(distinct, |share| column[share as usize]));
            assert_eq!(combined.into_numbers(), [0, 1, 2, 0, 3]);
        }
        assert!(CombinedNumbers::of(0).into_numbers().is_empty());
    }
}
