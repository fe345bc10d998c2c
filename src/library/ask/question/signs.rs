//! Signs that people set between two sides: an arrow, `v` for versus.

use super::error::QueryError;
use super::grammar::{Filter, Operator};
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::vocabulary::Link;

/// From the first side to the second.
const ARROWS: &[&str] = &["->", "-->", "=>", "→", "⇒", "⟶", "➔"];

/// The arrow that stands for all of them.
pub(super) const ARROW: &str = "->";

impl Interpreter<'_> {
    /// A sign between two sides; how many words it takes, or `None` where it is none.
    pub(super) fn side_sign<'w>(
        &mut self,
        words: &[&'w str],
        sentence: &mut Sentence<'w>,
    ) -> Result<Option<usize>, QueryError> {
        let is_arrow = is_arrow(words[0]);
        let is_versus = matches!(words[0], "v" | "V" | "v.");
        let is_stroke = words[0] == "/";
        let begins = sentence.read.is_empty() && sentence.names.is_empty();
        if !(is_arrow || is_versus || is_stroke) || begins || words.len() < 2 || self.longest_name(&words[1..])? == 0 {
            return Ok(None);
        }
        self.flush(sentence)?;
        if sentence.read.is_empty() {
            return Ok(None);
        }
        // `V100 / A100` are two as with an `or`; `images / s` is no pair.
        if is_stroke {
            let faces = self.faces_next(&words[1..], sentence)?;
            sentence.link = faces.then_some(Link::Or);
            return Ok(faces.then_some(1));
        }
        // What an arrow leads to is told over what it leads from.
        self.hints.from_first |= is_arrow;
        self.hints.has_link = true;
        sentence.link = Some(Link::Versus);
        Ok(Some(1))
    }
}

/// Whether a word is an arrow.
pub(super) fn is_arrow(word: &str) -> bool {
    ARROWS.contains(&word)
}

/// The words around an arrow without blanks: `V100→A100`.
pub(super) fn around_arrow(word: &str) -> Option<[&str; 3]> {
    let (left, right) = ARROWS.iter().find_map(|arrow| word.split_once(arrow))?;
    (!left.is_empty() && !right.is_empty()).then_some([left, ARROW, right])
}

/// The same where the grammar takes it for a filter: `V100->A100`.
pub(super) fn arrow_as_filter<'q>(filter: &Filter<'q>) -> Option<[&'q str; 3]> {
    let left = filter.key.strip_suffix('-').filter(|left| !left.is_empty())?;
    match filter.values.as_slice() {
        [(right, _)] if filter.operator == Operator::Greater && !right.is_empty() => Some([left, ARROW, right]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_divides_a_word() {
        assert_eq!(around_arrow("V100→A100"), Some(["V100", ARROW, "A100"]));
        assert_eq!(around_arrow("→A100"), None);
        assert_eq!(around_arrow("V100-SXM2"), None);
    }
}
