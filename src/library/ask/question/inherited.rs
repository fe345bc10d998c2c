//! The second side of a comparison that goes on where the first one began: `resnet 50 vs 101`.

use super::error::QueryError;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::sides;
use super::vocabulary::longest_phrase;
use crate::model::Lookup as _;
use crate::values::spelling::normalise;

impl Interpreter<'_> {
    /// `101` behind `resnet 50 vs`: the second side goes on where the first one began.
    pub(super) fn inherited(&mut self, words: &[&str], sentence: &mut Sentence<'_>) -> Result<bool, QueryError> {
        let word = words[0];
        let Some(before) = sentence.read.last() else { return Ok(false) };
        if word.len() > 40 || self.longest_name(words)? > 0 || longest_phrase(words).is_some() {
            return Ok(false);
        }
        let begun: Vec<String> = before.clause.text.split_whitespace().map(str::to_owned).collect();
        for length in (1..begun.len().min(5)).rev() {
            let whole: Vec<&str> = begun[..length].iter().map(String::as_str).chain([word]).collect();
            if let Some((_, Idiom::Clause(clause))) =
                self.idiom(None, &whole)?.filter(|(taken, _)| *taken == whole.len())
            {
                sentence.push(None, clause);
                return Ok(true);
            }
            if let Some(clause) = self.unknown_version(&whole)? {
                sentence.push(None, clause);
                return Ok(true);
            }
            let exact = self.stores.store.exact(&normalise(&whole.concat()))?;
            let beginning = || self.stores.store.beginning(&normalise(&whole.concat()));
            let found = if exact.is_empty() { beginning()? } else { exact };
            let facet = before.facet.or_else(|| sides::kind_of(&before.clause).parse().ok());
            let mut values: Vec<String> = Vec::new();
            for name in found.into_iter().filter(|name| Some(name.facet) == facet) {
                if !values.contains(&name.value) {
                    values.push(name.value);
                }
            }
            if let (Some(facet), false) = (facet, values.is_empty()) {
                let clause = self.facet_clause(&whole.join(" "), facet, values, "alias")?;
                sentence.push(Some(facet), clause);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
