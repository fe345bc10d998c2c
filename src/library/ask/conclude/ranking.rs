//! Candidates in their order, under one frame in which they can be compared.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::conclusion::{Conclusion, Entry, EntryValue};
use super::evidence::{FRAME, RowIds, shared, sources};
use super::found::Found;
use super::frames::{Candidate, CandidateKind, Frame, RankedRows, Scope, reaches_target};
use super::heeded_limits::HeededLimits;
use super::largest_batch;
use super::measures::{fact_named, fact_of_superlative, measures_named, metrics_of, with_or_without_metric};
use super::named_behind_first::next_named;
use super::possible::Possible;
use super::quality_of_networks::QualityOfNetworks;
use super::ranked_frames::{Chosen, FEW, chosen, frames_of, task_frames};
use super::ranking_of_facts;
use super::wording::{Names, rounded, unit};
use crate::ask::hits::{HitColumns, LayerSizes, PartNumbers, SharedValues};
use crate::ask::question::{Clause, Intent, QueryError, Question, Superlative};
use crate::model::{Aspect, Derived, Direction, Facet, Fact, Field, Measure, Metric, Value};
use crate::stores::Stores;
use crate::values::spelling::normalise;
use crate::values::text::and_list;

/// So many candidates have an entry.
const MOST_ENTRIES: usize = 50;

/// So many runs of a candidate are named.
const NAMED_RUNS: usize = 3;

/// So many of these are told.
const MOST_BESIDE: usize = 8;

/// So many of them are named in the sentence.
const NAMED_BESIDE: usize = 3;

/// Ranks the candidates.
pub fn conclude(stores: &Stores, question: &Question, _found: &Found<'_>) -> Result<Conclusion, QueryError> {
    if let Some(conclusion) = largest_batch::conclude(stores, question)? {
        return Ok(conclusion);
    }
    conclude_by(stores, question, question.wanted.candidates)
}

