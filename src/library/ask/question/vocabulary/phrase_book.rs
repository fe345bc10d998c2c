//! The look-up of a phrase.

use std::borrow::Cow;
use std::sync::LazyLock;

use strum::VariantArray as _;

use super::meaning::{Link, Meaning, NamedQuantity, StaticQuantity};
use super::phrase_table::PhraseTable;
use super::{axes, comparatives, cues, facts, fillers, grades, measures};
use crate::model::{Derived, Fact, Metric};
use crate::values::spelling::normalise;

/// A phrase has at most this many words.
pub(in crate::ask::question) const LONGEST_PHRASE: usize = 7;

static PHRASES: LazyLock<PhraseTable> = LazyLock::new(|| {
    let mut phrases: Vec<(Cow<'static, str>, Meaning)> = Vec::new();
    let mut add = |phrase: &'static str, meaning: Meaning| phrases.push((phrase.into(), meaning));
    for word in fillers::FILLERS.iter().flat_map(|line| line.split(' ')) {
        add(word, Meaning::Nothing);
    }
    for phrase in fillers::PHRASES {
        add(phrase, Meaning::Nothing);
    }
    for &fact in Fact::VARIANTS {
        if facts::is_asked_by_key(fact) {
            for name in fact.spellings().iter().copied().chain([fact.key()]) {
                add(name, Meaning::AsksFor(StaticQuantity::Fact(fact)));
            }
        }
    }
    for &metric in Metric::VARIANTS {
        for name in metric.spellings().iter().copied().chain([metric.key()]) {
            add(name, Meaning::AsksFor(StaticQuantity::Metric(metric)));
        }
    }
    for &measure in Derived::VARIANTS {
        for name in measure.spellings().iter().copied().chain([measure.key(), measure.heading()]) {
            add(name, Meaning::AsksFor(StaticQuantity::Derived(measure)));
        }
    }
    for (quantity, names) in quantities() {
        for name in *names {
            add(name, Meaning::Asks(quantity));
        }
    }
    for phrase in facts::items_of_data() {
        phrases.push((phrase.into(), Meaning::Asks(&facts::ITEMS)));
    }
    for phrase in grades::upgrades() {
        phrases.push((phrase.into(), Meaning::AsksFor(StaticQuantity::Grade("upgradability"))));
    }
    for phrase in grades::research_costs() {
        phrases.push((phrase.into(), Meaning::AsksFor(StaticQuantity::Grade("research-costs"))));
    }
    PhraseTable::of(phrases)
});

/// What says how the rest of a question is meant, which goes before any name.
static CUES: LazyLock<PhraseTable> = LazyLock::new(|| {
    let compared = comparatives::links().map(|phrase| (phrase.into(), Meaning::Link(Link::Versus)));
    let names = cues::all().flat_map(|(meaning, names)| names.iter().map(|name| ((*name).into(), *meaning)));
    PhraseTable::of(compared.chain(names).collect())
});

/// Everything that can be asked for by a name of this vocabulary.
pub(super) fn quantities() -> impl Iterator<Item = &'static (NamedQuantity, &'static [&'static str])> {
    facts::NAMES.iter().chain(measures::NAMES).chain(grades::NAMES)
}

/// What words mean together.
pub(in crate::ask::question) fn meaning_of(words: &[&str]) -> Option<Meaning> {
    // A sign between words (`latency < 10`) belongs to no phrase.
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    if !words.iter().all(is_word) {
        return None;
    }
    let joined = words.concat();
    // Longer than any phrase: not worth normalising.
    if joined.len() > 60 {
        return None;
    }
    let normal = normalise(&joined);
    let axis = || axes::axis_of(&normal).map(Meaning::Along);
    CUES.get(&normal).or_else(axis).or_else(|| PHRASES.get(&normal))
}

/// The longest phrase that these words begin with: how many of them, and what it means.
pub(in crate::ask::question) fn longest_phrase(words: &[&str]) -> Option<(usize, Meaning)> {
    let lengths = (1..=words.len().min(LONGEST_PHRASE)).rev();
    lengths.into_iter().find_map(|length| Some((length, meaning_of(&words[..length])?)))
}

/// A word in lower case, without the signs of a sentence around it.
pub(in crate::ask::question) fn plain(word: &str) -> String {
    word.trim_matches(|c: char| matches!(c, '?' | '!' | ',' | ';' | '.' | ':' | '"' | '\'' | '(' | ')' | '[' | ']'))
        .to_lowercase()
}

/// Words in lower case, each without the signs of a sentence around it.
pub(in crate::ask::question) fn plain_words(text: &str) -> String {
    let words = text.split_whitespace().map(plain).filter(|word| word.contains(char::is_alphanumeric));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_phrase_is_longer_than_is_looked_for_or_of_other_letters() {
        let of_cues = cues::all().map(|(_, names)| names);
        for name in quantities().map(|(_, names)| names).chain(of_cues).copied().flatten() {
            let is_short = name.split(' ').count() <= LONGEST_PHRASE && name.len() < 60;
            assert!(is_short && name.is_ascii(), "{name}");
        }
        let spellings = Fact::VARIANTS.iter().flat_map(|fact| fact.spellings());
        let mut spellings = spellings.chain(Metric::VARIANTS.iter().flat_map(|metric| metric.spellings()));
        assert!(spellings.all(|name| name.is_ascii()));
    }

    #[test]
    fn no_sign_is_all_that_tells_a_phrase_from_a_word_that_says_nothing() {
        for (_, names) in quantities() {
            // `images/$` is looked up as `images`.
            for name in names.iter().filter(|name| name.contains(['$', '%'])) {
                assert!(!fillers::is_filler(&normalise(name)), "{name}");
            }
        }
    }

    #[test]
    fn a_phrase_is_found_in_every_spelling() {
        for words in [&["energy", "efficiency?"][..], &["Energy-Efficiency"], &["energy-efficient"]] {
            assert!(matches!(meaning_of(words), Some(Meaning::Asks(_))), "{words:?}");
        }
        assert!(matches!(meaning_of(&["the"]), Some(Meaning::Nothing)));
        assert!(meaning_of(&["resnet50"]).is_none());
    }
}
