//! The lowest or the highest of all rows found, whatever their setting: who asks for `the lowest latency` must not take the first
//! of one frame for it.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::caveats::MAY_BE_TF32;
use super::frames::Frame;
use super::inputs::Ranking;
use super::ranked_rows::of_layers;
use super::superlatives::{in_front, largest_first};
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources};
use crate::ask::conclude::basis::possible::Possible;
use crate::ask::conclude::basis::wording::{item_counted, name_of, rounded, three, unit};
use crate::ask::hits::PartNumbers;
use crate::ask::question::{QueryError, Superlative};
use crate::model::{Aspect, Derived, Direction, Field, Measure, Metric, Part, Value};
use crate::values::text::counted;
use crate::values::{Stage, Statistic};

/// So many results that no hardware can give are passed over in search of one that it can.
const MOST_IMPOSSIBLE: usize = 200;

/// What is told of the row.
const TOLD: &[Field] = &[
    Field::Network,
    Field::Stage,
    Field::Scenario,
    Field::Precision,
    Field::Quantization,
    Field::BatchSize,
    Field::Framework,
    Field::Dataset,
    Field::Component,
    Field::Statistic,
];

/// What is the same of all rows of which one is the first.
const ALIKE: &[Field] = &[Field::Component, Field::DeviceSlice];

/// What some work took as a whole: the least of it is that of the least work.
const OF_WORK: &[Metric] = &[Metric::TimeToAccuracyS, Metric::CostUsd, Metric::EpochS, Metric::TotalS, Metric::EnergyJ];

/// The first of all rows in an order.
pub(super) struct Extreme {
    metric: Metric,
    value: f64,
    hit: usize,
    /// Of how many rows.
    of: usize,
    superlative: Superlative,
    /// A row that goes further and was metered or counted otherwise, so that it is not compared with these.
    apart: Option<(usize, f64)>,
}

impl Extreme {
    /// What is said where it comes first in the ranking, too.
    pub fn is_first_in_words(&self) -> String {
        let further = match largest_first(self.superlative, Measure::Metric(self.metric)) {
            true => "higher",
            false => "lower",
        };
        match self.of {
            0 | 1 => String::new(),
            of => format!(" None of all {of} rows is {further}."),
        }
    }
}

