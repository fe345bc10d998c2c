//! Along an axis of names (precision, layout, mode, version): each value against the usual one, over matched pairs.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::versions::{is_version, under_one_circumstance, versions_in_pairs};
use crate::ask::conclude::basis::axis_condition::{condition_beside, without_metric};
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry};
use crate::ask::conclude::basis::measures::{metrics_of, with_other_speeds};
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::sizes::Sizes;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::conclude::comparison::entries::in_order;
use crate::ask::conclude::comparison::inputs::SideComparison;
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Field, FieldType, Metric, Value};
use crate::rows::by_value;
use crate::stores::Stores;
use crate::values::Precision;
use crate::values::text::counted;

/// So many values are set against the usual one.
const MOST_VALUES: usize = 6;

/// Tells how the values of a field compare.
pub(super) fn conclude(stores: &Stores, question: &Question, field: Field) -> Result<Conclusion, QueryError> {
    let values = SharedValues::read(stores)?;
    let metrics = with_other_speeds(metrics_of(question));
    let (condition, is_about) = condition_beside(&without_metric(question), field);
    let hits = HitColumns::of(stores, &condition, &metrics)?;
    let mut asked = match is_about {
        true => stated(&values, &HitColumns::of(stores, &question.condition_without(None), &[])?, field),
        false => BTreeMap::new(),
    };
    if field.entity_kind().is_some() {
        // What runs on TensorRT is not TensorRT.
        let named: Vec<&String> =
            question.read_as().filter(|read| read.facet == field.key()).flat_map(|read| &read.values).collect();
        asked.retain(|value, _| named.contains(&value));
    }
    let all = stated(&values, &hits, field);
    let sizes = Sizes::of_layers(stores, &values, &[&hits])?;
    // Sizes and versions of what stands around a run have no usual value that the others are set against.
    let usual = match field {
        Field::InputShape | Field::Cuda | Field::Cudnn | Field::Driver => Vec::new(),
        field => opposites(field, &all, &asked),
    };
    let steps = neighbours_in_pairs((&values, &sizes), &hits, &metrics, field, &asked);
    let mut along = AlongValues {
        stores,
        values: &values,
        hits: &hits,
        metrics: &metrics,
        field,
        comparison: SideComparison::new(stores, &values, sizes, vec![field]),
    };
    let mut told = along.of(usual)?;
    if told.is_empty() {
        told = along.of(steps)?;
    }
    // What most pairs support comes first; an execution mode that is named is set against none as well as against others.
    if !is_about || field == Field::Mode {
        told.sort_by_key(|(pairs, ..)| std::cmp::Reverse(*pairs));
    }
    if told.is_empty() {
        return Ok(Conclusion { text: nothing_along(field, &all, hits.len()), entries: Vec::new() });
    }
    const SHOWN: usize = 3;
    let text: Vec<&str> = told.iter().take(SHOWN).map(|(_, sentence, _)| sentence.as_str()).collect();
    let text = text.join(" ");
    Ok(Conclusion { text, entries: in_order(told.into_iter().flat_map(|(.., entries)| entries).collect()) })
}

/// What the values of a field are compared with.
struct AlongValues<'a> {
    stores: &'a Stores,
    values: &'a SharedValues,
    hits: &'a HitColumns,
    metrics: &'a [Metric],
    field: Field,
    comparison: SideComparison<'a>,
}

impl AlongValues<'_> {
    /// The number of pairs, a sentence and the entries of each two values of which rows match.
    fn of(&mut self, opposites: Vec<(AxisValue, AxisValue)>) -> Result<Vec<(usize, String, Vec<Entry>)>, QueryError> {
        let (field, values) = (self.field, self.values);
        let mut names = Names::default();
        let mut told = Vec::new();
        for (mut subject, mut baseline) in opposites {
            subject.call(field, self.stores, &mut names)?;
            baseline.call(field, self.stores, &mut names)?;
            let own = rows_of(values, self.hits, field, &subject, None);
            let sources: BTreeSet<u32> =
                (0..own.len()).map(|hit| values.number(Aspect::Source, &own.parts(hit))).collect();
            let other = rows_of(values, self.hits, field, &baseline, Some(&sources));
            // What is not stated may be anything; within one source it is what the source does by habit.
            let one_source = subject.values.is_empty() || baseline.with_unstated;
            let mut pairs = self.comparison.pairs(&own, &other, self.metrics, one_source);
            pairs.retain(|pair| under_one_circumstance(values, field, &pair.subject.parts, &pair.baseline.parts));
            if pairs.is_empty() {
                continue;
            }
            let supported = pairs.len();
            let (sentence, new) = self.comparison.of_pairs(&subject.side(field), &baseline.side(field), pairs)?;
            told.push((supported, sentence, new));
        }
        Ok(told)
    }
}

/// The neighbouring values of which some rows are alike in everything else, the greater against the smaller.
fn neighbours_in_pairs(
    stated: (&SharedValues, &Sizes),
    hits: &HitColumns,
    metrics: &[Metric],
    field: Field,
    asked: &BTreeMap<String, usize>,
) -> Vec<(AxisValue, AxisValue)> {
    let pairs = versions_in_pairs(stated, hits, metrics, field);
    let wanted =
        |(newer, older): &(String, String)| asked.is_empty() || asked.contains_key(newer) || asked.contains_key(older);
    let sides = |(newer, older): (String, String)| (AxisValue::of(&newer), AxisValue::of(&older));
    pairs.into_iter().filter(wanted).take(MOST_VALUES).map(sides).collect()
}

