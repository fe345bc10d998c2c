//! Dictionary-encoded columns: for every aspect its distinct values, and for every share (a setup, workload, protocol or
//! batch) the index of its value. Counting a million measurements by any aspect takes a few thousand additions.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use rusqlite::{Connection, Row, params};

use super::{Database, DatabaseError};
use crate::model::{Aspect, Catalog, Fact, Parts, SharedPart, Value};
use crate::values::{EntityId, EntityKind, ParseError};

/// The values of one aspect for all shares of a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AspectColumn {
    /// The distinct values, concatenated.
    text: String,
    /// The end of each value in `text`.
    ends: Vec<u32>,
    /// For each share the index of its value plus one; 0 = absent.
    places: Vec<u32>,
}

impl AspectColumn {
    /// The value of a share, if it has one.
    pub fn of(&self, share: u32) -> Option<&str> {
        let place = (*self.places.get(share as usize)?).checked_sub(1)?;
        self.value(place as usize)
    }

    /// The number of a share's value, 0 where it has none: two shares have the same number where they have the same value.
    pub fn number(&self, share: u32) -> u32 {
        self.places.get(share as usize).copied().unwrap_or_default()
    }

    /// The number of each share's value.
    pub fn numbers(&self) -> &[u32] {
        &self.places
    }

    /// The number of a value, if any share has it.
    pub fn number_of(&self, value: &str) -> Option<u32> {
        Some(self.values().position(|other| other == value)? as u32 + 1)
    }

    /// How many shares there are; none where no share states the aspect.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether no share states it.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// How many distinct values there are.
    pub fn distinct(&self) -> usize {
        self.ends.len()
    }

    /// The distinct values, in the order of their first occurrence.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).filter_map(|place| self.value(place))
    }

    fn value(&self, place: usize) -> Option<&str> {
        let start = place.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text.get(start as usize..*self.ends.get(place)? as usize)
    }

    /// The value of each share, by its number.
    pub fn shares(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.places.len() as u32).map(|share| self.of(share))
    }

    /// What follows from the value of each share, by its number: made out once for each distinct value.
    pub fn of_shares<T: Copy>(&self, follows: impl Fn(Option<&str>) -> T) -> Vec<T> {
        let of_values: Vec<T> = [None].into_iter().chain(self.values().map(Some)).map(follows).collect();
        self.places.iter().map(|place| of_values[*place as usize]).collect()
    }

    /// The shares whose value passes; the predicate runs once per distinct value.
    pub fn shares_with(&self, passes: impl Fn(&str) -> bool) -> Vec<u32> {
        let passing: Vec<bool> = self.values().map(passes).collect();
        let shares = self.places.iter().zip(0..).filter(|(place, _)| {
            place.checked_sub(1).is_some_and(|place| passing.get(place as usize).copied().unwrap_or_default())
        });
        shares.map(|(_, share)| share).collect()
    }

    /// How many rows have each value that occurs, given the number of rows of each share.
    pub fn counts(&self, rows_of_shares: &[u32]) -> impl Iterator<Item = (&str, usize)> {
        let mut counts = vec![0; self.ends.len() + 1];
        for (place, rows) in self.places.iter().zip(rows_of_shares) {
            if let Some(count) = counts.get_mut(*place as usize) {
                *count += *rows as usize;
            }
        }
        let counts = counts.into_iter().skip(1).enumerate().filter(|(_, count)| *count > 0);
        counts.filter_map(|(place, count)| Some((self.value(place)?, count)))
    }
}

impl Database {
    /// The column of one aspect; empty where no share states it, or where it belongs to the rows themselves.
    pub fn aspect(&self, aspect: Aspect) -> Result<AspectColumn, DatabaseError> {
        let mut select = self.connection.prepare_cached("SELECT text, ends, places FROM aspect WHERE aspect = ?1")?;
        let mut rows = select.query([aspect.key()])?;
        match rows.next()? {
            Some(row) => column(row, 0),
            None => Ok(AspectColumn::default()),
        }
    }

