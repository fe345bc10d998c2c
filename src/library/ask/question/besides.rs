//! What is asked of what stands first in an order besides the order itself: the price of `the fastest card and its price`.

use super::hints::Mention;
use super::question::Quantity;
use super::seen::Seen;
use super::vocabulary::plain;

/// Words that join what is told besides.
const JOINING: &[&str] = &["and", "plus", "with", "including", "incl", "also", "&"];

/// Words that say whose it is.
const OWNING: &[&str] = &["its", "their", "his", "whose"];

impl Seen<'_, '_> {
    /// The quantities that are told besides an order, and are none that it goes by.
    pub(super) fn besides(&self, mentioned: &[Vec<Quantity>]) -> Vec<Quantity> {
        let own = self.hints.mentions.iter().zip(mentioned).filter(|(mention, _)| self.is_beside(mention));
        own.flat_map(|(_, quantities)| quantities.clone()).collect()
    }

    /// Whether a quantity is joined to what stands first in an order as its own, or to whatever is asked as one more: `and its price`,
    /// `with their tdp`, `power too`.
    pub(super) fn is_beside(&self, mention: &Mention) -> bool {
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        let place_of = |text: &str| {
            let text: Vec<String> = text.split_whitespace().map(plain).collect();
            words.windows(text.len().max(1)).position(|window| window == text)
        };
        let Some(at) = place_of(&mention.text) else { return false };
        let behind = |ahead: usize| words.get(at + mention.text.split_whitespace().count() + ahead).map(String::as_str);
        // Something else is asked for, to which it is one more.
        let is_more = behind(0) == Some("too") || behind(0) == Some("as") && behind(1) == Some("well");
        let asks_else = self.interpreter.superlative.is_some() || self.hints.mentions.len() > 1 || self.hints.has_link;
        if is_more && (asks_else || words.iter().any(|word| word == "or")) {
            return true;
        }
        let Some(order) = self.interpreter.superlative.as_ref().and_then(|(order, _)| place_of(order)) else {
            return false;
        };
        let is = |back: usize, known: &[&str]| {
            at.checked_sub(back).is_some_and(|at| at > order && known.contains(&words[at].as_str()))
        };
        // `fastest gpu, its price`; `fastest gpu and its current price`
        is(1, OWNING) || is(2, OWNING) && !is(1, JOINING) || is(1, JOINING) && is(2, OWNING)
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::question::{Quantity, understand};
    use crate::model::{Fact, Metric};
    use crate::stores::sample::{Sample, TWO_LATENCIES};

    #[test]
    fn what_belongs_to_the_first_of_an_order_is_no_order() {
        let sample = Sample::of(&[("paper-2020", TWO_LATENCIES)]);
        for (question, orders, besides) in [
            ("fastest gpu for deepnet-50 and its power", &[][..], &[Quantity::Metric(Metric::PowerW)][..]),
            ("gpu with the most memory and its tdp", &[Quantity::Fact(Fact::Memory)], &[Quantity::Fact(Fact::Tdp)]),
            ("gpu with the most memory", &[Quantity::Fact(Fact::Memory)], &[]),
            ("nova vs core tdp, memory too", &[Quantity::Fact(Fact::Tdp)], &[Quantity::Fact(Fact::Memory)]),
        ] {
            let wanted = understand(question, &sample.stores).unwrap().wanted;
            assert_eq!((wanted.quantities.as_slice(), wanted.besides.as_slice()), (orders, besides), "{question}");
        }
    }
}
