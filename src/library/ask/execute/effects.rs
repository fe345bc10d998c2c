//! Candidates by all comparable evidence: every setting in which two or more of them were measured, not one setting alone.

use std::collections::{BTreeMap, HashMap};

use dlbench_effects::{CONTEXTS, Effect, Effects, Observation};
use indexmap::IndexMap;

use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, LayerSizes, PartNumbers, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::{Aspect, Direction, Fact, Field, Metric, Part, Value};
use crate::stores::Stores;

/// Fewer candidates than this are a comparison.
const FEWEST: usize = 3;

/// A candidate and how many times as good it is as the first.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedCandidate {
    /// What tells it from others, by the keys of filters.
    pub subjects: IndexMap<String, Value>,
    /// How many times as good it is as the first one; 1 for the first.
    pub ratio: f64,
    /// The lower end of the 90 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How many settings hold it and another candidate.
    pub settings: usize,
    /// How many independent of each other measured it.
    pub measurers: usize,
}

/// Which rows are candidates, and of what.
pub(super) struct Contenders<'c> {
    /// What rows state.
    pub values: &'c SharedValues,
    /// The fields in which candidates may differ.
    pub varied: &'c [Field],
    /// The candidate of a row; `None` of a row that is none.
    pub candidate: &'c dyn Fn(&PartNumbers) -> Option<u64>,
    /// What tells it from others.
    pub subjects: &'c dyn Fn(&PartNumbers) -> IndexMap<String, Value>,
}

/// The candidates in the order of their effects, the best first; none where fewer than three are connected.
///
/// # Errors
///
/// When a store fails.
pub(super) fn placed(
    stores: &Stores,
    contenders: &Contenders<'_>,
    rows: &[(Metric, HitColumns)],
) -> Result<Vec<PlacedCandidate>, QueryError> {
    let values = contenders.values;
    let class = values.column(Aspect::Fact(Fact::Class));
    let mut settings: HashMap<(Metric, ComparisonKey, u32), u32> = HashMap::new();
    let mut numbers: IndexMap<u64, PartNumbers> = IndexMap::new();
    let mut runs: BTreeMap<(u32, u32, u32), (Vec<f64>, PartNumbers)> = BTreeMap::new();
    for (metric, hits) in rows {
        let layers = LayerSizes::read(stores, values, &[hits])?;
        let keys = ComparisonKeys::new(values, *metric, contenders.varied);
        let sign = if metric.direction() == Direction::Lower { -1.0 } else { 1.0 };
        for (hit, value) in hits.values(*metric).iter().enumerate().filter(|(_, value)| **value > 0.0) {
            let parts = hits.parts(hit);
            let counts = values.stands(&parts) && !values.is_extreme(&parts);
            let Some(candidate) = (contenders.candidate)(&parts).filter(|_| counts) else { continue };
            let Some(key) = keys.key(values, &parts, layers.number(hits.row(hit))) else { continue };
            let class = class.map_or(0, |column| column.number(parts[Part::Setup as usize]));
            let next = settings.len() as u32;
            let setting = *settings.entry((*metric, key, class)).or_insert(next);
            let candidate = numbers.insert_full(candidate, parts).0 as u32;
            let measurer = values.number(Aspect::Source, &parts);
            let run = runs.entry((setting, candidate, measurer)).or_insert_with(|| (Vec::new(), parts));
            run.0.push(sign * value.ln());
        }
    }
    let mut measurers: IndexMap<u32, ()> = IndexMap::new();
    let mut observations = Vec::with_capacity(runs.len());
    for ((setting, candidate, measurer), (mut logs, parts)) in runs {
        logs.sort_by(f64::total_cmp);
        let value = (logs[(logs.len() - 1) / 2] + logs[logs.len() / 2]) / 2.0;
        let measurer = measurers.insert_full(measurer, ()).0 as u32;
        observations.push(Observation { setting, candidate, measurer, value, context: context(contenders, &parts) });
    }
    let model = Effects::fit(&observations, None);
    let Some(first) = best_of_largest(&model, numbers.len()) else { return Ok(Vec::new()) };
    let placed = model.effects(first).into_iter().filter_map(|effect: Effect| {
        let (_, parts) = numbers.get_index(effect.candidate as usize)?;
        let [ratio, low, high] = effect.estimate.ratio();
        let subjects = (contenders.subjects)(parts);
        let (settings, measurers) = (effect.pairs, effect.measurers);
        Some(PlacedCandidate { subjects, ratio, low, high, settings, measurers })
    });
    Ok(placed.collect())
}

/// The best candidate of the component that connects most of them.
fn best_of_largest(model: &Effects, candidates: usize) -> Option<u32> {
    let mut sizes: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (candidate, component) in (0..candidates as u32).zip(model.components()) {
        sizes.entry(*component).or_default().push(candidate);
    }
    let largest = sizes.into_values().max_by_key(Vec::len).filter(|members| members.len() >= FEWEST)?;
    model.effects(largest[0]).first().map(|effect| effect.candidate)
}

/// With what a candidate may interact: precision, kind of work, batch, network.
fn context(contenders: &Contenders<'_>, parts: &PartNumbers) -> [u32; CONTEXTS] {
    /// Batches in steps of eight times.
    const STEP: f64 = 3.0;
    let values = contenders.values;
    let of = |field: Field| match contenders.varied.contains(&field) {
        true => 0,
        false => values.number(Aspect::Field(field), parts),
    };
    let precision = match of(Field::Precision) {
        0 => of(Field::Quantization) << 10,
        precision => precision,
    };
    let work = values.number(Aspect::Fact(Fact::Task), parts) << 8 | of(Field::Stage);
    let batch = values.batch(parts).filter(|_| !contenders.varied.contains(&Field::BatchSize));
    let batch = batch.map_or(0, |batch| ((batch.max(1) as f64).log2() / STEP) as u32 + 1);
    let mut context = [0; CONTEXTS];
    for (place, level) in context.iter_mut().zip([precision, work, batch, of(Field::Network)]) {
        *place = level;
    }
    context
}
