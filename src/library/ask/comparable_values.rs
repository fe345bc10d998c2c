//! All values that are comparable with others; used to test the effects by leaving values out and predicting them.

use dlbench_effects::Observation;

use super::execute::effects::{Contenders, Net};
use super::execute::key::varied_by;
use super::execute::measure::{By, SPEED_METRICS, ShareKeys};
use super::execute::plan::hits_of;
use super::execute::ranking::identity_of;
use super::hits::{PartNumbers, Run, SharedValues};
use super::parse::{Filter, Key, QueryError};
use crate::model::{Aspect, Field, Measurement, Metric};
use crate::stores::Stores;

/// All values of candidates from settings in which another candidate was measured too.
#[derive(Debug, Default)]
pub struct ComparableValues {
    /// The candidates, by number.
    pub candidates: Vec<String>,
    /// The measurers, by number.
    pub measurers: Vec<String>,
    /// The values, with setting, candidate and measurer.
    pub values: Vec<Observation>,
    /// The measurement behind each value.
    pub measurements: Vec<Measurement>,
}

/// The values of candidates that a field distinguishes: devices, frameworks, precisions, batch sizes.
///
/// # Errors
///
/// When a store fails.
pub fn comparable_values(stores: &Stores, field: Field) -> Result<ComparableValues, QueryError> {
    let values = SharedValues::read(stores)?;
    let by = By::Metrics(SPEED_METRICS.to_vec());
    let hits = hits_of(stores, &values, &Filter::default(), &by)?;
    let key = field.facet().map_or(Key::Aspect(Aspect::Field(field)), Key::Facet);
    let varied = varied_by(&key);
    let keys = ShareKeys::of(&values, &identity_of(Aspect::Field(field)));
    let candidate = |_: u64, parts: &PartNumbers| values.value(field, parts).map(|_| keys.key(parts));
    let contenders =
        Contenders { values: &values, varied: &varied, candidate: &candidate, with_single: false, by_load: false };
    let net = Net::of(stores, &contenders, (&hits, &by.metrics()))?;
    let name = |parts: &PartNumbers| values.value(field, parts).map(|value| value.to_string()).unwrap_or_default();
    let mut rows: Vec<u64> = net.runs.iter().map(|(_, run)| run.row).collect();
    rows.sort_unstable();
    rows.dedup();
    let found = stores.database.measurements(&rows)?;
    let behind = |(_, run): &(Metric, Run)| Some(found[rows.binary_search(&run.row).ok()?].clone());
    Ok(ComparableValues {
        candidates: net.candidates.values().map(name).collect(),
        measurers: net.measurers.into_iter().collect(),
        measurements: net.runs.iter().filter_map(behind).collect(),
        values: net.observations,
    })
}
