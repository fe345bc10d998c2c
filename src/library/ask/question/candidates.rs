//! What a question has a line for: what is ranked or listed, as its nouns say it or what else is named.

use super::facing::kind_of;
use super::hints::Noun;
use super::mentions::Context;
use super::order::Superlative;
use super::question::Quantity;
use super::seen::Seen;
use super::vocabulary::{Cue, DEVICE_NOUNS, plain};
use crate::model::{Aspect, Fact, Field};
use crate::values::EntityKind;

/// Words by which it is asked for what rows have, and not for what there is.
pub(super) const USED: &[&str] = &["used", "did", "tested", "measured", "benchmarked", "timed", "run"];

const VERSION: Aspect = Aspect::Field(Field::FrameworkVersion);

impl Seen<'_, '_> {
    /// The plural that is asked for; that with which the question begins only where no number is asked of it.
    pub(super) fn noun_listed(&self) -> Option<Aspect> {
        let asks_numbers = self.hints.mentions.iter().any(|mention| mention.without.is_none());
        let leads = || self.hints.leading.filter(|aspect| *aspect != Aspect::Source && !asks_numbers);
        self.hints.listed().or_else(leads).or_else(|| self.value_used())
    }

    /// `which version of TensorFlow was used`: the values that rows have, although one is asked for.
    fn value_used(&self) -> Option<Aspect> {
        let mut words = self.interpreter.question.split_whitespace().map(plain);
        let is_used = words.any(|word| USED.contains(&word.as_str()));
        // `latest pytorch version`
        let is_newest = |noun: &Noun| self.hints.has(Cue::Newest) && noun.aspect == VERSION;
        let noun = self.hints.nouns.iter().find(|noun| noun.asked && is_used || is_newest(noun))?;
        let is_value = matches!(noun.aspect, Aspect::Field(field) if field.entity_kind().is_none());
        (is_value && self.superlative().is_none()).then_some(noun.aspect)
    }

    /// What is listed where no noun says it.
    pub(super) fn listed(&self) -> Option<Aspect> {
        match () {
            () if self.hints.at_least.is_some() && self.names_families() => Some(Aspect::Field(Field::Device)),
            () if self.is_list_of_frameworks() => Some(Aspect::Field(Field::Framework)),
            () if self.is_list_of_devices() || self.lists_devices_for_work() => Some(Aspect::Field(Field::Device)),
            () if self.is_list_of_results() => Some(Aspect::Source),
            () if self.names_networks_by_task() => Some(Aspect::Field(Field::Network)),
            () => None,
        }
    }

    /// Whether devices are named by a family or group of them.
    pub(super) fn names_families(&self) -> bool {
        let of_devices = self.clauses.iter().filter(|clause| clause.plain_kind() == Some(Field::Device.key()));
        of_devices.flat_map(|clause| &clause.readings).any(|reading| reading.read_as.values.len() > 1)
    }

    /// The members of the one family that is named: `vision transformer variants`.
    pub(super) fn members(&self) -> Option<Aspect> {
        if !self.hints.has(Cue::Members) {
            return None;
        }
        let mut fields = Field::of_entities().map(|(field, _)| field);
        let named = |key: &str| self.clauses.iter().any(|clause| kind_of(clause) == key);
        fields.find(|field| named(field.key())).map(Aspect::Field)
    }

    /// The entities along which something is told: `by framework`.
    pub(super) fn along_entities(&self) -> Option<Aspect> {
        let entities = |aspect: &Aspect| matches!(aspect, Aspect::Field(field) if field.entity_kind().is_some());
        self.hints.along.iter().map(|(_, aspect)| *aspect).find(entities)
    }

    pub(super) fn noun(&self, field: Field) -> Option<bool> {
        let nouns = self.hints.nouns.iter().filter(|noun| noun.aspect == Aspect::Field(field));
        nouns.map(|noun| noun.plural).max()
    }

