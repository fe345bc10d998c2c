//! Candidates in their order, under one frame in which they can be compared.

use indexmap::IndexMap;

use super::conclusion::{Conclusion, Entry, EntryValue};
use super::derived_values::derived_values;
use super::evidence::{RowIds, shared, sources};
use super::found::Found;
use super::frames::{Candidate, CandidateKind, Frame, frames};
use super::measures::{fact_named, fact_of_superlative, measures_named, metrics_of, with_or_without_metric};
use super::possible::Possible;
use super::ranking_of_facts;
use super::wording::{Names, rounded, three, unit};
use crate::ask::hits::{HitColumns, LayerSizes, PartNumbers, SharedValues};
use crate::ask::question::{Intent, QueryError, Question, Superlative};
use crate::model::{Aspect, Derived, Direction, Fact, Field, Measure, Metric, Value};
use crate::rows::entity_kind;
use crate::stores::Stores;
use crate::values::text::{and_list, counted, or_list};

/// So many candidates have an entry.
const MOST_ENTRIES: usize = 50;

/// So many runs of a candidate are named.
const NAMED_RUNS: usize = 3;

/// Fewer candidates than this are few: others are told with the frames that they have.
const FEW: usize = 3;

/// So many of these are told.
const MOST_BESIDE: usize = 8;

/// So many further frames are offered.
const OFFERED: usize = 3;

/// A frame of the usual measure is taken although another has more candidates, as long as it has this share of them.
const ENOUGH: f64 = 0.5;

/// Ranks the candidates.
pub fn conclude(stores: &Stores, question: &Question, _found: &Found<'_>) -> Result<Conclusion, QueryError> {
    conclude_by(stores, question, question.wanted.candidates.unwrap_or(Aspect::Field(Field::Device)))
}

/// Ranks the values of an aspect.
pub(super) fn conclude_by(stores: &Stores, question: &Question, aspect: Aspect) -> Result<Conclusion, QueryError> {
    let is_of_candidates = |fact: &Fact| fact.naming_fields().any(|of| Aspect::Field(of) == aspect);
    let fact = fact_named(question).filter(is_of_candidates).or_else(|| fact_of_superlative(question, aspect));
    if let Some(fact) = fact {
        return ranking_of_facts::conclude(stores, question, fact);
    }
    let measures = measures(question);
    let values = SharedValues::read(stores)?;
    let mut metrics: Vec<Metric> = Vec::new();
    for measure in &measures {
        match measure {
            Measure::Metric(metric) => metrics.push(*metric),
            Measure::Derived(derived) => metrics.extend(derived.needs()),
        }
    }
    metrics.dedup();
    let hits = HitColumns::of(stores, &with_or_without_metric(question), &metrics)?;
    let layers = LayerSizes::read(stores, &values, &[&hits])?;
    let kind = CandidateKind::of(aspect);
    let one_device = !is_about(question, Field::DeviceCount) && !kind.varied.contains(&Field::DeviceCount);
    let of = |one_device: bool| -> Result<Vec<Frame>, QueryError> {
        let is_ranked =
            |parts: &PartNumbers| !one_device || values.count(Field::DeviceCount, parts).is_none_or(|count| count == 1);
        let mut all: Vec<Frame> = Vec::new();
        for &measure in &measures {
            let derived = match measure {
                Measure::Metric(_) => None,
                Measure::Derived(derived) => Some(derived_values(stores, &values, &hits, derived)?),
            };
            let measured = match (measure, &derived) {
                (Measure::Metric(metric), _) => hits.values(metric),
                (_, derived) => derived.as_deref().unwrap_or_default(),
            };
            all.extend(frames((&values, &layers), &hits, (measure, measured), &kind, is_ranked));
        }
        Ok(all)
    };
    let mut all = of(one_device)?;
    // Where nobody measured one device, several are better than nothing; the frame says how many.
    if all.is_empty() && one_device {
        all = of(false)?;
    }
    let is_cheapest = question.wanted.superlative == Some(Superlative::Cheapest);
    if all.is_empty() && is_cheapest && aspect == Aspect::Field(Field::Device) {
        return ranking_of_facts::conclude(stores, question, Fact::LaunchPrice);
    }
    let mut ranking = Ranking { stores, values: &values, hits: &hits, names: Names::default(), aspect, kind: &kind };
    ranking.conclusion(question, all, &measures)
}

