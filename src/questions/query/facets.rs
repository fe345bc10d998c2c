//! Facet counts: how often each value occurs in all measurements that a question finds.
//!
//! The question has counted what its measurements share; no measurement is read.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use strum::VariantArray as _;

use super::QueryError;
use super::answer::Answer;
use crate::derived::Stores;
use crate::derived::index::{ShareCounts, counted};
use crate::derived::store::Shared;
use crate::model::{Aspect, Field, FieldType, Joined, Part, Value};
use crate::values::{Decimal, EntityKind};

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

/// Counts the values of each field over all measurements that an answer found, and of the facts that the catalog joins to
/// them.
///
/// # Errors
///
/// When a store fails.
pub fn facets(stores: &Stores, answer: &Answer) -> Result<Vec<FacetCounts>, QueryError> {
    let mut tallies = shared(stores, &answer.shares, answer.total)?;
    tallies.extend(facts(stores, &tallies)?);
    let counted = Aspect::all().filter_map(|aspect| Some((aspect, tallies.remove(&aspect)?)));
    let facets = counted.map(|(aspect, tally)| ordered(aspect, tally, answer.total));
    Ok(facets.filter(|facet| !facet.values.is_empty()).collect())
}

/// How many measurements have each value.
type Tally = HashMap<String, usize>;

/// Counts what measurements share: sources, and the fields of setups, workloads, protocols and batches.
fn shared(stores: &Stores, shares: &ShareCounts, total: usize) -> Result<BTreeMap<Aspect, Tally>, QueryError> {
    let mut tallies: BTreeMap<Aspect, Tally> = BTreeMap::new();
    for &part in Part::VARIANTS {
        let fields = part.fields().filter(|field| is_counted(*field)).map(Shared::Field);
        let fields: Vec<Shared> = fields
            .chain((part == Part::Setup).then_some(Shared::Source))
            .chain((part == Part::Protocol).then_some(Shared::Metrics))
            .collect();
        let counts = &shares[part as usize];
        stores.store.visit_shares(part, &fields, Some(&counted(shares, part)), |number, at, value| {
            let count = counts.get(number as usize).copied().unwrap_or(0) as usize;
            let mut add = |aspect, value: &str| {
                let tally: &mut Tally = tallies.entry(aspect).or_default();
                match tally.get_mut(value) {
                    Some(known) => *known += count,
                    None => {
                        tally.insert(value.to_owned(), count);
                    }
                }
            };
            match fields[at] {
                Shared::Source => add(Aspect::Source, value),
                Shared::Field(field) => add(Aspect::Field(field), value),
                Shared::Metrics => {
                    let metrics = value.split(' ').filter_map(|metric| metric.parse().ok());
                    metrics.for_each(|metric| add(Aspect::Metric(metric), ""));
                }
            }
        })?;
    }
    // A measurement that does not say otherwise was reported.
    let status = tallies.entry(Aspect::Field(Field::Status)).or_default();
    let stated: usize = status.values().sum();
    if total > stated {
        *status.entry("reported".to_owned()).or_default() += total - stated;
    }
    Ok(tallies)
}

/// Counts the facts that entities bring, by the entities' own counts.
fn facts(stores: &Stores, tallies: &BTreeMap<Aspect, Tally>) -> Result<BTreeMap<Aspect, Tally>, QueryError> {
    /// A fact and its key in the entity.
    type Brought = (Joined, &'static str);
    const BRINGING: &[(Aspect, EntityKind, &[Brought])] = &[
        (
            Aspect::Field(Field::Device),
            EntityKind::Device,
            &[
                (Joined::Class, "class"),
                (Joined::Vendor, "vendor"),
                (Joined::Architecture, "architecture"),
                (Joined::Memory, "memory_gib"),
                (Joined::Bandwidth, "bandwidth_gb_per_s"),
                (Joined::Tdp, "tdp_w"),
            ],
        ),
        (
            Aspect::Field(Field::Framework),
            EntityKind::Framework,
            &[(Joined::License, "license"), (Joined::MultiServer, "multi_server"), (Joined::Maturity, "status")],
        ),
        (Aspect::Field(Field::Network), EntityKind::Network, &[(Joined::Family, "family"), (Joined::Task, "task")]),
        (Aspect::Source, EntityKind::Source, &[(Joined::Year, "year")]),
    ];
    let mut facts: BTreeMap<Aspect, Tally> = BTreeMap::new();
    for (aspect, kind, brought) in BRINGING {
        let Some(counts) = tallies.get(aspect) else { continue };
        let keys: Vec<&str> = brought.iter().map(|(_, key)| *key).collect();
        stores.store.visit_entities(*kind, &keys, |id, at, value| {
            let Some(count) = counts.get(id) else { return };
            let fact = brought[at].0;
            let value = match (fact, value) {
                // SQLite's JSON has true and false as 1 and 0.
                (Joined::MultiServer, "1") => "yes",
                (Joined::MultiServer, _) => "no",
                (_, value) => value,
            };
            *facts.entry(Aspect::Joined(fact)).or_default().entry(value.to_owned()).or_default() += *count;
        })?;
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
    if aspect.is_numeric() {
        // Numbers by size; each is read once.
        let size = |text: &str| text.parse::<f64>().unwrap_or(f64::INFINITY);
        let mut sized: Vec<(f64, (String, usize))> = values.into_iter().map(|entry| (size(&entry.0), entry)).collect();
        sized.sort_by(|(a, (_, x)), (b, (_, y))| y.cmp(x).then(a.total_cmp(b)));
        values = sized.into_iter().map(|(_, entry)| entry).collect();
    } else {
        values.sort_unstable_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
    }
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
