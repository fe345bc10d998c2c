//! A ranking is of one setting; where another setting of the same task has a better value, that is said.

use super::caveats::MAY_BE_TF32;
use super::frames::Frame;
use super::inputs::Ranking;
use crate::ask::conclude::basis::conclusion::Entry;
use crate::ask::conclude::basis::derived_values::derived_values;
use crate::ask::conclude::basis::evidence::FRAME;
use crate::ask::conclude::basis::possible::Possible;
use crate::ask::conclude::basis::share_keys::ShareKeys;
use crate::ask::conclude::basis::wording::{item_counted, three, unit};
use crate::ask::hits::{HitColumns, PartNumbers};
use crate::ask::question::QueryError;
use crate::model::{Aspect, Derived, Direction, Fact, Field, Measure, Metric, Part};
use crate::values::Division;
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

/// What rows of the same work may leave unsaid: an image, a sample and an inference of one network are the same work, and other
/// inputs or data, loads and rules of a suite are another only where both are stated.
const MAY_BE_UNSTATED: &[Field] = &[Field::Counts, Field::InputShape, Field::Dataset, Field::Scenario, Field::Division];

/// So many results are looked at, each of which may be one that no hardware can give.
const MOST_LOOKED_AT: usize = 60;

impl BetterElsewhere {
    /// A ranking with it: in front where it is another candidate, since nobody must take the first of one setting for the first
    /// of all; else behind.
    pub fn told_with(&self, ranking: &str, word: &str, first: &str) -> String {
        let Self { name, value, setting, behind } = self;
        let then = if behind.is_empty() { String::new() } else { format!(", then {}", and_list(behind)) };
        let any = format!("{word} in any setting: {name} with {value} ({setting}){then}.");
        match ranking.strip_prefix(&format!("{word}: ")) {
            Some(ranked) if name != first => format!("{any} Ranked together: {ranked}"),
            // Of a frame with one candidate nothing stands in front.
            None if name != first => format!("{any} {ranking}"),
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

    /// A ranking is of one setting. Who has a better value in another setting of the same work, and which.
    pub(super) fn better_elsewhere(&mut self, frame: &Frame) -> Result<Option<BetterElsewhere>, QueryError> {
        let metric = match frame.measure {
            Measure::Metric(metric @ (Metric::ThroughputPerS | Metric::LatencyMs)) => metric,
            Measure::Derived(Derived::ThroughputPerDevice) => Metric::ThroughputPerS,
            _ => return Ok(None),
        };
        let (Some(first), Some(rows)) = (frame.candidates.first(), self.of_same_work(frame)) else { return Ok(None) };
        let values = match frame.measure {
            Measure::Derived(derived) => derived_values(self.stores, self.values, &rows, derived)?,
            Measure::Metric(metric) => rows.values(metric).to_vec(),
        };
        let lower = metric.direction() == Direction::Lower;
        let least = first.value(frame);
        let is_better = |value: f64| value.is_finite() && if lower { value < least } else { value > least };
        let better =
            values.iter().enumerate().filter(|(hit, value)| is_better(**value) && !self.own.contains(&rows.row(*hit)));
        let mut better: Vec<(f64, PartNumbers)> = better.map(|(hit, value)| (*value, rows.parts(hit))).collect();
        better.sort_by(|(a, _), (b, _)| if lower { a.total_cmp(b) } else { b.total_cmp(a) });
        let mut possible = Possible::new(self.stores, self.values);
        let (mut found, mut behind): (Option<(f64, PartNumbers)>, Vec<String>) = (None, Vec::new());
        let mut seen = Vec::new();
        // Of settings of one device the first says it.
        let named_behind = if self.kind.are_settings { 0 } else { self.next.max(NAMED_BEHIND) };
        for (value, parts) in better.into_iter().take(MOST_LOOKED_AT) {
            let subjects = self.subjects(&parts);
            let is_possible = match frame.measure {
                Measure::Derived(derived) => possible.is_possible_as(&parts, derived, value)?,
                Measure::Metric(metric) => possible.is_possible(&parts, metric, value)?,
            };
            if subjects.is_empty() || seen.contains(&subjects) || !is_possible {
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
            if behind.len() == named_behind {
                break;
            }
        }
        let Some((best, parts)) = found else { return Ok(None) };
        let name = self.name(&Entry { subjects: self.subjects(&parts), ..Entry::default() })?;
        let setting = self.other_setting(frame, &parts)?;
        let unit = unit(frame.measure, self.values.text(Aspect::Field(Field::Counts), &parts));
        let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
        Ok(Some(BetterElsewhere { name, value: format!("{}{unit}", three(best)), setting, behind }))
    }

    /// In what the setting of a row differs from that of a ranking, with its source: what is not told is as there.
    fn other_setting(&mut self, frame: &Frame, parts: &PartNumbers) -> Result<String, QueryError> {
        let told = FRAME.iter().copied().filter(|field| {
            let number = |parts: &PartNumbers| self.values.number(Aspect::Field(*field), parts);
            !self.kind.varied.contains(field) && number(parts) != number(&frame.parts)
        });
        let setting = told.filter_map(|field| Some((field.key().to_owned(), Some(self.values.value(field, parts)?))));
        let setting = self.names.frame(&setting.collect(), self.stores)?;
        let doubt = self.may_be_tf32(parts)?.then(|| MAY_BE_TF32.to_owned());
        let parts_told = [Some(setting).filter(|setting| !setting.is_empty()), doubt];
        let told: Vec<String> = parts_told.into_iter().flatten().collect();
        let source = self.values.source(parts);
        Ok(if told.is_empty() { source.to_owned() } else { format!("{}; {source}", told.join(", ")) })
    }

    /// The rows of the work that is ranked, in whatever setting: on one device where one is ranked, and of the class that is ranked.
    fn of_same_work(&self, frame: &Frame) -> Option<HitColumns> {
        let task = self.kind.task(frame.measure)?;
        let keys = ShareKeys::of(
            self.values,
            task.into_iter().filter(|field| !MAY_BE_UNSTATED.contains(field)).map(Aspect::Field),
        );
        let number = |aspect: Aspect, parts: &PartNumbers| self.values.number(aspect, parts);
        let network = Aspect::Field(Field::Network);
        let names_network = self.kind.varied.contains(&Field::Network);
        let own_network = number(network, &frame.parts);
        if own_network == 0 && !names_network {
            return None;
        }
        let column = self.values.column(network)?;
        // What most rows are without is looked at first.
        let is_of_network =
            |hit: usize| names_network || column.number(self.hits.part(hit, Part::Workload)) == own_network;
        let own = keys.key(&frame.parts);
        let is_open = |parts: &PartNumbers| {
            self.values.text(Aspect::Field(Field::Division), parts) == Some(Division::Open.into())
        };
        let stated_alike = |field: &Field, parts: &PartNumbers| {
            let (a, b) = (number(Aspect::Field(*field), parts), number(Aspect::Field(*field), &frame.parts));
            a == b || a == 0 || b == 0
        };
        let class = Aspect::Fact(Fact::Class);
        let devices = |parts: &PartNumbers| self.values.count(Field::DeviceCount, parts).unwrap_or(1);
        let counts_devices =
            self.kind.varied.contains(&Field::DeviceCount) || matches!(frame.measure, Measure::Derived(_));
        let is_alike = |parts: &PartNumbers| {
            keys.key(parts) == own
                && MAY_BE_UNSTATED
                    .iter()
                    .filter(|field| **field != Field::Counts)
                    .all(|field| stated_alike(field, parts))
                && is_open(parts) == is_open(&frame.parts)
                && item_counted(self.values, parts) == item_counted(self.values, &frame.parts)
                && (!self.kind.is_of_devices() || number(class, parts) == number(class, &frame.parts))
                && (counts_devices || devices(parts) == devices(&frame.parts))
                && (frame.is_extreme || !self.values.is_extreme(parts))
                && self.values.stands(parts)
        };
        Some(self.hits.kept(|hit| is_of_network(hit) && is_alike(&self.hits.parts(hit))))
    }
}
