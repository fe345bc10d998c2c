//! Which place and how many of an order are wanted: `top 5`, `worst five gpus`, `ten accelerators with the most memory`, `no 1`.

use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::order::Superlative;
use super::vocabulary::{COUNTS, DEVICE_NOUNS, KIND_NOUNS, SUPERLATIVES, plain};

impl Interpreter<'_> {
    /// A superlative, and how many are wanted where it says so.
    pub(super) fn superlative_at(&mut self, words: &[&str], first: &str, second: &str) -> Option<(usize, Idiom)> {
        if let Some(taken) = first_place(words) {
            return Some((taken, Idiom::Superlative(words[..taken].join(" "), Superlative::Best)));
        }
        if let Some((_, superlative)) = SUPERLATIVES.iter().find(|(word, _)| *word == first) {
            // `top ten`
            let limit = second.parse::<usize>().ok().or_else(|| count_in_words(second));
            if let (true, Some(limit)) = (matches!(first, "top" | "bottom"), limit) {
                self.limit = Some(limit);
                return Some((2, Idiom::Superlative(words[..2].join(" "), *superlative)));
            }
            // `worst 5 gpus`: so many are wanted, and not rows of five devices.
            let are_many = words.get(2).is_some_and(|noun| is_plural_noun(noun));
            if let (true, Some(limit)) = (are_many, limit.filter(|limit| (2..=100).contains(limit))) {
                self.limit = Some(limit);
                return Some((2, Idiom::Superlative(words[..2].join(" "), *superlative)));
            }
            // `oldest first`, `cheapest on top`: the order is said by the one word.
            let taken = 1 + words_of_order(&words[1..]);
            return Some((taken, Idiom::Superlative(words[..taken].join(" "), *superlative)));
        }
        None
    }

    /// `list 3`, `top 5`, `the 5 fastest`, `3 cheapest`: how many are wanted.
    pub(super) fn limit(&mut self, words: &[&str], first: &str, second: &str) -> Option<(usize, Idiom)> {
        const LISTING: &[&str] = &["list", "show", "name", "first", "give"];
        let count = |word: &str| -> Option<usize> {
            word.parse().ok().or_else(|| count_in_words(word)).filter(|count| (1..=100).contains(count))
        };
        let superlative = |word: &str| SUPERLATIVES.iter().find(|(name, _)| *name == word).map(|(_, meant)| *meant);
        if let (Some(limit), Some(meant)) = (count(first), superlative(second)) {
            self.limit = Some(limit);
            return Some((2, Idiom::Superlative(words[1].to_owned(), meant)));
        }
        // `ten accelerators with the most memory`: so many are wanted, and not rows of ten devices.
        if let Some(limit) = count(first)
            && DEVICE_NOUNS.contains(&second)
            && second.ends_with('s')
            && orders_behind(&words[2..])
        {
            self.limit = Some(limit);
            return Some((1, Idiom::Done));
        }
        // `list 3` at the end, or of something: `list 8 gpu results` is no limit.
        let ends =
            words.get(2).is_none_or(|next| matches!(plain(next).as_str(), "of" | "best" | "devices" | "networks"));
        if LISTING.contains(&first)
            && ends
            && let Some(limit) = count(second)
        {
            self.limit = Some(limit);
            return Some((2, Idiom::Done));
        }
        None
    }
}

/// How many a word for a number of several is: `ten`.
fn count_in_words(word: &str) -> Option<usize> {
    COUNTS.iter().find(|(name, count)| *name == word && *count > 1).map(|(_, count)| *count as usize)
}

/// Whether a word names several of what can be ranked.
fn is_plural_noun(word: &str) -> bool {
    let word = plain(word);
    let is_kind = DEVICE_NOUNS.contains(&word.as_str()) || KIND_NOUNS.iter().any(|(noun, _)| *noun == word);
    word.ends_with('s') && is_kind
}

/// Whether a superlative stands behind what is counted, which says by what so many are chosen: `with the most memory`, `of lowest TDP`.
fn orders_behind(words: &[&str]) -> bool {
    const LEADING: &[&str] = &["with", "of", "that", "which", "having", "have", "has", "by", "the"];
    let mut rest = words.iter().map(|word| plain(word));
    let leading = words.iter().take_while(|word| LEADING.contains(&plain(word).as_str())).count();
    let next = rest.nth(leading).unwrap_or_default();
    leading > 0 && SUPERLATIVES.iter().any(|(name, _)| *name == next)
}

/// `no 1`, `number one`, `#1`, `nr. 1`: how many words say that the first is wanted.
fn first_place(words: &[&str]) -> Option<usize> {
    let word = |at: usize| words.get(at).map(|word| word.to_lowercase()).unwrap_or_default();
    let ends = |text: &str| text.trim_end_matches(['?', ',', '.', '!', ';', ':']).to_owned();
    let (first, second) = (word(0), ends(&word(1)));
    let is_one = matches!(second.as_str(), "1" | "one");
    match ends(&first).as_str() {
        "#1" | "no.1" | "no1" | "nr.1" => Some(1),
        "number" | "nr" | "#" if is_one => Some(2),
        "no" if second == "1" && !words.get(2).is_some_and(|next| DEVICE_NOUNS.contains(&plain(next).as_str())) => {
            Some(2)
        }
        _ => None,
    }
}

/// How many words behind a superlative say no more than that a list begins with it.
fn words_of_order(words: &[&str]) -> usize {
    const BEGINNING: &[&[&str]] = &[&["first"], &["on", "top"], &["at", "the", "top"], &["to", "the", "top"]];
    let begins = |order: &&&[&str]| {
        let is_said = words.iter().zip(order.iter()).all(|(word, said)| plain(word) == *said);
        // The first of something is another thing: `cheapest first generation`.
        let ends = words.len() == order.len()
            || words.get(order.len() - 1).is_some_and(|last| last.ends_with([',', ';', '.', '?', '!', ')']));
        words.len() >= order.len() && is_said && ends
    };
    BEGINNING.iter().find(begins).map_or(0, |order| order.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_place_is_asked_for_in_several_ways() {
        for (words, expected) in [
            ("no 1 and", Some(2)),
            ("number one?", Some(2)),
            ("#1", Some(1)),
            ("no 1 gpu", None),
            ("no one", None),
            ("number of", None),
        ] {
            let words: Vec<&str> = words.split(' ').collect();
            assert_eq!(first_place(&words), expected, "{words:?}");
        }
        assert!(orders_behind(&["with", "the", "most", "memory"]) && !orders_behind(&["with", "nvlink"]));
    }
}
