//! The entries of a ranking: one for each candidate, and the best of those that its frame does not hold.

use indexmap::IndexMap;

use super::frames::{Candidate, Frame, Scope};
use super::inputs::Ranking;
use crate::ask::conclude::basis::conclusion::{Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources};
use crate::ask::conclude::basis::possible::Possible;
use crate::ask::conclude::basis::wording::rounded;
use crate::ask::hits::PartNumbers;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Direction, Field, Measure, Value};

/// So many runs of a candidate are named.
const NAMED_RUNS: usize = 3;

/// So many of these are told.
const MOST_BESIDE: usize = 8;

impl Ranking<'_> {
    pub(super) fn entry(
        &self,
        frame: &Frame,
        candidate: &Candidate,
        under: &IndexMap<String, Option<Value>>,
        ids: &mut RowIds,
    ) -> Result<Entry, QueryError> {
        let hit = candidate.hit(frame);
        let parts = self.hits.parts(hit);
        let mut rows = vec![self.hits.row(hit)];
        let others = frame.runs_of(candidate).iter().map(|(_, hit)| self.hits.row(*hit));
        rows.extend(others.filter(|row| *row != rows[0]).take(NAMED_RUNS - 1).collect::<Vec<_>>());
        let under = match frame.scope {
            Scope::Alike => under.clone(),
            // Each has its own setting.
            Scope::Task => shared(self.values, [&parts], self.kind.not_shared()),
        };
        let range = candidate.range(frame);
        let of_runs: Vec<PartNumbers> = frame.runs_of(candidate).iter().map(|(_, hit)| self.hits.parts(*hit)).collect();
        Ok(Entry {
            subjects: self.subjects(&parts),
            baseline: None,
            quantity: frame.measure.key().to_owned(),
            value: Some(EntryValue::Number(rounded(candidate.value(frame)))),
            unit: self.unit(frame),
            low: range.map(|(low, _)| rounded(low)),
            high: range.map(|(_, high)| rounded(high)),
            n: frame.runs_of(candidate).len(),
            under,
            measurements: ids.of(self.stores, &rows)?,
            sources: sources(self.values, &of_runs),
        })
    }

    /// Whether the values of two frames are of one measure, and of the same items.
    fn counts_alike(&self, frame: &Frame, other: &Frame) -> bool {
        let items = |frame: &Frame| self.values.number(Aspect::Field(Field::Counts), &frame.parts);
        frame.measure == other.measure && frame.is_extreme == other.is_extreme && items(frame) == items(other)
    }

    /// The best of each other candidate under whatever frame it has, where the frame that was taken holds few.
    pub(super) fn beside(
        &self,
        entries: &[Entry],
        all: &[Frame],
        taken: &Frame,
        ids: &mut RowIds,
    ) -> Result<Vec<Entry>, QueryError> {
        let mut seen: Vec<IndexMap<String, Value>> = entries.iter().map(|entry| entry.subjects.clone()).collect();
        let mut others = Vec::new();
        for frame in all.iter().filter(|frame| self.counts_alike(frame, taken)) {
            for candidate in frame.candidates.iter() {
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

    /// The best of each candidate that the frame which was taken leaves out, under whatever frame it has, the best first: of one alone
    /// there is no order, but there are others.
    pub(super) fn left_out(
        &self,
        entries: &[Entry],
        all: &[Frame],
        taken: &Frame,
        ids: &mut RowIds,
    ) -> Result<Vec<Entry>, QueryError> {
        let told: Vec<&IndexMap<String, Value>> = entries.iter().map(|entry| &entry.subjects).collect();
        let largest_first = taken.measure.direction() == Direction::Higher;
        let better = |a: f64, b: f64| if largest_first { a > b } else { a < b };
        let mut best: Vec<(IndexMap<String, Value>, &Frame, &Candidate)> = Vec::new();
        for frame in all.iter().filter(|frame| self.counts_alike(frame, taken)) {
            for candidate in frame.candidates.iter() {
                let subjects = self.subjects(&self.hits.parts(candidate.hit(frame)));
                if told.contains(&&subjects) {
                    continue;
                }
                match best.iter_mut().find(|(other, ..)| *other == subjects) {
                    Some(known) if better(candidate.value(frame), known.2.value(known.1)) => {
                        (known.1, known.2) = (frame, candidate);
                    }
                    Some(_) => {}
                    None => best.push((subjects, frame, candidate)),
                }
            }
        }
        best.sort_by(|(_, a, one), (_, b, other)| {
            let by_value = one.value(a).total_cmp(&other.value(b));
            if largest_first { by_value.reverse() } else { by_value }
        });
        let mut others = Vec::new();
        let mut possible = Possible::new(self.stores, self.values);
        for (_, frame, candidate) in best.into_iter().take(MOST_BESIDE) {
            let parts = self.hits.parts(candidate.hit(frame));
            let is_possible = match frame.measure {
                Measure::Metric(metric) => possible.is_possible(&parts, metric, candidate.value(frame))?,
                Measure::Derived(derived) => possible.is_possible_as(&parts, derived, candidate.value(frame))?,
            };
            if !is_possible {
                continue;
            }
            others.push(self.entry(frame, candidate, &shared(self.values, [&parts], &self.kind.varied), ids)?);
        }
        Ok(others)
    }

    /// Leaves out what no hardware can give, and counts it.
    pub(super) fn leave_out_impossible(&self, frame: &mut Frame) -> Result<usize, QueryError> {
        let (mut possible, measure) = (Possible::new(self.stores, self.values), frame.measure);
        let mut of_value = |value: f64, parts: &PartNumbers| match measure {
            Measure::Metric(metric) => possible.is_possible(parts, metric, value),
            // That no measure of its own says how many devices the rate is of leaves its row to be asked.
            Measure::Derived(derived) => possible.is_possible_as(parts, derived, value),
        };
        self.retain(frame, |(value, hit)| of_value(*value, &self.hits.parts(*hit)))
    }
}
