//! A metric against a number of the catalog, such as latency against parameters: both values of each network or device under
//! one frame, and whether they grow together.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::ask::conclude::basis::axis_condition::without_metric;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources, stated_alone};
use crate::ask::conclude::basis::fact_wording::{fact_name, number_text, unit_of};
use crate::ask::conclude::basis::matched_pairs::{Run, Runs};
use crate::ask::conclude::basis::measures::measures_named;
use crate::ask::conclude::basis::wording::{Names, name_of, percent_of, rounded, three, unit};
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, NumberMap, PartNumbers, SharedValues};
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::{Aspect, Direction, Fact, FactType, Field, Measure, Metric, Value};
use crate::stores::Stores;
use crate::values::text::{and_list, capital, counted};

/// Fewer networks or devices than this show nothing.
const LEAST: usize = 4;

/// So many have entries.
const MOST_ENTRIES: usize = 40;

/// Of whole networks.
const NO_LAYER: u32 = 0;

/// A network or device with both its values.
struct Place {
    fact: f64,
    run: Run,
}

/// Sets a metric against a fact; `None` where a question does not ask for one of each, or where too few rows show anything.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    let Some((metric, fact, field)) = asked(question) else { return Ok(None) };
    let values = SharedValues::read(stores)?;
    let hits = HitColumns::of(stores, &without_metric(question).condition_without(None), &[metric])?;
    let Some(frame) = largest_frame(stores, &values, &hits, metric, fact, field)? else { return Ok(None) };
    let mut against =
        AgainstFact { stores, values: &values, metric, fact, field, names: Names::default(), ids: RowIds::default() };
    against.conclusion(frame).map(Some)
}

/// The metric, the number of the catalog, and what it is a number of.
fn asked(question: &Question) -> Option<(Metric, Fact, Field)> {
    let metric = measures_named(question).into_iter().find_map(|measure| match measure {
        Measure::Metric(metric) if metric.direction() != Direction::Neutral => Some(metric),
        _ => None,
    })?;
    let fact = question.wanted.quantities.iter().find_map(|quantity| match quantity {
        Quantity::Fact(fact) if matches!(fact.value_type(), FactType::Number(_)) => Some(*fact),
        _ => None,
    })?;
    let field =
        [Field::Network, Field::Device].into_iter().find(|field| fact.naming_fields().any(|of| of == *field))?;
    Some((metric, fact, field))
}

/// What varies between the networks or devices of one frame: a network comes with the input that it was made for.
fn varied(field: Field) -> &'static [Field] {
    match field {
        Field::Network => &[Field::Network, Field::InputShape, Field::SequenceLength],
        _ => &[Field::Device],
    }
}

/// The frame with the most networks or devices of which both are known, by the fact.
fn largest_frame(
    stores: &Stores,
    values: &SharedValues,
    hits: &HitColumns,
    metric: Metric,
    fact: Fact,
    field: Field,
) -> Result<Option<Vec<Place>>, QueryError> {
    let column = stores.database.aspect(Aspect::Fact(fact))?;
    let Some(part) = Aspect::Fact(fact).part() else { return Ok(None) };
    let known: Vec<Option<f64>> = column.shares().map(|text| text?.parse().ok()).collect();
    let keys = ComparisonKeys::new(values, metric, varied(field));
    let mut frames: NumberMap<ComparisonKey, BTreeMap<u32, (f64, Runs)>> = NumberMap::default();
    for (hit, &value) in hits.values(metric).iter().enumerate().filter(|(_, value)| **value > 0.0) {
        let parts = hits.parts(hit);
        let Some(number) = known.get(parts[part as usize] as usize).copied().flatten() else { continue };
        let candidate = values.number(Aspect::Field(field), &parts);
        let counts = values.stands(&parts) && !values.is_extreme(&parts) && candidate > 0;
        if let Some(key) = counts.then(|| keys.key(values, &parts, NO_LAYER)).flatten() {
            let runs = frames.entry(key).or_default().entry(candidate).or_insert_with(|| (number, Runs::default()));
            runs.1.push(value, hit);
        }
    }
    let places = |candidates: BTreeMap<u32, (f64, Runs)>| -> Vec<Place> {
        let places = candidates.into_values();
        places.filter_map(|(fact, mut runs)| Some(Place { fact, run: runs.middle(hits)? })).collect()
    };
    let first_row = |places: &[Place]| places.iter().map(|place| place.run.row).min();
    let frames = frames.into_values().map(places).filter(|places| places.len() >= LEAST);
    let largest = frames.max_by_key(|places| (places.len(), Reverse(first_row(places))));
    Ok(largest.map(|mut places| {
        places.sort_by(|a, b| a.fact.total_cmp(&b.fact).then(a.run.value.total_cmp(&b.run.value)));
        places
    }))
}

struct AgainstFact<'a> {
    stores: &'a Stores,
    values: &'a SharedValues,
    metric: Metric,
    fact: Fact,
    field: Field,
    names: Names,
    ids: RowIds,
}

