//! The comparability verdict on some measurements, field by field.

use serde::Serialize;

use super::CompareError;
use crate::comparability::{ComparedRow, Criterion, Spread, VerdictKind, compared, distinguishable};
use crate::model::{Direction, Measurement, Metric, Source, Tier};
use crate::rows::{EntityCache, JoinedRow};
use crate::stores::Stores;
use crate::values::Decimal;
use strum::VariantArray as _;

/// The verdict on two or more measurements.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairVerdict {
    /// The ids of the measurements.
    pub ids: Vec<String>,
    /// The metric by which they are compared.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub metric: Option<Metric>,
    /// The value of the metric for each measurement; `None` if it has none.
    pub values: Vec<Option<Decimal>>,
    /// The verdict as one word.
    pub kind: VerdictKind,
    /// The verdict as a sentence.
    pub verdict: String,
    /// All fields that at least one of them states.
    pub fields: Vec<FieldOfPair>,
    /// Whether the known dispersion supports the order of the two values.
    pub order_supported: Option<bool>,
    /// The sources of the measurements.
    pub sources: Vec<Source>,
}

/// One field of the measurements.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FieldOfPair {
    /// The key of the field.
    pub field: &'static str,
    /// The tier that gives its weight: `identity`, `axis`, `context`, `disclosure`.
    pub tier: &'static str,
    /// The value that each measurement states.
    pub values: Vec<Option<String>>,
    /// The result: `same`, `differs`, `unknown`.
    pub says: &'static str,
}

/// Compares measurements by their ids or id prefixes.
///
/// # Errors
///
/// Fails if an id matches no measurement or several, or if the measurements have no metric in common.
pub fn pair(
    stores: &Stores,
    ids: &[String],
    metric: Option<Metric>,
    relaxed: &[Criterion],
) -> Result<PairVerdict, CompareError> {
    let measurements = ids.iter().map(|id| measurement_by_id(stores, id)).collect::<Result<Vec<Measurement>, _>>()?;
    let mut entities = EntityCache::default();
    let joined = entities.join(&stores.database, measurements)?;
    let rows: Vec<ComparedRow<'_>> = joined.iter().map(JoinedRow::compared_row).collect();
    let has = |metric: &Metric| joined.iter().all(|row| row.metric(*metric).is_some());
    let metric = match metric {
        Some(metric) => metric,
        None => *Metric::VARIANTS.iter().find(|metric| has(metric)).ok_or_else(|| {
            let of = |row: &JoinedRow| {
                row.recorded().metrics().iter().map(|(metric, _)| metric.key()).collect::<Vec<_>>().join(", ")
            };
            let stated: Vec<String> = joined.iter().map(|row| format!("{}: {}", row.id(), of(row))).collect();
            CompareError::request("the measurements have no metric in common", stated.join("; "))
        })?,
    };
    let verdict = compared(&rows, metric, relaxed);
    let of_layers = joined.iter().any(|row| row.facts().is_of_layers());
    let fields = Criterion::all().filter_map(|criterion| {
        let tier = match criterion {
            Criterion::Class => Tier::Axis,
            other => other.tier(metric, of_layers)?,
        };
        let values: Vec<Option<String>> =
            rows.iter().map(|row| row.shown(criterion).map(|value| value.into_owned())).collect();
        let first = values.first()?;
        let says = match (values.iter().all(Option::is_none), values.iter().any(Option::is_none)) {
            (true, _) => return None,
            (_, true) => "unknown",
            _ if values.iter().all(|value| value == first) => "same",
            _ => "differs",
        };
        Some(FieldOfPair { field: criterion.key(), tier: name_of(tier), values, says })
    });
    let mut fields: Vec<FieldOfPair> = fields.collect();
    fields
        .sort_by_key(|field| ["identity", "axis", "context", "disclosure"].iter().position(|tier| *tier == field.tier));
    let values: Vec<Option<Decimal>> = joined.iter().map(|row| Some(row.metric(metric)?.0)).collect();
    let judged: Vec<(f64, Option<Spread>)> = joined
        .iter()
        .zip(&values)
        .filter_map(|(row, value)| Some((value.as_ref()?.value(), Spread::of(row.recorded(), metric))))
        .collect();
    let order_supported = match judged.as_slice() {
        [a, b] if (a.1.is_some() || b.1.is_some()) && metric.direction() != Direction::Neutral => {
            Some(distinguishable(*a, *b))
        }
        _ => None,
    };
    let mut sources: Vec<Source> = Vec::new();
    for row in joined.iter().map(JoinedRow::recorded) {
        if sources.iter().all(|source| source.id != *row.source()) {
            sources.extend(entities.source(row.source().as_str()).cloned());
        }
    }
    Ok(PairVerdict {
        ids: joined.iter().map(|row| row.id().to_owned()).collect(),
        metric: Some(metric),
        values,
        kind: verdict.kind(),
        verdict: verdict.to_string(),
        fields,
        order_supported,
        sources,
    })
}

fn name_of(tier: Tier) -> &'static str {
    match tier {
        Tier::Identity => "identity",
        Tier::Axis => "axis",
        Tier::Context => "context",
        Tier::Disclosure => "disclosure",
    }
}

fn measurement_by_id(stores: &Stores, id: &str) -> Result<Measurement, CompareError> {
    let mut found = stores.database.measurements_by_prefix(id, 4)?;
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(CompareError::request(
            format!("there is no measurement `{id}`"),
            "`dlbench query … --columns id,…` shows ids",
        )),
        _ => {
            let ids: Vec<&str> = found.iter().map(Measurement::id).collect();
            Err(CompareError::request(format!("`{id}` is the beginning of several ids"), ids.join(", ")))
        }
    }
}
