//! Rows that no difference keeps from being compared, and that are yet no repetitions of each other: which runs of two sides are
//! set against which.

use std::collections::BTreeMap;

use super::alike_kernels::alike_kernels;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::model::{Aspect, Direction, Field};

/// Values with their hits.
pub(super) type Values = Vec<(f64, usize)>;

/// The runs of two sides with one key, those against each other that may be: frameworks executed alike, where both were, and on one
/// library of kernels, devices by one part of their chips, formats by each way in which weights were quantised. Nothing where no two
/// may.
pub(super) fn apart(
    values: &SharedValues,
    varied: &[Field],
    own: (&Values, &HitColumns),
    other: (&Values, &HitColumns),
    direction: Direction,
) -> Vec<(Values, Values)> {
    if varied.contains(&Field::Framework) {
        let executed = executed_alike(values, varied, own, other);
        let on_alike_kernels =
            |(runs, others): (Values, Values)| alike_kernels(values, (&runs, own.1), (&others, other.1), direction);
        return executed.into_iter().map(on_alike_kernels).collect();
    }
    let by = |field: Field, (runs, hits): (&Values, &HitColumns)| -> BTreeMap<u32, Values> {
        let mut groups: BTreeMap<u32, Values> = BTreeMap::new();
        for run in runs {
            groups.entry(values.number(Aspect::Field(field), &hits.parts(run.1))).or_default().push(*run);
        }
        groups
    };
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

/// How a framework executes a network, which is a choice of its own: compiled or eager, in which order of axes.
const EXECUTION: &[Field] = &[Field::Mode, Field::Layout, Field::Allocator];

/// The runs of two frameworks by how they were executed: like against like, compiled against compiled. Where they share no way, each
/// of the one against each of the other.
fn executed_alike(
    values: &SharedValues,
    varied: &[Field],
    own: (&Values, &HitColumns),
    other: (&Values, &HitColumns),
) -> Vec<(Values, Values)> {
    let fields = || EXECUTION.iter().filter(|field| !varied.contains(field));
    let by_execution = |(runs, hits): (&Values, &HitColumns)| -> BTreeMap<Vec<u32>, Values> {
        let mut groups: BTreeMap<Vec<u32>, Values> = BTreeMap::new();
        for run in runs {
            let parts = hits.parts(run.1);
            let key = fields().map(|field| values.number(Aspect::Field(*field), &parts)).collect();
            groups.entry(key).or_default().push(*run);
        }
        groups
    };
    let (own, other) = (by_execution(own), by_execution(other));
    let shared = own.iter().filter_map(|(key, runs)| Some((runs.clone(), other.get(key)?.clone())));
    let shared: Vec<(Values, Values)> = shared.collect();
    if !shared.is_empty() {
        return shared;
    }
    own.values().flat_map(|runs| other.values().map(|others| (runs.clone(), others.clone()))).collect()
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
        let sample = Sample::of(&[("paper-2020", rows)]);
        let sides = ["framework:firelight", "framework:gridflow"];
        let told = sample.conclude(&sample.versus("", &sides));
        let headline = &told.entries[0];
        assert_eq!((headline.n, headline.low, headline.high), (2, Some(2.0), Some(4.0)), "{}", told.text);
        let beside = "Beside the framework: Firelight with mode compiled or eager and allocator system; \
                      Gridflow with mode graph, layout channels-last and allocator kept.";
        assert!(told.text.contains(beside), "{}", told.text);
        let compiled = rows.replace("\"graph\", \"channels-last\", \"kept\"", "\"compiled\", \"\", \"system\"");
        let sample = Sample::of(&[("paper-2020", &compiled)]);
        let told = sample.conclude(&sample.versus("", &sides));
        assert_eq!((number(&told.entries[0]), told.entries[0].n), (4.0, 1), "{}", told.text);
        assert!(!told.text.contains("Beside"), "{}", told.text);
        // One framework in two modes is another question.
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("framework:firelight", &["mode:compiled", "mode:eager"]));
        assert_eq!((number(&told.entries[0]), told.entries[0].n), (2.0, 1), "{}", told.text);
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
