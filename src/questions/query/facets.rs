//! Facet counts: how often each value occurs in all measurements that a question finds.
//!
//! What measurements share is counted by its shares, numbers by their columns; no measurement is read.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use strum::VariantArray as _;

use super::aspects::{of_device, of_framework, of_network};
use super::understand::understand;
use super::{QueryError, grammar};
use crate::derived::Stores;
use crate::derived::index::{Condition, Hits, SortKey, Subject};
use crate::model::{Aspect, Facet, Field, FieldType, Joined, Metric, Part, Source, Value};
use crate::values::{Decimal, Outcome};

/// The values of one aspect, and how many measurements have each.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FacetCounts {
    /// The aspect's key, in snake_case.
    pub field: String,
    /// Its values, the most frequent one first. For a metric: how many measurements have one, under `null`.
    pub values: Vec<ValueCount>,
    /// Measurements of which the value is not known.
    pub not_stated: usize,
}

/// One value, and how many measurements have it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValueCount {
    /// The value; `null` stands for any number, where numbers are too many to be told apart.
    pub value: Option<Value>,
    /// How many measurements have it.
    pub count: usize,
}

/// Counts the values of each field over all measurements that match, and of the facts that the catalog joins to them.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn facets(stores: &Stores, question: &str) -> Result<Vec<FacetCounts>, QueryError> {
    let alternatives = grammar::parse(question)?;
    let understood = understand(question, &alternatives, stores)?;
    let condition = understood.condition_without(None);
    let hits = stores.index.measurements(&condition, None, 0, usize::MAX)?;
    let mut tallies = shared(stores, &hits)?;
    tallies.extend(facts(stores, &tallies)?);
    for key in [Field::BatchSize, Field::BatchSizeGlobal, Field::N] {
        let number = stores.index.numbers(SortKey::Field(key))?;
        let tally: &mut Tally = tallies.entry(Aspect::Field(key)).or_default();
        for value in hits.rows.iter().filter_map(|row| number(*row)) {
            *tally.entry(value.to_string()).or_default() += 1;
        }
    }
    for &metric in Metric::VARIANTS {
        let number = stores.index.numbers(SortKey::Metric(metric))?;
        let count = hits.rows.iter().filter(|row| number(**row).is_some()).count();
        tallies.insert(Aspect::Metric(metric), Tally::from_iter([(String::new(), count)]));
    }
    for outcome in Outcome::VARIANTS {
        let failed = Condition::Facet(Facet::Outcome, vec![outcome.to_string()]);
        let count = stores.index.count(Subject::Measurement, &Condition::All(vec![condition.clone(), failed]))?;
        tallies.entry(Aspect::Field(Field::Outcome)).or_default().insert(outcome.to_string(), count);
    }
    let counted = Aspect::all().filter_map(|aspect| Some((aspect, tallies.remove(&aspect)?)));
    let facets = counted.map(|(aspect, tally)| ordered(aspect, tally, hits.total));
    Ok(facets.filter(|facet| !facet.values.is_empty()).collect())
}

/// How many measurements have each value.
type Tally = HashMap<String, usize>;

/// Counts what measurements share: sources, and the fields of setups, workloads and protocols.
fn shared(stores: &Stores, hits: &Hits) -> Result<BTreeMap<Aspect, Tally>, QueryError> {
    let mut tallies: BTreeMap<Aspect, Tally> = BTreeMap::new();
    for &part in Part::VARIANTS {
        let mut fields: Vec<Option<Field>> = part.fields().filter(|field| is_counted(*field)).map(Some).collect();
        if part == Part::Setup {
            fields.push(None);
        }
        let counts = &hits.shares[part as usize];
        stores.store.visit_shares(part, &fields, Some(&hits.share_numbers(part)), |number, at, value| {
            let aspect = fields[at].map_or(Aspect::Source, Aspect::Field);
            let count = counts.get(number as usize).copied().unwrap_or(0) as usize;
            *tallies.entry(aspect).or_default().entry(value.to_owned()).or_default() += count;
        })?;
    }
    // A measurement that does not say otherwise was reported.
    let status = tallies.entry(Aspect::Field(Field::Status)).or_default();
    let stated: usize = status.values().sum();
    if hits.total > stated {
        *status.entry("reported".to_owned()).or_default() += hits.total - stated;
    }
    Ok(tallies)
}

/// Counts the facts that entities bring, by the entities' own counts.
fn facts(stores: &Stores, tallies: &BTreeMap<Aspect, Tally>) -> Result<BTreeMap<Aspect, Tally>, QueryError> {
    let mut facts: BTreeMap<Aspect, Tally> = BTreeMap::new();
    let of = |aspect| tallies.get(&aspect).into_iter().flatten();
    let mut add = |fact: Joined, value: Option<Value>, count: usize| {
        if let Some(value) = value {
            *facts.entry(Aspect::Joined(fact)).or_default().entry(value.to_string()).or_default() += count;
        }
    };
    for (id, count) in of(Aspect::Field(Field::Device)) {
        let device = stores.store.entity(id)?;
        for fact in
            [Joined::Class, Joined::Vendor, Joined::Architecture, Joined::Memory, Joined::Bandwidth, Joined::Tdp]
        {
            add(fact, device.as_ref().and_then(|device| of_device(device, fact)), *count);
        }
    }
    for (id, count) in of(Aspect::Field(Field::Framework)) {
        let framework = stores.store.entity(id)?;
        for fact in [Joined::License, Joined::MultiServer, Joined::Maturity] {
            add(fact, framework.as_ref().and_then(|framework| of_framework(framework, fact)), *count);
        }
    }
    for (id, count) in of(Aspect::Field(Field::Network)) {
        let network = stores.store.entity(id)?;
        for fact in [Joined::Family, Joined::Task] {
            add(fact, network.as_ref().and_then(|network| of_network(network, fact)), *count);
        }
    }
    for (id, count) in of(Aspect::Source) {
        let source: Option<Source> = stores.store.entity(id)?;
        add(Joined::Year, source.and_then(|source| source.year).map(Value::Count), *count);
    }
    Ok(facts)
}

/// Whether a shared field is worth counting; some are different for nearly every measurement.
fn is_counted(field: Field) -> bool {
    match field {
        Field::FrameworkRaw | Field::DeviceRaw | Field::NetworkRaw | Field::DatasetRaw | Field::Timed => false,
        field => field.kind() != FieldType::Number || field == Field::AccuracyTarget,
    }
}

fn ordered(aspect: Aspect, tally: Tally, total: usize) -> FacetCounts {
    let known: usize = tally.values().sum();
    let mut values: Vec<(String, usize)> = tally.into_iter().filter(|(_, count)| *count > 0).collect();
    values.sort_by(|(a, x), (b, y)| y.cmp(x).then_with(|| natural(a, b)));
    let value = |text: String| match aspect {
        Aspect::Metric(_) => None,
        aspect if aspect.is_numeric() => match text.parse() {
            Ok(count) => Some(Value::Count(count)),
            Err(_) => Some(text.parse::<Decimal>().map_or(Value::Text(text.into()), Value::Number)),
        },
        _ => Some(Value::Text(text.into())),
    };
    FacetCounts {
        field: aspect.json_key(),
        values: values.into_iter().map(|(text, count)| ValueCount { value: value(text), count }).collect(),
        not_stated: total.saturating_sub(known),
    }
}

/// Numbers by size, everything else by its letters.
fn natural(a: &str, b: &str) -> std::cmp::Ordering {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) => x.total_cmp(&y),
        _ => a.cmp(b),
    }
}
