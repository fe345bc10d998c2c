//! Series of networks and devices that are told apart by numbers alone and have no name of their own here: the Qwen of Qwen2 7B and
//! Qwen3 32B, the Pixel of Pixel 2 and Pixel 3a.

use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::plain;
use super::word_run::WordRun;
use crate::model::{Facet, Lookup as _, Name};
use crate::stores::resolve::{MatchKind, WordReading, is_english};
use crate::values::spelling::normalise;

/// Fewer letters begin too many names.
const LEAST_LETTERS: usize = 4;

/// So many letters are enough for a part of ids: each GPT.
const LEAST_OF_A_PART: usize = 3;

/// So many words are looked for behind the names of makers.
const MOST_SERIES: usize = 4;

/// So many networks make a series.
const A_SERIES: usize = 2;

impl Interpreter<'_> {
    /// The devices in whose names a word stands behind that of the maker, which people leave out: the Pixel of Google.
    fn behind_makers(&self, word: &str) -> Result<Vec<Name>, QueryError> {
        let mut found = Vec::new();
        for name in self.stores.database.names_like(&format!("*{word}*"))? {
            let Some((maker, rest)) = name.normal.split_once(word).filter(|(maker, _)| !maker.is_empty()) else {
                continue;
            };
            let is_maker = |other: &Name| other.facet == Facet::Vendor;
            if name.facet == Facet::Device && self.stores.database.exact(maker)?.iter().any(is_maker) {
                found.push(Name { normal: format!("{word}{rest}"), ..name });
            }
        }
        Ok(found)
    }

    /// The one of a series of devices that a number behind its name says, or an unknown one: the Pixel 2, and no Pixel 9.
    pub(super) fn member_of_series(&self, series: &WordRun, number: &WordRun) -> Option<Option<WordRun>> {
        let [reading] = series.readings.as_slice() else { return None };
        let is_series = reading.facet == Some(Facet::Device)
            && reading.how == MatchKind::Alias
            && reading.values.len() >= A_SERIES
            && !series.text.contains(|c: char| c.is_ascii_digit());
        let said = plain(&number.text);
        if !is_series || !number.is_text() || !said.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let last = |id: &String| id.rsplit('-').next().unwrap_or_default().to_owned();
        let are_numbered = reading.values.iter().any(|id| last(id).starts_with(|c: char| c.is_ascii_digit()));
        let values: Vec<String> = reading.values.iter().filter(|id| last(id) == said).cloned().collect();
        let text = format!("{} {}", series.text, number.text);
        let member = WordReading { values: values.clone(), ..reading.clone() };
        are_numbered.then(|| (!values.is_empty()).then(|| WordRun { text, readings: vec![member] }))
    }

    /// The networks in whose ids a word is a part of its own, or one with a number or a version behind it: each DeepLab, each
    /// HRNet; `None` where these are no more than one, or others are called so as well.
    fn family_by_parts(&self, word: &str) -> Result<Option<WordReading>, QueryError> {
        let is_of = |part: &str| {
            let rest = part.strip_prefix(word).map(|rest| rest.strip_prefix('v').unwrap_or(rest));
            // Few letters begin other names, too: GPT4All is no GPT.
            let is_numbered = |rest: &str| match word.len() < LEAST_LETTERS {
                true => rest.bytes().all(|byte| byte.is_ascii_digit()),
                false => rest.starts_with(|c: char| c.is_ascii_digit()),
            };
            rest.is_some_and(|rest| rest.is_empty() || is_numbered(rest))
        };
        let mut values: Vec<String> = Vec::new();
        for name in self.stores.database.names_like(&format!("*{word}*"))? {
            let is_family = name.facet == Facet::Network && name.value.split(['-', '_', '.']).any(is_of);
            if is_family && !values.contains(&name.value) {
                values.push(name.value);
            }
        }
        let begins = values.iter().any(|id| id.split(['-', '_', '.']).next().is_some_and(is_of));
        let (facet, how) = (Some(Facet::Network), MatchKind::Alias);
        Ok((begins && values.len() >= A_SERIES).then_some(WordReading {
            words: 0..1,
            facet,
            values,
            how,
            taken_for: None,
        }))
    }

    /// A word that nothing is called, as the networks whose names go on with a number behind it, or the devices.
    pub(super) fn as_series(&mut self, run: WordRun) -> Result<WordRun, QueryError> {
        let word = plain(&run.text);
        let is_word = word.len() >= LEAST_OF_A_PART && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !run.is_text() || !is_word || is_english(&word) {
            return Ok(run);
        }
        let beginning = normalise(&word);
        let mut names = match word.len() < LEAST_LETTERS {
            true => Vec::new(),
            false => self.stores.database.beginning(&beginning)?,
        };
        if self.series_looked_for < MOST_SERIES {
            self.series_looked_for += 1;
            if let Some(reading) = self.family_by_parts(&beginning)? {
                return Ok(WordRun { text: run.text, readings: vec![reading] });
            }
            if word.len() < LEAST_LETTERS {
                return Ok(run);
            }
            names.extend(self.behind_makers(&beginning)?);
        }
        for facet in [Facet::Network, Facet::Device] {
            let mut values: Vec<String> = Vec::new();
            for name in names.iter().filter(|name| name.facet == facet) {
                let rest = name.normal.get(beginning.len()..).unwrap_or_default();
                // The `pixel` itself is one of its series.
                let is_of = rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit());
                if is_of && !values.contains(&name.value) {
                    values.push(name.value.clone());
                }
            }
            if values.len() >= A_SERIES {
                let (facet, how) = (Some(facet), MatchKind::Alias);
                let reading = WordReading { words: 0..1, facet, values, how, taken_for: None };
                return Ok(WordRun { text: run.text, readings: vec![reading] });
            }
        }
        Ok(run)
    }
}
