//! The numbers found, summed up: an entry for each group of rows.

use super::left_by_exclusion::left;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::derived_values::derived_hits;
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources};
use crate::ask::conclude::basis::matched_pairs::quantile;
use crate::ask::conclude::basis::measures::{measures_named, metrics_of};
use crate::ask::conclude::basis::named_alternatives::NamedAlternatives;
use crate::ask::conclude::basis::row_groups::{GroupRows, RowGroups};
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::wording::{Names, name_of, rounded, three, unit};
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{QueryError, Question, TimeUnit};
use crate::model::{Aspect, Derived, Facet, Field, Measure, Metric, Value};
use crate::stores::Stores;
use crate::values::text::{counted, or_list};

/// What rows may state besides a speed.
const OTHERS: &[Metric] = &[
    Metric::Accuracy,
    Metric::ErrorRate,
    Metric::ItemsPerJoule,
    Metric::PowerW,
    Metric::EnergyJ,
    Metric::CostUsd,
    Metric::Speedup,
    Metric::EfficiencyRatio,
    Metric::MemoryMib,
];

/// What tells groups of rows from each other, as long as there are not too many.
const TELLING: &[Field] = &[
    Field::Device,
    Field::Precision,
    Field::Framework,
    Field::DeviceCount,
    Field::Scenario,
    Field::BatchSize,
    Field::FrameworkVersion,
    Field::Mode,
    Field::Partition,
    Field::Setting,
    Field::Layout,
];

/// More groups than this are not told one by one.
const MOST_GROUPS: usize = 12;

/// So many rows are named behind an entry.
const NAMED_ROWS: usize = 3;

/// Sums up the numbers found.
pub fn conclude(stores: &Stores, question: &Question, found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    let mut numbers = numbers(stores, question)?;
    if let Some(left) = left(stores, question, found)?.filter(|_| !numbers.entries.is_empty()) {
        numbers.text = format!("{left} {}", numbers.text);
    }
    Ok(numbers)
}

/// The numbers alone.
fn numbers(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let mut metrics = metrics_of(question);
    let derived = measures_named(question).into_iter().find_map(|measure| match measure {
        Measure::Derived(derived) => Some(derived),
        Measure::Metric(_) => None,
    });
    let named = metrics.len() == question.wanted.quantities.len();
    if !named {
        metrics.extend(OTHERS);
    }
    let values = SharedValues::read(stores)?;
    let condition = question.condition_without(None);
    let hits = match derived {
        None => HitColumns::of(stores, &condition, &metrics)?,
        Some(derived) => {
            metrics = vec![derived.basis()];
            derived_hits(stores, &values, &condition, derived)?
        }
    };
    if hits.is_empty() {
        return Ok(Conclusion { text: "No measurement meets all of this.".to_owned(), entries: Vec::new() });
    }
    let asked = asked_network(question);
    let mut lookup = Lookup {
        stores,
        values: &values,
        hits: &hits,
        derived,
        asked,
        time_unit: question.wanted.time_unit,
        alternatives: NamedAlternatives::of(stores, question)?.into_iter().find(NamedAlternatives::are_told_apart),
        names: Names::default(),
        ids: RowIds::default(),
    };
    let mut fields = vec![Field::Network, Field::Stage, Field::Counts];
    let by_metric = RowGroups::by_metric(&values, &hits, &metrics);
    let mut groups = by_metric.divided(&values, &hits, &fields, usize::MAX).unwrap_or(by_metric);
    if groups.len() == 0 {
        let named: Vec<&str> = measures_named(question).into_iter().map(name_of).collect();
        let number = if named.is_empty() { "number that can be summed up".to_owned() } else { or_list(&named) };
        let text = format!("{}, none with a known {number}.", counted(hits.len(), "row", "rows"));
        return Ok(Conclusion { text, entries: Vec::new() });
    }
    let mut text = lookup.text(&groups)?;
    if named && groups.passed_over > 0 {
        let rows = counted(groups.passed_over, "row more", "rows more");
        text.push_str(&format!(" Percentiles and extremes of {rows} are in no range."));
    }
    let of_epochs = question.wanted.epochs.and_then(|epochs| lookup.of_epochs(&groups, epochs));
    text.extend(of_epochs.as_ref().map(|(sentence, _)| format!(" {sentence}")));
    if groups.len() <= MOST_GROUPS {
        for field in TELLING {
            if let Some(finer) = groups.divided(&values, &hits, &[*field], MOST_GROUPS) {
                groups = finer;
                fields.push(*field);
            }
        }
    }
    let mut entries: Vec<Entry> = of_epochs.into_iter().map(|(_, entry)| entry).collect();
    for group in lookup.first(&groups, MOST_GROUPS) {
        entries.push(lookup.entry(&group, &fields)?);
    }
    Ok(Conclusion { text, entries })
}

