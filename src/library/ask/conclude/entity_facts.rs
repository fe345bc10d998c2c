//! What entities state of a fact, as a value, a number and where it is from.

use super::conclusion::EntryValue;
use crate::ask::question::QueryError;
use crate::model::{CatalogInputs, Citation, Dataset, Device, Fact, FactEntity, FactType, Framework, Network, Value};
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

/// A stated value as that of an entry.
pub(super) fn entry_value(stated: &StatedFact) -> EntryValue {
    match &stated.value {
        Value::Count(count) => EntryValue::Number(*count as f64),
        Value::Number(number) => EntryValue::Number(number.value()),
        Value::Text(text) => EntryValue::Text(text.to_string()),
    }
}