/// What a question ranks by: what it names, else cost for what is cheap, else speed.
fn measures(question: &Question) -> Vec<Measure> {
    let named = measures_named(question);
    if !named.is_empty() {
        return named;
    }
    if question.wanted.superlative == Some(Superlative::Cheapest) {
        return vec![Measure::Metric(Metric::CostUsd), Measure::Derived(Derived::ItemsPerDollar)];
    }
    metrics_of(question).into_iter().map(Measure::Metric).collect()
}

/// Whether the question says something of a field.
pub(super) fn is_about(question: &Question, field: Field) -> bool {
    question.read_as().any(|read_as| read_as.facet == field.key())
}

/// What a ranking is made with.
struct Ranking<'r> {
    stores: &'r Stores,
    values: &'r SharedValues,
    hits: &'r HitColumns,
    names: Names,
    aspect: Aspect,
    kind: &'r CandidateKind,
}

impl Ranking<'_> {
    fn conclusion(
        &mut self,
        question: &Question,
        mut all: Vec<Frame>,
        measures: &[Measure],
    ) -> Result<Conclusion, QueryError> {
        let Some(taken) = taken(&all, measures) else {
            return Ok(Conclusion { text: self.nothing(measures), entries: Vec::new() });
        };
        let mut frame = all.remove(taken);
        let impossible = self.leave_out_impossible(&mut frame)?;
        let superlative = question.wanted.superlative.unwrap_or(Superlative::Best);
        let largest_first = largest_first(superlative, frame.measure);
        frame.candidates.sort_by(|a, b| {
            let by_value = a.median().total_cmp(&b.median());
            (if largest_first { by_value.reverse() } else { by_value }).then(a.middle().cmp(&b.middle()))
        });
        let mut ids = RowIds::default();
        let mut entries = Vec::new();
        let parts: Vec<PartNumbers> =
            frame.candidates.iter().map(|candidate| self.hits.parts(candidate.middle())).collect();
        let under = shared(self.values, &parts, &self.kind.varied);
        for candidate in frame.candidates.iter().take(question.limit.unwrap_or(MOST_ENTRIES)) {
            entries.push(self.entry(&frame, candidate, &under, &mut ids)?);
        }
        let mut text = self.text(&frame, &entries, &under, superlative, &all)?;
        if matches!(frame.measure, Measure::Derived(Derived::ItemsPerDollar)) {
            text.push_str(" Only devices whose rent is known are ranked.");
        }
        // A ranking is one frame; a relation tells what is known, each line under its own.
        if question.wanted.intent == Intent::Relation && entries.len() < FEW {
            let others = self.beside(&entries, &all, &frame, &mut ids)?;
            if !others.is_empty() {
                let named: Result<Vec<String>, QueryError> =
                    others.iter().take(OFFERED).map(|other| self.name(other)).collect();
                text.push_str(&format!(" Measured under other frames, and not ranked with it: {}.", and_list(&named?)));
            }
            entries.extend(others);
        }
        if impossible > 0 {
            let (results, are) = if impossible == 1 { ("result", "is") } else { ("results", "are") };
            text.push_str(&format!(" {impossible} {results} above the peak of the device {are} not ranked."));
        }
        Ok(Conclusion { text, entries })
    }

    /// The best of each other candidate under whatever frame it has, where the frame that was taken holds few.
    fn beside(
        &self,
        entries: &[Entry],
        all: &[Frame],
        taken: &Frame,
        ids: &mut RowIds,
    ) -> Result<Vec<Entry>, QueryError> {
        let mut seen: Vec<IndexMap<String, Value>> = entries.iter().map(|entry| entry.subjects.clone()).collect();
        let mut others = Vec::new();
        for frame in all.iter().filter(|frame| frame.measure == taken.measure && frame.is_extreme == taken.is_extreme) {
            for candidate in &frame.candidates {
                let parts = self.hits.parts(candidate.middle());
                let subjects = self.subjects(&parts);
                if others.len() >= MOST_BESIDE || seen.contains(&subjects) {
                    continue;
                }
                seen.push(subjects);
                others.push(self.entry(frame, candidate, &shared(self.values, [&parts], &self.kind.varied), ids)?);
            }
        }
        Ok(others)
    }

    /// Leaves out what no hardware can give, and counts it.
    fn leave_out_impossible(&self, frame: &mut Frame) -> Result<usize, QueryError> {
        let Measure::Metric(metric) = frame.measure else { return Ok(0) };
        let mut possible = Possible::new(self.stores, self.values);
        let mut left_out = 0;
        for candidate in &mut frame.candidates {
            let mut kept = Vec::with_capacity(candidate.runs.len());
            for (value, hit) in std::mem::take(&mut candidate.runs) {
                if possible.is_possible(&self.hits.parts(hit), metric, value)? {
                    kept.push((value, hit));
                } else {
                    left_out += 1;
                }
            }
            candidate.runs = kept;
        }
        frame.candidates.retain(|candidate| !candidate.runs.is_empty());
        Ok(left_out)
    }

    fn entry(
        &self,
        frame: &Frame,
        candidate: &Candidate,
        under: &IndexMap<String, Option<Value>>,
        ids: &mut RowIds,
    ) -> Result<Entry, QueryError> {
        let middle = candidate.middle();
        let parts = self.hits.parts(middle);
        let mut rows = vec![self.hits.row(middle)];
        let others = candidate.runs.iter().map(|(_, hit)| self.hits.row(*hit));
        rows.extend(others.filter(|row| *row != self.hits.row(middle)).take(NAMED_RUNS - 1));
        let range = candidate.range();
        let of_runs: Vec<PartNumbers> = candidate.runs.iter().map(|(_, hit)| self.hits.parts(*hit)).collect();
        Ok(Entry {
            subjects: self.subjects(&parts),
            baseline: None,
            quantity: frame.measure.key().to_owned(),
            value: Some(EntryValue::Number(rounded(candidate.median()))),
            unit: self.unit(frame),
            low: range.map(|(low, _)| rounded(low)),
            high: range.map(|(_, high)| rounded(high)),
            n: candidate.runs.len(),
            under: under.clone(),
            measurements: ids.of(self.stores, &rows)?,
            sources: sources(self.values, &of_runs),
        })
    }

    fn unit(&self, frame: &Frame) -> Option<String> {
        unit(frame.measure, self.values.text(Aspect::Field(Field::Counts), &frame.parts))
    }

    fn subjects(&self, parts: &PartNumbers) -> IndexMap<String, Value> {
        let stated = self.kind.identity.iter().filter_map(|aspect| {
            let value = match aspect {
                Aspect::Field(field) => self.values.value(*field, parts)?,
                other => Value::Text(self.values.text(*other, parts)?.into()),
            };
            Some((aspect.key().to_owned(), value))
        });
        stated.collect()
    }

    fn name(&mut self, entry: &Entry) -> Result<String, QueryError> {
        let mut names = Vec::new();
        for (key, value) in &entry.subjects {
            let Some(aspect) = Aspect::keyed(key) else { continue };
            names.push(self.names.of(aspect, &value.to_string(), self.stores)?);
        }
        Ok(names.join(" on "))
    }

    fn text(
        &mut self,
        frame: &Frame,
        entries: &[Entry],
        under: &IndexMap<String, Option<Value>>,
        superlative: Superlative,
        others: &[Frame],
    ) -> Result<String, QueryError> {
        let Some(first) = entries.first() else { return Ok(String::new()) };
        let unit = first.unit.as_deref().map_or_else(String::new, |unit| format!(" {unit}"));
        let number = |entry: &Entry| match &entry.value {
            Some(EntryValue::Number(number)) => three(*number),
            _ => String::new(),
        };
        let word = in_front(superlative, frame.measure);
        let mut text = format!("{word}: {} with {}{unit}", self.name(first)?, number(first));
        let mut rest = Vec::new();
        for entry in entries.iter().skip(1).take(2) {
            rest.push(format!("{} ({})", self.name(entry)?, number(entry)));
        }
        if !rest.is_empty() {
            text.push_str(&format!(", then {}", and_list(&rest)));
        }
        let count = self.count(frame.candidates.len());
        let described = self.names.frame(under, self.stores)?;
        let from = sources(self.values, &frame_parts(frame, self.hits));
        let from = if from.len() == 1 { format!(" ({})", from[0]) } else { format!(" ({} sources)", from.len()) };
        text.push_str(&match frame.candidates.len() {
            1 => format!("; no other {} was measured under this frame: {described}{from}.", self.noun()),
            _ => format!("; {count} under one frame: {described}{from}."),
        });
        text.extend(self.how_few(frame));
        let mut offered: Vec<String> = Vec::new();
        for other in others.iter().filter(|other| other.candidates.len() > 1) {
            let told = self.offer(other, frame)?;
            if !told.is_empty() && !offered.iter().any(|offer| offer.starts_with(&told)) {
                offered.push(format!("{told} ({})", other.candidates.len()));
            }
            if offered.len() == OFFERED {
                break;
            }
        }
        if !offered.is_empty() {
            text.push_str(&format!(" Other frames: {}.", offered.join("; ")));
        }
        Ok(text)
    }

    /// How few rows state what is ranked, where they are few.
    fn how_few(&self, frame: &Frame) -> Option<String> {
        let Measure::Metric(metric) = frame.measure else { return None };
        let stating = self.hits.values(metric).iter().filter(|value| !value.is_nan()).count();
        let all = self.hits.len();
        (stating * 2 < all).then(|| format!(" {stating} of {all} rows have it."))
    }

    /// In what another frame differs, in words.
    fn offer(&mut self, other: &Frame, taken: &Frame) -> Result<String, QueryError> {
        let differs = |field: Field| {
            self.values.number(Aspect::Field(field), &other.parts)
                != self.values.number(Aspect::Field(field), &taken.parts)
        };
        let varies = |field: &Field| self.kind.varied.contains(field);
        let fields =
            [Field::Network, Field::Stage, Field::Scenario, Field::Precision, Field::BatchSize, Field::Framework];
        let fields: Vec<Field> = fields.into_iter().filter(|field| differs(*field) && !varies(field)).collect();
        let mut under = IndexMap::new();
        for field in fields {
            if let Some(value) = self.values.value(field, &other.parts) {
                under.insert(field.key().to_owned(), Some(value));
            }
        }
        let mut words = self.names.frame(&under, self.stores)?;
        if other.measure != taken.measure {
            let heading = other.measure.heading();
            let name = heading.split(" [").next().unwrap_or(heading);
            words = if words.is_empty() { name.to_owned() } else { format!("{name}, {words}") };
        }
        Ok(words)
    }

    fn noun(&self) -> String {
        entity_kind(self.aspect).map_or_else(|| self.aspect.key().to_owned(), |kind| kind.to_string())
    }

    fn count(&self, count: usize) -> String {
        let many =
            entity_kind(self.aspect).map_or_else(|| format!("{}s", self.aspect.key()), |kind| kind.plural().to_owned());
        counted(count, &self.noun(), &many)
    }

    /// What is said where nothing can be ranked.
    fn nothing(&self, measures: &[Measure]) -> String {
        match (self.hits.len(), measures) {
            (0, _) => "No measurement meets the question, so nothing can be ranked.".to_owned(),
            (rows, [measure]) => format!(
                "Nothing can be ranked: of {} none has a known {} of a named {} and network.",
                counted(rows, "row", "rows"),
                measure.key(),
                self.noun(),
            ),
            (rows, _) => format!(
                "Nothing can be ranked: of {} none has a known {} of a named {} and network.",
                counted(rows, "row", "rows"),
                or_list(&measures.iter().map(|measure| measure.key()).collect::<Vec<_>>()),
                self.noun()
            ),
        }
    }
}