/// Ranks the values of an aspect; without one the settings in which what is named was run.
pub(super) fn conclude_by(
    stores: &Stores,
    question: &Question,
    ranked: Option<Aspect>,
) -> Result<Conclusion, QueryError> {
    let aspect = ranked.unwrap_or(Aspect::Field(Field::Device));
    let is_of_candidates = |fact: &Fact| fact.naming_fields().any(|of| Aspect::Field(of) == aspect);
    let fact = fact_named(question).filter(is_of_candidates).or_else(|| fact_of_superlative(question, aspect));
    if let Some(fact) = fact.filter(|_| ranked.is_some()) {
        return ranking_of_facts::conclude(stores, question, fact);
    }
    let measures = measures(question);
    if measures.is_empty() {
        let text = "It is not understood by what to rank: a quantity such as latency, power, cost or memory says it.";
        return Ok(Conclusion { text: text.to_owned(), entries: Vec::new() });
    }
    let values = SharedValues::read(stores)?;
    let mut metrics: Vec<Metric> = Vec::new();
    for measure in &measures {
        match measure {
            Measure::Metric(metric) => metrics.push(*metric),
            Measure::Derived(derived) => metrics.extend(derived.needs()),
        }
    }
    let limits = HeededLimits::of(question);
    metrics.extend(limits.needs());
    let mut seen = HashSet::new();
    metrics.retain(|metric| seen.insert(*metric));
    let quality = QualityOfNetworks::of(stores, question, ranked)?;
    let question = quality.as_ref().map_or(question, |quality| &quality.question);
    let hits = HitColumns::of(stores, &with_or_without_metric(question), &metrics)?;
    let hits = limits.applied(stores, &values, hits)?;
    let layers = LayerSizes::read(stores, &values, &[&hits])?;
    let rows = RankedRows { values: &values, layers: &layers, hits: &hits };
    let of_systems = ranked.is_none() && measures.first().is_some_and(|measure| reaches_target(measure.basis()));
    let of_counts = ranked == Some(Aspect::Field(Field::DeviceCount));
    let one_device = !is_about(question, Field::DeviceCount) && !of_counts && !of_systems;
    let mut kind = match ranked {
        Some(aspect) => CandidateKind::of(aspect),
        None => CandidateKind::of_settings(&values, &hits, one_device),
    };
    let mut all = Vec::new();
    if !kind.are_settings {
        all = frames_of(stores, &rows, &measures, &kind, (Scope::Alike, one_device))?;
        // Where nobody measured one device, several are better than nothing; the frame says how many.
        if all.is_empty() && one_device {
            all = frames_of(stores, &rows, &measures, &kind, (Scope::Alike, false))?;
        }
    }
    let mut task = task_frames(stores, question, &rows, &measures, (aspect, &kind, one_device))?;
    if task.is_empty() && kind.are_settings && one_device {
        kind = CandidateKind::of_settings(&values, &hits, false);
        task = task_frames(stores, question, &rows, &measures, (aspect, &kind, false))?;
    }
    if aspect != Aspect::Field(Field::Network) {
        let of_network = FramesOfNetwork::named(question, &values);
        of_network.keep(&mut all);
        of_network.keep(&mut task.frames);
    }
    let is_cheapest = question.wanted.superlative == Some(Superlative::Cheapest);
    let has_work = [Field::Network, Field::Dataset, Field::Stage].iter().any(|field| is_about(question, *field));
    if all.is_empty() && task.is_empty() && is_cheapest && aspect == Aspect::Field(Field::Device) && !has_work {
        return ranking_of_facts::conclude(stores, question, Fact::LaunchPrice);
    }
    let next = next_named(question);
    let mut conditions: Vec<String> = quality.iter().map(QualityOfNetworks::in_words).collect();
    conditions.extend(limits.in_words());
    let (names, values) = (Names::default(), &values);
    // A class, a maker or a device that is named is the only one wanted.
    let of_hardware = [Facet::Class, Facet::Vendor, Facet::Architecture, Facet::Device];
    let names_hardware = question.read_as().any(|read| of_hardware.iter().any(|facet| facet.key() == read.facet));
    let tells_classes = ranked == Some(Aspect::Field(Field::Device)) && !names_hardware;
    let mut ranking = Ranking {
        stores,
        values,
        hits: &hits,
        names,
        aspect,
        kind: &kind,
        next,
        conditions,
        tells_classes,
        one_of: String::new(),
    };
    let Some(chosen) = chosen((values, &kind, &hits), all, task, &measures) else {
        return Ok(Conclusion { text: ranking.nothing(&measures), entries: Vec::new() });
    };
    let systems = chosen.systems.clone();
    ranking.kind = systems.as_ref().unwrap_or(&kind);
    ranking.conclusion(question, chosen)
}

/// What a question ranks by: what it names, else cost for what is cheap, else speed; nothing where it asks for the most or
/// the least of something that is not understood.
fn measures(question: &Question) -> Vec<Measure> {
    let mut named = measures_named(question);
    // Few boards are known to be rented out: what they cost when they were new is the next thing to price.
    if named.contains(&Measure::Derived(Derived::ItemsPerDollar)) {
        named.push(Measure::Derived(Derived::RatePerLaunchUsd));
    }
    if !named.is_empty() {
        return named;
    }
    match question.wanted.superlative {
        Some(Superlative::Cheapest) => vec![
            Measure::Metric(Metric::CostUsd),
            Measure::Derived(Derived::CostToAccuracyUsd),
            Measure::Derived(Derived::ItemsPerDollar),
            Measure::Derived(Derived::RatePerLaunchUsd),
        ],
        Some(Superlative::Least) => Vec::new(),
        _ => metrics_of(question).into_iter().map(Measure::Metric).collect(),
    }
}

/// The frames of networks whose name begins as that which is asked for: of the relatives of NASNet its variants, and not those
/// that were found in another search.
struct FramesOfNetwork<'v> {
    values: &'v SharedValues,
    /// Whether the network of a number is called so; nothing where no network is named.
    is_called_so: Vec<bool>,
}