    /// The columns of those aspects that are wanted and that any share states.
    pub fn aspects(&self, wanted: impl Fn(Aspect) -> bool) -> Result<BTreeMap<Aspect, AspectColumn>, DatabaseError> {
        let mut select = self.connection.prepare_cached("SELECT aspect, text, ends, places FROM aspect")?;
        let mut rows = select.query([])?;
        let mut columns = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let key = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            let aspect =
                Aspect::keyed(key).ok_or_else(|| ParseError::expected(format!("the key of an aspect, not {key:?}")))?;
            if wanted(aspect) {
                columns.insert(aspect, column(row, 1)?);
            }
        }
        Ok(columns)
    }
}

/// Reads a column: little-endian, four bytes a number; indices take two bytes where that is enough.
fn column(row: &Row<'_>, at: usize) -> Result<AspectColumn, DatabaseError> {
    let bytes = |at| -> Result<&[u8], DatabaseError> { Ok(row.get_ref(at)?.as_blob().map_err(rusqlite::Error::from)?) };
    let wide = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|number| u32::from_le_bytes(*number)).collect();
    let ends: Vec<u32> = wide(bytes(at + 1)?);
    let places = bytes(at + 2)?;
    let places = match is_narrow(ends.len()) {
        true => places.as_chunks().0.iter().map(|place| u16::from_le_bytes(*place).into()).collect(),
        false => wide(places),
    };
    Ok(AspectColumn { text: row.get(at)?, ends, places })
}

fn is_narrow(values: usize) -> bool {
    values < usize::from(u16::MAX)
}

/// Writes the columns of all aspects.
pub(super) fn insert(connection: &Connection, parts: &Parts, catalog: &Catalog) -> Result<(), DatabaseError> {
    let mut insert = connection.prepare("INSERT INTO aspect (aspect, text, ends, places) VALUES (?1, ?2, ?3, ?4)")?;
    for aspect in Aspect::all() {
        let Some(part) = aspect.part() else { continue };
        let mut values = IndexSet::new();
        let mut places: Vec<u32> = Vec::with_capacity(parts.shares(part).len());
        for share in parts.shares(part) {
            places.push(value_of(share, aspect, catalog).map_or(0, |value| values.insert_full(value).0 as u32 + 1));
        }
        if values.is_empty() {
            continue;
        }
        let (mut text, mut ends) = (String::new(), Vec::new());
        for value in &values {
            text.push_str(value);
            ends.extend((text.len() as u32).to_le_bytes());
        }
        let width = if is_narrow(values.len()) { 2 } else { 4 };
        let places: Vec<u8> =
            places.into_iter().flat_map(|place| place.to_le_bytes().into_iter().take(width)).collect();
        insert.execute(params![aspect.key(), text, ends, places])?;
    }
    Ok(())
}

/// The value of an aspect for a share. For a metric it is an empty text where the rows have that metric.
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

/// A fact of the entity that a share names.
fn fact_of(share: &SharedPart, fact: Fact, catalog: &Catalog) -> Option<Value> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[&str], places: &[u32]) -> AspectColumn {
        let mut ends = Vec::new();
        for value in values {
            ends.push(ends.last().copied().unwrap_or(0) + value.len() as u32);
        }
        AspectColumn { text: values.concat(), ends, places: places.to_vec() }
    }

    #[test]
    fn values_are_counted_by_the_rows_of_their_shares() {
        let column = column(&["cpu", "gpu", "asic"], &[2, 0, 1, 2]);
        assert_eq!(column.counts(&[10, 1, 0, 5]).collect::<Vec<_>>(), [("gpu", 15)]);
        assert_eq!(column.of(0), Some("gpu"));
        assert_eq!(column.of(1), None);
        assert_eq!(column.of(9), None);
        assert_eq!(column.shares_with(|value| value.ends_with("pu")), [0, 2, 3]);
    }

    #[test]
    fn each_part_has_the_aspects_that_follow_from_it() {
        for aspect in Aspect::all() {
            let own = match aspect {
                // A measure follows from what several parts state.
                Aspect::Id | Aspect::Derived(_) => true,
                Aspect::Field(field) => field.part().is_none(),
                _ => false,
            };
            assert_eq!(aspect.part().is_none(), own, "{aspect:?}");
        }
    }
}
