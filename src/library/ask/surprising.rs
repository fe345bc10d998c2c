//! Finds rows that are far from what their setting and device predict.

use std::collections::{BTreeMap, HashSet};

use dlbench_effects::{Effects, Observation};

use super::execute::effects::{Contenders, Net};
use super::execute::measure::{By, ShareKeys};
use super::execute::plan::hits_of;
use super::execute::ranking::identity_of;
use super::execute::spread::rounded;
use super::execute::under::RowIds;
use crate::ask::hits::{PartNumbers, Run, SharedValues};
use crate::ask::parse::{Filter, QueryError};
use crate::model::{Aspect, Direction, Field, Metric};
use crate::stores::Stores;

/// Smaller factors are not worth checking, however narrow the interval.
const MIN_FACTOR: f64 = 3.0;

/// Metrics of the device itself; the mean latency of queries also depends on their queue.
const DIRECT: &[Metric] = &[Metric::ThroughputPerS, Metric::LatencyMs, Metric::EpochS];

/// A row whose value is outside the interval that would contain 9 of 10 new measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct SurprisingRow {
    /// The id of the row.
    pub row: String,
    /// The key of the metric.
    pub metric: String,
    /// The measured value.
    pub value: f64,
    /// The predicted value.
    pub predicted: f64,
    /// The factor between the two.
    pub factor: f64,
    /// The factor, up or down, within which 9 of 10 new measurements would be.
    pub usual: f64,
    /// How many other devices were measured in the setting.
    pub devices: usize,
}

/// A run that is far from its prediction; values are logarithms.
struct Far<'r> {
    /// The log of how many times better than the value the prediction is; negative if it is worse.
    better: f64,
    /// Half the width of the prediction interval.
    half: f64,
    devices: usize,
    metric: Metric,
    run: &'r Run,
}

/// The rows of some sources (or of all) whose prediction is off by more than a factor of three and by more than its interval,
/// farthest first. A row is predicted from the other devices of its setting, and from what other sources say about all of them.
///
/// # Errors
///
/// When a store fails.
pub fn surprising_rows(stores: &Stores, sources: &[String]) -> Result<Vec<SurprisingRow>, QueryError> {
    let values = &SharedValues::read(stores)?;
    let by = By::Metrics(DIRECT.to_vec());
    let hits = hits_of(stores, values, &Filter::default(), &by)?;
    let keys = ShareKeys::of(values, &identity_of(Aspect::Field(Field::Device)));
    let device =
        |_: u64, parts: &PartNumbers| (values.number(Aspect::Field(Field::Device), parts) > 0).then(|| keys.key(parts));
    let contenders =
        Contenders { values, varied: &[Field::Device], candidate: &device, with_single: false, by_load: false };
    let net = Net::of(stores, &contenders, (&hits, &by.metrics()))?;
    let is_asked = |run: &Run| sources.is_empty() || sources.iter().any(|source| source == values.source(&run.parts));
    // The judged rows must not predict themselves, if there are other rows.
    let others = net.observations.iter().zip(&net.runs).filter(|(_, (_, run))| !is_asked(run));
    let others: Vec<Observation> = others.map(|(observation, _)| *observation).collect();
    let of_others = (!others.is_empty()).then(|| Effects::fit(&others));
    let model = of_others.as_ref().unwrap_or(&net.model);
    let mut settings: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, observation) in net.observations.iter().enumerate() {
        settings.entry(observation.setting).or_default().push(at);
    }
    let mut far: Vec<Far<'_>> = Vec::new();
    for own in settings.values() {
        for at in own.iter().filter(|at| is_asked(&net.runs[**at].1)) {
            let target = net.observations[*at];
            let anchors: Vec<Observation> = own.iter().map(|at| net.observations[*at]).collect();
            let anchors: Vec<Observation> =
                anchors.into_iter().filter(|anchor| anchor.candidate != target.candidate).collect();
            let Some(predicted) = model.predict(&target, &anchors) else { continue };
            let off = (target.value - predicted.log).abs();
            if off > predicted.half.max(MIN_FACTOR.ln()) {
                let (metric, run) = &net.runs[*at];
                let better = predicted.log - target.value;
                far.push(Far { better, half: predicted.half, devices: anchors.len(), metric: *metric, run });
            }
        }
    }
    far.sort_by(|a, b| b.better.abs().total_cmp(&a.better.abs()));
    let rows: Vec<u64> = far.iter().map(|far| far.run.row).collect();
    let ids = RowIds::default().of(stores, &rows)?;
    // Report each row by one metric only, the one that is farthest off.
    let mut known: HashSet<String> = HashSet::new();
    let told = far.into_iter().zip(ids).filter_map(|(far, row)| {
        known.insert(row.clone()).then(|| {
            let lower = far.metric.direction() == Direction::Lower;
            let factor = if lower { (-far.better).exp() } else { far.better.exp() };
            SurprisingRow {
                row,
                metric: far.metric.key().to_owned(),
                value: rounded(far.run.value),
                predicted: rounded(far.run.value * factor),
                factor: rounded(far.better.abs().exp()),
                usual: rounded(far.half.exp()),
                devices: far.devices,
            }
        })
    });
    Ok(told.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::sample::Sample;

    #[test]
    fn a_row_that_is_far_from_its_prediction_is_named() {
        let row = |device: &str, batch: u32, value: f64| format!("[\"{device}\", {batch}, {value}],\n");
        let table = |rows: String| {
            format!("[[table]]\ncolumns = [\"device\", \"batch-size\", \"throughput-per-s\"]\nrows = [\n{rows}]\n")
        };
        let side_by_side = |scale: f64| {
            let of_batch = |at: u32| {
                let value = 100.0 + 10.0 * f64::from(at);
                row("core", 1 << at, value) + &row("nova", 1 << at, scale * value)
            };
            (0..8).map(of_batch).collect::<String>()
        };
        let new = row("core", 512, 100.0) + &row("nova", 512, 1600.0);
        let sample = Sample::without(
            "batch-size = 16\n",
            &[("paper-2020", &table(side_by_side(2.0))), ("paper-2021", &table(new))],
        );
        let found = surprising_rows(&sample.stores, &["paper-2021".to_owned()]).unwrap();
        let [core, nova] = <[_; 2]>::try_from(found).unwrap();
        assert!((5.0..12.0).contains(&nova.factor) && nova.factor > nova.usual, "{nova:?}");
        assert_eq!((core.value, nova.value, nova.devices), (100.0, 1600.0, 1), "neither is told to be the wrong one");
    }
}