impl<'v> FramesOfNetwork<'v> {
    fn named(question: &Question, values: &'v SharedValues) -> Self {
        let named = question.read_as().filter(|read| read.facet == Field::Network.key());
        let named: Vec<String> = named.map(|read| normalise(&read.text)).collect();
        let column = values.column(Aspect::Field(Field::Network)).filter(|_| !named.is_empty());
        let networks = column.into_iter().flat_map(|column| column.values());
        let begins = |network: &str| named.iter().any(|name| normalise(network).starts_with(name));
        let is_called_so = networks.map(begins).collect();
        Self { values, is_called_so }
    }

    /// Keeps those frames, where there are any.
    fn keep(&self, frames: &mut Vec<Frame>) {
        let is_of = |frame: &Frame| {
            let network = self.values.number(Aspect::Field(Field::Network), &frame.parts) as usize;
            network.checked_sub(1).is_some_and(|at| self.is_called_so.get(at).copied().unwrap_or_default())
        };
        if !self.is_called_so.is_empty() && frames.iter().any(is_of) {
            frames.retain(is_of);
        }
    }
}

/// Whether the question says something of a field.
pub(super) fn is_about(question: &Question, field: Field) -> bool {
    question.read_as().any(|read_as| read_as.facet == field.key())
}

/// What a ranking is made with.
pub(super) struct Ranking<'r> {
    pub stores: &'r Stores,
    pub values: &'r SharedValues,
    pub hits: &'r HitColumns,
    pub names: Names,
    pub aspect: Aspect,
    pub kind: &'r CandidateKind,
    /// So many are named behind the first.
    pub next: usize,
    /// What the question asks for besides what a frame says, in words.
    pub conditions: Vec<String>,
    /// Whether devices of any class are ranked, so that those of other classes are told, too.
    pub tells_classes: bool,
    /// Of how many that a name stands for the frame has one, in words.
    pub one_of: String,
}

