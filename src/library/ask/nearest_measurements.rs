//! Finds the known measurements nearest to a new one.

use std::ops::Bound;

use super::execute::condition;
use super::parse::{Filter, Is, Key, QueryError, Term, Test};
use crate::model::{Aspect, Facet, Field, Measurement, Metric};
use crate::stores::Stores;
use crate::values::HardwareClass;

/// Number of known rows shown for each new one.
const NEIGHBOURS: usize = 2;

/// Maximum number of known rows searched for the nearest.
const LOOKED_THROUGH: usize = 200;

/// At most two known rows of the same network and stage: those that agree in most of hardware class, precision and batch size, and
/// of these the nearest.
///
/// # Errors
///
/// When a store fails.
pub fn nearest_known(stores: &Stores, row: &Measurement, class: HardwareClass) -> Result<Vec<Measurement>, QueryError> {
    let stated = |facet: Facet, field: Field| row.text(field).map(|value| test(Key::Facet(facet), one_of(value)));
    let (Some(network), Some(stage)) = (stated(Facet::Network, Field::Network), stated(Facet::Stage, Field::Stage))
    else {
        return Ok(Vec::new());
    };
    let class = Some(test(Key::Facet(Facet::Class), one_of(<&str>::from(class))));
    let precision = stated(Facet::Precision, Field::Precision);
    let batch = row.count(Field::BatchSize).map(|size| {
        let size = Bound::Included(size as f64);
        test(Key::Aspect(Aspect::Field(Field::BatchSize)), Is::Within(size, size))
    });
    // From the narrowest filter to the widest.
    let narrowings = [
        vec![&class, &precision, &batch],
        vec![&class, &precision],
        vec![&class, &batch],
        vec![&class],
        vec![&precision, &batch],
        vec![&precision],
        vec![],
    ];
    let mut known: Vec<Measurement> = Vec::new();
    for tests in narrowings {
        let Some(tests) = tests.into_iter().cloned().collect::<Option<Vec<Term>>>() else { continue };
        let terms = [network.clone(), stage.clone()].into_iter().chain(tests).collect();
        let mut found = with_a_number(stores, &Filter { terms })?;
        found.retain(|found| found.id() != row.id() && !known.iter().any(|known| known.id() == found.id()));
        found.sort_by_cached_key(|found| (distance(found, row), found.id().to_owned()));
        known.extend(found);
        if known.len() >= NEIGHBOURS {
            break;
        }
    }
    known.truncate(NEIGHBOURS);
    Ok(known)
}

fn test(key: Key, is: Is) -> Term {
    Term::Test(Test { key, is })
}

fn one_of(value: &str) -> Is {
    Is::OneOf(vec![value.to_owned()])
}

/// The first rows that match a filter and have a latency, throughput or total time.
fn with_a_number(stores: &Stores, filter: &Filter) -> Result<Vec<Measurement>, QueryError> {
    let last = stores.database.aspect(Aspect::Field(Field::Standing))?.shares_with(|_| true);
    let hits = stores.index.measurements(&condition(stores, filter)?, None, &last, 0, LOOKED_THROUGH)?;
    let mut rows = stores.database.measurements(&hits.rows)?;
    let numbers = [Metric::LatencyMs, Metric::ThroughputPerS, Metric::TotalS];
    rows.retain(|row| numbers.iter().any(|metric| row.metric(*metric).is_some()));
    Ok(rows)
}

/// The distance of a known row from a new one, in thousandths of a doubling of the batch size: another device counts as four
/// doublings, another precision as two, another framework as one.
fn distance(known: &Measurement, row: &Measurement) -> u64 {
    let differs = |field| f64::from(u8::from(known.text(field) != row.text(field)));
    let batches = known.count(Field::BatchSize).zip(row.count(Field::BatchSize));
    let batch = batches.map_or(10.0, |(a, b)| (a as f64 / b as f64).log2().abs());
    let fields = 4.0 * differs(Field::Device) + 2.0 * differs(Field::Precision) + differs(Field::Framework);
    ((fields + batch) * 1000.0) as u64
}
