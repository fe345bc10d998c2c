//! Two measures of the same rows, such as accuracy against latency: both values for each network or device, and which of
//! them no other beats in both.

use std::collections::{BTreeMap, HashMap};

use indexmap::IndexMap;

use crate::ask::conclude::basis::axis_condition::without_metric;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources};
use crate::ask::conclude::basis::fact_wording::capital;
use crate::ask::conclude::basis::measures::measures_named;
use crate::ask::conclude::basis::wording::{Names, name_of, rounded, three, unit};
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Direction, Field, Measure, Metric};
use crate::stores::Stores;
use crate::values::text::{and_list, counted};

/// What has a place of its own: networks, else devices.
const CANDIDATES: &[Field] = &[Field::Network, Field::Device];

/// So many of the front are told in the sentence.
const IN_TEXT: usize = 8;

/// Measures are those of whole networks.
const NO_LAYER: u32 = 0;

/// A network or device with both its values.
#[derive(Debug, Clone, Copy)]
struct Place {
    values: [f64; 2],
    row: u64,
    parts: PartNumbers,
}

/// The places of one frame, by the number of the candidate.
type Frame = BTreeMap<u32, Place>;

/// Sets two metrics against each other; `None` where a question names none or only one.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    let metrics: Vec<Metric> = measures_named(question)
        .into_iter()
        .filter_map(|measure| match measure {
            Measure::Metric(metric) if metric.direction() != Direction::Neutral => Some(metric),
            _ => None,
        })
        .take(2)
        .collect();
    let &[first, second] = metrics.as_slice() else { return Ok(None) };
    let metrics = [first, second];
    let values = SharedValues::read(stores)?;
    let hits = HitColumns::of(stores, &without_metric(question).condition_without(None), &metrics)?;
    let candidates: Vec<(Field, Frame)> =
        CANDIDATES.iter().filter_map(|field| Some((*field, largest_frame(&values, &hits, metrics, *field)?))).collect();
    let most = candidates.into_iter().rev().max_by_key(|(_, frame)| frame.len());
    let named = format!("{} and {}", called(first), called(second));
    let Some((field, frame)) = most.filter(|(_, frame)| frame.len() > 1) else {
        return Ok(Some(apart(&hits, metrics, &named)));
    };
    TradeOff { stores, values: &values, metrics, names: Names::default(), ids: RowIds::default() }
        .conclusion(field, frame)
        .map(Some)
}

fn called(metric: Metric) -> &'static str {
    name_of(Measure::Metric(metric))
}

/// Where no two candidates of one frame state both.
fn apart(hits: &HitColumns, metrics: [Metric; 2], named: &str) -> Conclusion {
    let stating = |metric: Metric| hits.values(metric).iter().filter(|value| value.is_finite()).count();
    let both =
        (0..hits.len()).filter(|hit| metrics.iter().all(|metric| hits.values(*metric)[*hit].is_finite())).count();
    let [first, second] = metrics;
    let text = format!(
        "No two networks or devices state {named} under one frame: of {} {} the {}, {} the {}, {} both.",
        counted(hits.len(), "row", "rows"),
        state(stating(first)),
        called(first),
        stating(second),
        called(second),
        both
    );
    Conclusion { text, entries: Vec::new() }
}

fn state(rows: usize) -> String {
    if rows == 1 { "1 states".to_owned() } else { format!("{rows} state") }
}

/// Whether a value of a metric is better than another.
fn better(metric: Metric, one: f64, other: f64) -> bool {
    if metric.direction() == Direction::Lower { one < other } else { one > other }
}

/// The frame with the most candidates that state both metrics; of several rows of one the one that is best in the second.
fn largest_frame(values: &SharedValues, hits: &HitColumns, metrics: [Metric; 2], field: Field) -> Option<Frame> {
    let keys = ComparisonKeys::new(values, metrics[1], &[field, Field::InputShape]);
    let mut frames: HashMap<ComparisonKey, Frame> = HashMap::new();
    let columns = metrics.map(|metric| hits.values(metric));
    for hit in 0..hits.len() {
        let both = columns.map(|column| column.get(hit).copied().unwrap_or(f64::NAN));
        let parts = hits.parts(hit);
        if both.iter().any(|value| !value.is_finite()) || !values.stands(&parts) {
            continue;
        }
        let candidate = values.number(Aspect::Field(field), &parts);
        let Some(key) = keys.key(values, &parts, NO_LAYER).filter(|_| candidate > 0) else { continue };
        let place = Place { values: both, row: hits.row(hit), parts };
        let known = frames.entry(key).or_default().entry(candidate).or_insert(place);
        if better(metrics[1], both[1], known.values[1]) {
            *known = place;
        }
    }
    let first_row = |frame: &Frame| frame.values().map(|place| place.row).min();
    frames.into_values().max_by_key(|frame| (frame.len(), std::cmp::Reverse(first_row(frame))))
}

struct TradeOff<'t> {
    stores: &'t Stores,
    values: &'t SharedValues,
    metrics: [Metric; 2],
    names: Names,
    ids: RowIds,
}

