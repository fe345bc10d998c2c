//! Two measures of the same rows, such as accuracy against latency, or a measure and a number of the catalog, such as throughput
//! against power: both values for each network or device, and which of them no other beats in both.

use indexmap::IndexMap;

use super::trade_axes::{Axis, TradedQuantity, axes, column, metric_of};
use super::trade_field::{CandidateField, Place, varied, widest};
use crate::ask::conclude::basis::axis_condition::without_metric;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources};
use crate::ask::conclude::basis::fact_wording::unit_of;
use crate::ask::conclude::basis::statement::statement;
use crate::ask::conclude::basis::wording::{Names, rounded, three, unit};
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Fact, Field, Measure, Metric};
use crate::stores::Stores;
use crate::values::text::{and_list, capital, counted};

/// What has a place of its own: networks, else devices.
const CANDIDATES: &[Field] = &[Field::Network, Field::Device];

/// So many of the front are told in the sentence.
const IN_TEXT: usize = 8;

/// Sets two metrics, or a metric and a fact, against each other; `None` where a question names none or only one.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    let Some(axes) = axes(question) else { return Ok(None) };
    let metrics: Vec<Metric> = axes.iter().filter_map(|axis| metric_of(*axis)).collect();
    let values = SharedValues::read(stores)?;
    let hits = HitColumns::of(stores, &without_metric(question).condition_without(None), &metrics)?;
    let columns = [column(stores, &hits, axes[0])?, column(stores, &hits, axes[1])?];
    // What a fact is stated of, else what is asked for, has a place of its own.
    let of_fact = |axis: &Axis| match axis.measured {
        TradedQuantity::Fact(fact) => {
            CANDIDATES.iter().copied().find(|field| fact.naming_fields().any(|of| of == *field))
        }
        TradedQuantity::Metric(_) => None,
    };
    let asked = question
        .wanted
        .candidates
        .and_then(|aspect| CANDIDATES.iter().copied().find(|field| aspect == Aspect::Field(*field)));
    let only = axes.iter().find_map(of_fact).or(asked.filter(|_| !question.wanted.orders.is_empty()));
    let fields = CANDIDATES.iter().filter(|field| only.is_none_or(|only| only == **field));
    let candidates: Vec<(Field, CandidateField)> =
        fields.filter_map(|field| Some((*field, widest(&values, &hits, axes, &columns, *field)?))).collect();
    let most = candidates.into_iter().rev().max_by_key(|(_, widest)| widest.frame.len());
    let Some((field, widest)) = most.filter(|(_, widest)| widest.frame.len() > 1) else {
        return Ok(Some(apart(&columns, axes)));
    };
    TradeOff { stores, values: &values, axes, names: Names::default(), ids: RowIds::default() }
        .conclusion(field, widest)
        .map(Some)
}

/// Where no two candidates of one frame state both.
fn apart(columns: &[Vec<f64>; 2], axes: [Axis; 2]) -> Conclusion {
    let [first, second] = axes.map(|axis| axis.measured.called());
    let stating = |at: usize| columns[at].iter().filter(|value| value.is_finite()).count();
    let both = columns[0].iter().zip(&columns[1]).filter(|(a, b)| a.is_finite() && b.is_finite()).count();
    let text = format!(
        "No two networks or devices state {first} and {second} under one frame: of {} {} the {first}, {} the {second}, {both} both.",
        counted(columns[0].len(), "row", "rows"),
        state(stating(0)),
        stating(1),
    );
    Conclusion { text, entries: Vec::new() }
}

fn state(rows: usize) -> String {
    if rows == 1 { "1 states".to_owned() } else { format!("{rows} state") }
}

struct TradeOff<'t> {
    stores: &'t Stores,
    values: &'t SharedValues,
    axes: [Axis; 2],
    names: Names,
    ids: RowIds,
}

