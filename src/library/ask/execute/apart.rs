//! Comparable rows that do not repeat each other: which runs of the two sides are paired.

use std::collections::BTreeMap;

use crate::ask::hits::{PartNumbers, Run, SharedValues};
use crate::model::{Direction, Field};

/// Runs of one side with one key.
pub(in crate::ask) type Runs = Vec<Run>;

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
    (own, other): (&Runs, &Runs),
    direction: Direction,
) -> Vec<(Runs, Runs)> {
    let pair = (own.clone(), other.clone());
    let split = |(own, other): (Runs, Runs), field: Field| {
        let number = |parts: &PartNumbers| values.number(field, parts);
        (groups(own, number), groups(other, number))
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
        let on_one_library = |(own, other): (Runs, Runs)| {
            let (own, other) = (groups(own, library), groups(other, library));
            let mut named = own.clone();
            named.remove("");
            let first = alike(&named, &other).into_iter().next();
            or_best(first.into_iter().collect(), own, other, direction)
        };
        let by_version = |pair: (Runs, Runs)| {
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
fn groups<K: Ord>(runs: Runs, key: impl Fn(&PartNumbers) -> K) -> BTreeMap<K, Runs> {
    let mut groups: BTreeMap<K, Runs> = BTreeMap::new();
    for run in runs {
        groups.entry(key(&run.parts)).or_default().push(run);
    }
    groups
}

/// Like against like.
fn alike<K: Ord>(own: &BTreeMap<K, Runs>, other: &BTreeMap<K, Runs>) -> Vec<(Runs, Runs)> {
    own.iter().filter_map(|(key, runs)| Some((runs.clone(), other.get(key)?.clone()))).collect()
}

/// Some pairs; where there are none, the group of each side whose best value is best.
fn or_best<K>(
    pairs: Vec<(Runs, Runs)>,
    own: BTreeMap<K, Runs>,
    other: BTreeMap<K, Runs>,
    direction: Direction,
) -> Vec<(Runs, Runs)> {
    let best_of = |runs: &Runs| {
        let values = runs.iter().map(|run| if direction == Direction::Lower { -run.value } else { run.value });
        values.fold(f64::NEG_INFINITY, f64::max)
    };
    let best = |groups: BTreeMap<K, Runs>| {
        groups.into_values().max_by(|a, b| best_of(a).total_cmp(&best_of(b))).unwrap_or_default()
    };
    if pairs.is_empty() { vec![(best(own), best(other))] } else { pairs }
}

/// The runs of two frameworks on one library of kernels by its versions: no value lies in the middle of two versions. Alike versions
/// are set against each other; where no two are, each of the one side against the only one of the other.
fn by_version_of_kernels(
    pair: (Runs, Runs),
    own: BTreeMap<u32, Runs>,
    other: BTreeMap<u32, Runs>,
) -> Vec<(Runs, Runs)> {
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
fn of_one_unit(mut own: BTreeMap<u32, Runs>, mut other: BTreeMap<u32, Runs>) -> Vec<(Runs, Runs)> {
    let shared = alike(&own, &other);
    if !shared.is_empty() {
        return shared;
    }
    let all = |of: BTreeMap<u32, Runs>| of.into_values().flatten().collect::<Runs>();
    match (own.remove(&UNSTATED), other.remove(&UNSTATED)) {
        (Some(own), None) => vec![(own, all(other))],
        (None, Some(other)) => vec![(all(own), other)],
        _ => Vec::new(),
    }
}
