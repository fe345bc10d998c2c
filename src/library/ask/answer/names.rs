//! What the entities are called that an outcome, a question and the rows behind it name.

use std::collections::BTreeMap;

use crate::ask::execute::{Entry, EntryValue, Estimates, Outcome, Remark};
use crate::ask::parse::{Filter, Is, Key, QueryError, Question, Term};
use crate::model::{Aspect, Fact, Field, Value};
use crate::rows::{EntityCache, JoinedRow, entity_kind};
use crate::stores::Stores;
use crate::values::EntityKind;

/// Nobody reads the names of more entries than this.
const MOST_ENTRIES: usize = 80;

/// Names by kind and id.
pub(in crate::ask) type Names = BTreeMap<(EntityKind, String), String>;

/// Looks up names, each once.
struct NameReader<'s> {
    stores: &'s Stores,
    entities: EntityCache<'static>,
    names: &'s mut Names,
}

impl NameReader<'_> {
    fn add(&mut self, kind: EntityKind, id: &str) -> Result<(), QueryError> {
        if !self.names.contains_key(&(kind, id.to_owned())) {
            self.entities.load(&self.stores.database, kind, id)?;
            self.names.insert((kind, id.to_owned()), self.entities.name(kind, id).to_owned());
        }
        Ok(())
    }

    /// The entities that a value of a filter key names; several may be in one value.
    fn add_value(&mut self, key: &str, value: &str) -> Result<(), QueryError> {
        let kind =
            Aspect::keyed(key).and_then(entity_kind).or_else(|| entity_kind(Aspect::Fact(Fact::of_file_key(key)?)));
        let Some(kind) = kind else { return Ok(()) };
        value.split(',').try_for_each(|id| self.add(kind, id.trim_start_matches('-')))
    }

    fn add_entry(&mut self, entry: &Entry) -> Result<(), QueryError> {
        let sides = entry.subjects.iter().chain(entry.baseline.iter().flatten());
        let shared = entry.under.iter().filter_map(|(key, value)| Some((key, value.as_ref()?)));
        for (key, value) in sides.chain(shared) {
            if let Value::Text(text) = value {
                self.add_value(key, text)?;
            }
        }
        match &entry.value {
            Some(EntryValue::Text(text)) => self.add_value(&entry.quantity, text),
            Some(EntryValue::List(items)) => items.iter().try_for_each(|item| self.add_value(&entry.quantity, item)),
            _ => Ok(()),
        }
    }

    fn add_filter(&mut self, filter: &Filter) -> Result<(), QueryError> {
        for term in &filter.terms {
            match term {
                Term::Test(test) => {
                    if let (Key::Facet(facet), Is::OneOf(values)) = (&test.key, &test.is) {
                        values.iter().try_for_each(|value| self.add_value(facet.key(), value))?;
                    }
                }
                Term::Not(filter) => self.add_filter(filter)?,
                Term::Any(filters) => filters.iter().try_for_each(|filter| self.add_filter(filter))?,
            }
        }
        Ok(())
    }
}

/// The names of the entities in estimates.
pub(super) fn names_of_estimates(stores: &Stores, found: &Estimates) -> Result<Names, QueryError> {
    let mut names = Names::new();
    let mut reader = NameReader { stores, entities: EntityCache::default(), names: &mut names };
    found.device.iter().try_for_each(|id| reader.add(EntityKind::Device, id))?;
    for (key, value) in found.estimates.iter().flat_map(|one| &one.under) {
        if let Some(Value::Text(text)) = value {
            reader.add_value(key, text)?;
        }
    }
    Ok(names)
}

/// The names of the entities in an outcome, in the question and in rows.
pub(super) fn names_in(
    stores: &Stores,
    question: &Question,
    outcome: &Outcome,
    rows: &[JoinedRow],
) -> Result<Names, QueryError> {
    let mut names = Names::new();
    let mut reader = NameReader { stores, entities: EntityCache::default(), names: &mut names };
    for row in rows {
        for (field, kind) in Field::of_entities() {
            if let Some(id) = row.recorded().text(field) {
                reader.add(kind, id)?;
            }
        }
    }
    outcome.entries.iter().take(MOST_ENTRIES).try_for_each(|entry| reader.add_entry(entry))?;
    for filter in [&question.subject].into_iter().chain(&question.sides) {
        reader.add_filter(filter)?;
    }
    for remark in &outcome.remarks {
        match remark {
            Remark::HigherElsewhere { entry } | Remark::OtherWay { entry, .. } => reader.add_entry(entry)?,
            Remark::NoRow { side, .. } | Remark::NotPaired { side } | Remark::RowsOfBoth { side, .. } => {
                reader.add_filter(side)?;
            }
            Remark::Relaxed { without } => reader.add_filter(without)?,
            Remark::Widened { from, to } => [from, to].into_iter().try_for_each(|filter| reader.add_filter(filter))?,
            Remark::Rents { rents } => {
                let ids = rents.iter().flat_map(|(id, rent)| [id.as_str(), rent.device.as_str()]);
                ids.into_iter().try_for_each(|id| reader.add_value(Field::Device.key(), id))?
            }
            Remark::PairsAgainst { pairs } => {
                for (key, value) in pairs.iter().flat_map(|(better, other, ..)| better.iter().chain(other)) {
                    reader.add_value(key, &value.to_string())?;
                }
            }
            Remark::FamiliesRanked { families } => {
                families.iter().try_for_each(|id| reader.add_value(Field::Device.key(), id))?
            }
            Remark::OtherGoals { datasets } => {
                datasets.iter().try_for_each(|(id, _)| reader.add_value(Field::Dataset.key(), id))?
            }
            Remark::OfWholeInference { only, .. } => {
                only.iter().try_for_each(|id| reader.add_value(Field::Device.key(), id))?
            }
            Remark::Apart { candidates: some, .. } | Remark::Unranked { some, .. } => {
                for (key, value) in some.iter().flatten() {
                    reader.add_value(key, &value.to_string())?;
                }
            }
            Remark::Outlier { subjects, .. } => {
                for (key, value) in subjects {
                    reader.add_value(key, &value.to_string())?;
                }
            }
            Remark::NoSeries { axis, values } => {
                values.iter().try_for_each(|(value, _)| reader.add_value(axis, value))?;
            }
            Remark::Disputed { subject, quantity, .. } | Remark::FactUnknown { subject, quantity } => {
                if let Some(fact) = Fact::of_file_key(quantity) {
                    reader.add(fact.kind(), subject)?;
                }
            }
            _ => {}
        }
    }
    Ok(names)
}
