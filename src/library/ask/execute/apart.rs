//! Rows that no difference keeps from being compared, and that are yet no repetitions of each other: which runs of two sides are
//! set against which.

use std::collections::BTreeMap;

use crate::ask::hits::{HitColumns, SharedValues};
use crate::model::{Aspect, Direction, Field};

/// Values with their hits.
pub(in crate::ask) type Values = Vec<(f64, usize)>;

/// The runs of two sides with one key that may be set against each other: frameworks executed alike, where both were, and on one
/// library of kernels; devices by one part of their chips; formats by each way in which weights were quantised. Nothing where no
/// two may.
pub(super) fn apart<'h>(
    values: &SharedValues,
    varied: &[Field],
    own: (&Values, &'h HitColumns),
    other: (&Values, &'h HitColumns),
    direction: Direction,
) -> Vec<(Values, Values)> {
    let by = |field: Field, (runs, hits): (&Values, &HitColumns)| by_value(values, field, runs, hits);
    if varied.contains(&Field::Framework) {
        let fields: Vec<Field> = EXECUTION.iter().copied().filter(|field| !varied.contains(field)).collect();
        let of = |(runs, hits): (&Values, &'h HitColumns)| SideRuns { runs: runs.clone(), hits };
        let executed = executed_alike(values, &fields, of(own), of(other), direction);
        let on_alike_kernels = |(own, other): (SideRuns<'_>, SideRuns<'_>)| {
            alike_kernels(values, (&own.runs, own.hits), (&other.runs, other.hits), direction)
        };
        let by_version = |(own_runs, other_runs): (Values, Values)| {
            by_version_of_kernels(values, (own_runs, own.1), (other_runs, other.1))
        };
        return executed.into_iter().map(on_alike_kernels).flat_map(by_version).collect();
    }
    if varied.contains(&Field::Device) && !varied.contains(&Field::ComputeUnit) {
        return of_one_unit(by(Field::ComputeUnit, own), by(Field::ComputeUnit, other));
    }
    if varied.contains(&Field::Precision) && !varied.contains(&Field::Quantization) {
        let (own, other) = (by(Field::Quantization, own), by(Field::Quantization, other));
        let all = own.values().flat_map(|own| other.values().map(|other| (own.clone(), other.clone())));
        return all.collect();
    }
    vec![(own.0.clone(), other.0.clone())]
}

/// How a framework executes a network, which is a choice of its own: eager or compiled, in which order of axes, with whose memory.
/// What weighs most comes first.
const EXECUTION: &[Field] = &[Field::Mode, Field::Layout, Field::Allocator];

/// The runs of one side, and the hits that they are among.
struct SideRuns<'h> {
    runs: Values,
    hits: &'h HitColumns,
}

/// The runs of two frameworks, like against like: compiled against compiled, eager against eager. Where they share no way, the best way
/// of each counts.
fn executed_alike<'h>(
    values: &SharedValues,
    fields: &[Field],
    own: SideRuns<'h>,
    other: SideRuns<'h>,
    direction: Direction,
) -> Vec<(SideRuns<'h>, SideRuns<'h>)> {
    let Some((&field, rest)) = fields.split_first() else { return vec![(own, other)] };
    let by = |side: &SideRuns<'_>| by_value(values, field, &side.runs, side.hits);
    let (of_own, mut of_other) = (by(&own), by(&other));
    let is_shared = of_own.keys().any(|way| of_other.contains_key(way));
    let chosen: Vec<(Values, Values)> = if is_shared {
        of_own.into_iter().filter_map(|(way, runs)| Some((runs, of_other.remove(&way)?))).collect()
    } else {
        vec![(best(of_own.into_values(), direction), best(of_other.into_values(), direction))]
    };
    let of_rest = |(runs, others): (Values, Values)| {
        let side = |runs: Values, hits: &'h HitColumns| SideRuns { runs, hits };
        executed_alike(values, rest, side(runs, own.hits), side(others, other.hits), direction)
    };
    chosen.into_iter().flat_map(of_rest).collect()
}

/// The values of two sides on one library of kernels; where they share none, those of the best library of each.
fn alike_kernels(
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

/// Values by the first word of what their rows state of the kernels: cuDNN 4 and 5 are one library.
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
fn best(groups: impl Iterator<Item = Values>, direction: Direction) -> Values {
    let best_of = |runs: &Values| {
        let values = runs.iter().map(|(value, _)| *value);
        match direction {
            Direction::Lower => -values.fold(f64::INFINITY, f64::min),
            _ => values.fold(f64::NEG_INFINITY, f64::max),
        }
    };
    groups.max_by(|a, b| best_of(a).total_cmp(&best_of(b))).unwrap_or_default()
}

/// The runs of two frameworks on one library of kernels by its versions: no value lies in the middle of two versions. Alike versions
/// are set against each other; where no two are, each of the one side against the only one of the other.
fn by_version_of_kernels(
    values: &SharedValues,
    (own, own_hits): (Values, &HitColumns),
    (other, other_hits): (Values, &HitColumns),
) -> Vec<(Values, Values)> {
    let of_own = by_value(values, Field::KernelLibrary, &own, own_hits);
    let of_other = by_value(values, Field::KernelLibrary, &other, other_hits);
    let shared: Vec<u32> = of_own.keys().copied().filter(|version| of_other.contains_key(version)).collect();
    match (of_own.len(), of_other.len()) {
        (..=1, ..=1) => vec![(own, other)],
        _ if !shared.is_empty() => {
            shared.iter().map(|version| (of_own[version].clone(), of_other[version].clone())).collect()
        }
        (..=1, _) => of_other.into_values().map(|other| (own.clone(), other)).collect(),
        (_, ..=1) => of_own.into_values().map(|own| (own, other.clone())).collect(),
        _ => vec![(own, other)],
    }
}

/// Runs by the number of what each states in a field.
fn by_value(values: &SharedValues, field: Field, runs: &Values, hits: &HitColumns) -> BTreeMap<u32, Values> {
    let mut groups: BTreeMap<u32, Values> = BTreeMap::new();
    for run in runs {
        groups.entry(values.number(Aspect::Field(field), &hits.parts(run.1))).or_default().push(*run);
    }
    groups
}

/// The number of what is not stated.
const UNSTATED: u32 = 0;

/// What ran on the cores of one chip says nothing of the neural unit of another; a chip that has no such parts states none.
fn of_one_unit(mut own: BTreeMap<u32, Values>, mut other: BTreeMap<u32, Values>) -> Vec<(Values, Values)> {
    let shared: Vec<u32> = own.keys().copied().filter(|unit| other.contains_key(unit)).collect();
    if !shared.is_empty() {
        return shared.iter().filter_map(|unit| Some((own.remove(unit)?, other.remove(unit)?))).collect();
    }
    let all = |of: BTreeMap<u32, Values>| of.into_values().flatten().collect::<Values>();
    match (own.remove(&UNSTATED), other.remove(&UNSTATED)) {
        (Some(own), None) => vec![(own, all(other))],
        (None, Some(other)) => vec![(all(own), other)],
        _ => Vec::new(),
    }
}
