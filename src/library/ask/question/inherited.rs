//! The second side of a comparison that goes on where the first one began: `resnet 50 vs 101`.

use super::error::QueryError;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::sides;
use super::vocabulary::longest_phrase;
use crate::model::{Facet, Lookup as _};
use crate::values::spelling::normalise;

impl Interpreter<'_> {
    /// `101` behind `resnet 50 vs`: the second side goes on where the first one began. How many words it takes.
    pub(super) fn inherited(
        &mut self,
        words: &[&str],
        sentence: &mut Sentence<'_>,
    ) -> Result<Option<usize>, QueryError> {
        let word = words[0];
        let Some(before) = sentence.read.last() else { return Ok(None) };
        if word.len() > 40 || self.longest_name(words)? > 0 || longest_phrase(words).is_some() {
            return Ok(None);
        }
        let begun: Vec<String> = before.clause.text.split_whitespace().map(str::to_owned).collect();
        // `pi 5` behind `raspberry pi 4 vs`.
        if let [first, second, ..] = words
            && begun.len() > 1
            && begun[1].eq_ignore_ascii_case(first)
        {
            let whole = format!("{} {first} {second}", begun[0]);
            let exact = self.stores.database.exact(&normalise(&whole))?;
            if let Some(name) = exact.into_iter().find(|name| name.facet == Facet::Device) {
                let clause = self.facet_clause(&whole, Facet::Device, vec![name.value], "alias")?;
                sentence.push(Some(Facet::Device), clause);
                return Ok(Some(2));
            }
        }
        for length in (1..begun.len().min(5)).rev() {
            let whole: Vec<&str> = begun[..length].iter().map(String::as_str).chain([word]).collect();
            if let Some((_, Idiom::Clause(clause))) =
                self.idiom(None, &whole)?.filter(|(taken, _)| *taken == whole.len())
            {
                sentence.push(None, clause);
                return Ok(Some(1));
            }
            if let Some(clause) = self.unknown_version(&whole)? {
                sentence.push(None, clause);
                return Ok(Some(1));
            }
            let exact = self.stores.database.exact(&normalise(&whole.concat()))?;
            let beginning = || self.stores.database.beginning(&normalise(&whole.concat()));
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
                return Ok(Some(1));
            }
        }
        Ok(None)
    }
}
