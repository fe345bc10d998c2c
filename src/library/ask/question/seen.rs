//! Everything from which it follows what a question wants, and what follows: sides, candidates, axis.

use super::carrying_word::Carried;
use super::clause::Clause;
use super::facing::kind_of;
use super::hints::{Hints, Noun};
use super::intent::Intent;
use super::interpreter::Interpreter;
use super::left_out::is_advice;
use super::long_times::long_time;
use super::mentions::Context;
use super::order::Superlative;
use super::question::{Quantity, ToldFields, Wanted};
use super::vocabulary::{Cue, DEVICE_NOUNS, plain, plain_words, sets_behind};
use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};
use crate::rows::Note;
use crate::values::EntityKind;

/// Words by which it is asked for what rows have, and not for what there is.
pub(super) const USED: &[&str] = &["used", "did", "tested", "measured", "benchmarked", "timed", "run"];

const VERSION: Aspect = Aspect::Field(Field::FrameworkVersion);

/// Everything from which it follows what is wanted.
pub(super) struct Seen<'s, 'q> {
    pub context: Context,
    pub hints: &'s Hints,
    pub clauses: &'s [Clause],
    pub interpreter: &'s Interpreter<'q>,
    /// The metrics of classes, where every grade is asked for.
    pub grades: Vec<String>,
}

impl Seen<'_, '_> {
    pub(super) fn wanted(&self) -> (Wanted, Vec<Vec<Quantity>>) {
        let joined_at = self.clauses.iter().position(|clause| clause.sides.len() > 1);
        let sides = joined_at.map(|at| self.clauses[at].sides.clone()).unwrap_or_default();
        let mentioned = self.mentioned();
        let claims = self.claims();
        let mut quantities = self.quantities(&mentioned);
        for claim in &claims {
            let fact = Quantity::Fact(claim.fact);
            if !quantities.contains(&fact) {
                quantities.push(fact);
            }
        }
        let candidates = self.candidates();
        // `which vendor is fastest`: the makers are ranked, and not told.
        if self.superlative().is_some()
            && let Some(group) = self.ranked_group()
        {
            quantities.retain(|quantity| *quantity != Quantity::Fact(group));
        }
        let orders = self.two_orders(&mentioned);
        if let [first, second] = orders.as_slice() {
            quantities = vec![first.quantity.clone(), second.quantity.clone()];
        }
        let along = self.along(&quantities, &sides).filter(|_| orders.is_empty());
        let superlative = orders.first().map(|order| order.superlative).or(self.superlative());
        let relative = self.relative();
        let carried = if relative.is_some() { None } else { self.carried(&mentioned) };
        let claims = if carried.is_some() { Vec::new() } else { claims };
        if carried.is_some_and(|carried| carried != Carried::Disagreement) {
            quantities.clear();
        }
        let intent = match carried {
            Some(carried) => carried.intent(),
            None if relative.is_some() => Intent::Comparison,
            None if self.hints.beyond.is_some() && sides.is_empty() => Intent::Ranking,
            None if !orders.is_empty() && sides.is_empty() => self.intent_of_orders(&quantities),
            None if claims.is_empty() => self.intent(&quantities, &sides, superlative, along),
            None => Intent::Fact,
        };
        // `which rounds do you have, and what benchmarks in each`
        let of_each =
            self.told_of_each().filter(|_| matches!(intent, Intent::Overview | Intent::List | Intent::Lookup));
        let intent = if of_each.is_some() { Intent::List } else { intent };
        let wanted = Wanted {
            intent,
            carried,
            relative,
            leads: self.hints.leads.clone(),
            every: intent == Intent::List && self.asks_for_every(),
            newest: intent == Intent::List && self.hints.has(Cue::Newest),
            differences: self.asks_for_differences(),
            comparing: self.compared_by_sources().filter(|_| intent == Intent::List),
            sides,
            joined_at,
            orders: if matches!(intent, Intent::Ranking | Intent::Relation) { orders } else { Vec::new() },
            superlative: superlative.filter(|_| matches!(intent, Intent::Ranking | Intent::Grade | Intent::Relation)),
            candidates: match intent {
                Intent::Ranking if let Some(beyond) = &self.hints.beyond => Some(Aspect::Field(beyond.field)),
                Intent::Ranking => self.ranked(candidates, &quantities),
                // Whatever scales best is one of these.
                Intent::Relation => candidates.filter(|_| superlative.is_some() || self.hints.has(Cue::Which)),
                Intent::List if self.lists_unmeasured() => candidates,
                Intent::List if of_each.is_some() => Some(Aspect::Source),
                Intent::List if self.hints.has(Cue::WhoMeasured) => Some(Aspect::Source),
                Intent::List => {
                    let named = self.noun_listed().or_else(|| self.members()).or(candidates);
                    named.or_else(|| self.along_entities()).or_else(|| self.listed())
                }
                _ => None,
            },
            along: along.filter(|_| intent == Intent::Relation),
            beside: Vec::new(),
            of_each,
            time_unit: long_time(self.interpreter.question),
            quantities,
            mentioned: mentioned.clone(),
            most_measured: intent == Intent::List && self.hints.has(Cue::MostMeasured),
            by_rows: self.counts_rows(),
            fewest: self.asks_for_fewest(),
            of_systems: self.hints.systems,
            unmeasured: self.lists_unmeasured(),
            each_of: Vec::new(),
            at_least: None,
            told: ToldFields::default(),
            none_of: Vec::new(),
            yes_or_no: self.asks_whether() && !self.hints.has(Cue::Fair),
            fair: self.hints.has(Cue::Fair),
            claimed_factor: self.hints.claimed_factor,
            claims_worse: self.hints.turns.iter().any(|(text, _)| sets_behind(&plain_words(text))),
            claims,
            speed: self.hints.has(Cue::Speed),
            is_quick: self.asks_for_full_rate(),
            epochs: self.hints.epochs,
            limits: self.hints.limits.clone(),
            beyond: self.hints.beyond.clone().filter(|_| intent == Intent::Ranking),
            unknown_work: None,
            unkept: self.unkept(intent, superlative),
            unkept_changes: self.asks_for_change(),
            defines: self.hints.turns.iter().any(|(text, cue)| *cue == Cue::Describe && defines(text)),
            evidence: self.hints.has(Cue::Evidence),
            by_batch: intent == Intent::Comparison
                && self.hints.along.iter().any(|(_, aspect)| *aspect == Aspect::Field(Field::BatchSize)),
            who: self.interpreter.question.split_whitespace().next().is_some_and(|first| plain(first) == "who"),
            unknown_names: self.interpreter.unknown_names.clone(),
        };
        let beside = self.listed_beside(wanted.candidates.filter(|_| intent == Intent::List && of_each.is_none()));
        (Wanted { beside, ..wanted }, mentioned)
    }

