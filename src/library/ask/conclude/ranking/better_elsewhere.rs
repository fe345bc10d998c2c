//! A ranking is of one setting; where another setting of the same task has a better value, that is said.

use super::frames::{Frame, Scope};
use super::inputs::Ranking;
use crate::ask::conclude::basis::conclusion::Entry;
use crate::ask::conclude::basis::evidence::FRAME;
use crate::ask::conclude::basis::possible::Possible;
use crate::ask::conclude::basis::share_keys::ShareKeys;
use crate::ask::conclude::basis::wording::{three, unit};
use crate::ask::hits::PartNumbers;
use crate::ask::question::QueryError;
use crate::model::physics::is_one_sample;
use crate::model::{Aspect, Derived, Direction, Field, Measure, Metric};
use crate::values::text::and_list;

/// A candidate that has a better value in another setting than the first of a ranking.
pub(super) struct BetterElsewhere {
    name: String,
    /// With its unit.
    value: String,
    /// With its source.
    setting: String,
    /// Who has better values, too.
    behind: Vec<String>,
}

/// So many more are named that have better values, or as many as are asked for.
const NAMED_BEHIND: usize = 2;

/// So many results are looked at, each of which may be one that no hardware can give.
const MOST_LOOKED_AT: usize = 60;

impl BetterElsewhere {
    /// A ranking with it: in front where it is another candidate, since nobody must take the first of one setting for the first
    /// of all; else behind.
    pub fn told_with(&self, ranking: &str, word: &str, first: &str) -> String {
        let Self { name, value, setting, behind } = self;
        let then = if behind.is_empty() { String::new() } else { format!(", then {}", and_list(behind)) };
        match ranking.strip_prefix(&format!("{word}: ")) {
            Some(ranked) if name != first => {
                format!("{word} in any setting: {name} with {value} ({setting}){then}. Ranked together: {ranked}")
            }
            _ => format!("{ranking} In another setting of the same task {name} has {value} ({setting})."),
        }
    }
}

