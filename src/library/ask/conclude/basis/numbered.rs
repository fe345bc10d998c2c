//! Grouping without sorting: equal keys as small numbers, and the places of equal numbers together.

use std::hash::Hash;

use crate::ask::hits::NumberMap;

/// The number of each key among the distinct ones, in the order of their first occurrence.
pub(in crate::ask::conclude) fn numbered<K: Eq + Copy + Hash>(keys: &[K]) -> Vec<u32> {
    let mut numbers: NumberMap<K, u32> = NumberMap::with_capacity_and_hasher(keys.len() / 2, Default::default());
    let number = |key: &K| {
        let next = numbers.len() as u32;
        *numbers.entry(*key).or_insert(next)
    };
    keys.iter().map(number).collect()
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
        let numbers = numbered(&["b", "a", "b", "c", "a"].map(|key| key.as_bytes()[0]));
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
        assert_eq!(grouped_by(&numbers, &[0, 1, 2, 3, 4]), [0, 2, 1, 4, 3]);
        assert_eq!(grouped_by(&numbers, &[4, 3, 2, 0]), [2, 0, 4, 3], "in the order that they had");
        assert!(grouped_by(&[], &[]).is_empty());
    }
}