    /// What is ranked or listed: the first noun behind the superlative, else the first one.
    pub(super) fn candidates(&self) -> Option<Aspect> {
        let nouns = &self.hints.nouns;
        let behind = nouns.get(self.hints.nouns_before_superlative..).and_then(<[_]>::first);
        let about = self.interpreter.about.as_ref().and_then(|(_, kind)| aspect_of(*kind));
        // `which framework trains it fastest on a gpu`: the framework is.
        let before = nouns.get(..self.hints.nouns_before_superlative).and_then(<[_]>::first);
        let asked = before.filter(|noun| noun.asked && !noun.vague && !noun.plural);
        if self.asks_for_rent() {
            return Some(Aspect::Field(Field::Instance));
        }
        asked.or(behind).or(nouns.first()).map(|noun| noun.aspect).or(about).or(self.hints.family_asked_for)
    }

    /// What a ranking has a line for; `None` where the figures themselves are wanted: who names the device and the network, or
    /// asks for results, wants the settings of the best of them.
    pub(super) fn ranked(&self, candidates: Option<Aspect>, quantities: &[Quantity]) -> Option<Aspect> {
        let is_quality = |quantity: &Quantity| matches!(quantity, Quantity::Metric(metric) if metric.is_of_quality());
        let of_quality = !quantities.is_empty() && quantities.iter().all(is_quality);
        let names_network = self.clauses.iter().any(|clause| kind_of(clause) == Field::Network.key());
        let of_sources = matches!(self.interpreter.about, Some((_, EntityKind::Source)));
        match candidates {
            _ if self.asks_how_many_devices() => Some(Aspect::Field(Field::DeviceCount)),
            _ if let Some(group) = self.ranked_group() => Some(Aspect::Fact(group)),
            Some(Aspect::Source) if !of_sources => None,
            Some(aspect) => Some(aspect),
            // How good the answers are is a matter of the network: `most accurate detector`.
            None if of_quality && !names_network => Some(Aspect::Field(Field::Network)),
            // `best of tensorflow, pytorch and mxnet`
            None if let Some(several) = self.named_side_by_side() => Some(several),
            // `least power, but at least 24 GB`: a limit names no device.
            None if self.only_limits_devices() => Some(Aspect::Field(Field::Device)),
            None => match self.context {
                Context { devices: false, .. } => Some(Aspect::Field(Field::Device)),
                Context { networks: false, datasets: false, .. } => Some(Aspect::Field(Field::Network)),
                _ => None,
            },
        }
    }

    /// When what a noun speaks of came out: of `newest network` it was published.
    pub(super) fn dated_noun(&self) -> Option<Fact> {
        let Context { networks, frameworks, sources, .. } = self.context;
        match () {
            () if self.noun(Field::Device).is_some() => Some(Fact::Released),
            () if self.noun(Field::Network).is_some() && !networks && !sources => Some(Fact::Published),
            () if self.noun(Field::Framework).is_some() && !frameworks => Some(Fact::FirstRelease),
            () => None,
        }
    }

    /// `cheapest a100 per hour`, `which cloud is cheapest for a T4`: what the device that is named is rented out for.
    fn asks_for_rent(&self) -> bool {
        const RENTED: &[&str] =
            &["hour", "hourly", "rent", "rents", "rental", "renting", "cloud", "clouds", "provider", "providers"];
        let Context { networks, datasets, tasks, workload, .. } = self.context;
        let is_cheapest = matches!(self.interpreter.superlative, Some((_, Superlative::Cheapest)));
        let names_device = self.clauses.iter().any(|clause| kind_of(clause) == Field::Device.key())
            || self.noun(Field::Device) == Some(false);
        let is_rented = RENTED.iter().any(|word| self.interpreter.all_words.contains(*word));
        is_cheapest && names_device && is_rented && !(networks || datasets || tasks || workload)
    }