impl Ranking<'_> {
    /// A share of the peak is one in whatever task: where another one has a higher share, that is said.
    pub(super) fn higher_share(&mut self, frame: &Frame, others: &[Frame]) -> Result<Option<String>, QueryError> {
        if frame.measure != Measure::Derived(Derived::PeakFraction) {
            return Ok(None);
        }
        let mut possible = Possible::new(self.stores, self.values);
        let mut best = frame.candidates.first().map_or(f64::INFINITY, |first| first.value(frame));
        let mut found = None;
        for other in others.iter().filter(|other| other.measure == frame.measure && !other.is_extreme) {
            for candidate in other.candidates.iter() {
                let (value, parts) = (candidate.value(other), self.hits.parts(candidate.hit(other)));
                if value > best && possible.is_possible_as(&parts, Derived::PeakFraction, value)? {
                    (best, found) = (value, Some(parts));
                }
            }
        }
        let Some(parts) = found else { return Ok(None) };
        let name = self.name(&Entry { subjects: self.subjects(&parts), ..Entry::default() })?;
        let told =
            [Field::Network, Field::Stage, Field::Scenario, Field::Precision, Field::BatchSize, Field::Framework];
        let told = told.into_iter().filter(|field| !self.kind.varied.contains(field));
        let setting = told.filter_map(|field| Some((field.key().to_owned(), Some(self.values.value(field, &parts)?))));
        let setting = self.names.frame(&setting.collect(), self.stores)?;
        let setting = if setting.is_empty() { String::new() } else { format!("{setting}; ") };
        let source = self.values.source(&parts);
        Ok(Some(format!(" Higher in another task: {name} with {} ({setting}{source}).", three(best))))
    }

    /// A ranking is of one setting. Who has a better value in another setting of the same task, and which.
    pub(super) fn better_elsewhere(
        &mut self,
        frame: &Frame,
        others: &[Frame],
    ) -> Result<Option<BetterElsewhere>, QueryError> {
        let Measure::Metric(metric @ (Metric::ThroughputPerS | Metric::LatencyMs)) = frame.measure else {
            return Ok(None);
        };
        let (Some(first), Some(task)) = (frame.candidates.first(), self.kind.task(frame.measure)) else {
            return Ok(None);
        };
        if frame.scope == Scope::Task {
            return Ok(None);
        }
        // An image, a sample and an inference of one network are the same work.
        let is_key = |field: &Field| !matches!(field, Field::Counts | Field::InputShape);
        let keys = ShareKeys::of(self.values, task.into_iter().filter(is_key).map(Aspect::Field));
        // Other inputs are another task, and other data may be: their sizes differ.
        let same_input = |a: &Frame, b: &Frame| {
            [Field::InputShape, Field::Dataset].into_iter().all(|field| {
                let number = |frame: &Frame| self.values.number(Aspect::Field(field), &frame.parts);
                number(a) == number(b) || number(a) == 0 || number(b) == 0
            })
        };
        let item = |frame: &Frame| {
            let counts = self.values.text(Aspect::Field(Field::Counts), &frame.parts);
            let is_one = counts.and_then(|counts| counts.parse().ok()).is_some_and(is_one_sample);
            if is_one { None } else { counts }
        };
        let lower = metric.direction() == Direction::Lower;
        let is_better = |value: f64, than: f64| if lower { value < than } else { value > than };
        let mut possible = Possible::new(self.stores, self.values);
        let least = first.value(frame);
        let of_task = |other: &&Frame| {
            other.measure == frame.measure
                && !other.is_extreme
                && item(other) == item(frame)
                && same_input(other, frame)
                && keys.key(&other.parts) == keys.key(&frame.parts)
        };
        let mut better: Vec<(f64, PartNumbers)> = Vec::new();
        for other in others.iter().filter(of_task) {
            let values = other.candidates.iter().map(|candidate| (candidate.value(other), candidate.hit(other)));
            let ahead = values.filter(|(value, _)| is_better(*value, least));
            better.extend(ahead.map(|(value, hit)| (value, self.hits.parts(hit))));
        }
        better.sort_by(|(a, _), (b, _)| if lower { a.total_cmp(b) } else { b.total_cmp(a) });
        let (mut found, mut behind): (Option<(f64, PartNumbers)>, Vec<String>) = (None, Vec::new());
        let mut seen = Vec::new();
        for (value, parts) in better.into_iter().take(MOST_LOOKED_AT) {
            let subjects = self.subjects(&parts);
            if seen.contains(&subjects) || !possible.is_possible(&parts, metric, value)? {
                continue;
            }
            seen.push(subjects.clone());
            match found {
                None => found = Some((value, parts)),
                Some(_) => {
                    let name = self.name(&Entry { subjects, ..Entry::default() })?;
                    behind.push(format!("{name} ({})", three(value)));
                }
            }
            if behind.len() == self.next.max(NAMED_BEHIND) {
                break;
            }
        }
        let Some((best, parts)) = found else { return Ok(None) };
        let name = self.name(&Entry { subjects: self.subjects(&parts), ..Entry::default() })?;
        // What is not told is as in the ranking.
        let unit_of = |parts: &PartNumbers| unit(frame.measure, self.values.text(Aspect::Field(Field::Counts), parts));
        let told = FRAME.iter().copied().filter(|field| {
            let number = |parts: &PartNumbers| self.values.number(Aspect::Field(*field), parts);
            !self.kind.varied.contains(field) && number(&parts) != number(&frame.parts)
        });
        let setting = told.filter_map(|field| Some((field.key().to_owned(), Some(self.values.value(field, &parts)?))));
        let setting = self.names.frame(&setting.collect(), self.stores)?;
        let setting = if setting.is_empty() { String::new() } else { format!("{setting}; ") };
        let source = self.values.source(&parts);
        let unit = unit_of(&parts).map_or_else(String::new, |unit| format!(" {unit}"));
        Ok(Some(BetterElsewhere {
            name,
            value: format!("{}{unit}", three(best)),
            setting: format!("{setting}{source}"),
            behind,
        }))
    }
}
