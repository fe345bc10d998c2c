//! Facet counts: how often each value occurs in all measurements that a question finds.
//!
//! They are counted by reading every measurement; a column count of the index can take the place of [`count`].

use std::collections::HashMap;

use serde::Serialize;

use super::answer::{AnsweredMeasurement, CatalogAnswer};
use super::aspects::Aspects;
use super::understand::understand;
use super::{QueryError, grammar};
use crate::derived::Stores;
use crate::model::{Aspect, Field, FieldType, Joined, Value};

/// Measurements that are in memory at a time.
const BATCH: usize = 1_000;

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
pub fn facets(stores: &Stores, question: &str, catalog: &CatalogAnswer) -> Result<Vec<FacetCounts>, QueryError> {
    let alternatives = grammar::parse(question)?;
    let understood = understand(question, &alternatives, stores)?;
    let hits = stores.index.measurements(&understood.condition_without(None), None, 0, usize::MAX)?;
    count(stores, &hits.rows, catalog)
}

fn count(stores: &Stores, rows: &[u64], catalog: &CatalogAnswer) -> Result<Vec<FacetCounts>, QueryError> {
    let aspects = Aspects::of(catalog);
    let counted: Vec<Aspect> = Aspect::all().filter(|aspect| is_counted(*aspect)).collect();
    let mut tallies: Vec<HashMap<String, (Option<Value>, usize)>> = vec![HashMap::new(); counted.len()];
    for batch in rows.chunks(BATCH) {
        for measurement in stores.store.measurements(batch)? {
            let row = AnsweredMeasurement::from(measurement);
            for (aspect, tally) in counted.iter().zip(&mut tallies) {
                let Some(value) = aspects.value(&row, *aspect) else { continue };
                let (key, value) = match aspect {
                    Aspect::Metric(_) => (String::new(), None),
                    _ => (value.to_string(), Some(value)),
                };
                tally.entry(key).or_insert((value, 0)).1 += 1;
            }
        }
    }
    let facets = counted.into_iter().zip(tallies).filter(|(_, tally)| !tally.is_empty());
    Ok(facets.map(|(aspect, tally)| ordered(aspect, tally, rows.len())).collect())
}

/// What is different for nearly every measurement is not worth counting.
fn is_counted(aspect: Aspect) -> bool {
    match aspect {
        Aspect::Id => false,
        Aspect::Field(
            Field::Notes
            | Field::FrameworkRaw
            | Field::DeviceRaw
            | Field::NetworkRaw
            | Field::DatasetRaw
            | Field::Timed,
        ) => false,
        Aspect::Field(field) => field.kind() != FieldType::Number || field == Field::AccuracyTarget,
        Aspect::Joined(fact) => !matches!(fact, Joined::Parameters | Joined::MultiplyAdds | Joined::Released),
        Aspect::Source | Aspect::Metric(_) => true,
    }
}

fn ordered(aspect: Aspect, tally: HashMap<String, (Option<Value>, usize)>, total: usize) -> FacetCounts {
    let known: usize = tally.values().map(|(_, count)| count).sum();
    let mut values: Vec<(String, ValueCount)> =
        tally.into_iter().map(|(key, (value, count))| (key, ValueCount { value, count })).collect();
    values.sort_by(|(a, x), (b, y)| y.count.cmp(&x.count).then_with(|| natural(a, b)));
    FacetCounts {
        field: aspect.json_key(),
        values: values.into_iter().map(|(_, value)| value).collect(),
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
