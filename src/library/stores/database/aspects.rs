//! The columns of all aspects, dictionary-encoded, in a memory-mapped file beside the database: a question reads only some of them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::{fs, io};

use indexmap::IndexSet;
use tantivy::directory::{Directory as _, MmapDirectory, OwnedBytes};

use crate::model::{Aspect, Catalog, Fact, Field, Parts, SharedPart, Value};
use crate::values::{EntityId, EntityKind};

/// The columns of all aspects that any share states.
#[derive(Debug)]
pub(super) struct AspectColumns {
    bytes: OwnedBytes,
    places: Vec<ColumnPlace>,
}

/// The ranges of a column's key and parts in the file.
#[derive(Debug)]
struct ColumnPlace {
    key: Range<usize>,
    text: Range<usize>,
    ends: Range<usize>,
    places: Range<usize>,
}

/// Number of lengths per column in the header of the file.
const LENGTHS: usize = 4;

/// File name, in the folder of the database.
const FILE: &str = "aspects.columns";

impl AspectColumns {
    /// Writes the file into a folder.
    pub fn write(folder: &Path, parts: &Parts, catalog: &Catalog) -> io::Result<()> {
        fs::write(folder.join(FILE), file_of(parts, catalog))
    }

    /// Opens the file in a folder memory-mapped; pages are read on demand.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let directory = MmapDirectory::open(folder).map_err(io::Error::other)?;
        Self::of(directory.open_read(Path::new(FILE)).map_err(io::Error::other)?.read_bytes()?)
    }

    /// The columns in memory, without a file.
    pub fn in_memory(parts: &Parts, catalog: &Catalog) -> io::Result<Self> {
        Self::of(OwnedBytes::new(file_of(parts, catalog)))
    }

    fn of(bytes: OwnedBytes) -> io::Result<Self> {
        let places = places(&bytes).ok_or_else(|| io::Error::other("the columns of the aspects are not whole"))?;
        Ok(Self { bytes, places })
    }

    /// The column of an aspect; `None` if no share states it, or if it belongs to individual rows.
    pub fn column(&self, aspect: Aspect) -> Option<AspectColumn> {
        aspect.part()?;
        let key = |place: &ColumnPlace| self.bytes.get(place.key.clone());
        let at = self.places.binary_search_by(|place| key(place).cmp(&Some(aspect.key().as_bytes()))).ok()?;
        let ColumnPlace { text, ends, places, .. } = &self.places[at];
        let of = |range: &Range<usize>| self.bytes.slice(range.clone());
        Some(AspectColumn { text: of(text), ends: of(ends), places: of(places) })
    }
}

/// The ranges of all columns; `None` if the file has another length than they need.
fn places(bytes: &[u8]) -> Option<Vec<ColumnPlace>> {
    let numbers: &[[u8; 4]] = bytes.as_chunks().0;
    let count = u32::from_le_bytes(*numbers.first()?) as usize;
    let lengths = numbers.get(1..count.checked_mul(LENGTHS)?.checked_add(1)?)?;
    let lengths: Vec<[usize; LENGTHS]> = lengths
        .as_chunks()
        .0
        .iter()
        .map(|four: &[_; LENGTHS]| four.map(|one| u32::from_le_bytes(one) as usize))
        .collect();
    let mut at = (lengths.len() * LENGTHS + 1) * 4;
    let mut next = |length: usize| {
        let begin = at;
        at = at.checked_add(length)?;
        Some(begin..at)
    };
    let keys: Vec<Range<usize>> = lengths.iter().map(|[key, ..]| next(*key)).collect::<Option<_>>()?;
    let place = |(key, [_, text, ends, places]): (Range<usize>, &[usize; LENGTHS])| {
        Some(ColumnPlace { key, text: next(*text)?, ends: next(*ends)?, places: next(*places)? })
    };
    let found = keys.into_iter().zip(&lengths).map(place).collect::<Option<Vec<_>>>()?;
    (at == bytes.len()).then_some(found)
}

/// The content of the file with the columns of all aspects.
fn file_of(parts: &Parts, catalog: &Catalog) -> Vec<u8> {
    let columns: BTreeMap<&str, AspectColumn> =
        Aspect::all().filter_map(|aspect| Some((aspect.key(), column_of(aspect, parts, catalog)?))).collect();
    let lengths =
        columns.iter().flat_map(|(key, column)| [key.len(), column.text.len(), column.ends.len(), column.places.len()]);
    let mut bytes: Vec<u8> =
        [columns.len()].into_iter().chain(lengths).flat_map(|n| (n as u32).to_le_bytes()).collect();
    columns.keys().for_each(|key| bytes.extend(key.as_bytes()));
    for column in columns.values() {
        [&column.text, &column.ends, &column.places].into_iter().for_each(|part| bytes.extend(part.as_slice()));
    }
    bytes
}

