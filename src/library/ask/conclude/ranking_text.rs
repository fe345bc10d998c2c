//! A ranking in words: the first, the next two, the frame they share, and which other frames there are.

use indexmap::IndexMap;

use super::conclusion::{Entry, EntryValue};
use super::evidence::{FRAME, sources};
use super::frames::{Candidate, Frame, Scope};
use super::possible::Possible;
use super::ranking::{Ranking, largest_first};
use super::share_keys::ShareKeys;
use super::wording::{name_of, three};
use crate::ask::hits::{HitColumns, PartNumbers};
use crate::ask::question::{QueryError, Superlative};
use crate::model::{Aspect, Derived, Direction, Field, Measure, Metric, Value};
use crate::rows::entity_kind;
use crate::values::text::{and_list, counted, or_list};

/// So many further frames are offered.
const OFFERED: usize = 3;

impl Ranking<'_> {
    pub(super) fn name(&mut self, entry: &Entry) -> Result<String, QueryError> {
        if self.kind.is_of_systems() && self.kind.identity.len() > 1 {
            return self.name_of_system(entry);
        }
        let mut names = Vec::new();
        for (key, value) in &entry.subjects {
            let Some(aspect) = Aspect::keyed(key) else { continue };
            if aspect == Aspect::Field(Field::BatchSize) {
                names.push(format!("batch {value}"));
                continue;
            }
            names.push(self.names.of(aspect, &value.to_string(), self.stores)?);
        }
        Ok(names.join(" on "))
    }

    /// `8 x Tesla V100 (p3.16xlarge) with ResNet-50 in fastai`.
    fn name_of_system(&mut self, entry: &Entry) -> Result<String, QueryError> {
        let mut of = |field: Field| -> Result<Option<String>, QueryError> {
            let value = entry.subjects.get(field.key()).map(ToString::to_string);
            value.map(|value| self.names.of(Aspect::Field(field), &value, self.stores)).transpose()
        };
        let (device, count, instance) = (of(Field::Device)?, of(Field::DeviceCount)?, of(Field::Instance)?);
        let (network, framework) = (of(Field::Network)?, of(Field::Framework)?);
        let mut name = match (device, count) {
            (Some(device), Some(count)) => format!("{count} x {device}"),
            (device, _) => device.unwrap_or_default(),
        };
        if let Some(instance) = instance {
            name = if name.is_empty() { instance } else { format!("{name} ({instance})") };
        }
        name.extend(network.map(|network| format!(" with {network}")));
        name.extend(framework.map(|framework| format!(" in {framework}")));
        Ok(name)
    }

    /// What belongs to a candidate's own setting, in words, where candidates have their own.
    fn setting(
        &mut self,
        frame: &Frame,
        entry: &Entry,
        under: &IndexMap<String, Option<Value>>,
    ) -> Result<String, QueryError> {
        if frame.scope == Scope::Alike {
            return Ok(String::new());
        }
        let told = [Field::DeviceCount, Field::Precision, Field::Framework];
        let own = told.into_iter().filter(|field| !under.contains_key(field.key()));
        let own = own.filter_map(|field| Some((field.key().to_owned(), Some(entry.under.get(field.key())?.clone()?))));
        let own: IndexMap<String, Option<Value>> = own.collect();
        self.names.frame(&own, self.stores)
    }

    pub(super) fn text(
        &mut self,
        frame: &Frame,
        entries: &[Entry],
        under: &IndexMap<String, Option<Value>>,
        superlative: Superlative,
        others: &[Frame],
    ) -> Result<String, QueryError> {
        let Some(first) = entries.first() else { return Ok(String::new()) };
        let unit = first.unit.as_deref().map_or_else(String::new, |unit| format!(" {unit}"));
        let number = |entry: &Entry| match &entry.value {
            Some(EntryValue::Number(number)) => three(*number),
            _ => String::new(),
        };
        let setting = self.setting(frame, first, under)?;
        let setting = if setting.is_empty() { String::new() } else { format!(" ({setting})") };
        let described = self.described(frame, under)?;
        let from = sources(self.values, &frame_parts(frame, self.hits));
        let from = if from.len() == 1 { format!(" ({})", from[0]) } else { format!(" ({} sources)", from.len()) };
        let (name, value) = (self.name(first)?, number(first));
        let mut text = if frame.candidates.len() == 1 {
            let noun = self.noun();
            let measure = name_of(frame.measure);
            format!(
                "{name} with {value}{unit}{setting}: the only {noun} whose {measure} is known under one frame, so there is no \
                 order; {described}{from}."
            )
        } else {
            let mut rest = Vec::new();
            for entry in entries.iter().skip(1).take(self.next) {
                let setting = self.setting(frame, entry, under)?;
                let setting = if setting.is_empty() { String::new() } else { format!(", {setting}") };
                rest.push(format!("{} ({}{setting})", self.name(entry)?, number(entry)));
            }
            let word = in_front(superlative, frame.measure);
            let count = self.count(frame.candidates.len());
            let under_what = match frame.scope {
                Scope::Alike => format!("{count} under one frame"),
                Scope::Task => format!("the best of each of {count}, every one in its own setting"),
            };
            let then = if rest.is_empty() { String::new() } else { format!(", then {}", and_list(&rest)) };
            format!("{word}: {name} with {value}{unit}{setting}{then}; {under_what}: {described}{from}.")
        };
        if superlative == Superlative::Best {
            text.extend(self.better_elsewhere(frame, others)?);
        }
        text.extend(self.how_few(frame));
        let mut offered: Vec<String> = Vec::new();
        for other in others.iter().filter(|other| other.candidates.len() > 1) {
            let told = self.offer(other, frame)?;
            if !told.is_empty() && !offered.iter().any(|offer| offer.starts_with(&told)) {
                // Who comes first there is worth a word where it is another.
                let leader = self.first_of(other, superlative)?;
                let leader = if leader == name { String::new() } else { format!(", first {leader}") };
                offered.push(format!("{told} ({}{leader})", other.candidates.len()));
            }
            if offered.len() == OFFERED {
                break;
            }
        }
        if !offered.is_empty() {
            text.push_str(&format!(" Other frames: {}.", offered.join("; ")));
        }
        Ok(text)
    }

    /// The name of the candidate that comes first under a frame.
    fn first_of(&mut self, frame: &Frame, superlative: Superlative) -> Result<String, QueryError> {
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

    /// A ranking is of one setting. Where another setting of the same task has a better value, that is said:
    /// ` In another setting A100 has 3500 (amp-fp16, batch 256, MXNet; nvidia-dle-2024).`
    fn better_elsewhere(&mut self, frame: &Frame, others: &[Frame]) -> Result<Option<String>, QueryError> {
        let Measure::Metric(metric @ (Metric::ThroughputPerS | Metric::LatencyMs)) = frame.measure else {
            return Ok(None);
        };
        let (Some(first), Some(task)) = (frame.candidates.first(), self.kind.task(frame.measure)) else {
            return Ok(None);
        };
        if frame.scope == Scope::Task {
            return Ok(None);
        }
        let keys = ShareKeys::of(self.values, task.into_iter().map(Aspect::Field));
        let lower = metric.direction() == Direction::Lower;
        let is_better = |value: f64, than: f64| if lower { value < than } else { value > than };
        let mut possible = Possible::new(self.stores, self.values);
        let mut best = first.value(frame);
        let mut found = None;
        let of_task = |other: &&Frame| {
            other.measure == frame.measure && !other.is_extreme && keys.key(&other.parts) == keys.key(&frame.parts)
        };
        for other in others.iter().filter(of_task) {
            for candidate in &other.candidates {
                let (value, parts) = (candidate.value(other), self.hits.parts(candidate.hit(other)));
                if is_better(value, best) && possible.is_possible(&parts, metric, value)? {
                    (best, found) = (value, Some(parts));
                }
            }
        }
        let Some(parts) = found else { return Ok(None) };
        let name = self.name(&Entry { subjects: self.subjects(&parts), ..Entry::default() })?;
        // What is not told is as in the ranking.
        let told = FRAME.iter().copied().filter(|field| {
            let number = |parts: &PartNumbers| self.values.number(Aspect::Field(*field), parts);
            !self.kind.varied.contains(field) && number(&parts) != number(&frame.parts)
        });
        let setting = told.filter_map(|field| Some((field.key().to_owned(), Some(self.values.value(field, &parts)?))));
        let setting = self.names.frame(&setting.collect(), self.stores)?;
        let setting = if setting.is_empty() { String::new() } else { format!("{setting}; ") };
        let source = self.values.source(&parts);
        let unit = self.unit(frame).map_or_else(String::new, |unit| format!(" {unit}"));
        Ok(Some(format!(" In another setting of the same task {name} has {}{unit} ({setting}{source}).", three(best))))
    }

    /// A frame in words: of a task what belongs to it, of alike rows all that decides.
    fn described(&mut self, frame: &Frame, under: &IndexMap<String, Option<Value>>) -> Result<String, QueryError> {
        let stated = under.iter().filter(|(_, value)| frame.scope == Scope::Alike || value.is_some());
        let under: IndexMap<String, Option<Value>> = stated.map(|(key, value)| (key.clone(), value.clone())).collect();
        self.names.frame(&under, self.stores)
    }

    /// How few rows state what is ranked, where they are few.
    fn how_few(&self, frame: &Frame) -> Option<String> {
        let Measure::Metric(metric) = frame.measure else { return None };
        let stating = self.hits.values(metric).iter().filter(|value| !value.is_nan()).count();
        let all = self.hits.len();
        (stating * 2 < all).then(|| format!(" {stating} of {all} rows state the {}.", name_of(frame.measure)))
    }

    /// In what another frame differs, in words.
    fn offer(&mut self, other: &Frame, taken: &Frame) -> Result<String, QueryError> {
        let differs = |field: Field| {
            self.values.number(Aspect::Field(field), &other.parts)
                != self.values.number(Aspect::Field(field), &taken.parts)
        };
        let varies = |field: &Field| self.kind.varied.contains(field);
        let fields =
            [Field::Network, Field::Stage, Field::Scenario, Field::Precision, Field::BatchSize, Field::Framework];
        let fields: Vec<Field> = fields.into_iter().filter(|field| differs(*field) && !varies(field)).collect();
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

    fn noun(&self) -> String {
        if self.kind.is_of_systems() && self.kind.identity.len() > 1 {
            return "system".to_owned();
        }
        entity_kind(self.aspect).map_or_else(|| self.aspect.key().replace('-', " "), |kind| kind.to_string())
    }

    fn count(&self, count: usize) -> String {
        if self.kind.is_of_systems() && self.kind.identity.len() > 1 {
            return counted(count, "system", "systems");
        }
        let many =
            entity_kind(self.aspect).map_or_else(|| format!("{}s", self.noun()), |kind| kind.plural().to_owned());
        counted(count, &self.noun(), &many)
    }

    /// What is said where nothing can be ranked.
    pub(super) fn nothing(&self, measures: &[Measure]) -> String {
        if self.hits.is_empty() {
            return "No measurement meets the question, so nothing can be ranked.".to_owned();
        }
        let named: Vec<&str> = measures.iter().map(|measure| name_of(*measure)).collect();
        let (rows, noun) = (counted(self.hits.len(), "row", "rows"), self.noun());
        format!("Nothing can be ranked: of {rows} none states the {} of a {noun}.", or_list(&named))
    }
}

/// The parts of the run in the middle of each candidate.
fn frame_parts(frame: &Frame, hits: &HitColumns) -> Vec<PartNumbers> {
    frame.candidates.iter().flat_map(|candidate| candidate.runs.iter().map(|(_, hit)| hits.parts(*hit))).collect()
}

/// The word in front of the first: `Fastest`, `Highest throughput`.
fn in_front(superlative: Superlative, measure: Measure) -> String {
    let name = name_of(measure);
    let of_speed = matches!(
        measure,
        Measure::Metric(
            Metric::ThroughputPerS | Metric::LatencyMs | Metric::EpochS | Metric::TotalS | Metric::TimeToAccuracyS
        ) | Measure::Derived(Derived::ThroughputPerDevice | Derived::TimePerItemMs)
    );
    let per_joule =
        matches!(measure, Measure::Metric(Metric::ItemsPerJoule) | Measure::Derived(Derived::ItemsPerTdpJoule));
    let of_cost = matches!(measure, Measure::Metric(Metric::CostUsd) | Measure::Derived(Derived::CostToAccuracyUsd));
    match superlative {
        Superlative::Best | Superlative::Most if per_joule => "Most energy-efficient".to_owned(),
        Superlative::Best | Superlative::Cheapest if measure == Measure::Derived(Derived::ItemsPerDollar) => {
            "Most for the dollar".to_owned()
        }
        Superlative::Best | Superlative::Least | Superlative::Cheapest if of_cost => "Cheapest".to_owned(),
        Superlative::Best if of_speed => "Fastest".to_owned(),
        Superlative::Worst if of_speed => "Slowest".to_owned(),
        Superlative::Best => format!("Best {name}"),
        Superlative::Worst => format!("Worst {name}"),
        Superlative::Most => format!("Highest {name}"),
        Superlative::Least => format!("Lowest {name}"),
        Superlative::Cheapest => format!("Cheapest by {name}"),
    }
}
