//! Candidates in their order, under one frame in which they can be compared.

use indexmap::IndexMap;

use super::conclusion::{Conclusion, Entry, EntryValue};
use super::evidence::{RowIds, shared, sources};
use super::found::Found;
use super::frames::{Candidate, CandidateKind, Frame, RankedRows, Scope};
use super::largest_batch;
use super::measures::{fact_named, fact_of_superlative, measures_named, metrics_of, with_or_without_metric};
use super::named_behind_first::next_named;
use super::possible::Possible;
use super::ranked_frames::{Chosen, FEW, chosen, frames_of, task_frames};
use super::ranking_of_facts;
use super::wording::{Names, rounded, unit};
use crate::ask::hits::{HitColumns, LayerSizes, PartNumbers, SharedValues};
use crate::ask::question::{Intent, QueryError, Question, Superlative};
use crate::model::{Aspect, Derived, Direction, Fact, Field, Measure, Metric, Value};
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
    metrics.dedup();
    let hits = HitColumns::of(stores, &with_or_without_metric(question), &metrics)?;
    let layers = LayerSizes::read(stores, &values, &[&hits])?;
    let rows = RankedRows { values: &values, layers: &layers, hits: &hits };
    let kind = CandidateKind::of(aspect);
    let one_device = !is_about(question, Field::DeviceCount) && !kind.varied.contains(&Field::DeviceCount);
    let alike = |one_device: bool| frames_of(stores, &rows, &measures, &kind, (Scope::Alike, one_device));
    let mut all = alike(one_device)?;
    // Where nobody measured one device, several are better than nothing; the frame says how many.
    if all.is_empty() && one_device {
        all = alike(false)?;
    }
    let mut task = task_frames(stores, question, &rows, &measures, (aspect, &kind, one_device))?;
    if aspect != Aspect::Field(Field::Network) {
        let named = |frame: &Frame| is_of_named_network(question, &values, frame);
        if all.iter().any(named) {
            all.retain(named);
        }
        if task.frames.iter().any(named) {
            task.frames.retain(named);
        }
    }
    let is_cheapest = question.wanted.superlative == Some(Superlative::Cheapest);
    if all.is_empty() && task.is_empty() && is_cheapest && aspect == Aspect::Field(Field::Device) {
        return ranking_of_facts::conclude(stores, question, Fact::LaunchPrice);
    }
    let next = next_named(question);
    let mut ranking =
        Ranking { stores, values: &values, hits: &hits, names: Names::default(), aspect, kind: &kind, next };
    let Some(chosen) = chosen((&values, &kind), all, task, &measures) else {
        return Ok(Conclusion { text: ranking.nothing(&measures), entries: Vec::new() });
    };
    let systems = chosen.systems.clone();
    ranking.kind = systems.as_ref().unwrap_or(&kind);
    ranking.conclusion(question, chosen)
}

/// What a question ranks by: what it names, else cost for what is cheap, else speed; nothing where it asks for the most or
/// the least of something that is not understood.
fn measures(question: &Question) -> Vec<Measure> {
    let named = measures_named(question);
    if !named.is_empty() {
        return named;
    }
    match question.wanted.superlative {
        Some(Superlative::Cheapest) => vec![
            Measure::Metric(Metric::CostUsd),
            Measure::Derived(Derived::CostToAccuracyUsd),
            Measure::Derived(Derived::ItemsPerDollar),
        ],
        Some(Superlative::Least) => Vec::new(),
        _ => metrics_of(question).into_iter().map(Measure::Metric).collect(),
    }
}

/// Whether a frame is of a network whose name begins as that which is asked for: of the relatives of NASNet its variants, and
/// not those that were found in another search.
fn is_of_named_network(question: &Question, values: &SharedValues, frame: &Frame) -> bool {
    let network = values.text(Aspect::Field(Field::Network), &frame.parts).map(normalise).unwrap_or_default();
    let mut named = question.read_as().filter(|read| read.facet == Field::Network.key());
    named.any(|read| network.starts_with(&normalise(&read.text)))
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
}

impl Ranking<'_> {
    fn conclusion(&mut self, question: &Question, chosen: Chosen) -> Result<Conclusion, QueryError> {
        let Chosen { mut frame, others: all, .. } = chosen;
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
        if matches!(frame.measure, Measure::Derived(Derived::ItemsPerTdpJoule)) {
            text.push_str(" The TDP is what a board may draw, not what it drew.");
        }
        // A ranking is one frame; a relation tells what is known, each line under its own.
        if question.wanted.intent == Intent::Relation && entries.len() < FEW {
            let others = self.beside(&entries, &all, &frame, &mut ids)?;
            if !others.is_empty() {
                let named: Result<Vec<String>, QueryError> =
                    others.iter().take(NAMED_BESIDE).map(|other| self.name(other)).collect();
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
                let parts = self.hits.parts(candidate.hit(frame));
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
