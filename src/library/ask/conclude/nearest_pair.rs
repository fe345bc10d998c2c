//! Where no pair matches: the two rows that are nearest, and what keeps them apart.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::spread_out;
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::QueryError;
use crate::comparability::{Criterion, compared};
use crate::model::{Aspect, Field, Metric};
use crate::rows::EntityCache;
use crate::stores::Stores;

/// So many different setups of each side are looked at, evenly spread.
const MOST: usize = 200;

/// What a row shares with others, and its row in the store.
type Candidate = (PartNumbers, u64);

/// What rows of both sides must have in common before anything else is looked at.
const COMMON: &[Field] = &[Field::Network, Field::Stage, Field::Statistic, Field::Division];

/// What weighs more than other fields when rows are set side by side.
const WEIGHTS: &[(Field, u32)] = &[(Field::Network, 8), (Field::Stage, 6), (Field::Device, 4), (Field::Precision, 2)];

/// The two rows that differ least, by their ids, and the verdict on them; `None` where they have no metric in common.
pub(super) fn nearest_pair(
    stores: &Stores,
    values: &SharedValues,
    subject: &HitColumns,
    baseline: &HitColumns,
    metrics: &[Metric],
    varied: &[Field],
) -> Result<Option<(String, String, String)>, QueryError> {
    let varies = |field: Field| varied.contains(&field) || varied.iter().any(|varied| field.varies_with(*varied));
    for &metric in metrics {
        let (mut own, mut other) = (candidates(values, subject, metric), candidates(values, baseline, metric));
        // What both sides have goes before what one has alone.
        for field in COMMON.iter().filter(|field| !varies(**field)) {
            let number = |row: &Candidate| values.number(Aspect::Field(*field), &row.0);
            let of_own: BTreeSet<u32> = own.iter().map(number).collect();
            let both: BTreeSet<u32> =
                other.iter().map(number).filter(|number| *number > 0 && of_own.contains(number)).collect();
            if !both.is_empty() {
                own.retain(|row| both.contains(&number(row)));
                other.retain(|row| both.contains(&number(row)));
            }
        }
        let (own, other) = (spread_out(&own, MOST), spread_out(&other, MOST));
        let fields: Vec<(Field, u32)> = super::evidence::FRAME
            .iter()
            .filter(|field| !varies(**field))
            .map(|field| (*field, WEIGHTS.iter().find(|(of, _)| of == field).map_or(1, |(_, weight)| *weight)))
            .collect();
        let distance = |a: &PartNumbers, b: &PartNumbers| -> u32 {
            let same_source = values.source(a) == values.source(b);
            let apart = |field: Field| {
                let number = |parts| values.number(Aspect::Field(field), parts);
                let (a, b) = (number(a), number(b));
                a != b || a == 0 && !same_source
            };
            fields.iter().filter(|(field, _)| apart(*field)).map(|(_, weight)| weight).sum()
        };
        let pairs = own.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
        let Some((a, b)) = pairs.min_by_key(|(a, b)| (distance(&a.0, &b.0), a.1, b.1)) else { continue };
        let rows = stores.store.measurements(&[a.1, b.1])?;
        let joined = EntityCache::default().join(&stores.store, rows)?;
        if let [a, b] = joined.as_slice() {
            let relaxed: Vec<Criterion> = varied.iter().copied().map(Criterion::Field).collect();
            let verdict = compared(&[a.compared_row(), b.compared_row()], metric, &relaxed);
            let decides = verdict.to_string();
            // What decides is told; circumstances and what is compared are not why there is no pair.
            let decides = [", with caveats", ", never ranked", "; relaxed"]
                .iter()
                .fold(decides.as_str(), |text, part| text.split(part).next().unwrap_or(text));
            return Ok(Some((a.id().to_owned(), b.id().to_owned(), decides.to_owned())));
        }
    }
    Ok(None)
}

/// Different rows with a value, the first of each that share everything.
fn candidates(values: &SharedValues, hits: &HitColumns, metric: Metric) -> Vec<Candidate> {
    let mut different: BTreeMap<PartNumbers, u64> = BTreeMap::new();
    for (hit, value) in hits.values(metric).iter().enumerate() {
        let parts = hits.parts(hit);
        if !value.is_nan() && values.stands(&parts) {
            different.entry(parts).or_insert(hits.row(hit));
        }
    }
    different.into_iter().collect()
}
