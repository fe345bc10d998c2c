//! The known measurements that are nearest to a new one.

use super::answer::{Page, ask};
use super::parse::QueryError;
use crate::model::{Field, Measurement, Metric};
use crate::stores::Stores;
use crate::values::HardwareClass;

/// Known numbers beside each new one.
const NEIGHBOURS: usize = 2;

/// Known numbers that are looked through for the nearest.
const LOOKED_THROUGH: usize = 200;

/// Known rows of the same network and stage: those that share most of class of hardware, precision and batch, and of
/// these the nearest, two at most.
///
/// # Errors
///
/// When a store fails.
pub fn nearest_known(stores: &Stores, row: &Measurement, class: HardwareClass) -> Result<Vec<Measurement>, QueryError> {
    let (Some(network), Some(stage)) = (row.text(Field::Network), row.text(Field::Stage)) else {
        return Ok(Vec::new());
    };
    let same = format!("network:{network} stage:{stage}");
    let class = Some(format!(" class:{class}"));
    let precision = row.text(Field::Precision).map(|precision| format!(" precision:{precision}"));
    let batch = row.count(Field::BatchSize).map(|size| format!(" batch:{size}"));
    // From the narrowest question to the widest.
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
    for parts in narrowings {
        let Some(parts) = parts.into_iter().map(Option::as_deref).collect::<Option<Vec<&str>>>() else { continue };
        let mut found = with_a_number(stores, &format!("{same}{}", parts.concat()))?;
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

/// The first rows that answer a question and have a time or a rate.
fn with_a_number(stores: &Stores, question: &str) -> Result<Vec<Measurement>, QueryError> {
    let page = Page::of(0, LOOKED_THROUGH);
    let answer = match ask(stores, question, &page) {
        Ok(answer) => answer,
        // A small knowledge base may not have the class, precision or stage at all.
        Err(QueryError::Grammar(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut rows = Vec::new();
    for found in &answer.measurements {
        rows.extend(stores.database.measurements_by_prefix(found.id(), 1)?);
    }
    let numbers = [Metric::LatencyMs, Metric::ThroughputPerS, Metric::TotalS];
    rows.retain(|row: &Measurement| numbers.iter().any(|metric| row.metric(*metric).is_some()));
    Ok(rows)
}

/// How far a known row is from a new one, in thousandths of a doubling of the batch: another device is worth four of
/// these, another precision two, another framework one.
fn distance(known: &Measurement, row: &Measurement) -> u64 {
    let differs = |field| f64::from(u8::from(known.text(field) != row.text(field)));
    let batches = known.count(Field::BatchSize).zip(row.count(Field::BatchSize));
    let batch = batches.map_or(10.0, |(a, b)| (a as f64 / b as f64).log2().abs());
    let fields = 4.0 * differs(Field::Device) + 2.0 * differs(Field::Precision) + differs(Field::Framework);
    ((fields + batch) * 1000.0) as u64
}
