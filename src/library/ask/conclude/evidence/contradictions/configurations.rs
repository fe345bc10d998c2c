//! Rows by configuration, by who measured them, and by their circumstances.

use std::collections::BTreeMap;

use super::context::{Circumstances, Contexts};
use crate::ask::conclude::basis::sizes::Sizes;
use crate::ask::conclude::evidence::measurers::Measurers;
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, NumberMap, SharedValues};
use crate::ask::question::{QueryError, understand};
use crate::model::{Aspect, ContradictionDefinition, Field, Metric};
use crate::stores::Stores;

/// Repetitions: rows of one source and measurer that are alike in everything, the least value first.
pub(super) struct Repetitions {
    /// The number of the source.
    pub source: u32,
    pub circumstances: Circumstances,
    /// Values, each with its hit.
    pub runs: Vec<(f64, usize)>,
}

impl Repetitions {
    /// The least and the greatest value.
    pub fn range(&self) -> Option<(f64, f64)> {
        Some((self.runs.first()?.0, self.runs.last()?.0))
    }

    /// The value in the middle.
    pub fn middle(&self) -> Option<f64> {
        self.runs.get(self.runs.len() / 2).map(|(value, _)| *value)
    }
}

/// The number of a source, and what its rows state of their circumstances.
type SourcedCircumstances = (u32, Circumstances);

/// The rows of one configuration by who measured them.
pub(super) struct Configuration {
    pub metric: Metric,
    pub measurers: BTreeMap<String, Vec<Repetitions>>,
}

/// All rows, and the configurations of which there are several.
pub(super) struct Configurations {
    pub hits: HitColumns,
    pub all: Vec<Configuration>,
}

impl Configurations {
    /// The rows that stand with a value of one of the definition's metrics, in configurations.
    pub fn read(
        stores: &Stores,
        values: &SharedValues,
        definition: &ContradictionDefinition,
    ) -> Result<Self, QueryError> {
        let metrics: Vec<Metric> = definition.metrics().collect();
        let only = definition.only.as_deref().unwrap_or_default();
        let hits = HitColumns::of(stores, &understand(only, stores)?.condition_without(None), &metrics)?;
        let contexts = Contexts::read(stores, definition)?;
        let mut measurers = Measurers::read(stores, values)?;
        let varied: Vec<Field> = definition.varied_fields().collect();
        let mut all = Vec::new();
        for metric in metrics {
            let groups = several(values, &hits, &ComparisonKeys::new(values, metric, &varied));
            let rows = groups.iter().flatten().map(|(_, hit)| (hits.row(*hit), hits.parts(*hit)));
            measurers.read_rows(rows)?;
            for group in groups {
                let mut by_measurer: BTreeMap<String, BTreeMap<SourcedCircumstances, Vec<(f64, usize)>>> =
                    BTreeMap::new();
                for (value, hit) in group {
                    let of_measurer = by_measurer.entry(measurers.of_row(hits.row(hit)).to_owned()).or_default();
                    let parts = hits.parts(hit);
                    let setting = (values.number(Aspect::Source, &parts), contexts.of(&parts));
                    of_measurer.entry(setting).or_default().push((value, hit));
                }
                let repetitions = |((source, circumstances), mut runs): (SourcedCircumstances, Vec<(f64, usize)>)| {
                    runs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    Repetitions { source, circumstances, runs }
                };
                let measurers =
                    by_measurer.into_iter().map(|(name, sets)| (name, sets.into_iter().map(repetitions).collect()));
                all.push(Configuration { metric, measurers: measurers.collect() });
            }
        }
        Ok(Self { hits, all })
    }
}

/// Values and hits of the configurations that have more than one row, in the order of their first rows.
fn several(values: &SharedValues, hits: &HitColumns, keys: &ComparisonKeys) -> Vec<Vec<(f64, usize)>> {
    // Single layers are no networks: without their sizes they have no key.
    let sizes = Sizes::default();
    let mut groups: NumberMap<ComparisonKey, Vec<(f64, usize)>> = NumberMap::default();
    for (hit, &value) in hits.values(keys.metric()).iter().enumerate() {
        if value.is_nan() || value <= 0.0 {
            continue;
        }
        let parts = hits.parts(hit);
        let Some(size) = values.stands(&parts).then(|| sizes.of(values, hits.row(hit), &parts)).flatten() else {
            continue;
        };
        if let Some(key) = keys.key(values, &parts, size).filter(ComparisonKey::is_known) {
            groups.entry(key).or_default().push((value, hit));
        }
    }
    let mut groups: Vec<Vec<(f64, usize)>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_by_key(|group| group.first().map(|(_, hit)| *hit));
    groups
}
