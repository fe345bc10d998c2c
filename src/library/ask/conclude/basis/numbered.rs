//! Grouping without sorting: equal keys as small numbers, and the places of equal numbers together.

use std::hash::Hash;

use crate::ask::hits::NumberMap;

/// Keys as numbers among the distinct ones, in the order of their first occurrence: a key is dropped as soon as it is numbered,
/// since those of a hundred thousand rows would fill more memory than all that follows from them.
#[derive(Debug)]
pub(in crate::ask::conclude) struct Numbered<K> {
    known: NumberMap<K, u32>,
    numbers: Vec<u32>,
}

impl<K: Eq + Hash> Numbered<K> {
    /// Before any key, for so many at most.
    pub fn with_capacity(keys: usize) -> Self {
        Self { known: NumberMap::default(), numbers: Vec::with_capacity(keys) }
    }

    /// Numbers one more key.
    pub fn push(&mut self, key: K) {
        let next = self.known.len() as u32;
        self.numbers.push(*self.known.entry(key).or_insert(next));
    }

    /// The number of each key.
    pub fn into_numbers(self) -> Vec<u32> {
        self.numbers
    }
}

/// Rows in an order in which those with equal numbers stand together, by rising numbers; rows of one number keep their order
/// (a counting sort: Knuth, The Art of Computer Programming, volume 3, section 5.2, algorithm D).
pub(in crate::ask::conclude) fn grouped_by(numbers: &[u32], rows: &[u32]) -> Vec<u32> {
    let number = |row: u32| numbers[row as usize] as usize;
    let mut places = vec![0_u32; rows.iter().map(|row| number(*row) + 1).max().unwrap_or(0)];
    rows.iter().for_each(|row| places[number(*row)] += 1);
    let mut begin = 0;
    for place in &mut places {
        begin += std::mem::replace(place, begin);
    }
    let mut grouped = vec![0; rows.len()];
    for row in rows {
        let place = &mut places[number(*row)];
        grouped[*place as usize] = *row;
        *place += 1;
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_stand_together_in_the_order_of_their_first_occurrence() {
        let mut numbered = Numbered::with_capacity(5);
        b"babca".iter().for_each(|key| numbered.push(*key));
        let numbers = numbered.into_numbers();
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
        assert_eq!(grouped_by(&numbers, &[0, 1, 2, 3, 4]), [0, 2, 1, 4, 3]);
        assert_eq!(grouped_by(&numbers, &[4, 3, 2, 0]), [2, 0, 4, 3], "in the order that they had");
        assert!(grouped_by(&[], &[]).is_empty());
    }
}
