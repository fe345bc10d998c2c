//! Along an axis of names (precision, layout, mode, version): each value against the usual one, over matched pairs.

use std::collections::{BTreeMap, BTreeSet};

use super::axis_value::{AxisValue, called, rows_of};
use super::opposites::{MOST_VALUES, opposites, places_asked};
use super::versions::{under_one_circumstance, versions_in_pairs};
use crate::ask::conclude::basis::axis_condition::{condition_beside, without_metric};
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry};
use crate::ask::conclude::basis::measures::{metrics_of, with_other_speeds};
use crate::ask::conclude::basis::sizes::Sizes;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::conclude::comparison::entries::in_order;
use crate::ask::conclude::comparison::inputs::SideComparison;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Field, Metric};
use crate::stores::Stores;
use crate::values::text::{and_list, counted};

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
        Field::InputShape | Field::SequenceLength if asked.len() > 1 => places_asked(field, &asked),
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
        told.sort_by_key(|one| std::cmp::Reverse(one.pairs));
    }
    if told.is_empty() {
        return Ok(Conclusion { text: nothing_along(field, &all, hits.len()), entries: Vec::new() });
    }
    const SHOWN: usize = 3;
    let text: Vec<&str> = told.iter().take(SHOWN).map(|one| one.text.as_str()).collect();
    let mut text = text.join(" ");
    if matches!(field, Field::InputShape | Field::SequenceLength) {
        let is_told = |value: &&String| told.iter().any(|one| one.values.contains(*value));
        let alone: Vec<&str> = asked.keys().filter(|value| !is_told(value)).map(String::as_str).collect();
        if !alone.is_empty() {
            text.push_str(&format!(" No row of {} could be paired.", and_list(&alone)));
        }
    }
    Ok(Conclusion { text, entries: in_order(told.into_iter().flat_map(|one| one.entries).collect()) })
}

/// Two values of which rows match.
struct ToldPair {
    /// How many pairs of rows there are.
    pairs: usize,
    /// The values as rows state them.
    values: Vec<String>,
    /// What is said of them.
    text: String,
    entries: Vec<Entry>,
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
    /// What is told of each two values of which rows match.
    fn of(&mut self, opposites: Vec<(AxisValue, AxisValue)>) -> Result<Vec<ToldPair>, QueryError> {
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
            let (text, entries) = self.comparison.of_pairs(&subject.side(field), &baseline.side(field), pairs)?;
            let values = [subject.values, baseline.values].concat();
            told.push(ToldPair { pairs: supported, values, text, entries });
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

/// Values with their rows, the most frequent first.
fn by_rows(values: &BTreeMap<String, usize>) -> Vec<(&String, &usize)> {
    let mut sorted: Vec<(&String, &usize)> = values.iter().collect();
    sorted.sort_by_key(|(_, rows)| std::cmp::Reverse(**rows));
    sorted
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
