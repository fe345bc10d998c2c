//! Comparable rows that do not repeat each other: which runs of the two sides are paired.

use std::collections::BTreeMap;

use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::model::{Direction, Field};

/// Values with their hits.
pub(in crate::ask) type Values = Vec<(f64, usize)>;

/// How a framework executes a network, which is a choice of its own: eager or compiled, in which order of axes, with whose memory.
/// What weighs most comes first.
const EXECUTION: &[Field] = &[Field::Mode, Field::Layout, Field::Allocator];

/// The number of what is not stated.
const UNSTATED: u32 = 0;

/// The runs of two sides with one key that may be set against each other: frameworks executed alike, where both were, and on one
/// library of kernels; devices by one part of their chips; formats by each way in which weights were quantised. Nothing where no
/// two may.
pub(super) fn apart(
    values: &SharedValues,
    varied: &[Field],
    (own, own_hits): (&Values, &HitColumns),
    (other, other_hits): (&Values, &HitColumns),
    direction: Direction,
) -> Vec<(Values, Values)> {
    let pair = (own.clone(), other.clone());
    let split = |(own, other): (Values, Values), field: Field| {
        let number = |parts: &PartNumbers| values.number(field, parts);
        (groups(own, own_hits, number), groups(other, other_hits, number))
    };
    if varied.contains(&Field::Framework) {
        let mut pairs = vec![pair];
        for field in EXECUTION.iter().filter(|field| !varied.contains(field)) {
            let executed_alike = |pair| {
                let (own, other) = split(pair, *field);
                or_best(alike(&own, &other), own, other, direction)
            };
            pairs = pairs.into_iter().flat_map(executed_alike).collect();
        }
        // cuDNN 4 and 5 are one library.
        let library = |parts: &PartNumbers| {
            let text = values.text(Field::KernelLibrary, parts).unwrap_or_default();
            text.split(' ').next().unwrap_or_default().to_lowercase()
        };
        let on_one_library = |(own, other): (Values, Values)| {
            let (own, other) = (groups(own, own_hits, library), groups(other, other_hits, library));
            let mut named = own.clone();
            named.remove("");
            let first = alike(&named, &other).into_iter().next();
            or_best(first.into_iter().collect(), own, other, direction)
        };
        let by_version = |pair: (Values, Values)| {
            let (own, other) = split(pair.clone(), Field::KernelLibrary);
            by_version_of_kernels(pair, own, other)
        };
        return pairs.into_iter().flat_map(on_one_library).flat_map(by_version).collect();
    }
    if varied.contains(&Field::Device) && !varied.contains(&Field::ComputeUnit) {
        let (own, other) = split(pair, Field::ComputeUnit);
        return of_one_unit(own, other);
    }
    if varied.contains(&Field::Precision) && !varied.contains(&Field::Quantization) {
        let (own, other) = split(pair, Field::Quantization);
        return own.values().flat_map(|own| other.values().map(|other| (own.clone(), other.clone()))).collect();
    }
    vec![pair]
}

/// Runs by what their rows state.
fn groups<K: Ord>(runs: Values, hits: &HitColumns, key: impl Fn(&PartNumbers) -> K) -> BTreeMap<K, Values> {
    let mut groups: BTreeMap<K, Values> = BTreeMap::new();
    for run in runs {
        groups.entry(key(&hits.parts(run.1))).or_default().push(run);
    }
    groups
}

/// Like against like.
fn alike<K: Ord>(own: &BTreeMap<K, Values>, other: &BTreeMap<K, Values>) -> Vec<(Values, Values)> {
    own.iter().filter_map(|(key, runs)| Some((runs.clone(), other.get(key)?.clone()))).collect()
}

/// Some pairs; where there are none, the group of each side whose best value is best.
fn or_best<K>(
    pairs: Vec<(Values, Values)>,
    own: BTreeMap<K, Values>,
    other: BTreeMap<K, Values>,
    direction: Direction,
) -> Vec<(Values, Values)> {
    let best_of = |runs: &Values| {
        let values = runs.iter().map(|(value, _)| if direction == Direction::Lower { -value } else { *value });
        values.fold(f64::NEG_INFINITY, f64::max)
    };
    let best = |groups: BTreeMap<K, Values>| {
        groups.into_values().max_by(|a, b| best_of(a).total_cmp(&best_of(b))).unwrap_or_default()
    };
    if pairs.is_empty() { vec![(best(own), best(other))] } else { pairs }
}

/// The runs of two frameworks on one library of kernels by its versions: no value lies in the middle of two versions. Alike versions
/// are set against each other; where no two are, each of the one side against the only one of the other.
fn by_version_of_kernels(
    pair: (Values, Values),
    own: BTreeMap<u32, Values>,
    other: BTreeMap<u32, Values>,
) -> Vec<(Values, Values)> {
    let shared = alike(&own, &other);
    match (own.len(), other.len()) {
        (..=1, ..=1) => vec![pair],
        _ if !shared.is_empty() => shared,
        (..=1, _) => other.into_values().map(|other| (pair.0.clone(), other)).collect(),
        (_, ..=1) => own.into_values().map(|own| (own, pair.1.clone())).collect(),
        _ => vec![pair],
    }
}

/// What ran on the cores of one chip says nothing of the neural unit of another; a chip that has no such parts states none.
fn of_one_unit(mut own: BTreeMap<u32, Values>, mut other: BTreeMap<u32, Values>) -> Vec<(Values, Values)> {
    let shared = alike(&own, &other);
    if !shared.is_empty() {
        return shared;
    }
    let all = |of: BTreeMap<u32, Values>| of.into_values().flatten().collect::<Values>();
    match (own.remove(&UNSTATED), other.remove(&UNSTATED)) {
        (Some(own), None) => vec![(own, all(other))],
        (None, Some(other)) => vec![(all(own), other)],
        _ => Vec::new(),
    }
}