/// The column of an aspect; `None` if no share states it.
fn column_of(aspect: Aspect, parts: &Parts, catalog: &Catalog) -> Option<AspectColumn> {
    let shares = parts.shares(aspect.part()?);
    let mut values = IndexSet::new();
    let number = |share| value_of(share, aspect, catalog).map_or(0, |value| values.insert_full(value).0 as u32 + 1);
    let places: Vec<u32> = shares.iter().map(number).collect();
    (!values.is_empty()).then(|| AspectColumn::of_values(values.iter().map(String::as_str), &places))
}

/// The value of an aspect for a share. For a metric, an empty text if the rows of the share have that metric.
fn value_of(share: &SharedPart, aspect: Aspect, catalog: &Catalog) -> Option<String> {
    match aspect {
        Aspect::Id | Aspect::Derived(_) => None,
        Aspect::Source => share.source.as_ref().map(EntityId::to_string),
        Aspect::Field(field) => {
            share.get(field).map(ToString::to_string).or_else(|| field.unstated().map(str::to_owned))
        }
        Aspect::Metric(metric) => share.metrics.contains(&metric).then(String::new),
        Aspect::Fact(fact) => fact_of(share, fact, catalog).map(|value| value.to_string()),
    }
}

/// A fact of the entity that a share refers to, or the year of its date.
fn fact_of(share: &SharedPart, fact: Fact, catalog: &Catalog) -> Option<Value> {
    if let Some(year) = fact.from_date(share.text(Field::Date)) {
        return Some(year);
    }
    let named = || fact.naming_fields().find_map(|field| share.text(field)?.parse::<EntityId>().ok());
    match fact.kind() {
        EntityKind::Framework => fact.value(catalog.frameworks.get(&named()?)?),
        EntityKind::Device => fact.value(catalog.devices.get(&named()?)?),
        EntityKind::Network => fact.value(catalog.networks.get(&named()?)?),
        EntityKind::Dataset => fact.value(catalog.datasets.get(&named()?)?),
        EntityKind::Source => fact.value(catalog.sources.get(share.source.as_ref()?)?),
        EntityKind::HardwareClass => None,
    }
}

/// The values of one aspect for all shares of a part.
#[derive(Debug, Clone)]
pub struct AspectColumn {
    /// The distinct values, concatenated.
    pub(super) text: OwnedBytes,
    /// The end of each value in `text`.
    pub(super) ends: OwnedBytes,
    /// For each share, the index of its value plus one; 0 if it has none.
    pub(super) places: OwnedBytes,
}

impl Default for AspectColumn {
    fn default() -> Self {
        Self { text: OwnedBytes::empty(), ends: OwnedBytes::empty(), places: OwnedBytes::empty() }
    }
}

impl AspectColumn {
    /// A column with these distinct values, and for each share the index of its value plus one.
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

    /// The number of a share's value, 0 if it has none; shares have equal numbers if and only if they have equal values.
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

    /// Number of shares; 0 if no share states the aspect.
    pub fn len(&self) -> usize {
        self.places.len() / if is_narrow(self.distinct()) { 2 } else { 4 }
    }

    /// Whether no share states the aspect.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Number of distinct values.
    pub fn distinct(&self) -> usize {
        self.ends.len() / 4
    }

    /// The distinct values, in order of first occurrence.
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

    /// The value of each share, in the order of share numbers.
    pub fn shares(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.len() as u32).map(|share| self.of(share))
    }

    /// The result of a function of each share's value, in the order of share numbers; computed once per distinct value.
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

    /// The number of rows for each value that occurs, given the number of rows of each share.
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

/// Whether two bytes can store an index plus one for each of this many values, and 0.
fn is_narrow(values: usize) -> bool {
    values < usize::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_cut_or_goes_on_is_not_whole() {
        let bytes = file_of(&Parts::of(&[]), &Catalog::default());
        assert_eq!(bytes, [0; 4], "nothing is stated");
        let mut bytes = [1_u32, 2, 3, 4, 4].map(u32::to_le_bytes).concat();
        bytes.extend(b"oscpu");
        bytes.extend([3, 0, 0, 0]);
        bytes.extend([1, 0, 0, 0]);
        let columns = AspectColumns::of(OwnedBytes::new(bytes.clone())).unwrap();
        let column = columns.column(Aspect::Field(crate::model::Field::Os)).unwrap();
        assert_eq!(column.shares().collect::<Vec<_>>(), [Some("cpu"), None]);
        assert!(columns.column(Aspect::Source).is_none());
        for length in 0..bytes.len() {
            assert!(AspectColumns::of(OwnedBytes::new(bytes[..length].to_vec())).is_err(), "{length}");
        }
        bytes.push(0);
        assert!(AspectColumns::of(OwnedBytes::new(bytes)).is_err());
    }

    #[test]
    fn each_part_has_the_aspects_that_follow_from_it() {
        for aspect in Aspect::all() {
            let own = match aspect {
                // Derived measures depend on several parts.
                Aspect::Id | Aspect::Derived(_) => true,
                Aspect::Field(field) => field.part().is_none(),
                _ => false,
            };
            assert_eq!(aspect.part().is_none(), own, "{aspect:?}");
        }
    }

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
