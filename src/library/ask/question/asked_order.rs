//! In which order a question wants what it asks for: a superlative, or what stands for one.

use super::hints::Noun;
use super::left_out::is_advice;
use super::order::Superlative;
use super::seen::Seen;
use super::vocabulary::Cue;
use crate::model::{Aspect, Derived, Field};

impl Seen<'_, '_> {
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

    /// `bang for the buck gpu`: who names a kind of device and nothing to run wants the best of them.
    fn per_dollar_alone(&self) -> bool {
        let [mention] = self.hints.mentions.as_slice() else { return false };
        let is_worth = mention.text.contains("bang") || mention.text.to_lowercase().contains("value");
        is_worth && self.noun(Field::Device).is_some() && !self.context.networks
    }
}
