//! Slips in the words of the vocabulary: `efficency`, `bandwith`, `reserch`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::brands::HARDWARE_BRANDS;
use super::meaning::Meaning;
use super::phrase_book::{plain, quantities};
use super::{cues, fillers};
use crate::stores::resolve::is_english;

/// Shorter words are near to too many others.
const LEAST_LETTERS: usize = 6;

/// Short words that are often typed amiss, and what is meant.
const OF_SHORT_WORDS: &[(&str, &str)] = &[
    ("wich", "which"),
    ("whcih", "which"),
    ("wihch", "which"),
    ("waht", "what"),
    ("teh", "the"),
    ("hte", "the"),
    ("adn", "and"),
    ("nad", "and"),
    ("btach", "batch"),
    ("bacth", "batch"),
    ("fastet", "fastest"),
    ("fatser", "faster"),
    ("fster", "faster"),
    ("faste", "faster"),
    ("trian", "train"),
    ("wihtout", "without"),
    ("tehre", "there"),
];

/// From so many letters on two slips are one too many still to be another word.
const LETTERS_OF_TWO_SLIPS: usize = 10;

/// The longer words of all phrases that say something.
static WORDS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let said = |meaning: &Meaning| {
        !matches!(
            meaning,
            Meaning::NotKept(_) | Meaning::NamesLike(..) | Meaning::NetworksOf(_) | Meaning::NetworksStating(_)
        )
    };
    let cues = cues::all().filter(|(meaning, _)| said(meaning)).flat_map(|(_, names)| names.iter());
    let names = quantities().flat_map(|(_, names)| names.iter()).chain(cues).chain(HARDWARE_BRANDS).copied();
    let words = names.flat_map(|name| name.split([' ', '-', '/'])).filter(|word| word.len() >= LEAST_LETTERS);
    // What says nothing is typed amiss as well, and is no name for that: `measurd data`.
    let fillers = fillers::FILLERS.iter().flat_map(|line| line.split(' ')).filter(|word| word.len() > LEAST_LETTERS);
    words.chain(fillers).filter(|word| is_plain(word)).collect()
});

fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The word of the vocabulary that a word is a slip of; `None` where it is one itself, an English word, or near to several.
pub(in crate::ask::question) fn near_word(word: &str) -> Option<&'static str> {
    let word = plain(word);
    if let Some((_, meant)) = OF_SHORT_WORDS.iter().find(|(slip, _)| *slip == word) {
        return Some(meant);
    }
    let singular = word.trim_end_matches('s');
    let known = || {
        // `dataset` is no slip of `datasets`.
        let forms = [word.as_str(), singular, &format!("{word}s")].map(|form| WORDS.contains(form));
        forms.contains(&true) || fillers::is_filler(&word)
    };
    // Most words are English, and cheaper to know for that.
    if word.len() < LEAST_LETTERS || word.len() > 24 || !is_plain(&word) || is_english(&word) || known() {
        return None;
    }
    let alike = |other: &&'static str| {
        // Two letters that were left out make a long word a shorter one.
        let most = if word.len().max(other.len()) < LETTERS_OF_TWO_SLIPS { 1 } else { 2 };
        let slips = strsim::damerau_levenshtein(&word, other);
        (other.starts_with(&word[..1]) && other.len().abs_diff(word.len()) <= most && slips <= most)
            .then_some((slips, *other))
    };
    let mut near: Vec<(usize, &'static str)> = WORDS.iter().filter_map(alike).collect();
    near.sort_unstable();
    match near.as_slice() {
        [(_, only)] => Some(only),
        [(least, first), (next, second), ..] => {
            // `gain` and `gains` are one word, and of words that say nothing it matters little which it is.
            let is_one = first.trim_end_matches('s') == second.trim_end_matches('s');
            let all_say_nothing =
                near.iter().filter(|(slips, _)| slips == least).all(|(_, word)| fillers::is_filler(word));
            (least < next || is_one || all_say_nothing).then_some(first)
        }
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_taken_for_the_word_and_other_words_are_not() {
        for (word, meant) in [
            ("efficency", Some("efficiency")),
            ("effiency", Some("efficiency")),
            ("reserch", Some("research")),
            ("bandwith", Some("bandwidth")),
            ("memmory", Some("memory")),
            ("throughtput", Some("throughput")),
            ("acuracy", Some("accuracy")),
            ("upgradabilty", Some("upgradability")),
            ("raspbery", Some("raspberry")),
            ("latency", None),
            ("dataset", None),
            ("mechanical", None),
            ("lightgbm", None),
            ("pytroch", None),
            ("wich", Some("which")),
            ("measurd", Some("measure")),
            ("V100", None),
        ] {
            assert_eq!(near_word(word), meant, "{word}");
        }
    }
}