    /// `biggest cloud cluster`, `most chips in mlperf training`: how many devices worked together is what is ordered.
    pub(super) fn asks_for_largest_system(&self) -> bool {
        const SYSTEMS: &[&str] =
            &["cluster", "clusters", "pod", "pods", "supercomputer", "system", "systems", "submission"];
        const LARGE: &[&str] = &["biggest", "largest", "smallest", "greatest"];
        const MANY: &[&str] = &["most", "fewest"];
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        let is_measured = |quantity: &Quantity| matches!(quantity, Quantity::Metric(_) | Quantity::Derived(_));
        let mentions = self.hints.mentions.iter().filter(|mention| mention.without.is_none());
        let quantities =
            mentions.flat_map(|mention| mention.asked.quantities(Context::default())).any(|one| is_measured(&one));
        let of_system = |at: usize| words[at + 1..].iter().take(3).any(|word| SYSTEMS.contains(&word.as_str()));
        let of_devices = |at: usize| {
            words.get(at + 1).is_some_and(|word| word.ends_with('s') && DEVICE_NOUNS.contains(&word.as_str()))
        };
        let is_asked = |(at, word): (usize, &String)| {
            LARGE.contains(&word.as_str()) && of_system(at) || MANY.contains(&word.as_str()) && of_devices(at)
        };
        let of_rows = ["source", "network", "dataset", "task", "stage", "scenario"];
        let names_rows = self.clauses.iter().any(|clause| of_rows.contains(&kind_of(clause)));
        !quantities && names_rows && words.iter().enumerate().any(is_asked)
    }

    /// Whether devices are limited by their numbers, and none is named.
    fn only_limits_devices(&self) -> bool {
        let is_limit = |key: &str| {
            Fact::filter(key).is_some_and(|fact| fact.kind() == EntityKind::Device && fact.unit().is_some())
        };
        let is_named = |key: &str| matches!(key, "device" | "vendor" | "architecture" | "instance");
        let kinds = || self.clauses.iter().map(kind_of);
        kinds().any(is_limit) && !kinds().any(is_named)
    }

    /// What the question names several of: those are ranked.
    fn named_side_by_side(&self) -> Option<Aspect> {
        let several = self.clauses.iter().filter(|clause| clause.readings.len() > 1 && !clause.is_excluded());
        let mut kinds = several.filter_map(|clause| Aspect::keyed(clause.plain_kind()?));
        kinds.find(|aspect| matches!(aspect, Aspect::Field(Field::Framework | Field::Device | Field::Network)))
    }

    /// Whether a noun asks for one of its entities, and not for a class of hardware: `which framework scales best`.
    pub(super) fn ranks_entities(&self) -> bool {
        let asked = self.hints.nouns.first().is_some_and(|noun| noun.asked && !noun.vague && !noun.plural);
        asked && !self.names_classes()
    }

    /// `how many H100s trained it fastest`: the number of devices is what is asked for.
    fn asks_how_many_devices(&self) -> bool {
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        let devices = self.clauses.iter().filter(|clause| kind_of(clause) == Field::Device.key());
        let named: Vec<String> = devices.flat_map(|clause| clause.text.split(' ')).map(plain).collect();
        let is_device = |word: &String| {
            let one = word.strip_suffix('s').unwrap_or(word);
            DEVICE_NOUNS.contains(&word.as_str()) || named.iter().any(|name| name == word || name == one)
        };
        let at = words.windows(2).position(|pair| pair[0] == "how" && pair[1] == "many");
        at.is_some_and(|at| words[at + 2..].iter().take(3).any(is_device))
    }
}

/// The aspect of rows that names entities of a kind.
fn aspect_of(kind: EntityKind) -> Option<Aspect> {
    match kind {
        EntityKind::Source => Some(Aspect::Source),
        _ => Field::of_entities().find(|(_, of)| *of == kind).map(|(field, _)| Aspect::Field(field)),
    }
}
