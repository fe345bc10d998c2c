//! The words that compare with a number, in front of it or behind: `at least`, `no more than`, `or less`.

use crate::ask::question::comparative_words::{comparative_than, direction, is_comparative};
use crate::ask::question::grammar::Operator;
use crate::ask::question::vocabulary::{Meaning, Quality, comparative, longest_phrase, plain};

/// Comparators in front of a number, besides the comparatives: `more than`.
pub(super) const IN_FRONT: &[(&str, Operator)] = &[
    ("short of", Operator::Less),
    ("under", Operator::Less),
    ("below", Operator::Less),
    ("<", Operator::Less),
    ("at most", Operator::LessOrEqual),
    ("at the most", Operator::LessOrEqual),
    ("up to", Operator::LessOrEqual),
    ("maximum of", Operator::LessOrEqual),
    ("max of", Operator::LessOrEqual),
    ("within", Operator::LessOrEqual),
    ("<=", Operator::LessOrEqual),
    ("=<", Operator::LessOrEqual),
    ("≤", Operator::LessOrEqual),
    ("in excess of", Operator::Greater),
    ("over", Operator::Greater),
    ("above", Operator::Greater),
    ("beyond", Operator::Greater),
    ("past", Operator::Greater),
    ("exceeding", Operator::Greater),
    ("exceeds", Operator::Greater),
    ("exceed", Operator::Greater),
    ("to exceed", Operator::Greater),
    (">", Operator::Greater),
    ("at least", Operator::GreaterOrEqual),
    ("at the least", Operator::GreaterOrEqual),
    ("minimum of", Operator::GreaterOrEqual),
    ("min of", Operator::GreaterOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("=>", Operator::GreaterOrEqual),
    ("≥", Operator::GreaterOrEqual),
    ("max", Operator::LessOrEqual),
    ("maximum", Operator::LessOrEqual),
    ("min", Operator::GreaterOrEqual),
    ("minimum", Operator::GreaterOrEqual),
    ("exactly", Operator::Is),
    ("=", Operator::Is),
];

/// Comparators behind a number.
const BEHIND: &[(&str, Operator)] = &[
    ("or more", Operator::GreaterOrEqual),
    ("or higher", Operator::GreaterOrEqual),
    ("or above", Operator::GreaterOrEqual),
    ("or better", Operator::GreaterOrEqual),
    ("or greater", Operator::GreaterOrEqual),
    ("or larger", Operator::GreaterOrEqual),
    ("or bigger", Operator::GreaterOrEqual),
    ("or faster", Operator::GreaterOrEqual),
    ("and more", Operator::GreaterOrEqual),
    ("and up", Operator::GreaterOrEqual),
    ("and above", Operator::GreaterOrEqual),
    ("and higher", Operator::GreaterOrEqual),
    ("upwards", Operator::GreaterOrEqual),
    ("at least", Operator::GreaterOrEqual),
    ("minimum", Operator::GreaterOrEqual),
    ("min", Operator::GreaterOrEqual),
    ("or less", Operator::LessOrEqual),
    ("or fewer", Operator::LessOrEqual),
    ("or lower", Operator::LessOrEqual),
    ("or below", Operator::LessOrEqual),
    ("or under", Operator::LessOrEqual),
    ("or smaller", Operator::LessOrEqual),
    ("or cheaper", Operator::LessOrEqual),
    ("and less", Operator::LessOrEqual),
    ("and below", Operator::LessOrEqual),
    ("and under", Operator::LessOrEqual),
    ("at most", Operator::LessOrEqual),
    ("maximum", Operator::LessOrEqual),
    ("max", Operator::LessOrEqual),
];

/// Words that turn the comparator behind them round: `no more than`, `not above`.
const TURNING: &[&str] = &["no", "not", "nothing", "none", "never"];

/// The comparator that these words begin with, turned round where a negation stands in front of it.
pub(in crate::ask::question) fn comparator(words: &[&str]) -> Option<(usize, Operator)> {
    if let Some(found) = in_front(words) {
        return Some(found);
    }
    let (first, rest) = words.split_first().filter(|(first, _)| TURNING.contains(&plain(first).as_str()))?;
    // A sign ends what is denied: `is it fast or not, below 8 ms`.
    let (taken, operator) = in_front(rest).filter(|_| !first.ends_with([',', ';']))?;
    Some((1 + taken, operator.turned_round()?))
}

/// What stands in front of a number and turns nothing round.
fn in_front(words: &[&str]) -> Option<(usize, Operator)> {
    // When something came out is no number.
    let compared = comparative_than(words).filter(|(_, compared)| compared.quality != Quality::Age);
    compared.map(|(taken, compared)| (taken, direction(compared))).or_else(|| found_in(IN_FRONT, words))
}

fn found_in(table: &[(&str, Operator)], words: &[&str]) -> Option<(usize, Operator)> {
    let is = |phrase: &str| {
        let length = phrase.split(' ').count();
        (words.len() >= length && phrase.split(' ').zip(words).all(|(one, word)| plain(word) == one || *word == one))
            .then_some(length)
    };
    table.iter().find_map(|(phrase, operator)| Some((is(phrase)?, *operator)))
}

/// The comparator that stands right behind a number: `or larger`, `max`.
pub(in crate::ask::question) fn comparator_of_number(words: &[&str]) -> Option<(usize, Operator)> {
    found_in(BEHIND, words)
}

/// The comparator that stands right behind a number and joins it: `or larger`.
pub(in crate::ask::question) fn comparator_behind(words: &[&str]) -> Option<(usize, Operator)> {
    let joins = words.first().is_some_and(|word| matches!(plain(word).as_str(), "or" | "and"));
    comparator_of_number(words).filter(|_| joins)
}

/// How many words are a comparator behind a number that is of nothing here: the `or less` of `a frimble or less`. What compares in front of
/// it, `more or less`, and what is compared with behind it say something else.
pub(in crate::ask::question) fn without_number(words: &[&str], before: Option<&str>) -> Option<usize> {
    let (taken, _) = comparator_behind(words).filter(|_| plain(words[0]) == "or")?;
    let is_of_size =
        matches!(plain(words[1]).as_str(), "more" | "less" | "fewer" | "lower" | "higher" | "above" | "below");
    let goes_on = words.get(taken).is_some_and(|next| {
        plain(next) == "than" || longest_phrase(&words[taken..]).is_some_and(|(_, meaning)| names_quantity(meaning))
    });
    let compares = before.is_some_and(|before| is_comparative(before) || before.ends_with([',', '?']));
    (is_of_size && !goes_on && !compares).then_some(taken)
}

fn names_quantity(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Asks(_) | Meaning::AsksFor(_))
}

/// Whether a comparator says how good something is: less of a time is better, and more of a rate.
pub(super) fn is_of_speed(words: &[&str]) -> bool {
    let found = words.iter().find_map(|word| comparative(&plain(word)));
    found.is_some_and(|compared| matches!(compared.quality, Quality::Speed | Quality::Worth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negation_turns_a_comparator_round() {
        for (question, expected) in [
            ("more than", Some((2, Operator::Greater))),
            ("no more than", Some((3, Operator::LessOrEqual))),
            ("not bigger than", Some((3, Operator::LessOrEqual))),
            ("no fewer than", Some((3, Operator::GreaterOrEqual))),
            ("not below", Some((2, Operator::GreaterOrEqual))),
            ("nothing above", Some((2, Operator::LessOrEqual))),
            ("not at most", Some((3, Operator::Greater))),
            ("not, below", None),
            ("not exactly", None),
            ("not nvidia", None),
        ] {
            assert_eq!(comparator(&question.split(' ').collect::<Vec<_>>()), expected, "{question}");
        }
    }
}
