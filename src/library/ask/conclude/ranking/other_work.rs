//! A question that names a network takes in its variants and, of a benchmark, every division: what is ahead in one of these is told,
//! since a ranking is of one network under one set of rules.

use super::frames::Frame;
use super::inputs::Ranking;
use crate::ask::conclude::basis::conclusion::Entry;
use crate::ask::conclude::basis::evidence::FRAME;
use crate::ask::conclude::basis::possible::Possible;
use crate::ask::conclude::basis::wording::{three, unit};
use crate::ask::hits::PartNumbers;
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Direction, Facet, Fact, Field, Measure, Metric};

/// What makes other work of the same question.
const WORK: &[Field] = &[Field::Network, Field::Division, Field::AccuracyTarget, Field::RelativeAccuracyTarget];

/// What both must have alike.
const ALIKE: &[Field] = &[Field::Stage, Field::Scenario, Field::DeviceCount];

/// So many results are looked at, each of which may be one that no hardware can give.
const MOST_LOOKED_AT: usize = 20;

impl Ranking<'_> {
    /// The text of a ranking, and who is ahead of all that it tells in other work that the question takes in as well: then nothing
    /// in it is of any setting.
    pub(super) fn with_other_work(
        &mut self,
        question: &Question,
        frame: &Frame,
        text: String,
    ) -> Result<String, QueryError> {
        let names_network = question.read_as().any(|read| read.facet == Facet::Network.key());
        let Some(ahead) =
            (if names_network { self.ahead_in_other_work(frame, text.contains(" of class "))? } else { None })
        else {
            return Ok(text);
        };
        let narrowed = text.replacen(" in any setting: ", " in any setting of this network under its rules: ", 1);
        Ok(format!("{narrowed} {ahead}"))
    }

    /// `of_class` tells whether the ranking says that it is of one class of devices.
    fn ahead_in_other_work(&mut self, frame: &Frame, of_class: bool) -> Result<Option<String>, QueryError> {
        let Measure::Metric(metric @ (Metric::ThroughputPerS | Metric::LatencyMs)) = frame.measure else {
            return Ok(None);
        };
        let lower = metric.direction() == Direction::Lower;
        let is_better = |value: f64, than: f64| if lower { value < than } else { value > than };
        let number = |field: Field, parts: &PartNumbers| self.values.number(Aspect::Field(field), parts);
        let counted = if metric == Metric::ThroughputPerS { &[Field::Counts][..] } else { &[] };
        let class = Aspect::Fact(Fact::Class);
        let same = |fields: &[Field], parts: &PartNumbers| {
            let is_same = |field: &Field| number(*field, parts) == number(*field, &frame.parts);
            fields.iter().filter(|field| !self.kind.varied.contains(field)).all(is_same)
        };
        // What one of two rows leaves unsaid may be alike.
        let alike = |parts: &PartNumbers| {
            let may_be = |field: &Field| {
                let (a, b) = (number(*field, parts), number(*field, &frame.parts));
                a == b || a == 0 || b == 0
            };
            ALIKE.iter().filter(|field| !self.kind.varied.contains(field)).all(may_be)
        };
        let is_like = |parts: &PartNumbers| {
            alike(parts)
                && same(counted, parts)
                && self.values.stands(parts)
                && !self.values.is_extreme(parts)
                && (!of_class || self.values.number(class, parts) == self.values.number(class, &frame.parts))
        };
        let mut best = frame.candidates.first().map_or(f64::NAN, |first| first.value(frame));
        let mut others: Vec<(f64, PartNumbers)> = Vec::new();
        for (hit, &value) in self.hits.values(metric).iter().enumerate() {
            if !value.is_finite() || !is_better(value, best) {
                continue;
            }
            let parts = self.hits.parts(hit);
            match is_like(&parts) {
                true if same(WORK, &parts) => best = value,
                true => others.push((value, parts)),
                false => {}
            }
        }
        others.retain(|(value, _)| is_better(*value, best));
        others.sort_by(|(a, _), (b, _)| if lower { a.total_cmp(b) } else { b.total_cmp(a) });
        let mut possible = Possible::new(self.stores, self.values);
        for (value, parts) in others.into_iter().take(MOST_LOOKED_AT) {
            let subjects = self.subjects(&parts);
            if subjects.is_empty() || !possible.is_possible(&parts, metric, value)? {
                continue;
            }
            let name = self.name(&Entry { subjects, ..Entry::default() })?;
            let unit = unit(frame.measure, self.values.text(Aspect::Field(Field::Counts), &parts));
            let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
            let told = FRAME.iter().copied().filter(|field| {
                let own = |parts: &PartNumbers| self.values.number(Aspect::Field(*field), parts);
                !self.kind.varied.contains(field) && own(&parts) != own(&frame.parts)
            });
            let setting =
                told.filter_map(|field| Some((field.key().to_owned(), Some(self.values.value(field, &parts)?))));
            let setting = self.names.frame(&setting.collect(), self.stores)?;
            let setting = if setting.is_empty() { String::new() } else { format!("{setting}; ") };
            let source = self.values.source(&parts);
            return Ok(Some(format!(
                "Ahead in other work that was asked for, too, and not ranked with it: {name} with {}{unit} ({setting}{source}).",
                three(value)
            )));
        }
        Ok(None)
    }
}
