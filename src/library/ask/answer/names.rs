//! Looks up the names of the entities in an outcome, its question and the rows behind it.

use std::collections::BTreeMap;

use crate::ask::execute::{Entry, EntryValue, Estimates, Outcome, Remark};
use crate::ask::parse::{Filter, Key, Question, Result};
use crate::model::{Aspect, Fact, Field, Value};
use crate::rows::{EntityCache, JoinedRow, entity_kind};
use crate::stores::Stores;
use crate::values::EntityKind;

/// Maximum number of entries whose names are looked up; nobody reads more.
const MOST_ENTRIES: usize = 80;

/// Names by kind and id.
pub(in crate::ask) type Names = BTreeMap<(EntityKind, String), String>;

/// Looks up names, each once.
struct NameReader<'s> {
    stores: &'s Stores,
    entities: EntityCache<'static>,
    names: Names,
}

impl<'s> NameReader<'s> {
    fn of(stores: &'s Stores) -> Self {
        Self { stores, entities: EntityCache::default(), names: Names::new() }
    }

    fn add(&mut self, kind: EntityKind, id: &str) -> Result<()> {
        if !self.names.contains_key(&(kind, id.to_owned())) {
            self.entities.load(&self.stores.database, kind, id)?;
            self.names.insert((kind, id.to_owned()), self.entities.name(kind, id).to_owned());
        }
        Ok(())
    }

    /// Adds the entities in a value of a filter key; a value may hold several ids.
    fn add_value(&mut self, key: &str, value: &str) -> Result<()> {
        let kind =
            Aspect::keyed(key).and_then(entity_kind).or_else(|| entity_kind(Aspect::Fact(Fact::of_file_key(key)?)));
        let Some(kind) = kind else { return Ok(()) };
        value.split(',').try_for_each(|id| self.add(kind, id.trim_start_matches('-')))
    }

    fn add_all<'v>(&mut self, values: impl IntoIterator<Item = (&'v String, &'v Value)>) -> Result<()> {
        values.into_iter().try_for_each(|(key, value)| self.add_value(key, &value.to_string()))
    }

    fn add_devices<'v>(&mut self, ids: impl IntoIterator<Item = &'v str>) -> Result<()> {
        ids.into_iter().try_for_each(|id| self.add_value(Field::Device.key(), id))
    }

    fn add_entry(&mut self, entry: &Entry) -> Result<()> {
        self.add_all(entry.subjects.iter().chain(entry.baseline.iter().flatten()))?;
        self.add_all(entry.under.iter().filter_map(|(key, value)| Some((key, value.as_ref()?))))?;
        match &entry.value {
            Some(EntryValue::Text(text)) => self.add_value(&entry.quantity, text),
            Some(EntryValue::List(items)) => items.iter().try_for_each(|item| self.add_value(&entry.quantity, item)),
            _ => Ok(()),
        }
    }

    fn add_filter(&mut self, filter: &Filter) -> Result<()> {
        filter.all_tests().into_iter().try_for_each(|test| match &test.key {
            Key::Facet(facet) => test.values().iter().try_for_each(|id| self.add_value(facet.key(), id)),
            _ => Ok(()),
        })
    }

    fn add_remark(&mut self, remark: &Remark) -> Result<()> {
        use Remark::*;
        match remark {
            HigherElsewhere(entry) | ClosedDivision(entry) | OtherWay { entry, .. } => self.add_entry(entry),
            NoRow { side: filter, .. } | NotPaired(filter) | RowsOfBoth { side: filter, .. } | Relaxed(filter) => {
                self.add_filter(filter)
            }
            Widened { from, to } => [from, to].into_iter().try_for_each(|filter| self.add_filter(filter)),
            Rents(rents) => self.add_devices(rents.iter().flat_map(|(id, rent)| [id.as_str(), rent.device.as_str()])),
            FamiliesRanked(ids) | OfWholeInference { only: ids, .. } => {
                self.add_devices(ids.iter().map(String::as_str))
            }
            OtherGoals(datasets) => datasets.iter().try_for_each(|(id, _)| self.add_value(Field::Dataset.key(), id)),
            PairsAgainst(pairs) => {
                let mut sides = pairs.iter().flat_map(|(better, other, ..)| [better, other]);
                sides.try_for_each(|side| self.add_all(side))
            }
            Apart { candidates: some, .. } | Unranked { some, .. } => {
                some.iter().try_for_each(|subjects| self.add_all(subjects))
            }
            Outlier { subjects, .. } | CatalogNote(subjects, _) => self.add_all(subjects),
            NoSeries { axis, values } => values.iter().try_for_each(|(value, _)| self.add_value(axis, value)),
            Disputed { subject, quantity, .. } | FactUnknown { subject, quantity } => {
                Fact::of_file_key(quantity).map_or(Ok(()), |fact| self.add(fact.kind(), subject))
            }
            _ => Ok(()),
        }
    }
}

/// The names of the entities in estimates.
pub(super) fn names_of_estimates(stores: &Stores, found: &Estimates) -> Result<Names> {
    let mut reader = NameReader::of(stores);
    found.device.iter().try_for_each(|id| reader.add(EntityKind::Device, id))?;
    let under = found.estimates.iter().flat_map(|one| &one.under);
    reader.add_all(under.filter_map(|(key, value)| Some((key, value.as_ref()?))))?;
    Ok(reader.names)
}

/// The names of the entities in an outcome, in the question and in rows.
pub(super) fn names_in(stores: &Stores, question: &Question, outcome: &Outcome, rows: &[JoinedRow]) -> Result<Names> {
    let mut reader = NameReader::of(stores);
    for row in rows {
        for (field, kind) in Field::of_entities() {
            row.recorded().text(field).map_or(Ok(()), |id| reader.add(kind, id))?;
        }
    }
    outcome.entries.iter().take(MOST_ENTRIES).try_for_each(|entry| reader.add_entry(entry))?;
    [&question.subject].into_iter().chain(&question.sides).try_for_each(|filter| reader.add_filter(filter))?;
    outcome.remarks.iter().try_for_each(|remark| reader.add_remark(remark))?;
    Ok(reader.names)
}
