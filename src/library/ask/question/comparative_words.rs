//! The words that say which of two is more: `faster`, `worse`.

use super::vocabulary::plain;

/// Comparatives by which one side is so many times or percent as good.
pub(super) const BETTER: &[&str] = &["faster", "quicker", "better", "cheaper", "higher", "more"];

pub(super) const WORSE: &[&str] = &["slower", "worse", "lower", "less"];

/// Whether a turn of phrase says that the first side is worse: `slower`.
pub(super) fn is_worse(text: &str) -> bool {
    WORSE.contains(&plain(text).as_str())
}

/// Whether a word compares: `faster`.
pub(super) fn is_comparative(word: &str) -> bool {
    let word = plain(word);
    BETTER.contains(&word.as_str()) || WORSE.contains(&word.as_str())
}

/// Whether words ask which of alternatives has more or less of something: `A or B, what costs more`. The `more` of `8 or more` and
/// that of `more than` are bounds.
pub(super) fn asks_for_choice(words: &[&str]) -> bool {
    let words: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let is = |at: usize, any: &[&str]| words.get(at).is_some_and(|word| any.contains(&word.as_str()));
    let asks = (0..words.len()).any(|at| is(at, &["which", "what"]));
    let compares = |at: &usize| {
        let behind_or = at.checked_sub(1).is_some_and(|before| is(before, &["or"]));
        (is(*at, BETTER) || is(*at, WORSE) || is(*at, &["longer"])) && !is(at + 1, &["than"]) && !behind_or
    };
    let offers = |at: usize| is(at, &["or"]) && !is(at + 1, BETTER) && !is(at + 1, WORSE);
    asks && (0..words.len()).any(offers) && (0..words.len()).any(|at| compares(&at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_asked_for_by_a_comparative_that_is_no_bound() {
        for (question, expected) in [
            ("bert or vgg16, what costs more gpu time", true),
            ("which is slower, bert or vgg16", true),
            ("bert or vgg16, what is measured", false),
            ("which cards have 8 or more cores", false),
            ("which of bert or vgg16 ran on more than 8 devices", false),
            ("bert or vgg16 with more memory", false),
        ] {
            assert_eq!(asks_for_choice(&question.split(' ').collect::<Vec<_>>()), expected, "{question}");
        }
    }
}