/// The parts of the run in the middle of each candidate.
fn frame_parts(frame: &Frame, hits: &HitColumns) -> Vec<PartNumbers> {
    frame.candidates.iter().flat_map(|candidate| candidate.runs.iter().map(|(_, hit)| hits.parts(*hit))).collect()
}

/// The frame that is taken: the one with the most candidates, those of a usual measure before others.
fn taken(all: &[Frame], measures: &[Measure]) -> Option<usize> {
    let middle = all.iter().any(|frame| !frame.is_extreme);
    let eligible = || all.iter().enumerate().filter(move |(_, frame)| !middle || !frame.is_extreme);
    let most = eligible().map(|(_, frame)| frame.candidates.len()).max()?;
    let first_of = |measure: &Measure| eligible().find(|(_, frame)| frame.measure == *measure);
    let enough = |frame: &Frame| frame.candidates.len() as f64 >= ENOUGH * most as f64;
    measures.iter().filter_map(first_of).find(|(_, frame)| enough(frame)).map(|(at, _)| at)
}

/// Whether the largest value comes first.
fn largest_first(superlative: Superlative, measure: Measure) -> bool {
    let higher = measure.direction() != Direction::Lower;
    match superlative {
        Superlative::Best => higher,
        Superlative::Worst => !higher,
        Superlative::Most => true,
        Superlative::Least => false,
        // Many items for a dollar are cheap.
        Superlative::Cheapest => higher,
    }
}