impl Ranking<'_> {
    /// The first of all rows by a measure, of those that count the same items as what is ranked; `None` where the question asks for the best in a field, or where rows of different
    /// work say nothing of each other.
    pub(super) fn extreme(
        &self,
        measure: Measure,
        superlative: Superlative,
        ranked: Option<&PartNumbers>,
    ) -> Result<Option<Extreme>, QueryError> {
        // What is slowest for each device is slowest on one of them.
        let of_one_device = measure == Measure::Derived(Derived::ThroughputPerDevice);
        let metric = match measure {
            Measure::Metric(metric) => metric,
            _ if of_one_device && superlative == Superlative::Worst => Metric::ThroughputPerS,
            Measure::Derived(_) => return Ok(None),
        };
        let measure = Measure::Metric(metric);
        let is_asked = match superlative {
            Superlative::Most | Superlative::Least => true,
            // The latency of a large batch is no slow one.
            Superlative::Worst => metric == Metric::ThroughputPerS || metric.is_of_items() && metric.is_of_energy(),
            // Of named work the best figure is asked for, whichever of its networks and settings gives it.
            Superlative::Best => metric.is_of_items() && metric.is_of_energy() && self.names_work,
            Superlative::Cheapest => false,
        };
        // Nor is the accuracy on one data set that on another.
        if !is_asked || OF_WORK.contains(&metric) || metric.is_of_quality() {
            return Ok(None);
        }
        let largest_first = largest_first(superlative, measure);
        let layers = of_layers(self.values);
        let parts = |hit: usize| self.hits.parts(hit);
        let is_layer =
            |hit: &usize| layers.get(parts(*hit)[Part::Workload as usize] as usize).copied().unwrap_or_default();
        let names = |field: Field, hit: usize| self.values.number(Aspect::Field(field), &parts(hit)) > 0;
        let stands = |hit: &usize| {
            let is_named = names(Field::Device, *hit) || names(Field::Instance, *hit);
            let is_alone = || self.values.count(Field::DeviceCount, &parts(*hit)).is_none_or(|count| count == 1);
            is_named && self.values.stands(&parts(*hit)) && (!of_one_device || is_alone())
        };
        let values = self.hits.values(metric);
        let stating = |hit: &usize| values.get(*hit).is_some_and(|value| value.is_finite());
        let mut rows: Vec<usize> = (0..self.hits.len()).filter(stating).filter(stands).collect();
        let all = rows.clone();
        // Videos for a joule are no images for a joule.
        if let Some(ranked) = ranked.filter(|_| metric.items_per().is_some()) {
            let of_ranked = item_counted(self.values, ranked);
            rows.retain(|hit| item_counted(self.values, &parts(*hit)) == of_ranked);
        }
        // Nor is what a board draws what the plug gives, a decoder the whole network, or a slice the whole device.
        if let Some(ranked) = ranked {
            let metered = metric.is_of_energy().then_some(&Field::Metered);
            for field in ALIKE.iter().chain(metered) {
                let number = |parts: &PartNumbers| self.values.number(Aspect::Field(*field), parts);
                rows.retain(|hit| number(&parts(*hit)) == number(ranked));
            }
        }
        // A percentile is not what a device does, and a layer no network, where there is more to tell.
        // What most samples lie below is no lower than their middle: of the least it says all that a middle says.
        let is_upper = |hit: usize| !largest_first && self.is_upper_bound(&parts(hit), measure);
        for is_other in [&|hit: &usize| self.values.is_extreme(&parts(*hit)) && !is_upper(*hit), &is_layer]
            as [&dyn Fn(&usize) -> bool; 2]
        {
            if rows.iter().any(|hit| !is_other(hit)) {
                rows.retain(|hit| !is_other(hit));
            }
        }
        // Layers of several sizes say nothing of each other.
        if rows.len() > 1 && rows.iter().all(is_layer) {
            return Ok(None);
        }
        let mut possible = Possible::new(self.stores, self.values);
        let Some(hit) = self.first_possible(&rows, metric, largest_first, &mut possible)? else { return Ok(None) };
        let ahead = |other: &usize| match largest_first {
            true => values[*other] > values[hit],
            false => values[*other] < values[hit],
        };
        let others: Vec<usize> = all.into_iter().filter(|other| metric.is_of_energy() && ahead(other)).collect();
        let compared: HashSet<usize> = rows.iter().copied().collect();
        let others: Vec<usize> = others.into_iter().filter(|other| !compared.contains(other)).collect();
        let apart = self.first_possible(&others, metric, largest_first, &mut possible)?;
        let apart = apart.map(|other| (other, values[other]));
        Ok(Some(Extreme { metric, value: values[hit], hit, of: rows.len(), superlative, apart }))
    }

    /// The first of some rows in an order, of those whose results hardware can give.
    fn first_possible(
        &self,
        rows: &[usize],
        metric: Metric,
        largest_first: bool,
        possible: &mut Possible<'_>,
    ) -> Result<Option<usize>, QueryError> {
        let values = self.hits.values(metric);
        let mut passed: HashSet<usize> = HashSet::new();
        while passed.len() < MOST_IMPOSSIBLE {
            let left = rows.iter().copied().filter(|hit| !passed.contains(hit));
            let first = left.min_by(|a, b| {
                let order = values[*a].total_cmp(&values[*b]);
                if largest_first { order.reverse() } else { order }
            });
            let Some(hit) = first else { break };
            if possible.is_possible(&self.hits.parts(hit), metric, values[hit])? {
                return Ok(Some(hit));
            }
            passed.insert(hit);
        }
        Ok(None)
    }

    /// Whether a row's value is one that most samples lie below, and lower is better.
    fn is_upper_bound(&self, parts: &PartNumbers, measure: Measure) -> bool {
        let statistic = self.values.text(Aspect::Field(Field::Statistic), parts).and_then(|word| word.parse().ok());
        let is_upper = matches!(statistic, Some(Statistic::P90 | Statistic::P95 | Statistic::P99 | Statistic::Max));
        is_upper && measure.direction() == Direction::Lower
    }

    /// `Lowest latency of all 3147 rows: Jetson AGX Orin with 0.57 ms (MobileNet v1 inference, int8; mlperf-inference-v1.0).`
    pub(super) fn extreme_in_words(&mut self, extreme: &Extreme) -> Result<String, QueryError> {
        let parts = self.hits.parts(extreme.hit);
        let text = |field: Field| self.values.text(Aspect::Field(field), &parts).map(str::to_owned);
        let named = text(Field::Device).map(|device| (Field::Device, device));
        let named = named.or_else(|| Some((Field::Instance, text(Field::Instance)?)));
        let mut name = match named {
            Some((field, id)) => self.names.of(Aspect::Field(field), &id, self.stores)?,
            None => "a device that is not stated".to_owned(),
        };
        if let Some(count) = self.values.count(Field::DeviceCount, &parts).filter(|count| *count > 1) {
            name = format!("{count} x {name}");
        }
        // What is ranked comes first: `MobileNet v1 on Jetson Nano`.
        let ranked = [Field::Network, Field::Framework].into_iter().find(|field| self.aspect == Aspect::Field(*field));
        let is_own = |field: &Field| !self.kind.are_settings && !self.kind.is_of_systems() && Some(*field) == ranked;
        if let Some(own) = ranked.filter(is_own)
            && let Some(id) = self.values.text(Aspect::Field(own), &parts)
        {
            name = format!("{} on {name}", self.names.of(Aspect::Field(own), id, self.stores)?);
        }
        let own = ranked.filter(is_own).unwrap_or(Field::Device);
        let under = shared(self.values, [&parts], &[Field::Device, Field::DeviceCount, own]);
        // A mean goes without saying.
        let is_mean = text(Field::Statistic).is_none_or(|statistic| statistic == <&str>::from(Statistic::Mean));
        let is_told =
            |key: &String| TOLD.iter().any(|field| field.key() == key && (*field != Field::Statistic || !is_mean));
        let under: IndexMap<String, Option<Value>> =
            under.into_iter().filter(|(key, value)| value.is_some() && is_told(key)).collect();
        let setting = self.names.frame(&under, self.stores)?;
        let doubt = if self.may_be_tf32(&parts)? { format!(", {MAY_BE_TF32}") } else { String::new() };
        let setting = if setting.is_empty() { String::new() } else { format!("{setting}{doubt}; ") };
        let measure = Measure::Metric(extreme.metric);
        let unit = unit(measure, self.values.text(Aspect::Field(Field::Counts), &parts));
        let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
        let rows = match extreme.of {
            1 => "in the only row that states it".to_owned(),
            of => format!("of all {}", counted(of, "row", "rows")),
        };
        let word = match extreme.superlative {
            Superlative::Worst => format!("Lowest {}", name_of(measure)),
            superlative => in_front(superlative, measure),
        };
        let source = self.values.source(&parts);
        let apart = self.apart_in_words(extreme)?;
        Ok(format!("{word} {rows}: {name} with {}{unit} ({setting}{source}).{apart}", three(extreme.value)))
    }

    /// `Highest latency of all 472 rows: SG2000 with 12700 ms (…).` Where the slowest is asked for, the rows of one item
    /// at a time that took longest are slower than what throughput tells.
    pub(super) fn slower_by_latency(
        &mut self,
        superlative: Superlative,
        frame: &Frame,
    ) -> Result<Option<String>, QueryError> {
        let of_throughput = matches!(
            frame.measure,
            Measure::Metric(Metric::ThroughputPerS) | Measure::Derived(Derived::ThroughputPerDevice)
        );
        if superlative != Superlative::Worst || !of_throughput {
            return Ok(None);
        }
        let Some(slowest) = self.extreme(frame.measure, superlative, Some(&frame.parts))? else { return Ok(None) };
        let latencies = self.hits.values(Metric::LatencyMs);
        let rates = self.hits.values(Metric::ThroughputPerS);
        let is_single = |hit: &usize| {
            let parts = self.hits.parts(*hit);
            let stated = latencies.get(*hit).is_some_and(|value| value.is_finite());
            let rated = rates.get(*hit).is_some_and(|value| value.is_finite());
            let eval = self.values.text(Aspect::Field(Field::Stage), &parts) == Some(<&str>::from(Stage::Eval));
            stated
                && !rated
                && eval
                && self.values.batch(&parts).is_none_or(|batch| batch == 1)
                && self.values.stands(&parts)
                && !self.values.is_extreme(&parts)
        };
        let rows: Vec<usize> = (0..self.hits.len()).filter(is_single).collect();
        let Some(hit) =
            self.first_possible(&rows, Metric::LatencyMs, true, &mut Possible::new(self.stores, self.values))?
        else {
            return Ok(None);
        };
        let value = latencies[hit];
        if 1e3 / value >= slowest.value {
            return Ok(None);
        }
        let extreme = Extreme {
            metric: Metric::LatencyMs,
            value,
            hit,
            of: rows.len(),
            superlative: Superlative::Most,
            apart: None,
        };
        self.extreme_in_words(&extreme).map(Some)
    }

    /// ` Metered or counted otherwise, and not compared with these: NDP9120 with 13900 inferences/J (mlperf-tiny-v1.1).`
    fn apart_in_words(&mut self, extreme: &Extreme) -> Result<String, QueryError> {
        let Some((hit, value)) = extreme.apart else { return Ok(String::new()) };
        let parts = self.hits.parts(hit);
        let name_of = |field: Field| self.values.text(Aspect::Field(field), &parts).map(str::to_owned);
        let (device, network) = (name_of(Field::Device), name_of(Field::Network));
        let mut names = Vec::new();
        for (field, id) in [(Field::Device, device), (Field::Network, network)] {
            if let Some(id) = id {
                names.push(self.names.of(Aspect::Field(field), &id, self.stores)?);
            }
        }
        let unit = unit(Measure::Metric(extreme.metric), self.values.text(Aspect::Field(Field::Counts), &parts));
        let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
        let source = self.values.source(&parts);
        Ok(format!(
            " Metered or counted otherwise, and not compared with these: {} with {}{unit} ({source}).",
            names.join(" with "),
            three(value)
        ))
    }

    /// Whether it is the value of the candidate that comes first under a frame.
    pub(super) fn is_first(&self, extreme: &Extreme, frame: &Frame) -> bool {
        frame.candidates.first().is_some_and(|first| three(first.value(frame)) == three(extreme.value))
    }

    /// The row as all of the answer, where nothing can be ranked.
    pub(super) fn extreme_alone(
        &mut self,
        measures: &[Measure],
        superlative: Superlative,
    ) -> Result<Option<Conclusion>, QueryError> {
        for measure in measures {
            let Some(extreme) = self.extreme(*measure, superlative, None)? else { continue };
            let parts = self.hits.parts(extreme.hit);
            let under = shared(self.values, [&parts], &[Field::Device]);
            let device = self.values.value(Field::Device, &parts);
            let entry = Entry {
                subjects: device.into_iter().map(|value| (Field::Device.key().to_owned(), value)).collect(),
                quantity: extreme.metric.key().to_owned(),
                value: Some(EntryValue::Number(rounded(extreme.value))),
                unit: unit(*measure, self.values.text(Aspect::Field(Field::Counts), &parts)),
                n: 1,
                under,
                measurements: RowIds::default().of(self.stores, &[self.hits.row(extreme.hit)])?,
                sources: sources(self.values, [&parts]),
                ..Entry::default()
            };
            let text = self.extreme_in_words(&extreme)?;
            return Ok(Some(Conclusion { text, entries: vec![entry] }));
        }
        Ok(None)
    }
}
