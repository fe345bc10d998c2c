//! Which values of an axis are set against which: those that are asked for, else all, against the usual one.

use std::collections::BTreeMap;

use super::axis_value::AxisValue;
use super::versions::is_version;
use crate::model::{Aspect, Field, FieldType};
use crate::rows::by_value;
use crate::values::Precision;

/// So many values are set against the usual one.
pub(super) const MOST_VALUES: usize = 6;

/// Which values are set against which: those asked for, else all, against the usual one.
pub(super) fn opposites(
    field: Field,
    all: &BTreeMap<String, usize>,
    asked: &BTreeMap<String, usize>,
) -> Vec<(AxisValue, AxisValue)> {
    if field == Field::Precision {
        return of_precision(all, asked);
    }
    // What is named is set against what is without it.
    if let [(named, _)] = asked.iter().collect::<Vec<_>>().as_slice()
        && let Some(without) = AxisValue::without(named, all)
    {
        return vec![(AxisValue::of(named), without)];
    }
    let mut values: Vec<&String> = all.keys().collect();
    values.sort_by(|a, b| by_value(Aspect::Field(field), Some(a), Some(b)));
    let aspect_is_version = field.kind() == FieldType::Count || is_version(field) || field.heading() == "version";
    let subjects = |baseline: Option<&String>| -> Vec<AxisValue> {
        let wanted = |value: &&&String| asked.is_empty() || asked.len() == all.len() || asked.contains_key(**value);
        let others = values.iter().filter(wanted).filter(|value| Some(**value) != baseline);
        others.take(MOST_VALUES).map(|value| AxisValue::of(value)).collect()
    };
    match (aspect_is_version, values.first(), values.len()) {
        // The oldest, or the smallest number, is what the others are set against.
        (true, Some(oldest), 2..) => {
            subjects(Some(oldest)).into_iter().map(|subject| (subject, AxisValue::of(oldest))).collect()
        }
        (false, _, 2..) => {
            let most = all
                .iter()
                .filter(|(value, _)| asked.is_empty() || !asked.contains_key(*value) || asked.len() == all.len());
            let Some((usual, _)) = most.max_by_key(|(_, rows)| **rows) else { return Vec::new() };
            let usual_against_unstated = AxisValue::unstated(field);
            let against_usual = subjects(Some(usual)).into_iter().map(|subject| (subject, AxisValue::of(usual)));
            if field.entity_kind().is_some() {
                return against_usual.collect();
            }
            let against_none = subjects(None).into_iter().map(|subject| (subject, usual_against_unstated.clone()));
            against_usual.chain(against_none).collect()
        }
        _ => subjects(None).into_iter().map(|subject| (subject, AxisValue::unstated(field))).collect(),
    }
}

/// Short formats against fp32, and integers against fp16, too.
fn of_precision(all: &BTreeMap<String, usize>, asked: &BTreeMap<String, usize>) -> Vec<(AxisValue, AxisValue)> {
    use Precision::{Bf16, Fp8, Fp16, Fp32, Fp64, Int4, Int8, Tf32};
    let is_there = |precision: Precision, among: &BTreeMap<String, usize>| {
        AxisValue::of_format(precision).values.iter().any(|value| among.contains_key(value))
    };
    let wanted = |precision: Precision| {
        let only_full = asked.len() == 1 && asked.contains_key("fp32");
        is_there(precision, all) && (asked.is_empty() || only_full || is_there(precision, asked))
    };
    let against = [
        (Fp16, Fp32),
        (Bf16, Fp32),
        (Tf32, Fp32),
        (Int8, Fp32),
        (Int8, Fp16),
        (Fp8, Fp16),
        (Int4, Fp16),
        (Fp64, Fp32),
        (Fp8, Fp32),
    ];
    let pairs = against.into_iter().filter(|(own, other)| wanted(*own) && is_there(*other, all));
    pairs.map(|(own, other)| (AxisValue::of_format(own), AxisValue::of_format(other))).collect()
}

/// The sizes that are named, each against the next larger one and the smallest against the largest.
pub(super) fn places_asked(field: Field, asked: &BTreeMap<String, usize>) -> Vec<(AxisValue, AxisValue)> {
    let mut places: Vec<&str> = asked.keys().map(String::as_str).collect();
    places.sort_by(|one, other| by_value(Aspect::Field(field), Some(one), Some(other)));
    let mut pairs: Vec<(&str, &str)> = places.windows(2).map(|pair| (pair[0], pair[1])).collect();
    pairs.extend((places.len() > 2).then(|| (places[0], places[places.len() - 1])));
    pairs.into_iter().map(|(small, large)| (AxisValue::of(small), AxisValue::of(large))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(values: &[(&str, usize)]) -> BTreeMap<String, usize> {
        values.iter().map(|(value, rows)| ((*value).to_owned(), *rows)).collect()
    }

    fn told(pairs: &[(AxisValue, AxisValue)]) -> Vec<String> {
        pairs.iter().map(|(own, other)| format!("{} / {}", own.name, other.name)).collect()
    }

    #[test]
    fn short_formats_stand_against_full_ones() {
        let all = counts(&[("fp32", 9), ("amp-fp16", 3), ("int8", 1)]);
        assert_eq!(
            told(&opposites(Field::Precision, &all, &counts(&[]))),
            ["fp16 / fp32", "int8 / fp32", "int8 / fp16"]
        );
        let asked = counts(&[("int8", 1)]);
        assert_eq!(told(&opposites(Field::Precision, &all, &asked)), ["int8 / fp32", "int8 / fp16"]);
    }

    #[test]
    fn sizes_that_are_asked_for_stand_against_the_next_and_the_last() {
        let asked = counts(&[("128", 1), ("1024", 1), ("384", 1)]);
        let pairs = places_asked(Field::SequenceLength, &asked);
        assert_eq!(told(&pairs), ["128 / 384", "384 / 1024", "128 / 1024"]);
    }

    #[test]
    fn versions_stand_against_the_oldest_and_a_single_mode_against_none() {
        let versions = counts(&[("1.10", 1), ("1.9", 1), ("2.0", 4)]);
        assert_eq!(told(&opposites(Field::FrameworkVersion, &versions, &counts(&[]))), ["1.10 / 1.9", "2.0 / 1.9"]);
        let modes = counts(&[("compiled", 4)]);
        assert_eq!(
            told(&opposites(Field::Mode, &modes, &counts(&[]))),
            ["compiled / rows of the same source that state no mode"]
        );
    }
}
