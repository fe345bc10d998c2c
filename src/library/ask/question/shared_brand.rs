//! Products that are called without the brand which those beside them have: the Jetson Nano of `xavier nx, nano, tx2`.

use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::plain;
use super::word_run::WordRun;
use crate::model::{Facet, Lookup as _};
use crate::stores::resolve::{MatchKind, WordReading};
use crate::values::spelling::normalise;

/// Shorter words are parts of other names.
const SHORTEST: usize = 3;

impl Interpreter<'_> {
    /// Whether a comma or the like stands in front of words: they are no part of the name before them.
    pub(super) fn stands_apart(&self, text: &str) -> bool {
        let (question, text) = (self.question.to_lowercase(), text.to_lowercase());
        let mut places = question.match_indices(&text).map(|(at, _)| question[..at].trim_end());
        places.any(|before| before.ends_with([',', ';', '/', '|', '+', '&']))
    }

    /// The device that a word names together with the brand of a device beside it, where nothing is called by the word alone.
    pub(super) fn of_brand_beside(&self, run: &WordRun, beside: &[Vec<String>]) -> Result<Option<WordRun>, QueryError> {
        let word = plain(&run.text);
        if !run.is_text() || word.len() < SHORTEST || !word.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Ok(None);
        }
        for brand in beside.iter().filter_map(|ids| brand_of(ids)) {
            let names = self.stores.database.exact(&normalise(&format!("{brand} {word}")))?;
            let mut values: Vec<String> =
                names.into_iter().filter(|name| name.facet == Facet::Device).map(|name| name.value).collect();
            values.dedup();
            if !values.is_empty() {
                let how = MatchKind::Alias;
                let reading = WordReading { words: 0..1, facet: Some(Facet::Device), values, how, taken_for: None };
                return Ok(Some(WordRun { text: run.text.clone(), readings: vec![reading] }));
            }
        }
        Ok(None)
    }
}

/// The devices of each run that names some.
pub(super) fn devices_of(runs: &[WordRun]) -> Vec<Vec<String>> {
    let of_devices = runs.iter().filter(|run| run.is(Facet::Device));
    of_devices.filter_map(|run| run.readings.first()).map(|reading| reading.values.clone()).collect()
}

/// The first word of the ids of devices, where all share it and go on behind it.
fn brand_of(ids: &[String]) -> Option<&str> {
    let (brand, _) = ids.first()?.split_once('-')?;
    ids.iter().all(|id| id.split_once('-').is_some_and(|(own, _)| own == brand)).then_some(brand)
}

#[cfg(test)]
mod tests {
    use super::brand_of;

    #[test]
    fn a_brand_is_what_all_ids_begin_with() {
        let brand =
            |ids: &[&str]| brand_of(&ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>()).map(str::to_owned);
        assert_eq!(brand(&["jetson-xavier-nx"]).as_deref(), Some("jetson"));
        assert_eq!(brand(&["jetson-tx2", "tesla-v100"]), None);
        assert_eq!(brand(&["a100"]), None);
    }
}