impl Ranking<'_> {
    fn conclusion(&mut self, question: &Question, chosen: Chosen) -> Result<Conclusion, QueryError> {
        let Chosen { mut frame, others: all, .. } = chosen;
        let heeded = self.heeded(question, &frame);
        self.conditions.extend(heeded);
        self.one_of = self.one_of(question, &frame);
        let impossible = self.leave_out_impossible(&mut frame)?;
        let superlative = question.wanted.superlative.unwrap_or(Superlative::Best);
        let largest_first = largest_first(superlative, frame.measure);
        let mut candidates = std::mem::take(&mut frame.candidates);
        candidates.sort_by(|a, b| {
            let by_value = a.value(&frame).total_cmp(&b.value(&frame));
            (if largest_first { by_value.reverse() } else { by_value }).then(a.hit(&frame).cmp(&b.hit(&frame)))
        });
        frame.candidates = candidates;
        let mut ids = RowIds::default();
        let mut entries = Vec::new();
        let parts: Vec<PartNumbers> =
            frame.candidates.iter().map(|candidate| self.hits.parts(candidate.hit(&frame))).collect();
        let under = shared(self.values, &parts, &self.kind.varied);
        for candidate in frame.candidates.iter().take(question.limit.unwrap_or(MOST_ENTRIES)) {
            entries.push(self.entry(&frame, candidate, &under, &mut ids)?);
        }
        let mut text = self.text(&frame, &entries, &under, superlative, &all)?;
        if matches!(frame.measure, Measure::Derived(Derived::ItemsPerDollar)) {
            text.push_str(" Only devices whose rent is known are ranked.");
        }
        if matches!(frame.measure, Measure::Derived(Derived::RatePerLaunchUsd)) {
            text.push_str(" By launch prices; too few rents are known.");
        }
        if matches!(frame.measure, Measure::Derived(Derived::ItemsPerTdpJoule)) {
            text.push_str(" The TDP is what a board may draw, not what it drew.");
        }
        // A ranking is one frame; a relation tells what is known, each line under its own.
        if question.wanted.intent == Intent::Relation && entries.len() < FEW {
            let others = self.beside(&entries, &all, &frame, &mut ids)?;
            if !others.is_empty() {
                let named: Result<Vec<String>, QueryError> =
                    others.iter().take(NAMED_BESIDE).map(|other| self.beside_in_words(other, &under)).collect();
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
        let counts = Aspect::Field(Field::Counts);
        let is_alike = |frame: &&Frame| {
            let same_items = self.values.number(counts, &frame.parts) == self.values.number(counts, &taken.parts);
            frame.measure == taken.measure && frame.is_extreme == taken.is_extreme && same_items
        };
        for frame in all.iter().filter(is_alike) {
            for candidate in &frame.candidates {
                let parts = self.hits.parts(candidate.hit(frame));
                let subjects = self.subjects(&parts);
                // A setting of another network is another one.
                let is_seen = !self.kind.are_settings && seen.contains(&subjects);
                if others.len() >= MOST_BESIDE || is_seen {
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
        let mut possible = Possible::new(self.stores, self.values);
        let mut left_out = 0;
        let mut of_value = |value: f64, parts: &PartNumbers| match frame.measure {
            Measure::Metric(metric) => possible.is_possible(parts, metric, value),
            // That no measure of its own says how many devices the rate is of leaves its row to be asked.
            Measure::Derived(derived) => possible.is_possible_as(parts, derived, value),
        };
        for candidate in &mut frame.candidates {
            let mut kept = Vec::with_capacity(candidate.runs.len());
            for (value, hit) in candidate.runs.iter() {
                if of_value(*value, &self.hits.parts(*hit))? {
                    kept.push((*value, *hit));
                }
            }
            left_out += candidate.runs.len() - kept.len();
            if kept.len() < candidate.runs.len() {
                candidate.runs = kept.into_iter().collect();
            }
        }
        frame.candidates.retain(|candidate| !candidate.runs.is_empty());
        Ok(left_out)
    }

    /// The words of what the question asks for and neither the frame nor a candidate says.
    fn heeded(&self, question: &Question, frame: &Frame) -> Vec<String> {
        let told = |facet: &str| {
            let is_told = |key: &str| key == facet;
            let of_frame = [
                Field::Network,
                Field::Stage,
                Field::Device,
                Field::DeviceCount,
                Field::Precision,
                Field::BatchSize,
                Field::Framework,
                Field::Dataset,
                Field::Scenario,
            ];
            let stated = |field: &Field| self.values.number(Aspect::Field(*field), &frame.parts) > 0;
            [Facet::Class.key(), Facet::Metric.key()].into_iter().any(is_told)
                || of_frame.iter().filter(|field| stated(field)).any(|field| is_told(field.key()))
                // Whose parameters are asked for is named by the frame's network.
                || is_told(Fact::Parameters.key()) && stated(&Field::Network)
                || self.kind.identity.iter().any(|aspect| is_told(aspect.key()))
                || frame.scope == Scope::Alike && Aspect::keyed(facet).is_some_and(|aspect| self.is_in_frame(aspect, frame))
        };
        let of_clause = |clause: &&Clause| {
            let facets = || clause.readings.iter().map(|reading| reading.read_as.facet.as_str());
            !clause.text.is_empty() && clause.sides.is_empty() && !facets().any(told)
        };
        // A grade stands in front of its metric, which alone says nothing.
        let words = |clause: &Clause| {
            let is_graded =
                clause.equivalent.contains(['<', '>']) && !clause.text.contains(|c: char| c.is_ascii_digit());
            let words = if is_graded { &clause.equivalent } else { &clause.text };
            format!("`{}`", words.trim_matches(|c: char| matches!(c, '?' | '!' | ',')))
        };
        question.clauses.iter().filter(of_clause).map(words).collect()
    }

    /// `, one of the 18 networks that `bert` names`, where a frame is of a member of what is asked for.
    fn one_of(&self, question: &Question, frame: &Frame) -> String {
        let mut told = String::new();
        for field in [Field::Network, Field::Device].into_iter().filter(|field| !self.kind.varied.contains(field)) {
            let Some(own) = self.values.text(Aspect::Field(field), &frame.parts) else { continue };
            let named =
                question.read_as().find(|read| read.facet == field.key() && read.values.iter().any(|id| id == own));
            let Some(named) = named.filter(|read| read.values.len() > 1 && read.values[0] != own) else { continue };
            if normalise(own) == normalise(&named.text) {
                continue;
            }
            let kind = if field == Field::Network { "networks" } else { "devices" };
            let name = named.text.trim_matches(|c: char| !c.is_alphanumeric());
            told.push_str(&format!(", one of the {} {kind} that `{name}` names", named.values.len()));
        }
        told
    }

    fn is_in_frame(&self, aspect: Aspect, frame: &Frame) -> bool {
        let told =
            matches!(aspect, Aspect::Field(field) if FRAME.contains(&field) && !self.kind.varied.contains(&field));
        told && self.values.number(aspect, &frame.parts) > 0
    }

    fn entry(
        &self,
        frame: &Frame,
        candidate: &Candidate,
        under: &IndexMap<String, Option<Value>>,
        ids: &mut RowIds,
    ) -> Result<Entry, QueryError> {
        let hit = candidate.hit(frame);
        let parts = self.hits.parts(hit);
        let mut rows = vec![self.hits.row(hit)];
        let others = candidate.runs.iter().map(|(_, hit)| self.hits.row(*hit));
        rows.extend(others.filter(|row| *row != rows[0]).take(NAMED_RUNS - 1).collect::<Vec<_>>());
        let under = match frame.scope {
            Scope::Alike => under.clone(),
            // Each has its own setting.
            Scope::Task => shared(self.values, [&parts], &self.kind.varied),
        };
        let range = candidate.range();
        let of_runs: Vec<PartNumbers> = candidate.runs.iter().map(|(_, hit)| self.hits.parts(*hit)).collect();
        Ok(Entry {
            subjects: self.subjects(&parts),
            baseline: None,
            quantity: frame.measure.key().to_owned(),
            value: Some(EntryValue::Number(rounded(candidate.value(frame)))),
            unit: self.unit(frame),
            low: range.map(|(low, _)| rounded(low)),
            high: range.map(|(_, high)| rounded(high)),
            n: candidate.runs.len(),
            under,
            measurements: ids.of(self.stores, &rows)?,
            sources: sources(self.values, &of_runs),
        })
    }

    pub(super) fn unit(&self, frame: &Frame) -> Option<String> {
        unit(frame.measure, self.values.text(Aspect::Field(Field::Counts), &frame.parts))
    }

    pub(super) fn subjects(&self, parts: &PartNumbers) -> IndexMap<String, Value> {
        let stated = self.kind.identity.iter().filter_map(|aspect| {
            let value = match aspect {
                Aspect::Field(field) => self.values.value(*field, parts)?,
                other => Value::Text(self.values.text(*other, parts)?.into()),
            };
            Some((aspect.key().to_owned(), value))
        });
        stated.collect()
    }
}

/// Whether the largest value comes first.
pub(super) fn largest_first(superlative: Superlative, measure: Measure) -> bool {
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
        let elsewhere = "In another setting of the same task Ember has 8000 images/s (fp16; paper-2020).";
        assert!(conclusion.text.contains(elsewhere), "{}", conclusion.text);
    }

    #[test]
    fn a_number_of_devices_that_was_asked_for_is_taken() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let conclusion = sample.conclude(&sample.question("device-count:8", Intent::Ranking));
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device ember 9000"]);
    }
}
