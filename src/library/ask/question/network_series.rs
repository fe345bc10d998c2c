//! Series of networks that are told apart by numbers alone and have no name of their own here: the Qwen of Qwen2 7B and Qwen3 32B.

use super::error::QueryError;
use super::interpreter::Interpreter;
use super::products::WordRun;
use super::vocabulary::plain;
use crate::model::{Facet, Lookup as _};
use crate::stores::resolve::{MatchKind, WordReading, is_english};
use crate::values::spelling::normalise;

/// Fewer letters begin too many names.
const LEAST_LETTERS: usize = 4;

/// So many networks make a series.
const A_SERIES: usize = 2;

impl Interpreter<'_> {
    /// A word that nothing is called, as the networks whose names go on with a number behind it.
    pub(super) fn as_series(&self, run: WordRun) -> Result<WordRun, QueryError> {
        let word = plain(&run.text);
        let is_word = word.len() >= LEAST_LETTERS && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !run.is_text() || !is_word || is_english(&word) {
            return Ok(run);
        }
        let beginning = normalise(&word);
        let mut values: Vec<String> = Vec::new();
        for name in self.stores.database.beginning(&beginning)? {
            let rest = name.normal.get(beginning.len()..).unwrap_or_default();
            let is_of = name.facet == Facet::Network && rest.starts_with(|c: char| c.is_ascii_digit());
            if is_of && !values.contains(&name.value) {
                values.push(name.value);
            }
        }
        if values.len() < A_SERIES {
            return Ok(run);
        }
        let (facet, how) = (Some(Facet::Network), MatchKind::Alias);
        let reading = WordReading { words: 0..1, facet, values, how, taken_for: None };
        Ok(WordRun { text: run.text, readings: vec![reading] })
    }
}
