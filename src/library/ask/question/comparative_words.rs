//! Which of two is more, in the words of a question: `faster`, `more expensive than`, `A or B, what costs more`.

use super::grammar::Operator;
use super::nouns::is_noun;
use super::vocabulary::{Comparative, comparative, comparative_of_two, is_winning, plain};

/// Whether a word compares: `faster`.
pub(super) fn is_comparative(word: &str) -> bool {
    comparative(&plain(word)).is_some()
}

/// The comparative that words begin with and that a `than` stands behind, and how many words both are.
pub(super) fn comparative_than(words: &[&str]) -> Option<(usize, Comparative)> {
    let is_than = |at: usize| words.get(at).is_some_and(|word| plain(word) == "than");
    if is_than(1) {
        return comparative(&plain(words[0])).map(|found| (2, found));
    }
    let [first, second, ..] = words else { return None };
    let found = comparative_of_two(&format!("{} {}", plain(first), plain(second)));
    found.filter(|_| is_than(2)).map(|found| (3, found))
}

/// On which side of what stands behind it a comparative lies.
pub(super) fn direction(compared: Comparative) -> Operator {
    if compared.is_more { Operator::Greater } else { Operator::Less }
}

/// Whether words ask which of alternatives has more or less of something: `A or B, what costs more`, `A and B, which is quicker`. The
/// `more` of `8 or more` and that of `more than` are bounds. `enumerates` tells whether the question joins names by commas.
pub(super) fn asks_for_choice(words: &[&str], enumerates: bool) -> bool {
    let plain: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let is = |at: usize, any: &[&str]| plain.get(at).is_some_and(|word| any.contains(&word.as_str()));
    let compares_at = |at: usize| plain.get(at).is_some_and(|word| comparative(word).is_some() || is_winning(word));
    let is_asking = |at: usize| is(at, &["which", "what", "who"]);
    let compares = |at: &usize| {
        let behind_or = at.checked_sub(1).is_some_and(|before| is(before, &["or"]));
        compares_at(*at) && !is(at + 1, &["than"]) && !behind_or
    };
    let offers = |at: usize| is(at, &["or"]) && !compares_at(at + 1);
    let asks = (0..plain.len()).any(is_asking);
    if asks && (0..plain.len()).any(offers) && (0..plain.len()).any(|at| compares(&at)) {
        return true;
    }
    // Which of those in front of it: `which frameworks` asks for others.
    let asks_of_others = |at: usize| plain.get(at + 1).is_some_and(|next| is_noun(next));
    let Some(asked) = (1..plain.len()).rev().find(|at| is_asking(*at) && !asks_of_others(*at)) else { return false };
    let joins = plain[..asked].iter().any(|word| matches!(word.as_str(), "and" | "&" | "plus"));
    (joins || enumerates) && (asked + 1..plain.len()).any(|at| compares(&at))
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
            ("jax and pytorch, which got higher throughput", true),
            ("onnxruntime, openvino, which is quicker on cpus", true),
            ("t4 and l4: who wins at resnet50", true),
            ("bert and vgg16, which networks are faster", false),
            ("bert and vgg16, which ran on more than 8 devices", false),
        ] {
            assert_eq!(
                asks_for_choice(&question.split(' ').collect::<Vec<_>>(), question.contains(", ")),
                expected,
                "{question}"
            );
        }
    }

    #[test]
    fn a_than_stands_behind_one_word_or_two() {
        let taken = |question: &str| comparative_than(&question.split(' ').collect::<Vec<_>>()).map(|(taken, _)| taken);
        assert_eq!(taken("faster than a V100"), Some(2));
        assert_eq!(taken("less expensive than a V100"), Some(3));
        assert_eq!(taken("faster networks"), None);
    }
}
