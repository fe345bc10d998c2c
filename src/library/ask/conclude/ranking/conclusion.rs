//! The conclusion of a ranking under the frame that was taken: its entries in order, the words, and what must be said besides.

use super::chosen_frame::{Chosen, FEW};
use super::inputs::Ranking;
use super::superlatives::{in_front, largest_first};
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::evidence::{RowIds, shared};
use crate::ask::conclude::basis::named_alternatives::NamedAlternatives;
use crate::ask::hits::PartNumbers;
use crate::ask::question::{Intent, QueryError, Question, Superlative};
use crate::model::{Derived, Field, Measure};
use crate::values::text::and_list;

/// So many candidates have an entry.
const MOST_ENTRIES: usize = 50;

/// So many of them are named in the sentence.
const NAMED_BESIDE: usize = 3;

/// What is told of those beside it where they differ.
const OF_BESIDE: &[Field] = &[Field::Network, Field::Stage];

/// The same of those that a frame of one leaves out.
const OF_LEFT_OUT: &[Field] =
    &[Field::Network, Field::Stage, Field::Device, Field::Precision, Field::BatchSize, Field::DeviceCount];

impl Ranking<'_> {
    pub(super) fn conclusion(
        &mut self,
        question: &Question,
        chosen: Chosen,
        alternatives: &[NamedAlternatives],
    ) -> Result<Conclusion, QueryError> {
        let Chosen { mut frame, others: mut all, .. } = chosen;
        self.one_of = format!("{}{}", self.one_of(question, &frame), self.one_of);
        let runs = frame.candidates.iter().flat_map(|candidate| frame.runs_of(candidate));
        self.own = runs.map(|(_, hit)| self.hits.row(*hit)).collect();
        let impossible = self.leave_out_impossible(&mut frame)?;
        self.leave_out_medians(&mut frame)?;
        let of_all_timings = frame.clone();
        self.keep_one_timing(&mut frame)?;
        let timed_otherwise = self.timed_otherwise(&of_all_timings, &frame)?;
        self.one_for_each_device(&mut frame)?;
        let superlative = question.wanted.superlative.unwrap_or(Superlative::Best);
        let largest_first = largest_first(superlative, frame.measure);
        if matches!(superlative, Superlative::Most | Superlative::Least) {
            all.iter_mut().chain([&mut frame]).for_each(|frame| frame.by_highest = Some(largest_first));
        }
        let mut candidates = frame.candidates.to_vec();
        candidates.sort_by(|a, b| {
            let by_value = a.value(&frame).total_cmp(&b.value(&frame));
            (if largest_first { by_value.reverse() } else { by_value }).then(a.hit(&frame).cmp(&b.hit(&frame)))
        });
        frame.candidates = candidates.into();
        let mut ids = RowIds::default();
        let mut entries = Vec::new();
        let parts: Vec<PartNumbers> =
            frame.candidates.iter().map(|candidate| self.hits.parts(candidate.hit(&frame))).collect();
        let under = shared(self.values, &parts, &self.kind.varied);
        let heeded = self.heeded(question, &frame, &under);
        self.conditions.extend(heeded);
        for candidate in frame.candidates.iter().take(question.limit.unwrap_or(MOST_ENTRIES)) {
            entries.push(self.entry(&frame, candidate, &under, &mut ids)?);
        }
        let mut text = self.text(&frame, &entries, &under, superlative, &all)?;
        if superlative == Superlative::Best {
            text = self.with_other_work(question, &frame, text)?;
        }
        // One frame is not all that was measured.
        if let Some(extreme) = self.extreme(frame.measure, superlative, Some(&frame.parts))? {
            // `Slowest of class CPU: ` is not the slowest of all, either.
            let word = in_front(superlative, frame.measure);
            let ranked = text.strip_prefix(&word).and_then(|rest| rest.split_once(": "));
            text = match ranked.filter(|(of, _)| of.is_empty() || of.starts_with(' ')) {
                _ if self.is_first(&extreme, &frame) => format!("{text}{}", extreme.is_first_in_words()),
                Some((of, ranked)) => {
                    format!("{} Ranked together{of}: {ranked}", self.extreme_in_words(&extreme)?)
                }
                None => format!("{} {text}", self.extreme_in_words(&extreme)?),
            };
        }
        if let Some(slower) = self.slower_by_latency(superlative, &frame)? {
            text = format!("{slower} {text}");
        }
        // Where the first of any setting is told, nobody takes the first of two for it.
        if let Some(lead) = self.measured_alike(&frame).filter(|_| question.wanted.intent == Intent::Ranking)
            && (superlative != Superlative::Best || self.better_elsewhere(&frame)?.is_none())
        {
            text = format!("{lead} {text}");
        }
        text.extend(timed_otherwise);
        text.extend(self.with_missing(alternatives, (&frame, &all), superlative)?);
        if matches!(frame.measure, Measure::Derived(Derived::ItemsPerDollar)) {
            text.push_str(" Only devices whose rent is known are ranked.");
        }
        if matches!(frame.measure, Measure::Derived(Derived::RatePerLaunchUsd)) {
            text.push_str(" By launch prices; too few rents are known.");
        }
        if frame.measure == Measure::Derived(Derived::PeakFraction) {
            text.push_str(
                " The peak is the dense one of each row's own format; rows that say fp32 on devices with TF32 are left out, \
                 since they may be of either.",
            );
        }
        let above_peak = frame.candidates.iter().any(|candidate| candidate.value(&frame) > 1.0);
        if frame.measure == Measure::Derived(Derived::PeakFraction) && above_peak {
            text.push_str(" Operations are those of the direct method; one that needs fewer may pass the peak.");
        }
        if matches!(frame.measure, Measure::Derived(Derived::ItemsPerTdpJoule)) {
            text.push_str(" The TDP is what a board may draw, not what it drew.");
        }
        // A ranking is one frame; a relation tells what is known, each line under its own.
        if question.wanted.intent == Intent::Relation && entries.len() < FEW {
            let others = self.beside(&entries, &all, &frame, &mut ids)?;
            if !others.is_empty() {
                let named: Result<Vec<String>, QueryError> = others
                    .iter()
                    .take(NAMED_BESIDE)
                    .map(|other| self.beside_in_words(other, &under, OF_BESIDE))
                    .collect();
                text.push_str(&format!(" Measured under other frames, and not ranked with it: {}.", and_list(&named?)));
            }
            entries.extend(others);
        }
        if question.wanted.intent == Intent::Ranking && entries.len() == 1 && !self.kind.are_settings {
            let others = self.left_out(&entries, &all, &frame, &mut ids)?;
            let named = others.iter().take(NAMED_BESIDE);
            let named: Result<Vec<String>, QueryError> =
                named.map(|other| self.beside_in_words(other, &under, OF_LEFT_OUT)).collect();
            let named = named?;
            if !named.is_empty() {
                text.push_str(&format!(" Under other frames, and not ranked with it: {}.", and_list(&named)));
            }
        }
        if impossible > 0 {
            let (results, are) = if impossible == 1 { ("result", "is") } else { ("results", "are") };
            text.push_str(&format!(" {impossible} {results} above the peak of the device {are} not ranked."));
        }
        Ok(Conclusion { text, entries })
    }
}
