//! What is measured under other frames than the one that is ranked: which there are, and who comes first there.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::frames::{Candidate, Frame};
use super::inputs::Ranking;
use super::superlatives::largest_first;
use crate::ask::conclude::basis::conclusion::Entry;
use crate::ask::conclude::basis::evidence::{shared, stated_alone};
use crate::ask::conclude::basis::wording::{name_of, three};
use crate::ask::question::{QueryError, Superlative};
use crate::model::{Aspect, Derived, Fact, Field, Measure, Metric};
use crate::values::text::and_list;

/// So many other classes are told, each in the place of a further frame.
const MOST_CLASSES: usize = 2;

/// What is told of a frame where it differs from the one that is ranked.
const OF_OFFER: &[Field] = &[
    Field::Network,
    Field::Stage,
    Field::Scenario,
    Field::Division,
    Field::Component,
    Field::InputShape,
    Field::SequenceLength,
    Field::InputLength,
    Field::OutputLength,
    Field::Precision,
    Field::BatchSize,
    Field::Framework,
];

/// The classes of devices beside the one that is ranked.
pub(super) struct OtherClasses {
    /// The class that is ranked: `GPU`.
    pub own: String,
    /// Who comes first in the others, as a sentence.
    pub told: String,
}

impl Ranking<'_> {
    /// The frames that may be offered: one of each other task before more of the same.
    pub(super) fn by_task<'f>(&self, taken: &Frame, others: &'f [Frame]) -> Vec<&'f Frame> {
        let task = |frame: &Frame| {
            let fields = [Field::Network, Field::Stage].map(Aspect::Field);
            (frame.measure, fields.map(|field| self.values.number(field, &frame.parts)))
        };
        let mut seen = HashSet::from([task(taken)]);
        // A price at launch stands in where no other is known, and beside none.
        let stands_in = |frame: &Frame| frame.measure == Measure::Derived(Derived::RatePerLaunchUsd);
        let is_offered = |other: &&Frame| other.candidates.len() > 1 && (!stands_in(other) || stands_in(taken));
        let several = others.iter().filter(is_offered);
        let (mut first, more): (Vec<&Frame>, Vec<&Frame>) = several.partition(|other| seen.insert(task(other)));
        first.extend(more);
        // What is measured alike comes before what is not.
        first.sort_by_key(|other| other.measure != taken.measure);
        first
    }

    /// Who comes first among devices of other classes, where the question names none: ` Classes are not ranked together: first of
    /// CPU is M3 with 6.85 ms (MobileNet inference; 45 devices).`
    pub(super) fn other_classes(
        &mut self,
        taken: &Frame,
        others: &[Frame],
        superlative: Superlative,
    ) -> Result<Option<OtherClasses>, QueryError> {
        if !self.tells_classes || self.kind.identity != [Aspect::Field(Field::Device)] {
            return Ok(None);
        }
        let class = Aspect::Fact(Fact::Class);
        let mut seen = HashSet::from([self.values.number(class, &taken.parts), 0]);
        let mut told = Vec::new();
        let task = |frame: &Frame| {
            [Field::Network, Field::Stage].map(|field| self.values.number(Aspect::Field(field), &frame.parts))
        };
        // Of another class the same task says most.
        let mut frames = self.by_task(taken, others);
        frames.sort_by_key(|other| task(other) != task(taken));
        for other in frames {
            let is_alike = other.measure == taken.measure && told.len() < MOST_CLASSES;
            if !is_alike || !seen.insert(self.values.number(class, &other.parts)) {
                continue;
            }
            let Some(name) = self.values.text(class, &other.parts).map(str::to_uppercase) else { continue };
            let leader = self.first_of(other, superlative)?;
            let largest_first = largest_first(superlative, other.measure);
            let values = other.candidates.iter().map(|candidate| candidate.value(other));
            let value = if largest_first {
                values.fold(f64::NEG_INFINITY, f64::max)
            } else {
                values.fold(f64::INFINITY, f64::min)
            };
            let unit = self.unit(other).map_or_else(String::new, |unit| format!(" {unit}"));
            let offer = self.offer(other, taken)?;
            let offer = if offer.is_empty() { String::new() } else { format!(" ({offer})") };
            told.push(format!("of {name} {leader} with {}{unit}{offer}", three(value)));
        }
        let own = self.values.text(class, &taken.parts).map_or_else(String::new, str::to_uppercase);
        let told =
            (!told.is_empty()).then(|| format!(" Classes are not ranked together: first is {}.", and_list(&told)));
        Ok(told.map(|told| OtherClasses { own, told }))
    }

    /// Who comes first by latency where throughput is ranked, and more of the same task state their latency under one frame:
    /// ` By latency the first of 32 devices is Tesla V100 with 1.76 ms (MobileNet v2 inference, ncnn).`
    pub(super) fn by_latency(&mut self, taken: &Frame, others: &[Frame]) -> Result<Option<String>, QueryError> {
        let is_of_rate = matches!(
            taken.measure,
            Measure::Metric(Metric::ThroughputPerS) | Measure::Derived(Derived::ThroughputPerDevice)
        );
        let task = |frame: &Frame| {
            [Field::Network, Field::Stage].map(|field| self.values.number(Aspect::Field(field), &frame.parts))
        };
        let of_latency = |other: &&Frame| {
            other.measure == Measure::Metric(Metric::LatencyMs)
                && !other.is_extreme
                && task(other) == task(taken)
                && other.candidates.len() > taken.candidates.len()
        };
        let widest = others.iter().filter(of_latency).max_by_key(|other| other.candidates.len());
        let Some(other) = widest.filter(|_| is_of_rate) else { return Ok(None) };
        let leader = self.first_of(other, Superlative::Best)?;
        let least = other.candidates.iter().map(|candidate| candidate.value(other)).fold(f64::INFINITY, f64::min);
        let under = stated_alone(&shared(self.values, [&other.parts], &self.kind.varied));
        let under = self.names.frame(&under, self.stores)?;
        let (count, source) = (self.count(other.candidates.len()), self.values.source(&other.parts));
        Ok(Some(format!(" By latency the first of {count} is {leader} with {} ms ({under}; {source}).", three(least))))
    }

    /// The name of the candidate that comes first under a frame.
    pub(super) fn first_of(&mut self, frame: &Frame, superlative: Superlative) -> Result<String, QueryError> {
        let largest_first = largest_first(superlative, frame.measure);
        let by_value = |a: &&Candidate, b: &&Candidate| a.value(frame).total_cmp(&b.value(frame));
        let first = match largest_first {
            true => frame.candidates.iter().max_by(by_value),
            false => frame.candidates.iter().min_by(by_value),
        };
        let Some(first) = first else { return Ok(String::new()) };
        let subjects = self.subjects(&self.hits.parts(first.hit(frame)));
        self.name(&Entry { subjects, ..Entry::default() })
    }

    /// In what another frame differs, in words.
    pub(super) fn offer(&mut self, other: &Frame, taken: &Frame) -> Result<String, QueryError> {
        let differs = |field: Field| {
            self.values.number(Aspect::Field(field), &other.parts)
                != self.values.number(Aspect::Field(field), &taken.parts)
        };
        let varies = |field: &Field| self.kind.varied.contains(field);
        let fields: Vec<Field> = OF_OFFER.iter().copied().filter(|field| differs(*field) && !varies(field)).collect();
        let mut under = IndexMap::new();
        for field in fields {
            if let Some(value) = self.values.value(field, &other.parts) {
                under.insert(field.key().to_owned(), Some(value));
            }
        }
        let mut words = self.names.frame(&under, self.stores)?;
        if other.measure != taken.measure {
            let name = name_of(other.measure);
            words = if words.is_empty() { name.to_owned() } else { format!("{name}, {words}") };
        }
        Ok(words)
    }
}
