//! A ranking in words: the first, the next two, the frame they share, and which other frames there are.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::conclusion::{Entry, EntryValue};
use super::evidence::{FRAME, sources};
use super::frames::{Candidate, Frame, Scope};
use super::possible::Possible;
use super::ranking::{Ranking, largest_first};
use super::share_keys::ShareKeys;
use super::wording::{name_of, three, unit};
use crate::ask::hits::{HitColumns, PartNumbers};
use crate::ask::question::{QueryError, Superlative};
use crate::model::physics::is_one_sample;
use crate::model::{Aspect, Derived, Direction, Fact, Field, Measure, Metric, Value};
use crate::rows::entity_kind;
use crate::values::text::{and_list, counted, or_list};

/// So many further frames are offered.
const OFFERED: usize = 3;

/// A text is no longer than this for what is offered.
const LONGEST: usize = 520;

/// So many other classes are told, each in the place of a further frame.
const MOST_CLASSES: usize = 2;

impl Ranking<'_> {
    pub(super) fn name(&mut self, entry: &Entry) -> Result<String, QueryError> {
        if self.kind.are_settings || self.kind.is_of_systems() && self.kind.identity.len() > 1 {
            return self.name_of_system(entry);
        }
        let mut names = Vec::new();
        for (key, value) in &entry.subjects {
            let Some(aspect) = Aspect::keyed(key) else { continue };
            if aspect == Aspect::Field(Field::BatchSize) {
                names.push(format!("batch {value}"));
                continue;
            }
            if let (Aspect::Field(Field::DeviceCount), Value::Count(count)) = (aspect, value) {
                names.push(counted(*count as usize, "device", "devices"));
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
        if let Some(framework) = framework {
            name = if name.is_empty() { framework } else { format!("{name} in {framework}") };
        }
        // What else makes up a setting.
        let told = [
            Field::Device,
            Field::DeviceCount,
            Field::Instance,
            Field::Network,
            Field::Framework,
            Field::FrameworkVersion,
            Field::BatchSizeGlobal,
        ];
        let is_else = |key: &String| self.kind.are_settings && !told.iter().any(|field| field.key() == key);
        let others: IndexMap<String, Option<Value>> = entry
            .subjects
            .iter()
            .filter(|(key, _)| is_else(key))
            .map(|(key, value)| (key.clone(), Some(value.clone())))
            .collect();
        let others = self.names.frame(&others, self.stores)?;
        Ok(match (name.is_empty(), others.is_empty()) {
            (_, true) if name.is_empty() => "the only setting".to_owned(),
            (_, true) => name,
            (true, false) => others,
            (false, false) => format!("{name} ({others})"),
        })
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
        // Every condition is told that the frame does not say itself.
        let met = match self.conditions.as_slice() {
            [] => String::new(),
            conditions => format!(" with {}", and_list(conditions)),
        };
        let from = sources(self.values, &frame_parts(frame, self.hits));
        let from = if from.len() == 1 { format!(" ({})", from[0]) } else { format!(" ({} sources)", from.len()) };
        let from = format!("{from}{}", self.one_of);
        let (name, value) = (self.name(first)?, number(first));
        let mut text = if frame.candidates.len() == 1 {
            let noun = self.noun();
            let measure = name_of(frame.measure);
            format!(
                "{name} with {value}{unit}{setting}: the only {noun}{met} whose {measure} is known under one frame, so there is \
                 no order; {described}{from}."
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
                _ if self.kind.are_settings => format!("{count}{met} of one task"),
                Scope::Alike => format!("{count}{met} under one frame"),
                Scope::Task => format!("the best of each of {count}{met}, every one in its own setting"),
            };
            let then = if rest.is_empty() { String::new() } else { format!(", then {}", and_list(&rest)) };
            format!("{word}: {name} with {value}{unit}{setting}{then}; {under_what}: {described}{from}.")
        };
        if superlative == Superlative::Best {
            text.extend(self.better_elsewhere(frame, others)?);
        }
        text.extend(self.how_few(frame));
        let classes = self.other_classes(frame, others, superlative)?;
        let most = OFFERED - classes.iter().len();
        text.extend(classes);
        let mut offered: Vec<String> = Vec::new();
        for other in self.by_task(frame, others) {
            let told = self.offer(other, frame)?;
            if !told.is_empty() && !offered.iter().any(|offer| offer.starts_with(&told)) {
                // Who comes first there is worth a word where it is another.
                let leader = self.first_of(other, superlative)?;
                let leader = if leader == name { String::new() } else { format!(", first {leader}") };
                offered.push(format!("{told} ({}{leader})", other.candidates.len()));
            }
            if offered.len() == most {
                break;
            }
        }
        // What is offered is the first to give way: the conclusion is to fit a few lines.
        while !offered.is_empty() && text.len() + offered.join("; ").len() > LONGEST {
            offered.pop();
        }
        if !offered.is_empty() {
            text.push_str(&format!(" Other frames: {}.", offered.join("; ")));
        }
        Ok(text)
    }

    /// The frames that may be offered: one of each other task before more of the same.
    fn by_task<'f>(&self, taken: &Frame, others: &'f [Frame]) -> Vec<&'f Frame> {
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
    fn other_classes(
        &mut self,
        taken: &Frame,
        others: &[Frame],
        superlative: Superlative,
    ) -> Result<Option<String>, QueryError> {
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
        Ok((!told.is_empty()).then(|| {
            format!(" These are of class {own}; classes are not ranked together: first is {}.", and_list(&told))
        }))
    }

    /// `4 x H100 in vLLM with 2.68 tokens/J (Llama 3.1 70B inference)`: another network or stage than that of the ranking is told.
    pub(super) fn beside_in_words(
        &mut self,
        entry: &Entry,
        taken: &IndexMap<String, Option<Value>>,
    ) -> Result<String, QueryError> {
        let differs = |key: &&str| entry.under.get(*key) != taken.get(*key);
        let apart = [Field::Network, Field::Stage].map(Field::key).into_iter().filter(differs);
        let apart = apart.filter_map(|key| Some((key.to_owned(), Some(entry.under.get(key)?.clone()?))));
        let apart = self.names.frame(&apart.collect(), self.stores)?;
        let apart = if apart.is_empty() { String::new() } else { format!(" ({apart})") };
        let unit = entry.unit.as_deref().map_or_else(String::new, |unit| format!(" {unit}"));
        let value = match &entry.value {
            Some(EntryValue::Number(number)) => format!(" with {}{unit}", three(*number)),
            _ => String::new(),
        };
        Ok(format!("{}{value}{apart}", self.name(entry)?))
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
        // An image, a sample and an inference of one network are the same work.
        let is_key = |field: &Field| !matches!(field, Field::Counts | Field::InputShape);
        let keys = ShareKeys::of(self.values, task.into_iter().filter(is_key).map(Aspect::Field));
        let shape = |frame: &Frame| self.values.number(Aspect::Field(Field::InputShape), &frame.parts);
        let same_shape = |a: u32, b: u32| a == b || a == 0 || b == 0;
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
                && same_shape(shape(other), shape(frame))
                && keys.key(&other.parts) == keys.key(&frame.parts)
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
        if self.kind.are_settings {
            return "setting".to_owned();
        }
        if self.kind.is_of_systems() && self.kind.identity.len() > 1 {
            return "system".to_owned();
        }
        entity_kind(self.aspect).map_or_else(|| self.aspect.key().replace('-', " "), |kind| kind.to_string())
    }

    fn count(&self, count: usize) -> String {
        if self.kind.are_settings {
            return counted(count, "setting", "settings");
        }
        if self.aspect == Aspect::Field(Field::DeviceCount) {
            return counted(count, "number of devices", "numbers of devices");
        }
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
        Superlative::Best | Superlative::Cheapest if measure == Measure::Derived(Derived::RatePerLaunchUsd) => {
            "Fastest for its launch price".to_owned()
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
