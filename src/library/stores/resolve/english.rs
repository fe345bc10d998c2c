//! Common English words: a word of a question that is one of them is no slip of a name.

use std::cmp::Ordering;

/// Words and their bases, one a line, in rising order behind the head of the file: they are looked up where they stand, since a
/// program that answers one question would spend more time on making a table of all than on looking up a few.
const WORDS: &str = include_str!("english-words.txt");

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
    ("ally", ""),
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
    is_listed(word) || endings > 0 && ENDINGS.iter().filter_map(without).any(|base| has(&base, endings - 1))
}

/// Whether a word is a line of the list. The signs of its head come before all letters.
fn is_listed(word: &str) -> bool {
    let mut lines = WORDS;
    while !lines.is_empty() {
        let middle = lines.len() / 2;
        let start = lines[..middle].rfind('\n').map_or(0, |before| before + 1);
        let end = lines[start..].find('\n').map_or(lines.len(), |length| start + length);
        lines = match word.cmp(&lines[start..end]) {
            Ordering::Equal => return true,
            Ordering::Less => &lines[..start],
            Ordering::Greater => lines.get(end + 1..).unwrap_or_default(),
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_forms_are_known_and_names_are_not() {
        for word in ["supporting", "scaling", "workers", "carried", "training", "mobile", "throughput", "quadratically"]
        {
            assert!(is_english(word), "{word}");
        }
        for word in ["trainium", "pytorch", "resnt", "tensorfow", "efficentnet", "kirin"] {
            assert!(!is_english(word), "{word}");
        }
    }

    #[test]
    fn every_word_of_the_list_is_found_and_nothing_else() {
        let words: Vec<&str> = WORDS.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(words.len() > 10_000 && words.is_sorted() && WORDS.is_ascii());
        for word in words {
            assert!(is_listed(word), "{word}");
            assert!(!is_listed(&format!("{word}\n")) && !is_listed(&format!("{word}#")), "{word}");
        }
        for word in ["", "\n", "a", "zzzz", "aardvarkish"] {
            assert!(!is_listed(word), "{word:?}");
        }
    }
}