impl AgainstFact<'_> {
    /// `Latency against parameters, 22 networks under one frame (…): the larger of two in parameters has the higher latency in
    /// 173 of 231 pairs (75 %).`
    fn conclusion(&mut self, places: Vec<Place>) -> Result<Conclusion, QueryError> {
        let parts: Vec<PartNumbers> = places.iter().map(|place| place.run.parts).collect();
        let under = shared(self.values, &parts, varied(self.field));
        let frame = self.names.frame(&stated_alone(&under), self.stores)?;
        let from = and_list(&sources(self.values, &parts));
        let frame = if frame.is_empty() { from } else { format!("{frame}; {from}") };
        let noun = match self.field {
            Field::Network => counted(places.len(), "network", "networks"),
            _ => counted(places.len(), "device", "devices"),
        };
        let (metric, fact) = (name_of(Measure::Metric(self.metric)), fact_name(self.fact));
        let (grow, of) = grow_together(&places);
        let share = if of == 0 { String::new() } else { format!(" ({})", percent_of(grow as f64 / of as f64)) };
        let mut told = Vec::new();
        for place in [places.first(), places.last()].into_iter().flatten() {
            told.push(self.in_words(place)?);
        }
        let text = format!(
            "{} against {fact}, {noun} under one frame ({frame}): the larger of two in {fact} has the higher {metric} in {grow} \
             of {of} pairs{share}. From {}.",
            capital(metric),
            told.join(" to "),
        );
        let mut entries = Vec::new();
        for place in places.iter().take(MOST_ENTRIES) {
            entries.extend(self.entries(place, &under)?);
        }
        Ok(Conclusion { text, entries })
    }

    fn unit(&self, place: &Place) -> Option<String> {
        unit(Measure::Metric(self.metric), self.values.text(Aspect::Field(Field::Counts), &place.run.parts))
    }

    /// `MobileNet v2 (3.5 M, 12.4 ms)`
    fn in_words(&mut self, place: &Place) -> Result<String, QueryError> {
        let aspect = Aspect::Field(self.field);
        let id = self.values.text(aspect, &place.run.parts).unwrap_or_default();
        let name = self.names.of(aspect, id, self.stores)?;
        let with = |unit: Option<String>| unit.map_or_else(String::new, |unit| format!(" {unit}"));
        let (fact, value) = (number_text(place.fact), three(place.run.value));
        Ok(format!("{name} ({fact}{}, {value}{})", with(unit_of(self.fact)), with(self.unit(place))))
    }

    /// Both values of a place.
    fn entries(&mut self, place: &Place, under: &IndexMap<String, Option<Value>>) -> Result<[Entry; 2], QueryError> {
        let subject = self.values.value(self.field, &place.run.parts);
        let subjects: IndexMap<String, Value> =
            subject.into_iter().map(|value| (self.field.key().to_owned(), value)).collect();
        let of_fact = Entry {
            subjects: subjects.clone(),
            quantity: self.fact.file_key().to_owned(),
            value: Some(EntryValue::Number(place.fact)),
            unit: unit_of(self.fact),
            n: 1,
            under: under.clone(),
            ..Entry::default()
        };
        let measured = Entry {
            subjects,
            quantity: self.metric.key().to_owned(),
            value: Some(EntryValue::Number(rounded(place.run.value))),
            unit: self.unit(place),
            n: 1,
            under: under.clone(),
            measurements: self.ids.of(self.stores, &[place.run.row])?,
            sources: sources(self.values, [&place.run.parts]),
            ..Entry::default()
        };
        Ok([of_fact, measured])
    }
}

/// In how many pairs of places that differ in both the larger fact comes with the larger value, and of how many.
fn grow_together(places: &[Place]) -> (usize, usize) {
    let (mut grow, mut of) = (0, 0);
    for (at, place) in places.iter().enumerate() {
        for other in &places[at + 1..] {
            let differ = place.fact != other.fact && place.run.value != other.run.value;
            of += usize::from(differ);
            grow += usize::from(differ && (place.fact < other.fact) == (place.run.value < other.run.value));
        }
    }
    (grow, of)
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Intent, Quantity};
    use crate::model::{Fact, Metric};

    #[test]
    fn a_metric_stands_against_a_number_of_the_devices_that_did_the_same() {
        let rows = r#"
[[table]]
columns = ["device", "throughput-per-s"]
rows = [["core", 100], ["nova", 300], ["pixel", 50], ["grand", 200]]
"#;
        let more = [("Pixel", "memory-gib = 4\n"), ("Grand", "memory-gib = 32\n")];
        let sample = Sample::with_devices(&more, &[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Relation);
        question.wanted.quantities = vec![Quantity::Metric(Metric::ThroughputPerS), Quantity::Fact(Fact::Memory)];
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(
            lines,
            [
                "device pixel 4",
                "device pixel 50",
                "device core 8",
                "device core 100",
                "device nova 16",
                "device nova 300",
                "device grand 32",
                "device grand 200"
            ],
            "{}",
            conclusion.text
        );
        let told = "the larger of two in memory has the higher throughput in 5 of 6 pairs (83.3 %)";
        assert!(conclusion.text.contains(told), "{}", conclusion.text);
        assert!(conclusion.text.contains("From Pixel (4 GiB, 50 images/s) to Grand (32 GiB, 200 images/s)."));
    }
}