impl TradeOff<'_> {
    /// The front first, each from the best in the second on.
    fn conclusion(&mut self, field: Field, widest: CandidateField) -> Result<Conclusion, QueryError> {
        let CandidateField { frame, own_settings, others } = widest;
        let mut places: Vec<Place> = frame.into_values().collect();
        let [first, second] = self.axes;
        places.sort_by(|a, b| match second.better(a.values[1], b.values[1]) {
            true => std::cmp::Ordering::Less,
            false if second.better(b.values[1], a.values[1]) => std::cmp::Ordering::Greater,
            false => a.row.cmp(&b.row),
        });
        let (front, behind): (Vec<Place>, Vec<Place>) =
            places.iter().partition(|place| !places.iter().any(|other| self.beats(other, place)));
        let parts: Vec<PartNumbers> = places.iter().map(|place| place.parts).collect();
        let under = shared(self.values, &parts, varied(field));
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
        let under_what = if own_settings { "each in its own setting" } else { "under one frame" };
        let others = match others {
            0 => String::new(),
            1 => " 1 other frame has several.".to_owned(),
            others => format!(" {others} other frames have several."),
        };
        let text = format!(
            "{} against {}, {} {under_what} ({words}; {}). Nothing beats these in both, by {}: {}.{beaten}{others}",
            capital(&first.measured.called()),
            second.measured.called(),
            noun(places.len()),
            and_list(&sources(self.values, &parts)),
            second.measured.called(),
            and_list(&told),
        );
        let mut entries = Vec::new();
        for place in front.iter().chain(&behind) {
            entries.extend(self.entries(field, place, &under)?);
        }
        Ok(Conclusion { text, entries })
    }

    /// Whether one is better in one of the two, and not worse in the other.
    fn beats(&self, one: &Place, other: &Place) -> bool {
        let wins = |at: usize| self.axes[at].better(one.values[at], other.values[at]);
        let loses = |at: usize| self.axes[at].better(other.values[at], one.values[at]);
        (wins(0) || wins(1)) && !loses(0) && !loses(1)
    }

    fn unit(&self, at: usize, place: &Place) -> Option<String> {
        match self.axes[at].measured {
            TradedQuantity::Metric(metric) => {
                unit(Measure::Metric(metric), self.values.text(Aspect::Field(Field::Counts), &place.parts))
            }
            TradedQuantity::Fact(fact) => unit_of(fact),
        }
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
        for (at, axis) in self.axes.into_iter().enumerate() {
            let value = place.values[at];
            let (quantity, value, under, rows, of) = match axis.measured {
                TradedQuantity::Metric(metric) => {
                    (metric.key(), rounded(value), under.clone(), vec![place.row], sources(self.values, [&place.parts]))
                }
                TradedQuantity::Fact(fact) => {
                    (fact.file_key(), value, IndexMap::new(), Vec::new(), self.citing(field, place, fact)?)
                }
            };
            entries.push(Entry {
                subjects: subject.iter().map(|value| (field.key().to_owned(), value.clone())).collect(),
                quantity: quantity.to_owned(),
                value: Some(EntryValue::Number(value)),
                unit: self.unit(at, place),
                n: 1,
                under,
                measurements: self.ids.of(self.stores, &rows)?,
                sources: of,
                ..Entry::default()
            });
        }
        Ok(entries)
    }

    /// Who states a fact of what has a place.
    fn citing(&self, field: Field, place: &Place, fact: Fact) -> Result<Vec<String>, QueryError> {
        let id = self.values.text(Aspect::Field(field), &place.parts).unwrap_or_default();
        let Some(kind) = field.entity_kind() else { return Ok(Vec::new()) };
        Ok(statement(self.stores, kind, id, fact)?.map_or_else(Vec::new, |stated| stated.sources()))
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Intent, Order, Quantity, Superlative};
    use crate::model::{Fact, Metric};

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

    #[test]
    fn what_is_measured_is_set_against_what_the_catalog_states() {
        let rows =
            "\n[[table]]\ncolumns = [\"device\", \"throughput-per-s\"]\nrows = [[\"nova\", 200], [\"core\", 100]]\n";
        let sample = Sample::of(&[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Relation);
        let order = |superlative, quantity| Order { superlative, quantity };
        question.wanted.orders = vec![
            order(Superlative::Most, Quantity::Metric(Metric::ThroughputPerS)),
            order(Superlative::Least, Quantity::Fact(Fact::Tdp)),
        ];
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device core 100", "device core 150", "device nova 200", "device nova 250"]);
        assert!(conclusion.text.contains("Nova (200 images/s, 250 W)"), "{}", conclusion.text);
    }
}
