//! The order in which measurements are kept and, when nothing else is asked for, shown.

use std::collections::HashMap;

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

use crate::model::{Field, Measurement};

/// What the rows are ordered by before their batch size and their id.
const ORDER: [Field; 8] = [
    Field::Network,
    Field::Dataset,
    Field::Stage,
    Field::Precision,
    Field::Device,
    Field::Framework,
    Field::Backend,
    Field::FrameworkVersion,
];

/// Puts measurements in order: by what was run, how, on what, by which framework, by batch size, by id.
///
/// Few different texts stand in many rows: each text is compared once, the rows by the ranks of their texts.
pub(super) fn canonical(measurements: Vec<Measurement>) -> Vec<Measurement> {
    let ranks: Vec<HashMap<&str, u32, Xxh3DefaultBuilder>> =
        ORDER.par_iter().map(|field| ranks(&measurements, *field)).collect();
    let mut keys: Vec<([u32; ORDER.len()], i64, &str, usize)> = measurements
        .par_iter()
        .enumerate()
        .map(|(at, measurement)| {
            let mut key = [0; ORDER.len()];
            for ((place, field), ranks) in key.iter_mut().zip(ORDER).zip(&ranks) {
                *place = measurement.text(field).and_then(|text| ranks.get(text).copied()).unwrap_or(0);
            }
            // No batch size comes before 1.
            (key, measurement.count(Field::BatchSize).unwrap_or(0), measurement.id(), at)
        })
        .collect();
    keys.par_sort_unstable();
    let order: Vec<usize> = keys.into_iter().map(|(_, _, _, at)| at).collect();
    let mut taken: Vec<Option<Measurement>> = measurements.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| taken[at].take()).collect()
}

/// The rank of each text of a field, from 1; versions order by their numbers: 1.4 before 1.12.
fn ranks(measurements: &[Measurement], field: Field) -> HashMap<&str, u32, Xxh3DefaultBuilder> {
    let mut ranks: HashMap<&str, u32, Xxh3DefaultBuilder> = HashMap::default();
    for text in measurements.iter().filter_map(|measurement| measurement.text(field)) {
        ranks.entry(text).or_default();
    }
    let mut texts: Vec<&str> = ranks.keys().copied().collect();
    match field {
        Field::FrameworkVersion => texts.sort_by_cached_key(|text| version_key(text)),
        _ => texts.sort_unstable(),
    }
    for (rank, text) in texts.into_iter().enumerate() {
        ranks.insert(text, rank as u32 + 1);
    }
    ranks
}

fn version_key(version: &str) -> Vec<(u64, String)> {
    version.split(['.', '-', '+', ' ']).map(|part| (part.parse().unwrap_or(u64::MAX), part.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Metric, Value};

    #[test]
    fn versions_and_batches_order_by_size_and_the_unknown_comes_first() {
        let row = |version: Option<&str>, batch: Option<i64>| {
            let mut fields: Vec<(Field, Value)> = Vec::new();
            fields.extend(version.map(|version| (Field::FrameworkVersion, Value::Text(version.into()))));
            fields.extend(batch.map(|batch| (Field::BatchSize, Value::Count(batch))));
            let metrics = vec![(Metric::LatencyMs, "1.0".parse().unwrap())];
            Measurement::new("paper-2020".parse().unwrap(), fields, metrics)
        };
        let rows =
            [row(Some("1.12"), Some(1)), row(Some("1.4"), Some(128)), row(Some("1.4"), Some(16)), row(None, None)];
        let ordered = canonical(rows.to_vec());
        let shown: Vec<(Option<&str>, Option<i64>)> =
            ordered.iter().map(|row| (row.text(Field::FrameworkVersion), row.count(Field::BatchSize))).collect();
        assert_eq!(shown, [(None, None), (Some("1.4"), Some(16)), (Some("1.4"), Some(128)), (Some("1.12"), Some(1))]);
    }
}