impl TradeOff<'_> {
    /// The front first, each from the best in the second metric on.
    fn conclusion(&mut self, field: Field, frame: Frame) -> Result<Conclusion, QueryError> {
        let mut places: Vec<Place> = frame.into_values().collect();
        let [first, second] = self.metrics;
        places.sort_by(|a, b| match better(second, a.values[1], b.values[1]) {
            true => std::cmp::Ordering::Less,
            false if better(second, b.values[1], a.values[1]) => std::cmp::Ordering::Greater,
            false => a.row.cmp(&b.row),
        });
        let (front, behind): (Vec<Place>, Vec<Place>) =
            places.iter().partition(|place| !places.iter().any(|other| self.beats(other, place)));
        let parts: Vec<PartNumbers> = places.iter().map(|place| place.parts).collect();
        let under = shared(self.values, &parts, &[field, Field::InputShape]);
        let stated = under.iter().filter(|(_, value)| value.is_some()).map(|(key, value)| (key.clone(), value.clone()));
        let words = self.names.frame(&stated.collect(), self.stores)?;
        let mut told = Vec::new();
        for place in front.iter().take(IN_TEXT) {
            told.push(self.in_words(field, place)?);
        }
        if front.len() > IN_TEXT {
            told.push(format!("{} more", front.len() - IN_TEXT));
        }
        let noun = |count| match field {
            Field::Network => counted(count, "network", "networks"),
            _ => counted(count, "device", "devices"),
        };
        let beaten = match behind.len() {
            0 => " None of them is beaten in both.".to_owned(),
            count => {
                format!(" {} beaten in both.", if count == 1 { "1 is".to_owned() } else { format!("{count} are") })
            }
        };
        let text = format!(
            "{} against {}, {} under one frame ({words}; {}). Nothing beats these in both, by {}: {}.{beaten}",
            capital(called(first)),
            called(second),
            noun(places.len()),
            and_list(&sources(self.values, &parts)),
            called(second),
            and_list(&told),
        );
        let mut entries = Vec::new();
        for place in front.iter().chain(&behind) {
            entries.extend(self.entries(field, place, &under)?);
        }
        Ok(Conclusion { text, entries })
    }

    /// Whether one is better in one metric, and not worse in the other.
    fn beats(&self, one: &Place, other: &Place) -> bool {
        let wins = |at: usize| better(self.metrics[at], one.values[at], other.values[at]);
        let loses = |at: usize| better(self.metrics[at], other.values[at], one.values[at]);
        (wins(0) || wins(1)) && !loses(0) && !loses(1)
    }

    fn unit(&self, at: usize, place: &Place) -> Option<String> {
        unit(Measure::Metric(self.metrics[at]), self.values.text(Aspect::Field(Field::Counts), &place.parts))
    }

    /// `MobileNet v2 (0.718, 12.4 ms)`
    fn in_words(&mut self, field: Field, place: &Place) -> Result<String, QueryError> {
        let aspect = Aspect::Field(field);
        let name = self.names.of(aspect, self.values.text(aspect, &place.parts).unwrap_or_default(), self.stores)?;
        let value = |at: usize| {
            let unit = self.unit(at, place).map_or_else(String::new, |unit| format!(" {unit}"));
            format!("{}{unit}", three(place.values[at]))
        };
        Ok(format!("{name} ({}, {})", value(0), value(1)))
    }

    /// Both values of a place.
    fn entries(
        &mut self,
        field: Field,
        place: &Place,
        under: &IndexMap<String, Option<crate::model::Value>>,
    ) -> Result<Vec<Entry>, QueryError> {
        let subject = self.values.value(field, &place.parts);
        let mut entries = Vec::new();
        for (at, metric) in self.metrics.into_iter().enumerate() {
            entries.push(Entry {
                subjects: subject.iter().map(|value| (field.key().to_owned(), value.clone())).collect(),
                quantity: metric.key().to_owned(),
                value: Some(EntryValue::Number(rounded(place.values[at]))),
                unit: self.unit(at, place),
                n: 1,
                under: under.clone(),
                measurements: self.ids.of(self.stores, &[place.row])?,
                sources: sources(self.values, [&place.parts]),
                ..Entry::default()
            });
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Intent, Quantity};
    use crate::model::Metric;

    #[test]
    fn both_values_are_told_and_what_is_beaten_in_neither_comes_first() {
        let rows = r#"
[[table]]
columns = ["network", "latency-ms", "accuracy"]
rows = [["deepnet-50", 4.0, 0.76], ["deepnet-18", 1.0, 0.70]]
[[run]]
device = "core"
latency-ms = 9.0
accuracy = 0.5
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Relation);
        question.wanted.quantities = vec![Quantity::Metric(Metric::Accuracy), Quantity::Metric(Metric::LatencyMs)];
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(
            lines,
            ["network deepnet-18 0.7", "network deepnet-18 1", "network deepnet-50 0.76", "network deepnet-50 4"],
            "{}",
            conclusion.text
        );
        assert!(conclusion.text.ends_with("None of them is beaten in both."), "{}", conclusion.text);
    }
}
