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

    /// A ranking is of one setting. Where another setting of the same task has a better value, that is said:
    /// ` In another setting A100 has 3500 (amp-fp16, batch 256, MXNet; nvidia-dle-2024).`
    pub(super) fn better_elsewhere(&mut self, frame: &Frame, others: &[Frame]) -> Result<Option<String>, QueryError> {
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
        let mut best = first.value(frame);
        let mut found = None;
        let of_task = |other: &&Frame| {
            other.measure == frame.measure
                && !other.is_extreme
                && item(other) == item(frame)
                && same_input(other, frame)
                && keys.key(&other.parts) == keys.key(&frame.parts)
        };
        for other in others.iter().filter(of_task) {
            for candidate in other.candidates.iter() {
                let (value, parts) = (candidate.value(other), self.hits.parts(candidate.hit(other)));
                if is_better(value, best) && possible.is_possible(&parts, metric, value)? {
                    (best, found) = (value, Some(parts));
                }
            }
        }
        let Some(parts) = found else { return Ok(None) };
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
        Ok(Some(format!(" In another setting of the same task {name} has {}{unit} ({setting}{source}).", three(best))))
    }
}
