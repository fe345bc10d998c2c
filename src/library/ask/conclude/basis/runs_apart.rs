//! Rows that no difference keeps from being compared, and that are yet no repetitions of each other: which runs of two sides are
//! set against which.

use std::collections::BTreeMap;

use super::alike_kernels::{alike_kernels, best};
use crate::ask::hits::{HitColumns, SharedValues};
use crate::model::{Aspect, Direction, Field};

/// Values with their hits.
pub(super) type Values = Vec<(f64, usize)>;

/// The runs of two sides with one key, those against each other that may be: frameworks executed alike, where both were, and on one
/// library of kernels, devices by one part of their chips, formats by each way in which weights were quantised. Nothing where no two
/// may.
pub(super) fn apart<'h>(
    values: &SharedValues,
    varied: &[Field],
    own: (&Values, &'h HitColumns),
    other: (&Values, &'h HitColumns),
    direction: Direction,
) -> Vec<(Values, Values)> {
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
    let by = |field: Field, (runs, hits): (&Values, &HitColumns)| by_value(values, field, runs, hits);
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
/// What weighs most stands first.
const EXECUTION: &[Field] = &[Field::Mode, Field::Layout, Field::Allocator];

/// The runs of one side, and the hits that they are among.
struct SideRuns<'h> {
    runs: Values,
    hits: &'h HitColumns,
}

/// The runs of two frameworks, like against like: compiled against compiled, eager against eager. Where they share no way, the best way
/// of each stands for it.
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

/// The runs of two frameworks on one library of kernels by its versions: no value lies in the middle of two versions. Alike versions
/// stand against each other; where no two are, each of the one side stands against the only one of the other.
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

/// What ran on the cores of one chip says nothing of the neural unit of another; of a chip that has no such parts none is stated.
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

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, number};

    #[test]
    fn the_cores_of_one_chip_are_no_pair_with_the_neural_unit_of_another() {
        let rows = r#"
[[table]]
columns = ["device", "compute-unit", "throughput-per-s"]
rows = [["nova", "cpu", 10], ["nova", "npu", 400], ["core", "cpu", 5], ["ember", "npu", 100]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let of = |sides: &[&str]| sample.conclude(&sample.versus("", sides));
        let both = of(&["device:nova", "device:core"]);
        assert_eq!((number(&both.entries[0]), both.entries[0].n), (2.0, 1), "{}", both.text);
        let none = of(&["device:core", "device:ember"]);
        assert!(none.entries.iter().all(|entry| entry.baseline.is_none()), "{}", none.text);
        assert!(none.text.contains("compute-unit (cpu against npu)"), "{}", none.text);
    }

    #[test]
    fn versions_of_one_library_of_kernels_are_no_repetitions_of_each_other() {
        let rows = r#"
[[table]]
columns = ["framework", "kernel-library", "latency-ms"]
rows = [["firelight", "cuDNN", 177], ["gridflow", "cuDNN R2", 231], ["gridflow", "cuDNN R4", 81]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("", &["framework:firelight", "framework:gridflow"]));
        let first = &told.entries[0];
        assert_eq!((first.n, first.low, first.high), (2, Some(0.4566), Some(1.305)), "{}", told.text);
        assert!(told.text.contains("is open"), "{}", told.text);
    }

    #[test]
    fn frameworks_are_compared_as_each_is_executed_like_with_like_where_both_are() {
        let rows = r#"
[[table]]
columns = ["framework", "mode", "layout", "allocator", "throughput-per-s"]
rows = [
  ["firelight", "eager", "", "system", 100],
  ["firelight", "compiled", "", "system", 200],
  ["gridflow", "graph", "channels-last", "kept", 50],
]
"#;
        let sides = ["framework:firelight", "framework:gridflow"];
        let of = |rows: &str| {
            let sample = Sample::of(&[("paper-2020", rows)]);
            sample.conclude(&sample.versus("", &sides))
        };
        // They share no way: the best of each stands for it.
        let told = of(rows);
        assert_eq!((number(&told.entries[0]), told.entries[0].n), (4.0, 1), "{}", told.text);
        let beside = "Beside the framework: Firelight with allocator system and mode compiled; \
                      Gridflow with allocator kept, layout channels-last and mode graph.";
        assert!(told.text.contains(beside), "{}", told.text);
        // The way that they share.
        let told = of(&rows.replace("\"graph\", \"channels-last\", \"kept\"", "\"eager\", \"\", \"system\""));
        assert_eq!((number(&told.entries[0]), told.entries[0].n), (2.0, 1), "{}", told.text);
        assert!(!told.text.contains("Beside"), "{}", told.text);
        // Each of several that they share.
        let both = "\"eager\", \"\", \"system\", 50],\n  [\"gridflow\", \"compiled\", \"\", \"system\", 50]";
        let told = of(&rows.replace("\"graph\", \"channels-last\", \"kept\", 50]", both));
        let headline = &told.entries[0];
        assert_eq!((headline.n, headline.low, headline.high), (2, Some(2.0), Some(4.0)), "{}", told.text);
        // One framework in two modes is another question.
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("framework:firelight", &["mode:compiled", "mode:eager"]));
        assert_eq!((number(&told.entries[0]), told.entries[0].n), (2.0, 1), "{}", told.text);
    }

    #[test]
    fn how_the_work_is_divided_is_no_choice_of_a_framework() {
        for (field, one, other) in [
            ("partition", "\"14 instances of 4 cores\"", "\"1 instances of 56 cores\""),
            ("setting", "\"big cores\"", "\"little cores\""),
            ("threads", "4", "8"),
        ] {
            let of = |one: &str, other: &str| {
                let rows = format!(
                    r#"
[[table]]
columns = ["framework", "{field}", "throughput-per-s"]
rows = [["firelight", {one}, 100], ["gridflow", {other}, 50]]
"#
                );
                let sample = Sample::of(&[("paper-2020", &rows)]);
                sample.conclude(&sample.versus("", &["framework:firelight", "framework:gridflow"]))
            };
            let told = of(one, other);
            assert!(told.entries.iter().all(|entry| entry.baseline.is_none()), "{field}: {}", told.text);
            assert!(told.text.contains(field), "{field}: {}", told.text);
            let alike = of(one, one);
            assert_eq!((number(&alike.entries[0]), alike.entries[0].n), (2.0, 1), "{field}: {}", alike.text);
        }
    }

    #[test]
    fn each_way_of_quantising_is_a_pair_of_its_own() {
        let rows = r#"
[[table]]
columns = ["precision", "quantization", "label", "throughput-per-s"]
rows = [["fp16", "", "", 100], ["int8", "by rows", "rows", 100], ["int8", "by tensors", "tensors", 400]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("", &["precision:int8", "precision:fp16"]));
        let headline = told.entries.first().map(|headline| (number(headline), headline.n));
        assert_eq!(headline, Some((2.0, 2)), "{}", told.text);
    }

    #[test]
    fn integers_without_a_sign_stand_for_those_with_one_and_are_told_apart() {
        let rows = r#"
[[table]]
columns = ["precision", "batch-size", "label", "throughput-per-s"]
rows = [["fp32", 16, "a", 100], ["int8", 16, "b", 200], ["fp32", 8, "c", 100], ["uint8", 8, "d", 50]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("", &["precision:int8", "precision:fp32"]));
        assert_eq!((number(&told.entries[0]), told.entries[0].n), (2.0, 1), "{}", told.text);
        let apart = "With unsigned integers (uint8) the ratio of int8 to fp32 is 0.500 in inference (1 matched pair).";
        assert!(told.text.contains(apart), "{}", told.text);
    }
}
