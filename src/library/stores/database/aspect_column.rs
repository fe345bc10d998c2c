//! A dictionary-encoded column: the distinct values of an aspect, and for every share (a setup, workload, protocol or batch) the
//! index of its value. Counting a million measurements by any aspect takes a few thousand additions.
//!
//! Its bytes are those of the file, so that opening it reads nothing: numbers have the lowest byte first, four bytes or, where
//! that is enough for the indices, two.

use tantivy::directory::OwnedBytes;

/// The values of one aspect for all shares of a part.
#[derive(Debug, Clone)]
pub struct AspectColumn {
    /// The distinct values, concatenated.
    pub(super) text: OwnedBytes,
    /// The end of each value in `text`.
    pub(super) ends: OwnedBytes,
    /// For each share the index of its value plus one; 0 = absent.
    pub(super) places: OwnedBytes,
}

impl Default for AspectColumn {
    fn default() -> Self {
        Self { text: OwnedBytes::empty(), ends: OwnedBytes::empty(), places: OwnedBytes::empty() }
    }
}

impl AspectColumn {
    /// The column of these distinct values, and of the index plus one that each share has.
    pub(super) fn of_values<'v>(values: impl IntoIterator<Item = &'v str>, places: &[u32]) -> Self {
        let (mut text, mut ends): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
        for value in values {
            text.extend(value.as_bytes());
            ends.extend((text.len() as u32).to_le_bytes());
        }
        let width = if is_narrow(ends.len() / 4) { 2 } else { 4 };
        let places: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes().into_iter().take(width)).collect();
        Self { text: OwnedBytes::new(text), ends: OwnedBytes::new(ends), places: OwnedBytes::new(places) }
    }

    /// The value of a share, if it has one.
    pub fn of(&self, share: u32) -> Option<&str> {
        self.value(self.number(share).checked_sub(1)? as usize)
    }

    /// The number of a share's value, 0 where it has none: two shares have the same number where they have the same value.
    pub fn number(&self, share: u32) -> u32 {
        let share = share as usize;
        let place = match is_narrow(self.distinct()) {
            true => self.places.as_chunks().0.get(share).map(|place| u16::from_le_bytes(*place).into()),
            false => self.places.as_chunks().0.get(share).map(|place| u32::from_le_bytes(*place)),
        };
        place.unwrap_or_default()
    }

    /// The number of each share's value.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        (0..self.len() as u32).map(|share| self.number(share))
    }

    /// The number of a value, if any share has it.
    pub fn number_of(&self, value: &str) -> Option<u32> {
        let is_it = |place: &usize| self.bytes(*place) == Some(value.as_bytes());
        Some((0..self.distinct()).find(is_it)? as u32 + 1)
    }

    /// How many shares there are; none where no share states the aspect.
    pub fn len(&self) -> usize {
        self.places.len() / if is_narrow(self.distinct()) { 2 } else { 4 }
    }

    /// Whether no share states it.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// How many distinct values there are.
    pub fn distinct(&self) -> usize {
        self.ends.len() / 4
    }

    /// The distinct values, in the order of their first occurrence.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        (0..self.distinct()).filter_map(|place| self.value(place))
    }

    fn value(&self, place: usize) -> Option<&str> {
        str::from_utf8(self.bytes(place)?).ok()
    }

    fn bytes(&self, place: usize) -> Option<&[u8]> {
        let ends = self.ends.as_chunks().0;
        let end = |place: usize| ends.get(place).map(|end| u32::from_le_bytes(*end) as usize);
        let start = place.checked_sub(1).map_or(Some(0), end)?;
        self.text.get(start..end(place)?)
    }

    /// The value of each share, by its number.
    pub fn shares(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.len() as u32).map(|share| self.of(share))
    }

    /// What follows from the value of each share, by its number: made out once for each distinct value.
    pub fn of_shares<T: Copy>(&self, follows: impl Fn(Option<&str>) -> T) -> Vec<T> {
        let of_values: Vec<T> =
            [None].into_iter().chain((0..self.distinct()).map(|place| self.value(place))).map(follows).collect();
        self.numbers().map(|number| of_values.get(number as usize).copied().unwrap_or(of_values[0])).collect()
    }

    /// The shares whose value passes; the predicate runs once per distinct value.
    pub fn shares_with(&self, passes: impl Fn(&str) -> bool) -> Vec<u32> {
        let passing = self.of_shares(|value| value.is_some_and(&passes));
        (0..).zip(passing).filter_map(|(share, passes)| passes.then_some(share)).collect()
    }

    /// How many rows have each value that occurs, given the number of rows of each share.
    pub fn counts(&self, rows_of_shares: &[u32]) -> impl Iterator<Item = (&str, usize)> {
        let mut counts = vec![0; self.distinct() + 1];
        for (number, rows) in self.numbers().zip(rows_of_shares) {
            if let Some(count) = counts.get_mut(number as usize) {
                *count += *rows as usize;
            }
        }
        let counts = counts.into_iter().skip(1).enumerate().filter(|(_, count)| *count > 0);
        counts.filter_map(|(place, count)| Some((self.value(place)?, count)))
    }
}

/// Whether two bytes hold the index of each of so many values, and 0.
fn is_narrow(values: usize) -> bool {
    values < usize::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_by_the_rows_of_their_shares() {
        let column = AspectColumn::of_values(["gpu", "asic", "cpu"], &[1, 0, 3, 1]);
        assert_eq!(column.counts(&[10, 1, 0, 5]).collect::<Vec<_>>(), [("gpu", 15)]);
        assert_eq!(column.of(0), Some("gpu"));
        assert_eq!(column.of(1), None);
        assert_eq!(column.of(9), None);
        assert_eq!(column.number_of("cpu"), Some(3));
        assert_eq!(column.shares_with(|value| value.ends_with("pu")), [0, 2, 3]);
        assert_eq!(column.of_shares(|value| value.map_or(0, str::len)), [3, 0, 3, 3]);
    }

    #[test]
    fn many_values_take_wider_numbers() {
        let values: Vec<String> = (0..70_000).map(|number| number.to_string()).collect();
        let column = AspectColumn::of_values(values.iter().map(String::as_str), &[70_000, 1, 0]);
        assert_eq!(column.shares().collect::<Vec<_>>(), [Some("69999"), Some("0"), None]);
        assert_eq!((column.len(), column.distinct()), (3, 70_000));
    }
}