/// What the numbers found are summed up from.
pub(super) struct Lookup<'l> {
    pub(super) stores: &'l Stores,
    pub(super) values: &'l SharedValues,
    pub(super) hits: &'l HitColumns,
    /// What stands in the place of the metric that it follows from.
    pub(super) derived: Option<Derived>,
    /// The network that was asked for, whose relatives come behind it.
    asked: Option<&'l str>,
    /// The unit in which the question wants long times.
    pub(super) time_unit: Option<TimeUnit>,
    /// What the question names side by side, each of which is told for itself.
    pub(super) alternatives: Option<NamedAlternatives>,
    pub(super) names: Names,
    ids: RowIds,
}

/// Seconds as people say them.
fn hours(seconds: f64) -> String {
    match seconds {
        few if few < 120.0 => format!("{} s", three(few)),
        some if some < 7200.0 => format!("{} min", three(some / 60.0)),
        many => format!("{} h", three(many / 3600.0)),
    }
}

/// The network that a question names; of a family the one that the family is called by.
fn asked_network(question: &Question) -> Option<&str> {
    let mut networks = question.read_as().filter(|read| read.facet == Facet::Network.key());
    networks.next()?.values.first().map(String::as_str)
}

impl Lookup<'_> {
    /// The groups that are told: those of the network that was asked for, then the largest first.
    pub(super) fn first(&self, groups: &RowGroups, most: usize) -> Vec<GroupRows> {
        groups.first(self.hits, self.asked_number(), most, |_| true)
    }

    /// The number of the network that was asked for, by which its own groups are told from those of its relatives.
    fn asked_number(&self) -> Option<u32> {
        let networks = self.values.column(Aspect::Field(Field::Network))?;
        networks.number_of(self.asked?)
    }

    pub(super) fn unit(&self, group: &GroupRows) -> String {
        let counts = self.parts(group).first().and_then(|parts| self.values.text(Aspect::Field(Field::Counts), parts));
        unit(self.measure(group.metric), counts).unwrap_or_default()
    }

    pub(super) fn measure(&self, metric: Metric) -> Measure {
        self.derived.map_or(Measure::Metric(metric), Measure::Derived)
    }

    /// How long so many epochs take, of the first group whose values are those of one.
    fn of_epochs(&self, groups: &RowGroups, epochs: i64) -> Option<(String, Entry)> {
        let is_of_one = |metric: Metric| self.measure(metric).basis() == Metric::EpochS;
        let group = groups.first(self.hits, self.asked_number(), 1, is_of_one).into_iter().next()?;
        let values: Vec<f64> = group.sorted_values().into_iter().map(|value| value * epochs as f64).collect();
        let (low, high) = (*values.first()?, *values.last()?);
        let range = if low == high { hours(low) } else { format!("{} to {}", hours(low), hours(high)) };
        let parts = self.parts(&group);
        let entry = Entry {
            subjects: [(Field::Epochs.key().to_owned(), Value::Count(epochs))].into_iter().collect(),
            quantity: "time-of-epochs-s".to_owned(),
            value: Some(EntryValue::Number(rounded(quantile(&values, 0.5)))),
            unit: Some("s".to_owned()),
            low: (values.len() > 1).then(|| rounded(low)),
            high: (values.len() > 1).then(|| rounded(high)),
            n: values.len(),
            under: shared(self.values, &parts, &[]),
            sources: sources(self.values, &parts),
            ..Entry::default()
        };
        Some((format!("{epochs} epochs at that take {range}, derived: so many times one epoch."), entry))
    }

    pub(super) fn parts(&self, group: &GroupRows) -> Vec<PartNumbers> {
        group.hits.iter().map(|hit| self.hits.parts(*hit)).collect()
    }

    fn entry(&mut self, group: &GroupRows, fields: &[Field]) -> Result<Entry, QueryError> {
        let parts = self.parts(group);
        let first = parts.first().copied().unwrap_or_default();
        let stated = fields.iter().filter(|field| **field != Field::Counts);
        let subjects = stated.filter_map(|field| Some((field.key().to_owned(), self.values.value(*field, &first)?)));
        let values = group.sorted_values();
        let range = match values.as_slice() {
            [low, .., high] => Some((*low, *high)),
            _ => None,
        };
        let best = group.best(self.measure(group.metric).direction(), NAMED_ROWS);
        let rows: Vec<u64> = best.into_iter().map(|(_, hit)| self.hits.row(hit)).collect();
        Ok(Entry {
            subjects: subjects.collect(),
            baseline: None,
            quantity: self.measure(group.metric).key().to_owned(),
            value: Some(EntryValue::Number(rounded(quantile(&values, 0.5)))),
            unit: Some(self.unit(group)).filter(|unit| !unit.is_empty()),
            low: range.map(|(low, _)| rounded(low)),
            high: range.map(|(_, high)| rounded(high)),
            n: group.hits.len(),
            under: shared(self.values, &parts, fields),
            measurements: self.ids.of(self.stores, &rows)?,
            sources: sources(self.values, &parts),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::unstated::unstated;
    use crate::ask::conclude::basis::conclusion::UnstatedField;
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::Intent;

    const ROWS: &str = r#"
[[table]]
columns = ["network", "stage", "precision", "throughput-per-s"]
rows = [
  ["deepnet-50", "eval", "fp32", 100],
  ["deepnet-50", "eval", "fp16", 400],
  ["deepnet-50", "train", "fp32", 30],
]
"#;

    #[test]
    fn the_range_found_is_told_by_network_and_stage() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let conclusion = sample.conclude(&sample.question("network:deepnet-50", Intent::Lookup));
        assert!(
            conclusion.text.starts_with(
                "3 rows from paper-2020: DeepNet-50 inference 100 to 400 images/s (2 rows, fp16 and fp32, best: fp16"
            ),
            "{}",
            conclusion.text
        );
        assert_eq!(conclusion.entries.len(), 3);
        assert!(told(&conclusion.entries[0]).starts_with("network deepnet-50 stage"));
    }

    #[test]
    fn a_range_is_of_one_number_of_devices_and_the_others_are_told_apart() {
        let rows = r#"
[[table]]
columns = ["network", "device-count", "label", "throughput-per-s"]
rows = [
  ["deepnet-50", 1, "a", 100],
  ["deepnet-50", 1, "b", 120],
  ["deepnet-50", 8, "c", 900],
  ["deepnet-50", 4, "d", 500],
  ["deepnet-50", 8, "e", 800],
]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let text = sample.conclude(&sample.question("network:deepnet-50", Intent::Lookup)).text;
        assert!(text.contains(" on 1 device 100 to 120 images/s (2 rows, best: "), "{text}");
        assert!(text.contains(", on 4 to 8 devices 500 to 900 (3 rows)"), "{text}");
    }

    #[test]
    fn rows_that_do_not_state_what_was_asked_for_are_counted() {
        let rows = "\n[[run]]\nthroughput-per-s = 1\n\n[[run]]\nprecision = \"fp16\"\nthroughput-per-s = 2\n";
        let sample = Sample::without("precision = \"fp32\"\n", &[("paper-2020", rows)]);
        let of = |filters| unstated(&sample.stores, &sample.question(filters, Intent::Lookup)).unwrap();
        let [only] = of("precision:fp16 device:nova").try_into().unwrap();
        assert_eq!(only, UnstatedField { field: "precision".to_owned(), rows: 1 });
        assert!(of("device:nova").is_empty());
    }

    #[test]
    fn what_is_named_side_by_side_is_told_one_by_one() {
        let rows =
            "\n[[table]]\ncolumns = [\"device\", \"throughput-per-s\"]\nrows = [[\"nova\", 300], [\"core\", 100]]\n";
        let sample = Sample::of(&[("paper-2020", rows)]);
        let text = sample.conclude(&sample.question("nova core", Intent::Lookup)).text;
        assert!(text.contains("`nova`: DeepNet-50 inference 300 images/s"), "{text}");
        assert!(text.contains("; `core`: 100 images/s"), "{text}");
    }
}
