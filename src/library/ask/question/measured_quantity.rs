//! `smallest network with a measured latency`: what rows must state, and not what is asked for.

use std::ops::Bound;

use super::clause::Clause;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::vocabulary::{LONGEST_PHRASE, Meaning, StaticQuantity, meaning_of, plain};
use crate::model::Metric;
use crate::stores::index::Condition;

/// Words that say that a quantity is known.
const KNOWN: &[&str] = &["measured", "reported", "recorded", "published"];

/// How many words say that rows state a metric, and which: `with a measured latency`.
fn measured_at(words: &[&str]) -> Option<(usize, Metric)> {
    let is = |at: usize, known: &[&str]| words.get(at).is_some_and(|word| known.contains(&plain(word).as_str()));
    if !is(0, &["with", "having", "has", "have"]) {
        return None;
    }
    let article = usize::from(is(1, &["a", "an", "any"]));
    if !is(1 + article, KNOWN) {
        return None;
    }
    let rest = words.get(2 + article..)?;
    let metric = |length: usize| match meaning_of(&rest[..length])? {
        Meaning::AsksFor(StaticQuantity::Metric(metric)) => Some(metric),
        Meaning::Asks(named) => named.measured.iter().find_map(|quantity| match quantity {
            StaticQuantity::Metric(metric) => Some(*metric),
            _ => None,
        }),
        _ => None,
    };
    let longest = rest.len().min(LONGEST_PHRASE);
    let (length, metric) = (1..=longest).rev().find_map(|length| Some((length, metric(length)?)))?;
    Some((2 + article + length, metric))
}

impl Interpreter<'_> {
    /// The rows that state a metric, where that is said to be known and asked for nothing.
    pub(super) fn measured_quantity(&self, words: &[&str]) -> Option<(usize, Idiom)> {
        let (taken, metric) = measured_at(words)?;
        let condition = Condition::Metric(metric, Bound::Excluded(0.0), Bound::Unbounded);
        let filter = format!("{}>0", metric.key());
        let clause = Clause::of(&words[..taken].join(" "), metric.key(), vec![">0".to_owned()], filter, condition);
        Some((taken, Idiom::Clause(clause)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_named_with_a_word_that_says_so() {
        let at = |text: &str| measured_at(&text.split(' ').collect::<Vec<_>>());
        assert_eq!(at("with a measured latency"), Some((4, Metric::LatencyMs)));
        assert_eq!(at("with measured power draw"), Some((4, Metric::PowerW)));
        assert_eq!(at("with low latency"), None);
        assert_eq!(at("measured latency"), None);
    }
}
