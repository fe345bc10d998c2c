//! The words that limit something by another entity: `newer than`, `more memory than`, `faster than`, `at least that of`.

use super::stated_sizes::named;
use crate::ask::question::comparative_words::{comparative_than, direction};
use crate::ask::question::grammar::Operator;
use crate::ask::question::hints::Mention;
use crate::ask::question::mentions::Context;
use crate::ask::question::nouns::is_noun;
use crate::ask::question::question::Quantity;
use crate::ask::question::vocabulary::{Quality, comparative, plain};
use crate::model::{Aspect, Fact, FactType};

/// Verbs of age, and which way they go.
const OF_AGE: &[(&[&str], Operator)] = &[
    (&["released", "after"], Operator::Greater),
    (&["launched", "after"], Operator::Greater),
    (&["released", "before"], Operator::Less),
    (&["launched", "before"], Operator::Less),
];

/// Bounds that another entity's value is, behind the name of the quantity.
const OF_BOUNDS: &[(&[&str], Operator)] = &[
    (&["at", "least", "that", "of"], Operator::GreaterOrEqual),
    (&["at", "least", "as", "much", "as"], Operator::GreaterOrEqual),
    (&["at", "most", "that", "of"], Operator::LessOrEqual),
    (&["no", "more", "than", "that", "of"], Operator::LessOrEqual),
    (&["no", "less", "than", "that", "of"], Operator::GreaterOrEqual),
];

/// What a comparison with an entity limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::ask::question) enum Limited {
    /// When it came out.
    Age,
    /// What its size is by which it is called large.
    Size,
    /// How fast it was measured to be.
    Speed,
    /// Another fact.
    Of(Fact),
}

/// What words limit that end in `than`, how many they are, and which way it goes; `last` is the quantity in front of them.
pub(in crate::ask::question) fn lead(words: &[&str], last: Option<&Mention>) -> Option<(usize, Limited, Operator)> {
    let begins =
        |phrase: &[&str]| words.len() > phrase.len() && phrase.iter().zip(words).all(|(one, word)| plain(word) == *one);
    let of = |table: &[(&[&str], Operator)]| {
        table.iter().find(|(phrase, _)| begins(phrase)).map(|(phrase, operator)| (phrase.len(), *operator))
    };
    if let Some((taken, operator)) = of(OF_AGE) {
        return Some((taken, Limited::Age, operator));
    }
    if let Some((taken, compared)) = comparative_than(words).filter(|(taken, _)| words.len() > *taken) {
        let operator = direction(compared);
        match compared.quality {
            Quality::Age => return Some((taken, Limited::Age, operator)),
            Quality::Price => return Some((taken, Limited::Of(Fact::LaunchPrice), operator)),
            Quality::Speed => return Some((taken, Limited::Speed, operator)),
            // What a size is of stands around it, and worth has no number.
            Quality::Size | Quality::Worth => {}
        }
    }
    // `published before AlexNet`
    let asks_for_date = |mention: &Mention| {
        let asked = mention.asked.quantities(Context::default());
        let is_date = |fact: &Fact| matches!(fact, Fact::Released | Fact::Published | Fact::FirstRelease);
        asked.iter().any(|quantity| matches!(quantity, Quantity::Fact(fact) if is_date(fact)))
    };
    if last.is_some_and(asks_for_date) {
        match plain(words.first()?).as_str() {
            "before" => return Some((1, Limited::Age, Operator::Less)),
            "after" => return Some((1, Limited::Age, Operator::Greater)),
            _ => {}
        }
    }
    let asked = || {
        let asked = last?.asked.quantities(Context { devices: true, ..Context::default() });
        asked.iter().find_map(|quantity| match quantity {
            Quantity::Fact(fact) if is_number(*fact) => Some(*fact),
            _ => None,
        })
    };
    if let Some((taken, operator)) = of(OF_BOUNDS) {
        return Some((taken, Limited::Of(asked()?), operator));
    }
    let first = plain(words.first()?);
    let operator = of_size(&first)?;
    // `memory larger than the 3090`
    let is_than = |at: usize| words.get(at).is_some_and(|word| plain(word) == "than");
    let is_size = matches!(first.as_str(), "bigger" | "larger" | "smaller");
    if is_than(1) {
        let limited = asked().map(Limited::Of).or(is_size.then_some(Limited::Size))?;
        return Some((2, limited, operator));
    }
    // `smaller networks than resnet-18`
    if is_size && is_than(2) && words.get(1).is_some_and(|word| is_noun(&plain(word))) {
        return Some((3, Limited::Size, operator));
    }
    // `more memory than a 3090`
    let (length, aspects) = named(&words[1..])?;
    let fact = aspects.into_iter().find_map(|aspect| match aspect {
        Aspect::Fact(fact) if is_number(fact) => Some(fact),
        _ => None,
    })?;
    is_than(1 + length).then_some((2 + length, Limited::Of(fact), operator))
}

/// Which way a comparative of sizes goes; the word is in lower case.
pub(in crate::ask::question) fn of_size(word: &str) -> Option<Operator> {
    comparative(word).filter(|compared| compared.quality == Quality::Size).map(direction)
}

/// Whether a fact is a number.
pub(in crate::ask::question) fn is_number(fact: Fact) -> bool {
    matches!(fact.value_type(), FactType::Number(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_with_an_entity_ends_in_than() {
        for (question, expected) in [
            ("newer than pascal", Some((2, Limited::Age, Operator::Greater))),
            ("more recent than the V100", Some((3, Limited::Age, Operator::Greater))),
            ("older than the V100", Some((2, Limited::Age, Operator::Less))),
            ("released before the V100", Some((2, Limited::Age, Operator::Less))),
            ("cheaper than a 3090", Some((2, Limited::Of(Fact::LaunchPrice), Operator::Less))),
            ("more memory than a 3090", Some((3, Limited::Of(Fact::Memory), Operator::Greater))),
            ("lower memory bandwidth than a T4", Some((4, Limited::Of(Fact::Bandwidth), Operator::Less))),
            ("bigger than imagenet", Some((2, Limited::Size, Operator::Greater))),
            ("smaller networks than resnet-18", Some((3, Limited::Size, Operator::Less))),
            ("faster than a 3090", Some((2, Limited::Speed, Operator::Greater))),
            ("slower than vgg16", Some((2, Limited::Speed, Operator::Less))),
            ("more than 8 GPUs", None),
            ("more memory", None),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            assert_eq!(lead(&words, None), expected, "{question}");
        }
    }
}
