//! What the catalog states about an entity: the value, its sources, and other sources that state something else.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::key::subject;
use super::{Entry, EntryValue};
use crate::ask::parse::{Quantity, Result};
use crate::model::{
    Citation, Dataset, Device, Fact, FactEntity, FactType, Framework, Network, Source, Value, license_family,
};
use crate::stores::Stores;
use crate::stores::database::StoredKind;
use crate::values::text::normalise;
use crate::values::{Date, EntityKind};

/// A fact of an entity as stated in the catalog.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The entity's id.
    pub id: String,
    /// The value (`None` if unknown) and its sources.
    pub entry: Entry,
    /// Differing statements: the source and its words.
    pub others: Vec<(String, String)>,
}

impl Statement {
    /// The statement of an attribute of an entity.
    pub fn of((kind, id): (EntityKind, &str), of: Attribute, value: Option<EntryValue>, said_by: &[&Citation]) -> Self {
        let sources: IndexSet<String> =
            said_by.iter().filter_map(|citation| Some(citation.source.as_ref()?.to_string())).collect();
        let mut cited: Vec<String> = said_by.iter().map(|citation| citation.short_name()).collect();
        cited.dedup();
        let entry = Entry {
            subjects: subject(kind, id),
            quantity: of.file_key(),
            n: usize::from(value.is_some()),
            value,
            unit: of.unit(),
            sources: sources.into_iter().collect(),
            cited,
            ..Entry::default()
        };
        Self { id: id.to_owned(), entry, others: Vec::new() }
    }

    /// Whether the value is known.
    pub fn is_known(&self) -> bool {
        self.entry.value.is_some()
    }

    /// The sort key: the number, or the year of a date.
    pub fn magnitude(&self) -> Option<f64> {
        match &self.entry.value {
            Some(EntryValue::Text(text)) => text.parse().ok().map(|date: Date| f64::from(date.year())),
            _ => self.entry.number(),
        }
    }
}

/// The catalog's statement of a fact of an entity; `None` if its kind has no such fact or the entity does not exist.
pub fn statement(stores: &Stores, kind: EntityKind, id: &str, fact: Fact) -> Result<Option<Statement>> {
    match kind {
        EntityKind::Framework => stated::<Framework>(stores, id, fact, |own| &own.sources, framework_reported),
        EntityKind::Device if fact == Fact::Price => rent(stores, id),
        EntityKind::Device => stated::<Device>(stores, id, fact, |own| &own.sources, device_reported),
        EntityKind::Network => stated::<Network>(stores, id, fact, |own| &own.sources, |_, _| Vec::new()),
        EntityKind::Dataset => stated::<Dataset>(stores, id, fact, |own| &own.sources, |_, _| Vec::new()),
        EntityKind::Source => stated::<Source>(stores, id, fact, |_| &[], |_, _| Vec::new()),
        EntityKind::HardwareClass => Ok(None),
    }
}

/// The hourly rent of a device in US dollars.
fn rent(stores: &Stores, id: &str) -> Result<Option<Statement>> {
    let Some(device) = stores.database.entity::<Device>(id)? else { return Ok(None) };
    let source = device.rent.as_ref().map(|rent| rent.source.clone());
    let cited = Citation { source, url: None, title: None, accessed: None, facts: Vec::new() };
    let value = device.rent.as_ref().map(|rent| EntryValue::Number(rent.usd_per_hour.value()));
    let cited: &[&Citation] = if value.is_some() { &[&cited] } else { &[] };
    Ok(Some(Statement::of((EntityKind::Device, id), Fact::Price.into(), value, cited)))
}

/// The unit of a fact, taken from its heading; `None` if it has none.
pub(super) fn unit_of(fact: Fact) -> Option<String> {
    if fact == Fact::Price {
        return Some("USD/h".to_owned());
    }
    let (_, unit) = fact.heading().split_once(" [")?;
    Some(match unit.trim_end_matches(']') {
        "10^6" => "M".to_owned(),
        "10^9" => "G".to_owned(),
        unit => unit.to_owned(),
    })
}

/// A fact of an entity, or a ratio of two facts: memory bandwidth per dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute {
    /// The fact.
    pub fact: Fact,
    /// The divisor of a ratio.
    pub per: Option<Fact>,
}

impl From<Fact> for Attribute {
    fn from(fact: Fact) -> Self {
        Self { fact, per: None }
    }
}

impl Attribute {
    /// The attribute that a question wants, if the catalog states it.
    pub fn wanted(quantity: &Quantity) -> Option<Self> {
        match quantity {
            Quantity::Fact(fact) => Some(Self::from(*fact)),
            Quantity::Ratio(fact, per) => Some(Self { fact: *fact, per: Some(*per) }),
            _ => None,
        }
    }

    /// The key as a question spells it.
    pub fn key(self) -> String {
        self.joined(self.fact.key(), Fact::key)
    }

    /// The key as files spell it: `bandwidth-gb-per-s/launch-price-usd`.
    pub fn file_key(self) -> String {
        self.joined(self.fact.file_key(), Fact::file_key)
    }

    fn joined(self, fact: &str, key: fn(Fact) -> &'static str) -> String {
        self.per.map_or_else(|| fact.to_owned(), |per| format!("{fact}/{}", key(per)))
    }

    /// The unit: `GB/s/USD`.
    pub fn unit(self) -> Option<String> {
        let of = unit_of(self.fact);
        match self.per.and_then(unit_of) {
            Some(per) => Some(format!("{}/{per}", of.unwrap_or_default())),
            None => of,
        }
    }