/// Says that no rows differ in a field alone, and what they state of it.
fn nothing_along(field: Field, all: &BTreeMap<String, usize>, rows: usize) -> String {
    let known: Vec<String> =
        by_rows(all).into_iter().map(|(value, rows)| format!("{value} ({rows})")).take(MOST_VALUES).collect();
    let known = if known.is_empty() { "none states it".to_owned() } else { known.join(", ") };
    format!(
        "No two rows differ in the {} alone ({}: {known}), so what it changes is not known.",
        called(field),
        counted(rows, "row", "rows")
    )
}

/// What an axis is called in a sentence.
fn called(field: Field) -> String {
    match field {
        Field::Cuda => "CUDA version".to_owned(),
        Field::Cudnn => "cuDNN version".to_owned(),
        Field::Driver => "driver version".to_owned(),
        field => field.key().replace('-', " "),
    }
}

/// Values with their rows, the most frequent first.
fn by_rows(values: &BTreeMap<String, usize>) -> Vec<(&String, &usize)> {
    let mut sorted: Vec<(&String, &usize)> = values.iter().collect();
    sorted.sort_by_key(|(_, rows)| std::cmp::Reverse(**rows));
    sorted
}

/// The rows of a place on the axis; where it is that of rows which state nothing, those of some sources alone.
fn rows_of(
    values: &SharedValues,
    hits: &HitColumns,
    field: Field,
    side: &AxisValue,
    sources: Option<&BTreeSet<u32>>,
) -> HitColumns {
    let (Some(part), Some(column)) = (field.part(), values.column(Aspect::Field(field))) else {
        return HitColumns::default();
    };
    let takes_unstated = side.values.is_empty() || side.with_unstated;
    let is_of_side = |text: Option<&str>| match text {
        Some(value) => side.values.iter().any(|name| name == value),
        None => takes_unstated,
    };
    let of_side: Vec<bool> = column.shares().map(is_of_side).collect();
    let is_wanted = |parts: &PartNumbers| {
        let here = of_side.get(parts[part as usize] as usize).copied().unwrap_or_default();
        let of_sources = |sources: &BTreeSet<u32>| sources.contains(&values.number(Aspect::Source, parts));
        here && (!takes_unstated || sources.is_none_or(of_sources))
    };
    hits.filtered(is_wanted)
}

/// A place on the axis: some values that count as one, or none of them stated.
#[derive(Debug, Clone, PartialEq)]
struct AxisValue {
    name: String,
    values: Vec<String>,
    /// Whether rows that state nothing count as well, beside those of the values.
    with_unstated: bool,
}

impl AxisValue {
    fn of(value: &str) -> Self {
        Self { name: value.to_owned(), values: vec![value.to_owned()], with_unstated: false }
    }

    /// A number format with the mixed recipe that computes in it.
    fn of_format(precision: Precision) -> Self {
        let also = precision.also_meant().map(|other| other.to_string());
        let values = [precision.to_string()].into_iter().chain(also).collect();
        Self { name: precision.to_string(), values, with_unstated: false }
    }

    fn unstated(field: Field) -> Self {
        let name = format!("rows of the same source that state no {}", field.heading());
        Self { name, values: Vec::new(), with_unstated: true }
    }

    /// What is without a feature: rows that say so, and those of the same source that say nothing of it; `None` where none say so.
    fn without(feature: &str, all: &BTreeMap<String, usize>) -> Option<Self> {
        let feature = feature.to_lowercase();
        let is_without = |value: &&String| {
            let value = value.to_lowercase();
            ["without ", "no "].iter().any(|lead| value.strip_prefix(lead) == Some(feature.as_str()))
        };
        let values: Vec<String> = all.keys().filter(is_without).cloned().collect();
        let name = format!("rows of the same source {}", values.first()?);
        Some(Self { name, values, with_unstated: true })
    }

    /// Calls an entity by its name, and what has a version by both.
    fn call(&mut self, field: Field, stores: &Stores, names: &mut Names) -> Result<(), QueryError> {
        if let ([value], true) = (self.values.as_slice(), field.entity_kind().is_some()) {
            self.name = names.of(Aspect::Field(field), value, stores)?;
        }
        if is_version(field) && field != Field::FrameworkVersion && !self.values.is_empty() {
            self.name = format!("{} {}", called(field).trim_end_matches(" version"), self.name);
        }
        Ok(())
    }

    fn side(&self, field: Field) -> Side {
        let value = Value::Text(self.values.first().map_or("", |value| value).into());
        let subjects = match self.values.is_empty() {
            true => IndexMap::new(),
            false => IndexMap::from([(field.key().to_owned(), value)]),
        };
        let name = match field.kind() {
            FieldType::Count if !self.values.is_empty() => format!("{} {}", self.name, field.heading()),
            _ => self.name.clone(),
        };
        Side { name, subjects, varied: vec![field], is_of_several: false, is_family: false }
    }
}

/// The values that some rows state, with the number of rows.
fn stated(values: &SharedValues, hits: &HitColumns, field: Field) -> BTreeMap<String, usize> {
    let (Some(part), Some(column)) = (field.part(), values.column(Aspect::Field(field))) else {
        return BTreeMap::new();
    };
    let mut rows = vec![0; column.len()];
    for hit in 0..hits.len() {
        if let Some(rows) = rows.get_mut(hits.parts(hit)[part as usize] as usize) {
            *rows += 1;
        }
    }
    column.counts(&rows).map(|(value, rows)| (value.to_owned(), rows)).collect()
}

/// Which values are set against which: those asked for, else all, against the usual one.
fn opposites(
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
