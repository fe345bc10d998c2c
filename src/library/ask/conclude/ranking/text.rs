//! A ranking in words: the first, the next two, the frame they share, and which other frames there are.

use indexmap::IndexMap;

use super::candidate_kind::TOLD_OF_SETTING;
use super::frames::{Frame, Scope};
use super::inputs::Ranking;
use super::ranked_rows::of_layers;
use super::superlatives::in_front;
use crate::ask::conclude::basis::conclusion::{Entry, EntryValue};
use crate::ask::conclude::basis::evidence::sources;
use crate::ask::conclude::basis::wording::{name_of, three};
use crate::ask::hits::{HitColumns, PartNumbers};
use crate::ask::question::{QueryError, Superlative};
use crate::model::{Aspect, Derived, Direction, Fact, Field, Measure, Metric, Part, Value};
use crate::values::text::{and_list, counted, or_list};
use crate::values::{Stage, Statistic};

/// So many further frames are offered.
const OFFERED: usize = 3;

/// A text is no longer than this for what is offered.
const LONGEST: usize = 520;

impl Ranking<'_> {
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
        let device = [Field::Device].into_iter().filter(|_| self.kind.is_of_groups());
        let own = device.chain(TOLD_OF_SETTING.iter().copied()).filter(|field| !under.contains_key(field.key()));
        // Beside candidates that ran in a stated precision one that states none is no equal.
        // A mean goes without saying; a median beside means does not.
        let is_told = |field: Field, value: &Option<Value>| match (field, value) {
            (Field::Statistic, Some(value)) => value.to_string() != <&str>::from(Statistic::Mean),
            (Field::Precision, None) => is_speed(frame.measure),
            (_, value) => value.is_some(),
        };
        let own = own.filter_map(|field| {
            let value = entry.under.get(field.key())?.clone();
            is_told(field, &value).then(|| (field.key().to_owned(), value))
        });
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
        let in_unit = self.time_unit.filter(|_| first.unit.as_deref() == Some("s"));
        let told_in = in_unit.map(|own| own.symbol).or(first.unit.as_deref());
        let unit = told_in.map_or_else(String::new, |unit| format!(" {unit}{}", self.of_each(frame)));
        let seconds = in_unit.map_or(1.0, |own| own.seconds);
        let number = |entry: &Entry| match &entry.value {
            Some(EntryValue::Number(number)) => three(*number / seconds),
            _ => String::new(),
        };
        let setting = self.setting(frame, first, under)?;
        let setting = if setting.is_empty() { String::new() } else { format!(" ({setting})") };
        let described = [self.described(frame, under)?, self.energy_in_words(frame)].concat();
        // Every condition is told that the frame does not say itself.
        let met = match self.conditions.as_slice() {
            [] => String::new(),
            conditions => format!(" with {}", and_list(conditions)),
        };
        let from = sources(self.values, &frame_parts(frame, self.hits));
        let from = if from.len() == 1 { format!(" ({})", from[0]) } else { format!(" ({} sources)", from.len()) };
        let from = format!("{from}{}", self.one_of);
        let (name, value) = (self.name(first)?, number(first));
        let entered = self.entered_as(frame)?;
        let setting = format!("{setting}{}{}{entered}", self.price_in_words(frame, 0)?, of_runs(frame, 0));
        let classes = self.other_classes(frame, others, superlative)?;
        // Whoever reads no further takes the first of one class for the first of all.
        let of_class = classes.as_ref().map_or_else(String::new, |classes| format!(" of class {}", classes.own));
        // One frame is not all that was measured: who is more accurate in another one is told there.
        let of_frame = if self.is_better_elsewhere(frame, others, superlative) { " in the widest frame" } else { "" };
        let word = format!("{}{of_frame}{of_class}", in_front(superlative, frame.measure));
        let mut text = if frame.candidates.len() == 1 {
            let noun = self.noun();
            let measure = name_of(frame.measure);
            format!(
                "{name} with {value}{unit}{setting}: the only {noun}{met} whose {measure} is known under one frame, so there is \
                 no order; {described}{from}."
            )
        } else {
            let mut rest = Vec::new();
            for (at, entry) in entries.iter().enumerate().skip(1).take(self.next) {
                let setting = self.setting(frame, entry, under)?;
                let setting = if setting.is_empty() { String::new() } else { format!(", {setting}") };
                let price = self.price_in_words(frame, at)?;
                let price = price.strip_prefix(" (at ").and_then(|price| price.strip_suffix(')'));
                let price = price.map_or_else(String::new, |price| format!(" at {price}"));
                let value = format!("{}{}{price}", number(entry), of_runs_in_brief(frame, at));
                rest.push(format!("{} ({value}{setting})", self.name(entry)?));
            }
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
            if let Some(better) = self.better_elsewhere(frame)? {
                text = better.told_with(&text, &word, &name);
            }
            text.extend(self.higher_share(frame, others)?);
            text.extend(self.by_latency(frame, others)?);
        }
        text.push_str(&self.caveats(frame, under, entries)?);
        text.extend(self.how_few(frame));
        let most = OFFERED - classes.iter().len();
        text.extend(classes.map(|classes| classes.told));
        let mut offered: Vec<String> = Vec::new();
        for other in self.by_task(frame, others) {
            let told = self.offer(other, frame)?;
            if !told.is_empty() && !offered.iter().any(|offer| offer.starts_with(&told)) {
                // Who comes first there is worth a word where it is another.
                let leader = self.first_of(other, superlative)?;
                let of_quality = other.measure == frame.measure && frame.measure.basis().is_of_quality();
                let first = if of_quality { format!(" with {}", three(other.best())) } else { String::new() };
                let leader =
                    if leader == name && !of_quality { String::new() } else { format!(", first {leader}{first}") };
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

    /// `4 x H100 in vLLM with 2.68 tokens/J (Llama 3.1 70B inference)`: another network or stage than that of the ranking is told.
    pub(super) fn beside_in_words(
        &mut self,
        entry: &Entry,
        taken: &IndexMap<String, Option<Value>>,
        told: &[Field],
    ) -> Result<String, QueryError> {
        let differs = |key: &&str| entry.under.get(*key) != taken.get(*key);
        let apart = told.iter().map(|field| field.key()).filter(differs);
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

    /// ` entered as `AlibabaCloud_resnet26d``: what the source calls the run of the first, where it is asked who that is.
    fn entered_as(&self, frame: &Frame) -> Result<String, QueryError> {
        let Some(first) = frame.candidates.first().filter(|_| self.who) else { return Ok(String::new()) };
        let labels = self.stores.database.remarks_of(&[self.hits.row(first.hit(frame))], Field::Label)?;
        let label = labels.into_iter().flatten().next();
        Ok(label.map_or_else(String::new, |label| format!(", entered as `{label}`")))
    }

    /// ` for each sample`: what an inference costs is told for one of what it counts.
    fn of_each(&self, frame: &Frame) -> String {
        let text = |field: Field| self.values.text(Aspect::Field(field), &frame.parts);
        let is_inference = text(Field::Stage) == Some(<&str>::from(Stage::Eval));
        match text(Field::Counts) {
            Some(counts) if frame.measure == Measure::Metric(Metric::CostUsd) && is_inference => {
                format!(" for each {counts}")
            }
            _ => String::new(),
        }
    }

    /// A frame in words: of a task what belongs to it, of alike rows all that decides.
    fn described(&mut self, frame: &Frame, under: &IndexMap<String, Option<Value>>) -> Result<String, QueryError> {
        let is_told = |key: &str, value: &Option<Value>| {
            value.is_some() || frame.scope == Scope::Alike || key == Field::Precision.key() && is_speed(frame.measure)
        };
        let stated = under.iter().filter(|(key, value)| is_told(key, value));
        let under: IndexMap<String, Option<Value>> = stated.map(|(key, value)| (key.clone(), value.clone())).collect();
        self.names.frame(&under, self.stores)
    }

    /// Whether the first of another frame is of better quality in the same task: of speeds that is told for itself.
    fn is_better_elsewhere(&self, frame: &Frame, others: &[Frame], superlative: Superlative) -> bool {
        let is_best = matches!(superlative, Superlative::Best | Superlative::Most);
        if !frame.measure.basis().is_of_quality() || !is_best {
            return false;
        }
        let task = |frame: &Frame| {
            let fields = [Aspect::Fact(Fact::Task), Aspect::Field(Field::Stage)];
            fields.map(|aspect| self.values.number(aspect, &frame.parts))
        };
        let lower = frame.measure.direction() == Direction::Lower;
        let is_better = |other: f64| if lower { other < frame.best() } else { other > frame.best() };
        let of_task =
            |other: &&Frame| other.measure == frame.measure && !other.is_extreme && task(other) == task(frame);
        others.iter().filter(of_task).any(|other| other.candidates.len() > 1 && is_better(other.best()))
    }

    /// How few rows state what is ranked, where they are few.
    fn how_few(&self, frame: &Frame) -> Option<String> {
        let Measure::Metric(metric) = frame.measure else { return None };
        let stating = self.hits.values(metric).iter().filter(|value| !value.is_nan()).count();
        let all = self.hits.len();
        (stating * 2 < all).then(|| format!(" {stating} of {all} rows state the {}.", name_of(frame.measure)))
    }

    /// What is said where nothing can be ranked.
    pub(super) fn nothing(&self, measures: &[Measure]) -> String {
        let layers = of_layers(self.values);
        let is_layer =
            |hit: usize| layers.get(self.hits.part(hit, Part::Workload) as usize).copied().unwrap_or_default();
        if !self.hits.is_empty() && (0..self.hits.len()).all(is_layer) {
            return format!(
                "Nothing is ranked: the {} are of single layers, and a layer of one size says nothing of another.",
                counted(self.hits.len(), "row", "rows")
            );
        }
        if self.hits.is_empty() {
            return "No measurement meets the question, so nothing can be ranked.".to_owned();
        }
        if measures.contains(&Measure::Derived(Derived::PeakFraction)) {
            return format!(
                "The fraction of the peak cannot be computed: of {} none has a throughput of a network whose operations are \
                 known in a format whose peak is known of the device.",
                counted(self.hits.len(), "row", "rows")
            );
        }
        let named: Vec<&str> = measures.iter().map(|measure| name_of(*measure)).collect();
        let (rows, noun) = (counted(self.hits.len(), "row", "rows"), self.noun());
        format!("Nothing can be ranked: of {rows} none states the {} of a {noun}.", or_list(&named))
    }
}

/// What the value of a candidate is of several runs that are told as one: ` (median of 3 runs, 390 to 410)`; nothing where there is
/// one, or where they do not differ.
fn of_runs(frame: &Frame, at: usize) -> String {
    let Some(candidate) = frame.candidates.get(at).filter(|_| frame.by_highest.is_none()) else { return String::new() };
    let (Some(like), Some((low, high))) = (candidate.like, candidate.range(frame)) else { return String::new() };
    let (low, high, all) = (three(low), three(high), frame.runs_of(candidate).len());
    match like.runs {
        _ if low == high => String::new(),
        runs if runs == all => format!(" (median of {all} runs, {low} to {high})"),
        _ => format!(" (the best of its conditions; {all} runs, {low} to {high})"),
    }
}

/// The same in a word or two behind those that follow.
fn of_runs_in_brief(frame: &Frame, at: usize) -> String {
    match frame.candidates.get(at).and_then(|candidate| Some((candidate.like?, frame.runs_of(candidate).len()))) {
        _ if of_runs(frame, at).is_empty() => String::new(),
        Some((like, all)) if like.runs == all => format!(", median of {all}"),
        Some(_) => " at best".to_owned(),
        None => String::new(),
    }
}

/// Whether it is a speed, which hangs on the precision.
pub(super) fn is_speed(measure: Measure) -> bool {
    matches!(
        measure,
        Measure::Metric(Metric::ThroughputPerS | Metric::LatencyMs) | Measure::Derived(Derived::ThroughputPerDevice)
    )
}

/// The parts of the run in the middle of each candidate.
fn frame_parts(frame: &Frame, hits: &HitColumns) -> Vec<PartNumbers> {
    frame
        .candidates
        .iter()
        .flat_map(|candidate| frame.runs_of(candidate).iter().map(|(_, hit)| hits.parts(*hit)))
        .collect()
}
