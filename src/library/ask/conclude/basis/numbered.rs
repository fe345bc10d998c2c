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

/// The places of equal numbers together, in the order of the numbers, and where those of each end.
pub(in crate::ask::conclude) fn by_number(numbers: &[u32]) -> (Vec<usize>, Vec<usize>) {
    let distinct = numbers.iter().max().map_or(0, |most| *most as usize + 1);
    let mut ends = vec![0; distinct];
    for number in numbers {
        ends[*number as usize] += 1;
    }
    let mut begins = Vec::with_capacity(distinct);
    let mut sum = 0;
    for end in &mut ends {
        begins.push(sum);
        sum += *end;
        *end = sum;
    }
    let mut order = vec![0; numbers.len()];
    for (place, number) in numbers.iter().enumerate() {
        let next = &mut begins[*number as usize];
        order[*next] = place;
        *next += 1;
    }
    (order, ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_stand_together_in_the_order_of_their_first_occurrence() {
        let numbers = numbered(&["b", "a", "b", "c", "a"].map(|key| key.as_bytes()[0]));
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
        assert_eq!(by_number(&numbers), (vec![0, 2, 1, 4, 3], vec![2, 4, 5]));
        assert_eq!(by_number(&[]), (Vec::new(), Vec::new()));
    }
}
