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
