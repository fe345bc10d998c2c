//! Facts of entities as entries: of one entity, or of a family the range of its members.

use indexmap::IndexMap;

use super::conclusion::{Entry, EntryValue};
use super::wording::rounded;
use crate::ask::question::QueryError;
use crate::model::{
    CatalogInputs, Citation, Dataset, Device, Fact, FactEntity, FactType, Field, Framework, Network, Value,
};
use crate::stores::Stores;
use crate::values::{Date, EntityKind};

/// What an entity states of a fact, and where that is from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StatedFact {
    /// The value as it is shown.
    pub value: Value,
    /// The same as a number, where it is one; of a date the year with its part that has passed.
    pub number: Option<f64>,
    /// The sources that cover it.
    pub sources: Vec<String>,
}

/// What an entity states of a fact; of a price an hour that of one device.
pub(super) fn stated(
    stores: &Stores,
    kind: EntityKind,
    id: &str,
    fact: Fact,
) -> Result<Option<StatedFact>, QueryError> {
    let store = &stores.store;
    Ok(match kind {
        EntityKind::Device if fact == Fact::Price => store.entity::<Device>(id)?.and_then(|device| rent(&device)),
        EntityKind::Device => store.entity::<Device>(id)?.and_then(|entity| of(&entity, fact)),
        EntityKind::Network => store.entity::<Network>(id)?.and_then(|entity| of(&entity, fact)),
        EntityKind::Framework => store.entity::<Framework>(id)?.and_then(|entity| of(&entity, fact)),
        EntityKind::Dataset => store.entity::<Dataset>(id)?.and_then(|entity| of(&entity, fact)),
        EntityKind::Source | EntityKind::HardwareClass => None,
    })
}

fn of<E: FactEntity>(entity: &E, fact: Fact) -> Option<StatedFact> {
    let value = fact.value(entity)?;
    let number = match (&value, fact.value_type()) {
        (Value::Count(count), _) => Some(*count as f64),
        (Value::Number(number), _) => Some(number.value()),
        (date, FactType::Date) => date.parse::<Date>().map(|date| f64::from(date.year())),
        _ => None,
    };
    let sources = Citation::covering(entity.citations(), fact.cited_key()).map(Citation::short_name).collect();
    Some(StatedFact { value, number, sources })
}

/// The cheapest offer, for one device, US dollars an hour.
fn rent(device: &Device) -> Option<StatedFact> {
    let inputs = CatalogInputs { device: Some(device), ..CatalogInputs::default() };
    let (price, offer) = inputs.price(None, 1.0)?;
    let value = crate::values::Decimal::derived(price, 3).map(Value::Number)?;
    Some(StatedFact { value, number: Some(price), sources: vec![offer.source.to_string()] })
}

/// The unit of a fact's number.
pub(super) fn unit(fact: Fact) -> Option<String> {
    if fact == Fact::Price {
        return Some("USD/h".to_owned());
    }
    let (_, unit) = fact.heading().split_once(" [")?;
    Some(unit.trim_end_matches(']').to_owned())
}

/// A fact of an entity as an entry; of a family the range of what its members state. `None` where nobody states it.
pub(super) fn entry(
    stores: &Stores,
    kind: EntityKind,
    key: &str,
    id: &str,
    fact: Fact,
) -> Result<Option<Entry>, QueryError> {
    let mut all: Vec<StatedFact> = stated(stores, kind, id, fact)?.into_iter().collect();
    if all.is_empty() && matches!(kind, EntityKind::Device | EntityKind::Network) {
        for member in stores.store.descendants(kind, id)? {
            all.extend(stated(stores, kind, &member, fact)?);
        }
    }
    let Some(first) = all.first() else { return Ok(None) };
    let numbers: Vec<f64> = all.iter().filter_map(|stated| stated.number).collect();
    let (low, high) = (numbers.iter().copied().reduce(f64::min), numbers.iter().copied().reduce(f64::max));
    let alike = all.iter().all(|stated| stated.value == first.value);
    let is_number = matches!(first.value, Value::Count(_) | Value::Number(_));
    let mut sources: Vec<String> = all.iter().flat_map(|stated| stated.sources.iter().cloned()).collect();
    sources.sort();
    sources.dedup();
    Ok(Some(Entry {
        subjects: IndexMap::from([(key.to_owned(), Value::Text(id.into()))]),
        quantity: fact.file_key().to_owned(),
        value: alike.then(|| entry_value(first)),
        unit: unit(fact),
        low: low.filter(|_| !alike && is_number).map(rounded),
        high: high.filter(|_| !alike && is_number).map(rounded),
        n: all.len(),
        sources,
        ..Entry::default()
    }))
}

/// A stated value as that of an entry.
pub(super) fn entry_value(stated: &StatedFact) -> EntryValue {
    match &stated.value {
        Value::Count(count) => EntryValue::Number(*count as f64),
        Value::Number(number) => EntryValue::Number(number.value()),
        Value::Text(text) => EntryValue::Text(text.to_string()),
    }
}

/// The facts in which entities of a kind are set side by side.
pub(super) fn telling(kind: EntityKind) -> &'static [Fact] {
    match kind {
        EntityKind::Device => &[Fact::Memory, Fact::Bandwidth, Fact::Tdp, Fact::LaunchPrice, Fact::Released],
        EntityKind::Framework => &[Fact::License, Fact::Maturity, Fact::MultiServer],
        EntityKind::Network => &[Fact::Parameters, Fact::MultiplyAdds],
        _ => &[],
    }
}

/// The facts in which some entities differ, fact by fact: ids and the keys of filters by which they are named.
pub(super) fn side_by_side(stores: &Stores, sides: &[&IndexMap<String, Value>]) -> Result<Vec<Entry>, QueryError> {
    let mut entries = Vec::new();
    for field in [Field::Device, Field::Framework, Field::Network] {
        let Some(kind) = field.entity_kind() else { continue };
        let key = field.key();
        let ids: Option<Vec<String>> = sides.iter().map(|side| side.get(key).map(ToString::to_string)).collect();
        let Some(ids) = ids.filter(|ids| ids.windows(2).any(|pair| pair[0] != pair[1])) else { continue };
        for &fact in telling(kind) {
            let mut of_fact = Vec::new();
            for id in &ids {
                of_fact.extend(entry(stores, kind, key, id, fact)?);
            }
            let shown =
                |entry: &Entry| (entry.value.clone(), entry.low.map(f64::to_bits), entry.high.map(f64::to_bits));
            let differ = of_fact.windows(2).any(|pair| shown(&pair[0]) != shown(&pair[1]));
            if differ || of_fact.len() < ids.len() {
                entries.append(&mut of_fact);
            }
        }
    }
    Ok(entries)
}
