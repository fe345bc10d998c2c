//! Everything from which it follows what a question wants, and what follows: sides, candidates, axis.

use super::carrying_word::Carried;
use super::clause::Clause;
use super::facing::kind_of;
use super::hints::Hints;
use super::intent::Intent;
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::nouns::joined_nouns;
use super::order::Superlative;
use super::question::{Quantity, ToldFields, Wanted};
use super::vocabulary::{Cue, plain, plain_words, sets_behind};
use crate::model::{Aspect, Field};
use crate::rows::Note;
use crate::values::EntityKind;

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
        let of_rows = matches!(intent, Intent::Lookup | Intent::Ranking | Intent::Comparison | Intent::Relation);
        let stand_ins = self.hints.stand_ins.iter().filter(|_| of_rows).cloned();
        let alone = self.lists_alone(intent);
        let said =
            stand_ins.chain(self.says_unit(intent, &quantities)).chain(alone).chain(self.claims_of_frameworks(carried));
        let leads = self.hints.leads.iter().cloned().chain(said).collect();
        let compared = sides.clone();
        let wanted = Wanted {
            intent,
            carried,
            relative,
            leads,
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
            time_unit: self.time_unit(),
            quantities,
            besides: self.besides(&mentioned),
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
            counted: self.hints.counted.clone().filter(|_| intent == Intent::List),
            yes_or_no: self.asks_whether() && !self.hints.has(Cue::Fair),
            effect_of_sides: intent == Intent::Relation && self.compares_effects(&compared),
            fair: self.hints.has(Cue::Fair),
            largest_system: intent == Intent::Ranking && self.asks_for_largest_system(),
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

    /// `is anything in the survey's table of frameworks outdated`: what it says of a framework is held against today's facts elsewhere.
    fn claims_of_frameworks(&self, carried: Option<Carried>) -> Option<String> {
        let names_any = self.clauses.iter().any(|clause| kind_of(clause) == Field::Framework.key());
        let asks = carried == Some(Carried::Verdicts) && self.hints.speaks_of(EntityKind::Framework) && !names_any;
        asks.then(|| {
            "What the survey says of frameworks is held against today's facts one by one: dlbench evidence tensorflow. Told are the \
             claims about classes of hardware."
                .to_owned()
        })
    }

    /// `networks and devices measured in fp8`: one list is given, and it is said which it is not.
    fn lists_alone(&self, intent: Intent) -> Option<String> {
        let listed = self.noun_listed().or_else(|| self.candidates()).filter(|_| intent == Intent::List)?;
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        let (_, _, other) = joined_nouns(&words).into_iter().find(|(of, ..)| *of == listed)?;
        Some(format!("One list is told at a time: for the {other} ask for them alone."))
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
}

/// Whether a turn of phrase asks what something is, and not for a fact of it: `what is the tdp of`.
fn defines(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains(" of thing") || text.starts_with("defin") || text.starts_with("what exactly")
}