    /// What no source states and something is to be ranked by, or whose effect is asked for: `which gpu is quietest`, `does the
    /// fan change the training time`. Beside another order it is a condition, which is left out and told.
    fn unkept(&self, intent: Intent, superlative: Option<Superlative>) -> Option<String> {
        let left_out = self.interpreter.notes.iter().find_map(|note| match note {
            Note::NotKept { text, instead: false } => Some(text.clone()),
            _ => None,
        })?;
        let names_quantity = self.hints.mentions.iter().any(|mention| mention.without.is_none());
        let is_of_order = |superlative: Superlative| {
            let is_said = self.interpreter.superlative.is_some();
            !is_said || matches!(superlative, Superlative::Most | Superlative::Least | Superlative::Cheapest)
        };
        // `the quietest gpu for training`
        let is_superlative = left_out.split(' ').next().is_some_and(|first| first.ends_with("est"));
        let orders = is_superlative && self.interpreter.superlative.is_none() && !self.hints.has_link;
        let ranks = !names_quantity && (orders || intent == Intent::Ranking && superlative.is_some_and(is_of_order));
        (ranks || self.asks_for_change()).then_some(left_out)
    }

    /// `does the fan change the training time`: what one thing does to another is asked for.
    fn asks_for_change(&self) -> bool {
        const CHANGING: &[&str] =
            &["change", "changes", "affect", "affects", "influence", "matter", "matters", "impact"];
        let is_of_change = CHANGING.iter().any(|word| self.interpreter.all_words.contains(*word));
        self.hints.has(Cue::Effect) || is_of_change && self.asks_whether()
    }

    /// `every framework that`, `the full list of`; of `all` a table holds as many as a person reads.
    fn asks_for_every(&self) -> bool {
        const EVERY: &[&str] = &["every", "each", "full", "complete", "entire", "whole"];
        EVERY.iter().any(|word| self.interpreter.all_words.contains(*word))
    }

