//! Field values interned as numbers per shared part, so that comparing hits compares integers.

use std::collections::{BTreeSet, HashMap};

use strum::VariantArray as _;

use super::compared_columns::ComparedColumns;
use super::request::CompareRequest;
use crate::comparability::{AllowedAxes, Criterion};
use crate::model::{Field, Metric, Part, Tier};
use crate::values::Statistic;

/// Values of the fields that decide comparability, as numbers per shared part; 0 means not stated.
pub(super) struct InternedFields {
    fields: Vec<(Criterion, Part, Vec<u32>)>,
    relaxed: Vec<Criterion>,
}

impl InternedFields {
    pub fn of(compared: &ComparedColumns, request: &CompareRequest) -> Self {
        let interesting = |field: &Field| {
            *field != Field::Timed
                && (matches!(field.tier(), Tier::Identity | Tier::Axis) || *field == Field::Statistic)
        };
        let fields = Field::VARIANTS.iter().copied().filter(interesting);
        let fields = fields.filter_map(|field| Some((field, field.part()?))).map(|(field, part)| {
            let mut known: HashMap<String, u32> = HashMap::new();
            let numbers = compared.shares[part as usize].iter().map(|share| {
                let value = share.fields.iter().find(|(other, _)| *other == field).map(|(_, value)| value.to_string());
                let Some(value) = as_compared(field, value) else { return 0 };
                let next = known.len() as u32 + 1;
                *known.entry(value).or_insert(next)
            });
            let is_target = field == Field::RelativeAccuracyTarget;
            let field = if is_target { Field::AccuracyTarget } else { field };
            (Criterion::Field(field), part, numbers.collect())
        });
        Self { fields: fields.collect(), relaxed: request.relaxed.clone() }
    }

    /// The criteria of a tier in which the hits differ.
    pub fn differing(
        &self,
        compared: &ComparedColumns,
        (metric, tier): (Metric, Tier),
        hits: &[usize],
    ) -> Vec<&'static str> {
        if hits.len() < 2 {
            return Vec::new();
        }
        let mut differing: BTreeSet<&'static str> = BTreeSet::new();
        for (criterion, part, numbers) in &self.fields {
            if self.relaxed.contains(criterion) || criterion.tier(metric, false) != Some(tier) {
                continue;
            }
            let of = |hit: usize| numbers[compared.columns.parts[*part as usize][hit] as usize];
            let first = of(hits[0]);
            if hits.iter().any(|hit| of(*hit) != first) {
                differing.insert(criterion.key());
            }
        }
        differing.into_iter().collect()
    }

    /// For each part and share, an id of its conditions: the fields that decide comparability, except rows, columns and fields
    /// that depend on them. Hits with equal numbers in all parts were measured under the same conditions.
    pub fn conditions(&self, metric: Metric, asked: &[Field]) -> [Vec<u32>; Part::VARIANTS.len()] {
        let (batch, of_all) = (Criterion::Field(Field::BatchSize), Criterion::Field(Field::BatchSizeGlobal));
        let decides = |criterion: &Criterion| {
            // The global batch size replaces the per-device one where that is not stated.
            let criterion = if *criterion == of_all { batch } else { *criterion };
            let is_asked = matches!(criterion, Criterion::Field(field) if AllowedAxes::Only(asked).allows(field));
            let tier = criterion.tier(metric, false);
            matches!(tier, Some(Tier::Identity | Tier::Axis)) && !is_asked && !self.relaxed.contains(&criterion)
        };
        Part::VARIANTS
            .iter()
            .map(|part| {
                let own = |(criterion, of, _): &&(Criterion, Part, Vec<u32>)| of == part && decides(criterion);
                let columns: Vec<&(Criterion, Part, Vec<u32>)> = self.fields.iter().filter(own).collect();
                let shares = columns.iter().map(|(_, _, numbers)| numbers.len()).max().unwrap_or(0);
                let place = |criterion| columns.iter().position(|(own, ..)| *own == criterion);
                let batches = place(batch).zip(place(of_all));
                let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
                let numbers = (0..shares).map(|share| {
                    let mut key: Vec<u32> = columns.iter().map(|(_, _, numbers)| numbers[share]).collect();
                    if let Some((_, of_all)) = batches.filter(|(batch, _)| key[*batch] != 0) {
                        key[of_all] = 0;
                    }
                    let next = known.len() as u32;
                    *known.entry(key).or_insert(next)
                });
                numbers.collect()
            })
            .collect::<Vec<_>>()
            .try_into()
            .unwrap_or_default()
    }
}

/// A value as it is compared: all statistics of the centre (mean, median …) count as equal.
fn as_compared(field: Field, value: Option<String>) -> Option<String> {
    match field {
        Field::Statistic => match value.as_deref().and_then(|text| text.parse::<Statistic>().ok()) {
            Some(statistic) if !Statistic::is_middle(statistic) => Some(statistic.to_string()),
            _ => Some("middle".to_owned()),
        },
        _ => value,
    }
}
