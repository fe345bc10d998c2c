//! Which networks or devices are set against each other in a trade-off: those of one frame, or of one work where that is few.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::trade_axes::{Axis, metric_of};
use crate::ask::conclude::basis::share_keys::ShareKeys;
use crate::ask::conclude::ranking::of_layers;
use crate::ask::hits::{ComparisonKeys, HitColumns, PartNumbers, SharedValues};
use crate::model::{Aspect, Field, Part};

/// Measures are those of whole networks.
const NO_LAYER: u32 = 0;

/// A network or device with both its values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub values: [f64; 2],
    pub row: u64,
    pub parts: PartNumbers,
}

/// The places of one frame, by the number of the candidate.
pub(super) type Frame = BTreeMap<u32, Place>;

/// What varies between the candidates of one frame: a network comes with the input that it was made for.
pub(super) fn varied(field: Field) -> &'static [Field] {
    match field {
        Field::Network => &[Field::Network, Field::InputShape],
        _ => &[Field::Device],
    }
}

/// What rows that did the same work share, whatever the setting of each; a network is what was run, or what is compared.
const TASK: &[Field] = &[
    Field::Network,
    Field::Stage,
    Field::Scenario,
    Field::Division,
    Field::Counts,
    Field::InputShape,
    Field::SequenceLength,
    Field::InputLength,
    Field::OutputLength,
    Field::AccuracyTarget,
    Field::RelativeAccuracyTarget,
    Field::Component,
    Field::DeviceSlice,
    Field::Metered,
    Field::DeviceCount,
];

/// What networks have in common besides: they are compared on one device.
const OF_NETWORKS: &[Field] = &[Field::Device, Field::Precision, Field::Framework];

/// Fewer candidates under one frame are few beside twice as many that did the same work.
const FEW: usize = 6;

/// The candidates that are set against each other.
pub(super) struct CandidateField {
    pub frame: Frame,
    /// Whether each has a setting of its own.
    pub own_settings: bool,
    /// How many other frames have several candidates.
    pub others: usize,
}

/// The frame with the most candidates that state both, of rows that are alike in all that decides comparability; where that is few,
/// the work that the most of them did, each in its own setting.
pub(super) fn widest(
    values: &SharedValues,
    hits: &HitColumns,
    axes: [Axis; 2],
    columns: &[Vec<f64>; 2],
    field: Field,
) -> Option<CandidateField> {
    let metric = [1, 0].into_iter().find_map(|at| metric_of(axes[at]))?;
    let alike = ComparisonKeys::new(values, metric, varied(field));
    let by_setting = frames(values, hits, axes, columns, field, |parts| alike.key(values, parts, NO_LAYER))?;
    let held: &[Field] = if field == Field::Network { OF_NETWORKS } else { &[] };
    let of_task = TASK.iter().chain(held).copied().filter(|of| !varied(field).contains(of)).map(Aspect::Field);
    let task = ShareKeys::of(values, of_task);
    let is_layer = of_layers(values);
    let by_task = frames(values, hits, axes, columns, field, |parts| {
        let layer = is_layer.get(parts[Part::Workload as usize] as usize).copied().unwrap_or_default();
        (!layer).then(|| (task.key(parts), values.is_extreme(parts)))
    })?;
    let (strict, wide) = (by_setting.0.len(), by_task.0.len());
    let own_settings = strict < FEW && wide >= 2 * strict.max(1);
    let (frame, others) = if own_settings { by_task } else { by_setting };
    Some(CandidateField { frame, own_settings, others })
}

/// The frame with the most candidates, and how many others have several; of several rows of one candidate the one that is best in the
/// second, or in the one that is measured.
fn frames<K: Eq + Hash>(
    values: &SharedValues,
    hits: &HitColumns,
    axes: [Axis; 2],
    columns: &[Vec<f64>; 2],
    field: Field,
    key_of: impl Fn(&PartNumbers) -> Option<K>,
) -> Option<(Frame, usize)> {
    let telling = [1, 0].into_iter().find(|at| metric_of(axes[*at]).is_some())?;
    let mut frames: HashMap<K, Frame> = HashMap::new();
    for (hit, (first, second)) in columns[0].iter().zip(&columns[1]).enumerate() {
        let both = [*first, *second];
        let parts = hits.parts(hit);
        if both.iter().any(|value| !value.is_finite()) || !values.stands(&parts) {
            continue;
        }
        let candidate = values.number(Aspect::Field(field), &parts);
        let Some(key) = key_of(&parts).filter(|_| candidate > 0) else { continue };
        let place = Place { values: both, row: hits.row(hit), parts };
        let known = frames.entry(key).or_default().entry(candidate).or_insert(place);
        if axes[telling].better(both[telling], known.values[telling]) {
            *known = place;
        }
    }
    let several = frames.values().filter(|frame| frame.len() > 1).count();
    let first_row = |frame: &Frame| frame.values().map(|place| place.row).min();
    let largest = frames.into_values().max_by_key(|frame| (frame.len(), std::cmp::Reverse(first_row(frame))))?;
    let others = several - usize::from(largest.len() > 1);
    Some((largest, others))
}