    /// `difference between the T4 and the L4`
    fn asks_for_differences(&self) -> bool {
        const DIFFERING: &[&str] = &["difference", "differences", "differ", "differs"];
        self.hints.mentions.is_empty() && DIFFERING.iter().any(|word| self.interpreter.all_words.contains(*word))
    }

    /// What sources are asked to compare: the frameworks of `papers comparing frameworks on CPUs`.
    fn compared_by_sources(&self) -> Option<Aspect> {
        let of_sources = self.hints.nouns.first().is_some_and(|noun| noun.aspect == Aspect::Source);
        let entities = |aspect: &Aspect| matches!(aspect, Aspect::Field(field) if field.entity_kind().is_some());
        let mut others = self.hints.nouns.iter().filter(|noun| noun.plural).map(|noun| noun.aspect);
        others.find(entities).filter(|_| of_sources && self.hints.has(Cue::Compare))
    }

    /// `fast fp16`: a precision with a word in front that asks for more than that it is there.
    fn asks_for_full_rate(&self) -> bool {
        const FULL: &[&str] = &["fast", "quick", "full-rate", "full-speed", "native", "accelerated", "decent"];
        let precisions = self.clauses.iter().filter(|clause| kind_of(clause) == Field::Precision.key());
        let named: Vec<String> =
            precisions.filter_map(|clause| Some(plain(clause.text.split_whitespace().next()?))).collect();
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        words.windows(2).any(|pair| FULL.contains(&pair[0].as_str()) && named.contains(&pair[1]))
    }

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
            () if self.is_list_of_frameworks() => Some(Aspect::Field(Field::Framework)),
            () if self.is_list_of_devices() || self.lists_devices_for_work() => Some(Aspect::Field(Field::Device)),
            () if self.is_list_of_results() => Some(Aspect::Source),
            () if self.names_networks_by_task() => Some(Aspect::Field(Field::Network)),
            () => None,
        }
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
    fn ranked(&self, candidates: Option<Aspect>, quantities: &[Quantity]) -> Option<Aspect> {
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

    /// `oldest mlperf round`: of sources none is better than another one.
    pub(super) fn asks_for_oldest_source(&self) -> bool {
        let is_oldest =
            self.interpreter.superlative.as_ref().is_some_and(|(text, _)| text.eq_ignore_ascii_case("oldest"));
        let of_all = !self.context.sources && self.candidates() == Some(Aspect::Source);
        is_oldest && (self.hints.rounds && self.context.sources || of_all)
    }

    pub(super) fn superlative(&self) -> Option<Superlative> {
        let stated = self.interpreter.superlative.as_ref().map(|(_, superlative)| *superlative);
        let stated = stated.filter(|_| !self.asks_for_oldest_source());
        // `which GPU for …` asks for the best one.
        let asks_for = |noun: &Noun| {
            // `what gpu should I buy`
            let advised = || noun.asked && self.hints.turns.iter().any(|(text, cue)| is_advice(text, *cue));
            self.hints.cues.first() == Some(&Cue::Which) || advised()
        };
        let which = || {
            self.hints.nouns.first().is_some_and(asks_for)
                && self.hints.nouns.first().is_some_and(|noun| {
                    !noun.plural && matches!(noun.aspect, Aspect::Field(Field::Device | Field::Framework))
                })
                && (self.context.networks || self.context.workload || self.context.tasks)
                && !self.clauses.iter().any(|clause| clause.sides.len() > 1)
        };
        let newest = self.hints.has(Cue::Newest) && self.dated_noun().is_some();
        let budget = || {
            self.hints.mentions.iter().any(|mention| mention.text.contains("budget")) && self.context.is_of_classes()
        };
        let newest = newest.then_some(Superlative::Most);
        // `scales worst` names the quantity and the order.
        let of_mention = || {
            let ends =
                |word: &str| self.hints.mentions.iter().any(|mention| mention.text.to_lowercase().ends_with(word));
            let scales = self.hints.mentions.iter().any(|mention| mention.text.to_lowercase().starts_with("scale"));
            match scales && (!self.context.is_of_classes() || self.ranks_entities()) {
                true if ends("worst") => Some(Superlative::Worst),
                true if ends("best") => Some(Superlative::Best),
                _ => None,
            }
        };
        // `gpus with more than 1000 images per dollar` are told by that.
        let limited = self.noun(Field::Device).is_some()
            && self.hints.limits.iter().any(|limit| limit.measure != Derived::ScalingEfficiency);
        let ranks = self.hints.has(Cue::Rank) || self.per_dollar_alone() || limited;
        stated.or(newest).or_else(of_mention).or_else(|| (ranks || which() || budget()).then_some(Superlative::Best))
    }

    pub(super) fn along(&self, quantities: &[Quantity], sides: &[Clause]) -> Option<Aspect> {
        let hints = self.hints;
        let tells_gain = hints.has(Cue::SpeedUp) || hints.has(Cue::Scaling) || hints.has(Cue::Effect);
        // `speed-up by network`, `scaling by device`: the gain of something, told for each entity.
        let divides = |aspect: &Aspect| matches!(aspect, Aspect::Field(field) if field.entity_kind().is_some());
        if let Some((_, aspect)) = hints.along.iter().find(|(_, aspect)| !(tells_gain && divides(aspect))) {
            return Some(*aspect);
        }
        let has = |key: &str| self.clauses.iter().any(|clause| kind_of(clause) == key);
        let counts = self.clauses.iter().any(|clause| kind_of(clause) == "device-count");
        let scaling = quantities.contains(&Quantity::Derived(Derived::ScalingEfficiency));
        let side = sides.first().map(kind_of);
        match () {
            () if hints.has(Cue::Scaling) || scaling || side == Some(Field::DeviceCount.key()) => {
                Some(Aspect::Field(Field::DeviceCount))
            }
            () if side == Some("precision") => Some(Aspect::Field(Field::Precision)),
            () if hints.claimed_factor.is_some() && counts && sides.is_empty() => {
                Some(Aspect::Field(Field::DeviceCount))
            }
            () if hints.has(Cue::SpeedUp) && counts => Some(Aspect::Field(Field::DeviceCount)),
            () if tells_gain && has("batch-size") && !has("precision") => Some(Aspect::Field(Field::BatchSize)),
            () if tells_gain && has("precision") => Some(Aspect::Field(Field::Precision)),
            // What no field is called is set against rows that do not say it.
            () if hints.has(Cue::SpeedUp) && self.context.text => None,
            () if tells_gain && has("framework") => Some(Aspect::Field(Field::Framework)),
            // `how did it improve since 2017`
            () if hints.has(Cue::SpeedUp) && has(Facet::Year.key()) => Some(Aspect::Fact(Fact::Year)),
            () if hints.has(Cue::SpeedUp) => Some(Aspect::Field(Field::Precision)),
            // Two speeds follow from each other, and both from the batch; other measures are told side by side.
            () if hints.opposed => of_speed(quantities).then_some(Aspect::Field(Field::BatchSize)),
            () if quantities.iter().any(is_per_unit) => Some(Aspect::Field(Field::Device)),
            () => None,
        }
    }
}