    /// The catalog's [`statement`] of the attribute; of a ratio, if both facts exist.
    pub fn statement(self, stores: &Stores, kind: EntityKind, id: &str) -> Result<Option<Statement>> {
        let stated = statement(stores, kind, id, self.fact)?;
        let Some(per) = self.per else { return Ok(stated) };
        let Some((stated, divisor)) = stated.zip(statement(stores, kind, id, per)?) else { return Ok(None) };
        let ratio = stated.entry.number().zip(divisor.entry.number().filter(|divisor| *divisor > 0.0));
        let value = ratio.map(|(value, divisor)| EntryValue::Number(value / divisor));
        let mut entry = stated.entry;
        entry.add_sources_of(&divisor.entry);
        (entry.quantity, entry.unit) = (self.file_key(), self.unit());
        (entry.n, entry.value) = (usize::from(value.is_some()), value);
        Ok(Some(Statement { entry, others: Vec::new(), ..stated }))
    }
}

/// Whether entities of a kind can state a fact.
pub fn has(kind: EntityKind, fact: Fact) -> bool {
    match kind {
        EntityKind::Framework => Framework::reader(fact).is_some(),
        EntityKind::Device => Device::reader(fact).is_some(),
        EntityKind::Network => Network::reader(fact).is_some(),
        EntityKind::Dataset => Dataset::reader(fact).is_some(),
        EntityKind::Source => Source::reader(fact).is_some(),
        EntityKind::HardwareClass => false,
    }
}

/// What each source reports about a fact: the source and its words.
type Reported = Vec<(String, Vec<String>)>;

fn stated<E: FactEntity + StoredKind>(
    stores: &Stores,
    id: &str,
    fact: Fact,
    citations: fn(&E) -> &[Citation],
    reported: fn(&E, Fact) -> Reported,
) -> Result<Option<Statement>> {
    let Some(read) = E::reader(fact) else { return Ok(None) };
    let Some(entity) = stores.database.entity::<E>(id)? else { return Ok(None) };
    let value = entry_value(fact, read(&entity));
    let differs = |(_, said): &(_, Vec<String>)| value.as_ref().is_some_and(|today| !agrees(fact, today, said));
    let others = reported(&entity, fact).into_iter().filter(differs);
    let others = others.map(|(source, said)| (source, said.join(", "))).collect();
    let covering = Citation::covering(citations(&entity), fact.cited_key()).filter(|_| value.is_some());
    let covering: Vec<&Citation> = covering.collect();
    Ok(Some(Statement { others, ..Statement::of((E::KIND, id), fact.into(), value, &covering) }))
}

/// The values of a record as the value of an entry.
fn entry_value(fact: Fact, mut values: Vec<Value>) -> Option<EntryValue> {
    use Fact::{ApiLanguage, CoreLanguage, Hardware, Platforms, PlatformsByPlugIn, TestedDataset, TestedNetwork};
    let lists = [CoreLanguage, ApiLanguage, Hardware, Platforms, PlatformsByPlugIn, TestedNetwork, TestedDataset];
    if lists.contains(&fact) && !values.is_empty() {
        return Some(EntryValue::List(values.iter().map(Value::to_string).collect()));
    }
    Some(match values.pop()? {
        Value::Text(text) if fact == Fact::MultiServer => EntryValue::Flag(&*text == "yes"),
        Value::Text(text) if matches!(fact.value_type(), FactType::Number(_)) => {
            text.parse().map_or_else(|_| EntryValue::Text(text.to_string()), EntryValue::Number)
        }
        Value::Text(text) => EntryValue::Text(text.to_string()),
        Value::Count(count) => EntryValue::Number(count as f64),
        Value::Number(number) => EntryValue::Number(number.value()),
    })
}

/// What surveys reported about a framework.
fn framework_reported(framework: &Framework, fact: Fact) -> Reported {
    // Hardware and tests in surveys are judged as claims instead.
    let is_claim = matches!(fact, Fact::Hardware | Fact::TestedNetwork | Fact::TestedDataset);
    let surveys = framework.reported.iter().filter(|_| !is_claim);
    let said = surveys.map(|(source, reported)| (source.to_string(), reported.printed(fact)));
    said.filter(|(_, said)| !said.is_empty()).collect()
}

/// What other sources reported about a device under the same key.
fn device_reported(device: &Device, fact: Fact) -> Reported {
    let said = |claims: &BTreeMap<String, Value>| Some(vec![claims.get(fact.file_key())?.to_string()]);
    device.reported.iter().filter_map(|(source, claims)| Some((source.to_string(), said(claims)?))).collect()
}

/// Whether the words of a survey mean the same as the catalog's value.
fn agrees(fact: Fact, today: &EntryValue, said: &[String]) -> bool {
    let normal = |texts: &[String]| {
        let mut normal: Vec<String> = texts.iter().map(|text| normalise(text)).collect();
        normal.sort();
        normal
    };
    match today {
        EntryValue::Flag(yes) => said.iter().all(|said| normalise(said).contains("multi") == *yes),
        EntryValue::List(today) => normal(today) == normal(said),
        // A survey names a licence without its version: `BSD` for BSD-3-Clause.
        EntryValue::Text(text) if fact == Fact::License => said.iter().all(|said| {
            normalise(text).contains(&normalise(said))
                || license_family(said).is_some_and(|family| license_family(text) == Some(family))
        }),
        EntryValue::Text(text) => said.iter().all(|said| normalise(said) == normalise(text)),
        EntryValue::Number(number) => said.iter().all(|said| said.parse() == Ok(*number)),
    }
}
