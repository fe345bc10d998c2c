//! Common English words: a word of a question that is one of them is no slip of a name.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words and their bases, see the head of the file.
static WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("english-words.txt").lines().filter(|line| !line.starts_with('#')).collect());

/// Endings that the list leaves out, with what stood before them.
const ENDINGS: &[(&str, &str)] = &[
    ("s", ""),
    ("es", ""),
    ("d", ""),
    ("ed", ""),
    ("r", ""),
    ("er", ""),
    ("ers", ""),
    ("rs", ""),
    ("ing", ""),
    ("ly", ""),
    ("ing", "e"),
    ("ies", "y"),
    ("ied", "y"),
    ("ier", "y"),
];

/// Whether a lower-case word is English; words of fewer than four letters are not known.
pub fn is_english(word: &str) -> bool {
    has(word, 3)
}

/// `endings` may still be taken off: `workers` is `work`, `er` and `s`.
fn has(word: &str, endings: usize) -> bool {
    let without = |(ending, base): &(&str, &str)| {
        let stem = word.strip_suffix(ending)?;
        (stem.len() + base.len() >= 4).then(|| format!("{stem}{base}"))
    };
    WORDS.contains(word) || endings > 0 && ENDINGS.iter().filter_map(without).any(|base| has(&base, endings - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_forms_are_known_and_names_are_not() {
        for word in ["supporting", "scaling", "workers", "carried", "training", "mobile", "throughput"] {
            assert!(is_english(word), "{word}");
        }
        for word in ["trainium", "pytorch", "resnt", "tensorfow", "efficentnet", "kirin"] {
            assert!(!is_english(word), "{word}");
        }
    }
}
