//! The steps of scaling: one number of devices against one, all else being equal, and what some of them come to.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::Entry;
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources, spread_out};
use crate::ask::conclude::basis::matched_pairs::{Run, Spread};
use crate::ask::conclude::basis::outliers::far_from_others;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::hits::{PartNumbers, SharedValues};
use crate::ask::question::QueryError;
use crate::model::{Derived, Field, Value};
use crate::stores::Stores;

/// So many pairs are named behind an entry.
const NAMED_PAIRS: usize = 5;

/// What varies along the axis; the host around the devices is a circumstance.
pub(super) const VARIED: &[Field] = &[Field::DeviceCount];

/// One count of devices against the base.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub devices: i64,
    /// The number of the series: steps of one series differ in the number of devices alone.
    pub series: usize,
    pub efficiency: f64,
    pub many: Run,
    pub one: Run,
}

/// What scaling is told with.
pub(super) struct Scaling<'s> {
    pub stores: &'s Stores,
    pub values: &'s SharedValues,
    pub names: Names,
    /// What the question names.
    pub asked: IndexMap<String, String>,
    /// Of how many devices the others are set against: one, unless a range is asked for.
    pub base: i64,
    /// How many pairs are left out as far from all others.
    pub left_out: usize,
    pub ids: RowIds,
}

impl Scaling<'_> {
    /// The mean efficiency of some devices against one.
    pub fn efficiency(&mut self, devices: i64, steps: &[&Step]) -> Result<Entry, QueryError> {
        let mut sorted = steps.to_vec();
        sorted.sort_by(|a, b| a.efficiency.total_cmp(&b.efficiency));
        let spread = Spread::of(sorted.iter().map(|step| step.efficiency));
        let mut named = spread_out(&sorted, NAMED_PAIRS);
        // The first pairs are those that a reader sees: the typical before the extreme.
        let mean = spread.map_or(1.0, |spread| spread.mean);
        let apart = |step: &Step| (step.efficiency / mean).ln().abs();
        named.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
        let rows: Vec<u64> = named.into_iter().flat_map(|step| [step.many.row, step.one.row]).collect();
        let parts: Vec<PartNumbers> = steps.iter().flat_map(|step| [step.many.parts, step.one.parts]).collect();
        let place = |count| IndexMap::from([(Field::DeviceCount.key().to_owned(), Value::Count(count))]);
        Ok(Entry {
            subjects: place(devices),
            baseline: Some(place(self.base)),
            under: shared(self.values, &parts, VARIED),
            measurements: self.ids.of(self.stores, &rows)?,
            sources: sources(self.values, &parts),
            ..Spread::entry(spread, Derived::ScalingEfficiency.key(), steps.len())
        })
    }
}

/// Steps by what a function says of each.
pub(super) fn grouped<K: Ord>(steps: &[Step], key: impl Fn(&Step) -> K) -> BTreeMap<K, Vec<&Step>> {
    let mut groups: BTreeMap<K, Vec<&Step>> = BTreeMap::new();
    for step in steps {
        groups.entry(key(step)).or_default().push(step);
    }
    groups
}

/// The steps that count, and those that are far from all others on as many devices: failed runs, as a rule.
pub(super) fn without_far(steps: Vec<Step>) -> (Vec<Step>, Vec<Step>) {
    let (mut near, mut far) = (Vec::new(), Vec::new());
    for steps in grouped(&steps, |step| step.devices).into_values() {
        let efficiencies: Vec<f64> = steps.iter().map(|step| step.efficiency).collect();
        for (step, is_far) in steps.into_iter().zip(far_from_others(&efficiencies)) {
            if is_far { &mut far } else { &mut near }.push(step.clone());
        }
    }
    (near, far)
}
