//! Runs of one framework on several libraries of kernels are no repetitions of each other: Caffe on cuDNN is set against what ran
//! on cuDNN, and where the other side never did, the best of its libraries stands for it.

use std::collections::BTreeMap;

use crate::ask::hits::{HitColumns, SharedValues};
use crate::model::{Aspect, Direction, Field};

/// Values with their hits.
type Values = Vec<(f64, usize)>;

/// The values of two sides that are set against each other, each on one library; where neither side states several, all of them.
pub(super) fn alike_kernels(
    values: &SharedValues,
    (own, own_hits): (&[(f64, usize)], &HitColumns),
    (other, other_hits): (&[(f64, usize)], &HitColumns),
    direction: Direction,
) -> (Values, Values) {
    let (of_own, of_other) = (by_library(values, own, own_hits), by_library(values, other, other_hits));
    let shared = of_own.keys().find(|library| !library.is_empty() && of_other.contains_key(*library)).cloned();
    let chosen = |mut of: BTreeMap<String, Values>| match &shared {
        Some(library) => of.remove(library).unwrap_or_default(),
        None => best(of.into_values(), direction),
    };
    (chosen(of_own), chosen(of_other))
}

/// Values by the first word of what their rows say of the kernels: cuDNN 4 and 5 are one library.
fn by_library(values: &SharedValues, runs: &[(f64, usize)], hits: &HitColumns) -> BTreeMap<String, Values> {
    let mut libraries: BTreeMap<String, Values> = BTreeMap::new();
    for (value, hit) in runs {
        let text = values.text(Aspect::Field(Field::KernelLibrary), &hits.parts(*hit)).unwrap_or_default();
        let library = text.split(' ').next().unwrap_or_default().to_lowercase();
        libraries.entry(library).or_default().push((*value, *hit));
    }
    libraries
}

/// The group of values whose best one is best.
pub(super) fn best(groups: impl Iterator<Item = Values>, direction: Direction) -> Values {
    let best_of = |runs: &Values| {
        let values = runs.iter().map(|(value, _)| *value);
        match direction {
            Direction::Lower => -values.fold(f64::INFINITY, f64::min),
            _ => values.fold(f64::NEG_INFINITY, f64::max),
        }
    };
    groups.max_by(|a, b| best_of(a).total_cmp(&best_of(b))).unwrap_or_default()
}
