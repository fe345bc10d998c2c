//! Words that stand inside of the labels by which sources tell their rows apart, and inside of the names of networks.

use std::cell::Cell;

use super::clause::Clause;
use super::error::QueryError;
use super::interpreter::Interpreter;
use crate::model::{Facet, Field};
use crate::rows::Note;
use crate::stores::index::{Condition, DocumentKind};
use crate::stores::resolve::is_english;

/// So many words are looked for inside of labels: all labels are read for each.
const MOST_OF_LABELS: usize = 2;

/// Fewer letters stand in too many labels.
const LEAST_OF_LABEL: usize = 3;

/// With so many letters more and a number behind them a word in a label is still the word: `dgxa100`.
const MOST_LETTERS_ON: usize = 2;

impl Interpreter<'_> {
    /// A word that is no name and inside of the labels by which sources tell their rows apart: the `dgx` of `dgxa100_ngc21.05`. The
    /// last of what is held is the word itself, as text.
    pub(super) fn inside_of_labels(&mut self, text: &str, held: &[Condition]) -> Result<Option<Clause>, QueryError> {
        let word = text.to_lowercase();
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        let Some((_, rest)) = held.split_last().filter(|(_, rest)| !rest.is_empty()) else { return Ok(None) };
        let is_word = word.chars().all(char::is_alphanumeric) && !is_english(&word);
        if self.labels_looked_for >= MOST_OF_LABELS || letters < LEAST_OF_LABEL || !is_word {
            return Ok(None);
        }
        self.labels_looked_for += 1;
        // As the filter has it that is told.
        let is_part = Cell::new(false);
        let has_word = |label: &str| {
            let label = label.to_lowercase();
            is_part.set(is_part.get() || is_part_of_label(&word, &label));
            label.contains(&word)
        };
        let (condition, _) = self.with_value(Field::Label, has_word)?;
        let all = rest.iter().chain([&condition]).cloned().collect();
        if !is_part.get() || self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? == 0 {
            return Ok(None);
        }
        self.notes.push(Note::InsideOfLabels { text: text.to_owned() });
        let (key, filter) = (Field::Label.key(), format!("label:*{word}*"));
        Ok(Some(Clause::of(text, key, vec![format!("*{word}*")], filter, condition)))
    }
}

/// Fewer letters stand in too many names, and so do words of English unless they are long.
const LEAST_OF_NAME: usize = 6;
const LEAST_OF_ENGLISH: usize = 9;

/// A word in more names tells no network.
const MOST_NAMES: usize = 6;

impl Interpreter<'_> {
    /// The few networks in whose names a word stands that is no name itself: the autoencoder of `Deep autoencoder (MLPerf Tiny)`.
    pub(super) fn inside_of_names(&mut self, text: &str) -> Result<Option<Clause>, QueryError> {
        let word = text.to_lowercase();
        let least = if is_english(&word) { LEAST_OF_ENGLISH } else { LEAST_OF_NAME };
        if word.len() < least || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Ok(None);
        }
        let mut ids: Vec<String> = Vec::new();
        for name in self.stores.database.names_like(&format!("*{word}*"))? {
            if name.facet == Facet::Network && !ids.contains(&name.value) {
                ids.push(name.value);
            }
        }
        if !(1..=MOST_NAMES).contains(&ids.len()) {
            return Ok(None);
        }
        self.facet_clause(text, Facet::Network, ids, "alias").map(Some)
    }
}

/// Whether a word begins a part of a label and ends it, or goes on with what is no word: `dgx` in `dgxa100_ngc21.05`, and no `app` in
/// `apple`.
fn is_part_of_label(word: &str, label: &str) -> bool {
    label.match_indices(word).any(|(at, _)| {
        let is_begun = label[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
        let behind = label[at + word.len()..].trim_start_matches(char::is_alphabetic);
        let more = label.len() - at - word.len() - behind.len();
        let has_figure = behind.starts_with(|c: char| c.is_ascii_digit());
        is_begun && (more == 0 || more <= MOST_LETTERS_ON && has_figure)
    })
}

#[cfg(test)]
mod tests {
    use super::is_part_of_label;

    #[test]
    fn words_are_found_in_labels_as_parts_of_names() {
        for (word, label, expected) in [
            ("dgx", "nvidia; dgxa100_ngc21.05_pytorch; maskrcnn", true),
            ("dgx", "nvidia dgx station", true),
            ("dgx", "dgx2", true),
            ("app", "apple-m1", false),
            ("gx", "dgxa100", false),
            ("ngc", "dgxa100_ngc21.05", true),
        ] {
            assert_eq!(is_part_of_label(word, label), expected, "{word} in {label}");
        }
    }
}
