//! Rows that no difference keeps from being compared, and that are yet no repetitions of each other: which runs of two sides are
//! set against which.

use std::collections::BTreeMap;

use super::alike_kernels::alike_kernels;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::model::{Aspect, Direction, Field};

/// Values with their hits.
pub(super) type Values = Vec<(f64, usize)>;

/// The runs of two sides with one key, those against each other that may be: frameworks on one library of kernels, devices by one
/// part of their chips, formats by each way in which weights were quantised. Nothing where no two may.
pub(super) fn apart(
    values: &SharedValues,
    varied: &[Field],
    own: (&Values, &HitColumns),
    other: (&Values, &HitColumns),
    direction: Direction,
) -> Vec<(Values, Values)> {
    if varied.contains(&Field::Framework) {
        return vec![alike_kernels(values, (own.0, own.1), (other.0, other.1), direction)];
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