impl Seen<'_, '_> {
    /// `bang for the buck gpu`: who names a kind of device and nothing to run wants the best of them.
    fn per_dollar_alone(&self) -> bool {
        let [mention] = self.hints.mentions.as_slice() else { return false };
        let is_worth = mention.text.contains("bang") || mention.text.to_lowercase().contains("value");
        is_worth && self.noun(Field::Device).is_some() && !self.context.networks
    }
}

/// Whether a turn of phrase asks what something is, and not for a fact of it: `what is the tdp of`.
fn defines(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains(" of thing") || text.starts_with("defin") || text.starts_with("what exactly")
}

/// Whether a quantity is a rate per joule or dollar or a share of a peak, which is wanted by device.
pub(super) fn is_per_unit(quantity: &Quantity) -> bool {
    matches!(
        quantity,
        Quantity::Metric(Metric::ItemsPerJoule | Metric::EfficiencyRatio)
            | Quantity::Derived(Derived::ItemsPerDollar | Derived::PeakFraction)
    )
}

/// Whether no more than throughput and latency are set against each other.
fn of_speed(quantities: &[Quantity]) -> bool {
    let is_speed = |quantity: &Quantity| {
        matches!(quantity, Quantity::Metric(Metric::ThroughputPerS | Metric::LatencyMs | Metric::MeanLatencyMs))
    };
    quantities.len() < 2 || quantities.iter().all(is_speed)
}

/// The aspect of rows that names entities of a kind.
fn aspect_of(kind: EntityKind) -> Option<Aspect> {
    match kind {
        EntityKind::Source => Some(Aspect::Source),
        _ => Field::of_entities().find(|(_, of)| *of == kind).map(|(field, _)| Aspect::Field(field)),
    }
}