/// The word in front of the first: `Fastest`, `Highest throughput`.
fn in_front(superlative: Superlative, measure: Measure) -> String {
    let heading = measure.heading();
    let name = heading.split(" [").next().unwrap_or(heading);
    let of_speed = matches!(
        measure,
        Measure::Metric(
            Metric::ThroughputPerS | Metric::LatencyMs | Metric::EpochS | Metric::TotalS | Metric::TimeToAccuracyS
        )
    );
    let per_joule = measure == Measure::Metric(Metric::ItemsPerJoule);
    match superlative {
        Superlative::Best | Superlative::Most if per_joule => "Most energy-efficient".to_owned(),
        Superlative::Best | Superlative::Cheapest if measure == Measure::Derived(Derived::ItemsPerDollar) => {
            "Most for the dollar".to_owned()
        }
        Superlative::Best if of_speed => "Fastest".to_owned(),
        Superlative::Worst if of_speed => "Slowest".to_owned(),
        Superlative::Best => format!("Best {name}"),
        Superlative::Worst => format!("Worst {name}"),
        Superlative::Most => format!("Highest {name}"),
        Superlative::Least => format!("Lowest {name}"),
        Superlative::Cheapest => format!("Cheapest by {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, told};
    use crate::ask::question::Intent;

    #[test]
    fn what_no_hardware_can_give_is_not_ranked() {
        // 2 x 4.1 GFLOP an image: the peak of 10 TFLOP/s is reached at 1220 images/s.
        let rows = r#"
[[table]]
columns = ["device", "throughput-per-s"]
rows = [["core", 1300], ["nova", 1200]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let conclusion = sample.conclude(&sample.question("", Intent::Ranking));
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device nova 1200"]);
        assert!(
            conclusion.text.ends_with("1 result above the peak of the device is not ranked."),
            "{}",
            conclusion.text
        );
    }

    const ROWS: &str = r#"
[[table]]
columns = ["device", "device-count", "precision", "label", "throughput-per-s"]
rows = [
  ["core", 1, "fp32", "first", 100],
  ["nova", 1, "fp32", "first", 300],
  ["nova", 1, "fp32", "second", 500],
  ["nova", 1, "fp32", "third", 400],
  ["ember", 8, "fp32", "first", 9000],
  ["ember", 1, "fp16", "first", 8000],
]
"#;

    #[test]
    fn candidates_are_ranked_under_one_frame_with_one_line_each() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let conclusion = sample.conclude(&sample.question("", Intent::Ranking));
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device nova 400", "device core 100"], "{}", conclusion.text);
        let nova = &conclusion.entries[0];
        assert_eq!(
            (nova.low, nova.high, nova.n, nova.unit.as_deref()),
            (Some(300.0), Some(500.0), 3, Some("images/s"))
        );
        assert_eq!(nova.under["precision"].as_ref().map(ToString::to_string).as_deref(), Some("fp32"));
        assert!(conclusion.text.starts_with("Fastest: Nova with 400 images/s, then Core (100)"), "{}", conclusion.text);
    }

    #[test]
    fn a_number_of_devices_that_was_asked_for_is_taken() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let conclusion = sample.conclude(&sample.question("device-count:8", Intent::Ranking));
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device ember 9000"]);
    }
}
