//! What a reader must know of the rows of a ranking: what they do not state, of what their energy is, and what nobody can buy.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::frames::{Candidate, Frame, Scope};
use super::inputs::Ranking;
use super::text::is_speed;
use crate::ask::conclude::basis::conclusion::Entry;
use crate::ask::conclude::basis::evidence::RowIds;
use crate::ask::conclude::basis::unstated_fields::unstated_fields;
use crate::ask::conclude::basis::wording::{metered_in_words, three};
use crate::ask::hits::PartNumbers;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Direction, Field, Measure, Value};
use crate::values::text::and_list;
use crate::values::{Availability, Precision, Statistic};

/// What is said of fp32 where the device has TF32 units and the source does not say which of the two ran.
pub(super) const MAY_BE_TF32: &str = "perhaps TF32";

impl Ranking<'_> {
    /// Whether a row says fp32 of a device that computes in TF32 unless it is told not to, and nothing of which of them ran.
    pub(super) fn may_be_tf32(&mut self, parts: &PartNumbers) -> Result<bool, QueryError> {
        let values = self.values;
        let text = |field: Field| values.text(Aspect::Field(field), parts);
        let is_full = text(Field::Precision).and_then(|word| word.parse().ok()) == Some(Precision::Fp32);
        let Some(device) = text(Field::Device).filter(|_| is_full && text(Field::ReducedPrecision).is_none()) else {
            return Ok(false);
        };
        self.names.has_tf32(device, self.stores)
    }

    /// ` Stated as fp32, perhaps TF32: B200 and H200.`
    fn in_doubt(&mut self, entries: &[Entry], parts: &[PartNumbers]) -> Result<Option<String>, QueryError> {
        let mut named = Vec::new();
        for (entry, parts) in entries.iter().zip(parts).take(self.next + 1) {
            if self.may_be_tf32(parts)? {
                named.push(self.name(entry)?);
            }
        }
        named.dedup();
        Ok((!named.is_empty()).then(|| format!(" Stated as fp32, {MAY_BE_TF32}: {}.", and_list(&named))))
    }

    /// `, energy at the plug`: what the figures of power or energy of a frame are of.
    pub(super) fn energy_in_words(&self, frame: &Frame) -> String {
        let is_of_energy = matches!(frame.measure, Measure::Metric(metric) if metric.is_of_energy());
        match self.values.text(Aspect::Field(Field::Metered), &frame.parts) {
            _ if !is_of_energy => String::new(),
            None => ", what was metered not stated".to_owned(),
            metered => format!(", energy {}", metered_in_words(metered)),
        }
    }

    /// What its candidates do not state, which of them are of another statistic, and which of those that are named were previews.
    pub(super) fn caveats(
        &mut self,
        frame: &Frame,
        under: &IndexMap<String, Option<Value>>,
        entries: &[Entry],
    ) -> Result<String, QueryError> {
        let parts: Vec<PartNumbers> =
            frame.candidates.iter().map(|candidate| self.hits.parts(candidate.hit(frame))).collect();
        let mut text = String::new();
        text.extend(self.unstated(frame, under, &parts));
        text.extend(self.medians(frame, &parts));
        text.extend(self.previews(entries, &parts)?);
        text.extend(self.in_doubt(entries, &parts)?);
        Ok(text)
    }

    /// ` Not stated: batch (3 of 5 settings).`
    fn unstated(
        &self,
        frame: &Frame,
        under: &IndexMap<String, Option<Value>>,
        parts: &[PartNumbers],
    ) -> Option<String> {
        let mut counts: IndexMap<Field, usize> = IndexMap::new();
        for parts in parts {
            for field in unstated_fields(self.values, parts, frame.measure.basis()) {
                *counts.entry(field).or_default() += 1;
            }
        }
        // The frame says what no row of it states.
        let is_said = |field: &Field| {
            let is_of_frame = under.get(field.key()).is_some_and(Option::is_none);
            is_of_frame && (frame.scope == Scope::Alike || *field == Field::Precision && is_speed(frame.measure))
        };
        let all = parts.len();
        let told = counts.iter().filter(|(field, _)| !is_said(field));
        let told: Vec<String> = told.map(|(field, count)| format!("{} ({count} of {all})", field.heading())).collect();
        (!told.is_empty()).then(|| format!(" Not stated: {}.", and_list(&told)))
    }

    /// ` 2 of the 6 are medians, the others are not.` Of candidates in their own settings each says it for itself.
    fn medians(&self, frame: &Frame, parts: &[PartNumbers]) -> Option<String> {
        let median: &str = Statistic::Median.into();
        let of = |parts: &&PartNumbers| self.values.text(Aspect::Field(Field::Statistic), parts) == Some(median);
        let medians = parts.iter().filter(of).count();
        let are_told = frame.scope == Scope::Alike && medians > 0 && medians < parts.len();
        let are = if medians == 1 { "is a median" } else { "are medians" };
        are_told.then(|| format!(" {medians} of the {} {are}, the others are not.", parts.len()))
    }

    /// ` A preview, not for sale then: L4.`
    fn previews(&mut self, entries: &[Entry], parts: &[PartNumbers]) -> Result<Option<String>, QueryError> {
        let available: &str = Availability::Available.into();
        let mut named = Vec::new();
        for (entry, parts) in entries.iter().zip(parts).take(self.next + 1) {
            let availability = self.values.text(Aspect::Field(Field::Availability), parts);
            if availability.is_some_and(|availability| availability != available) {
                named.push(self.name(entry)?);
            }
        }
        let systems = if named.len() == 1 { "system" } else { "systems" };
        Ok((!named.is_empty()).then(|| format!(" Not for sale when measured: the {systems} of {}.", and_list(&named))))
    }

    /// What is left out because one source timed it otherwise, by the best of it: ` 2 settings that were timed otherwise are not
    /// ranked with them, MXNet with 3410 the best of these.`
    pub(super) fn timed_otherwise(&mut self, all: &Frame, ranked: &Frame) -> Result<Option<String>, QueryError> {
        let kept: HashSet<usize> =
            ranked.candidates.iter().flat_map(|own| ranked.runs_of(own).iter().map(|(_, hit)| *hit)).collect();
        let is_kept = |candidate: &&Candidate| all.runs_of(candidate).iter().any(|(_, hit)| kept.contains(hit));
        let left_out: Vec<&Candidate> = all.candidates.iter().filter(|candidate| !is_kept(candidate)).collect();
        let lower = all.measure.direction() == Direction::Lower;
        let best = left_out.iter().min_by(|a, b| {
            let by_value = a.best(all).total_cmp(&b.best(all));
            if lower { by_value } else { by_value.reverse() }
        });
        let Some(best) = best else { return Ok(None) };
        let entry = self.entry(all, best, &IndexMap::new(), &mut RowIds::default())?;
        let (name, value) = (self.name(&entry)?, three(best.best(all)));
        let those = self.count(left_out.len());
        Ok(Some(match left_out.len() {
            1 => format!(" {name} with {value} was timed otherwise and is not ranked with them."),
            _ => format!(
                " {those} that were timed otherwise are not ranked with them, {name} with {value} the best of these."
            ),
        }))
    }
}
