//! Sizes in words as conditions: `at least 24 GB`, `latency < 10 ms`, `under 300W`, `more than 8 GPUs`.

use std::ops::RangeBounds as _;

use super::bounds::{
    BoundInWords, Size, aspect_of, comparison, in_filter, is_unit, limit_in_other_currency, named, number_at, samples,
    size_of, unit_at,
};
use super::clause::Clause;
use super::error::QueryError;
use super::filters::Bounds;
use super::grammar::Operator;
use super::hints::{AskedQuantity, Mention};
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::question::{DerivedLimit, Quantity};
use super::quotients::{Quotient, quotient};
use super::vocabulary::{Meaning, StaticQuantity, meaning_of, plain};
use crate::model::{Aspect, Derived, Facet, Fact, FactValue, Lookup as _, Metric};
use crate::stores::index::Condition;
use crate::values::spelling::normalise;
use crate::values::{EntityKind, Unit};

impl Interpreter<'_> {
    /// The size that these words begin with, as a condition.
    ///
    /// A comparison with a number of nothing that can be compared is taken as well, left out, and said.
    pub(super) fn size(&mut self, words: &[&str]) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        if let Some((taken, least)) = least_of_several(words) {
            self.hints.at_least = Some(least);
            self.heard.push(words[..taken].join(" "));
            return Ok(Some((taken, None)));
        }
        let of = |kind: EntityKind| self.hints.speaks_of(kind);
        let of_networks = of(EntityKind::Network) && !of(EntityKind::Device);
        let samples = if of(EntityKind::Dataset) { samples(words) } else { None };
        if let Some(size) = samples.or_else(|| size_of(words, of_networks)) {
            if self.names_product(&words[..size.taken])? {
                return Ok(None);
            }
            return self.limit_of(size, words).map(Some);
        }
        if let Some((taken, clause)) = self.bound_of_next(words)? {
            return Ok(Some((taken, Some(clause))));
        }
        if let Some(taken) = limit_in_other_currency(words) {
            self.leave_out(&words[..taken].join(" "));
            self.has_unmet_limits = true;
            return Ok(Some((taken, None)));
        }
        let Some((taken, compared @ BoundInWords::Than(..))) = comparison(words, &unit_at) else {
            // `250 W`, which no word compares with anything: it is told in one.
            let bare = number_at(words, &unit_at).filter(|(taken, number)| *taken > 1 && is_of_run(number));
            let bare = bare.map(|(taken, _)| (taken, words[..taken].join(" "))).or_else(|| rate_apart(words));
            if let Some((_, text)) = &bare {
                self.leave_out(text);
                self.has_unmet_limits = true;
            }
            return Ok(bare.map(|(taken, _)| (taken, None)));
        };
        // `does doubling the batch help past 64`: a bare number is a place on the axis that was named.
        if let Some((_, axis @ Aspect::Field(_))) = self.hints.along.last().cloned()
            && axis.is_numeric()
            && let Some(bounds) = compared.bounds(Unit::Count).filter(|_| !compared.has_unit())
            && !self.names_product(words)?
        {
            return Ok(Some((taken, self.sized(&words[..taken].join(" "), axis, bounds)?)));
        }
        // `faster than 3090`, `over 2080 Ti`, `8 or more`.
        if self.names_product(words)? {
            return Ok(None);
        }
        let named = unlimited(words, taken);
        self.leave_out(&words[..taken + named].join(" "));
        self.has_unmet_limits = true;
        Ok(Some((taken, None)))
    }

    /// A size as a condition, or left out where no row can be held against it.
    fn limit_of(&mut self, size: Size, words: &[&str]) -> Result<(usize, Option<Clause>), QueryError> {
        // `to train bert under $100`: what the training costs, and no device.
        if size.aspect == Aspect::Fact(Fact::LaunchPrice) && named(words).is_none() && self.asks_for_training() {
            let text = words[..size.taken].join(" ");
            let of_work = self.sized(&text, Aspect::Derived(Derived::CostToAccuracyUsd), size.bounds)?;
            return Ok((size.taken, of_work));
        }
        let whole = quotient(size.aspect, size.bounds, &words[size.taken..]);
        let taken = size.taken + whole.as_ref().map_or(0, |(behind, _)| *behind);
        let text = words[..taken].join(" ");
        let limit = match whole {
            None => Some((size.aspect, size.bounds)),
            Some((_, Quotient::Of(quantity, bounds))) => {
                self.hints.note_tokens(&text, &[quantity.quantity()]);
                let asked = AskedQuantity::Only(quantity);
                self.hints.mentions.push(Mention { text: text.clone(), asked, level: None, without: None });
                aspect_of(&quantity).map(|aspect| (aspect, bounds))
            }
            Some((_, Quotient::Unknown)) => None,
        };
        if let Some((Aspect::Metric(metric), _)) = limit {
            self.hints.note_tokens(&text, &[Quantity::Metric(metric)]);
        }
        // `scaling efficiency above 90 %` is none of accuracy.
        let says_accuracy = text.to_lowercase().contains("accura");
        let is_share = size.aspect == Aspect::Metric(Metric::Accuracy) && named(words).is_none();
        let is_bare_share = is_share && !says_accuracy;
        let of_another = |mention: &Mention| {
            let of = mention.asked.quantities(Context::default());
            !of.iter().any(|quantity| matches!(quantity, Quantity::Metric(Metric::Accuracy | Metric::ErrorRate)))
        };
        let is_of_another = is_bare_share && self.hints.mentions.last().is_some_and(of_another);
        let of_scaling = |mention: &Mention| {
            mention.asked.quantities(Context::default()) == [Quantity::Derived(Derived::ScalingEfficiency)]
        };
        if let (true, Some((_, bounds))) = (is_bare_share && self.hints.mentions.last().is_some_and(of_scaling), limit)
        {
            let measure = Derived::ScalingEfficiency;
            self.hints.limits.push(DerivedLimit { text, measure, bounds });
            return Ok((taken, None));
        }
        match limit.filter(|_| !is_of_another) {
            Some((aspect, bounds)) => Ok((taken, self.sized(&text, aspect, bounds)?)),
            None => {
                self.leave_out(&text);
                self.has_unmet_limits = true;
                Ok((taken, None))
            }
        }
    }

    /// Whether something is to be trained, and no device is asked for that does it.
    fn asks_for_training(&self) -> bool {
        const TRAINING: &[&str] = &["train", "retrain", "pretrain", "pre-train", "finetune", "fine-tune"];
        let has = |words: &[&str]| words.iter().any(|word| self.all_words.contains(*word));
        has(TRAINING) && !self.hints.speaks_of(EntityKind::Device)
    }

    /// Whether a number among words is the name of a product: `faster than 3090`.
    pub(super) fn names_product(&self, words: &[&str]) -> Result<bool, QueryError> {
        let is_number = |word: &&str| plain(word).bytes().all(|byte| byte.is_ascii_digit());
        for word in words.iter().take(4).filter(|word| is_number(word)) {
            let names = self.stores.database.exact(&normalise(word))?;
            if names.iter().any(|name| matches!(name.facet, Facet::Device | Facet::Network)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A condition on a number.
    pub(super) fn sized(&mut self, text: &str, aspect: Aspect, bounds: Bounds) -> Result<Option<Clause>, QueryError> {
        let condition = match aspect {
            Aspect::Metric(metric) => Condition::Metric(metric, bounds.0, bounds.1),
            Aspect::Field(field) => self.within(field, bounds)?,
            Aspect::Fact(Fact::Published) if self.speaks_of_sources() => {
                return self.sources_of_years(text, |year| bounds.contains(&(year as f64))).map(Some);
            }
            Aspect::Fact(fact) => {
                let ids = self.stores.database.entities_with(fact.kind(), fact.key(), |value| match value {
                    FactValue::Number(number) => bounds.contains(number),
                    FactValue::Word(_) => false,
                })?;
                self.naming(fact.kind(), ids.into_iter().collect())?
            }
            Aspect::Derived(measure) => {
                // Who limits what no source states asks for it.
                let asked = AskedQuantity::Only(StaticQuantity::Derived(measure));
                let mention = Mention { text: text.to_owned(), asked, level: None, without: None };
                if self.hints.mentions.last().is_none_or(|last| last.text != mention.text) {
                    self.hints.mentions.push(mention);
                }
                self.hints.limits.push(DerivedLimit { text: text.to_owned(), measure, bounds });
                return Ok(None);
            }
            _ => {
                self.leave_out(text);
                self.has_unmet_limits = true;
                return Ok(None);
            }
        };
        let value = in_filter(bounds);
        let filter = format!("{}{value}", aspect.key());
        let shown = value.trim_start_matches(':').to_owned();
        Ok(Some(Clause::of(text, aspect.key(), vec![shown], filter, condition)))
    }
}

/// `at least two of`, `two or more of`, `any two of`: of how many of what is named behind something is to have rows, and how many
/// words say it.
fn least_of_several(words: &[&str]) -> Option<(usize, usize)> {
    let any = usize::from(words.first().is_some_and(|word| plain(word) == "any"));
    let (taken, number, operator) = match comparison(&words[any..], &unit_at) {
        Some((taken, BoundInWords::Than(operator, number))) if any == 0 => (taken, number, operator),
        None if any == 1 => {
            let (taken, number) = number_at(&words[any..], &unit_at)?;
            (taken, number, Operator::GreaterOrEqual)
        }
        _ => return None,
    };
    let number: usize = number.parse().ok().filter(|number| (1..16).contains(number))?;
    let least = match operator {
        Operator::GreaterOrEqual => number,
        Operator::Greater => number + 1,
        _ => return None,
    };
    let taken = any + taken;
    let is_of = words.get(taken).is_some_and(|word| plain(word) == "of");
    // `of these`, `of the three`
    let behind =
        words.get(taken + 1..)?.iter().take_while(|word| matches!(plain(word).as_str(), "the" | "these")).count();
    (is_of && words.len() > taken + 1 + behind).then_some((taken + 1 + behind, least))
}

/// Whether a number is in a unit of power, time or energy, which no name ends in.
fn is_of_run(number: &str) -> bool {
    let unit = number.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
    matches!(unit, "w" | "watt" | "watts" | "ms" | "us" | "mj" | "fps" | "s" | "min") || unit.ends_with("/s")
}

/// `30 decode tokens/sec`: a number and the rate that it is, with what was run between them; how many words are the number, and how
/// it is told.
fn rate_apart(words: &[&str]) -> Option<(usize, String)> {
    const BETWEEN: &[&str] =
        &["decode", "prefill", "generated", "generation", "output", "input", "prompt", "training", "inference"];
    let [number, between, unit @ ..] = words else { return None };
    plain(number).parse::<f64>().ok().filter(|_| BETWEEN.contains(&plain(between).as_str()))?;
    let (_, unit) = unit_at(unit).filter(|(_, unit)| unit.ends_with("/s"))?;
    Some((1, format!("{} {unit}", plain(number))))
}

/// Whether words that were left out are a comparison with a number, `under 1 dollar per million images`, or a number with its
/// unit: `250w`.
pub fn is_limit(words: &str) -> bool {
    let words: Vec<&str> = words.split(' ').collect();
    let is_size = |(taken, number): (usize, String)| {
        let unit = number.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
        taken == words.len() && unit.len() < number.len() && is_unit(unit)
    };
    comparison(&words, &unit_at).is_some() || number_at(&words, &unit_at).is_some_and(is_size)
}

/// Whether words that were left out limit a price in another currency than that of the prices here, US dollars: `under 300 euros`.
pub fn is_in_other_currency(words: &str) -> bool {
    limit_in_other_currency(&words.split(' ').collect::<Vec<_>>()).is_some()
}

/// How many words behind a comparison say what is compared, although nothing can be asked of it: `1000 images per dollar`.
fn unlimited(words: &[&str], taken: usize) -> usize {
    let behind = words.get(taken..).unwrap_or_default();
    (1..=behind.len().min(3)).rev().find(|length| meaning_of(&behind[..*length]).is_some_and(is_quantity)).unwrap_or(0)
}

fn is_quantity(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Asks(_) | Meaning::AsksFor(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_the_unit_of_a_run_is_told_in_one() {
        for (words, expected) in [
            ("30 decode tokens/sec", Some((1, "30 tokens/s".to_owned()))),
            ("11.5 output tokens per second", Some((1, "11.5 tokens/s".to_owned()))),
            ("30 series cards", None),
            ("30 tokens/sec", None),
        ] {
            let words: Vec<&str> = words.split(' ').collect();
            assert_eq!(rate_apart(&words), expected, "{words:?}");
        }
        for (question, expected) in [
            ("at least two of V100, T4, A100", Some((4, 2))),
            ("two or more of the V100, T4", Some((5, 2))),
            ("more than 1 of V100 and T4", Some((4, 2))),
            ("any two of V100, T4 and A100", Some((3, 2))),
            ("at least two GPUs", None),
            ("at least 24 GB of memory", None),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            assert_eq!(least_of_several(&words), expected, "{question}");
        }
        for (number, expected) in [("10.01s", true), ("11.30tokens/s", true), ("250w", true), ("16gb", false)] {
            assert_eq!(is_of_run(number), expected, "{number}");
        }
    }
}
