//! Products by several words: a brand and a number are one name, known or not.

use super::error::QueryError;
use super::interpreter::Interpreter;
use super::makers::{is_owned, with_makers};
use super::shared_brand::devices_of;
use super::vocabulary::{HARDWARE_BRANDS, is_branded, plain};
use super::word_run::WordRun;
use crate::model::Facet;
use crate::stores::database::Database;
use crate::stores::index::Condition;
use crate::stores::resolve::{self, MatchKind, is_english, is_form, suffix_of};

/// Words that are another thing together than the second is alone: a parameter server is no scenario.
const COMPOUNDS: &[(&str, &str)] = &[("parameter", "server"), ("parameter", "servers")];

/// Whether an excluded word makes another product of a known one.
pub(super) fn is_other_product(excluded: &str) -> bool {
    suffix_of(&plain(excluded.trim_start_matches('-'))).is_some()
}

/// Whether a name is that of one of the devices which the name in front of it begins: `stm32 nucleo l4r5zi`.
fn is_one_of(run: &WordRun, series: &WordRun) -> bool {
    let ([one], [many]) = (run.readings.as_slice(), series.readings.as_slice()) else { return false };
    run.is(Facet::Device)
        && series.is(Facet::Device)
        && one.values.len() < many.values.len()
        && one.values.iter().all(|id| many.values.contains(id))
}

impl<'q> Interpreter<'q> {
    /// Joins words that are one product: an unknown product is one name (`RTX 4060 Ti` is no RTX of another number), and a
    /// brand in front of a known one (`geforce 1080 ti`, `Intel Habana`) adds nothing.
    pub(super) fn products(&mut self, words: &[&str]) -> Result<Vec<WordRun>, QueryError> {
        let mut joined: Vec<WordRun> = Vec::new();
        let mut open = false;
        let runs = self.runs(words)?;
        let beside = devices_of(&runs);
        for run in runs {
            // `xavier nx, nano, tx2`, and no `jetson thor nano`.
            let is_apart = joined.last().is_none_or(|before| !before.is(Facet::Device) || self.stands_apart(&run.text));
            let named = if is_apart { self.of_brand_beside(&run, &beside)? } else { None };
            let run = named.unwrap_or(run);
            // `mobilenet v1, v2`
            if let Some(before) = joined.last()
                && let Some(next) = self.next_of_series(before, &run)?
            {
                joined.push(next);
                open = false;
                continue;
            }
            let mut run = self.as_series(run)?;
            let Some(before) = joined.last_mut().filter(|before| !before.ends()) else {
                open = run.is_text() && run.has_number();
                joined.push(run);
                continue;
            };
            let lower = run.text.to_lowercase();
            let is_suffix = suffix_of(&lower).is_some();
            let suffix = open && is_suffix;
            let another =
                run.is_text() && before.is(Facet::Device) && (is_suffix || self.is_of_line(before, &lower)?);
            let numbered = run.is_text() && (run.has_number() || before.is_brand() && is_roman(&run.text));
            match self.member_of_series(before, &run) {
                Some(Some(member)) => {
                    *before = member;
                    open = false;
                    continue;
                }
                Some(None) => {
                    before.extend_unknown(&run.text);
                    self.unknown_names.push(before.text.clone());
                    open = true;
                    continue;
                }
                None => {}
            }
            if COMPOUNDS.iter().any(|(first, second)| plain(&before.text) == *first && plain(&run.text) == *second) {
                before.extend_unknown(&run.text);
                open = false;
                continue;
            }
            if self.is_unheld_of_line(before, &run)
                || self.is_other_generation(before, &run)?
                || run.is_text() && resolve::is_form_with_number(&before.text, &run.text)
            {
                before.extend_unknown(&run.text);
                self.unknown_names.push(before.text.clone());
                open = true;
                continue;
            }
            if open && self.goes_on_unknown(before, &run) {
                let short = before.text.clone();
                before.extend_unknown(&run.text);
                self.unknown_names
                    .iter_mut()
                    .filter(|name| **name == short)
                    .for_each(|name| name.clone_from(&before.text));
                continue;
            }
            // `Cerebras WSE-3`: neither word is known.
            let unknown = before.is_text() && numbered && self.is_unknown_brand(&before.text)?;
            if self.is_in_all_names_of(before, &run)? || self.is_brand_of(&run, before)? {
                before.text = format!("{} {}", before.text, run.text);
                open = false;
                continue;
            }
            open = numbered || suffix;
            // `Quadro RTX 4000` is none of the Quadro RTX that are known, and no other product whose name ends so.
            let series = before.is(Facet::Device) && before.readings[0].how == MatchKind::Family;
            let is_number = run.text.len() > 2 && run.text.bytes().all(|byte| byte.is_ascii_digit());
            let other = is_number && (run.is(Facet::Device) || run.is_text());
            if series && other && (run.is(Facet::Device) || self.narrowed(before, &run.text)?.is_none()) {
                before.extend_unknown(&run.text);
                open = true;
                continue;
            }
            // `v0.7 mlperf`
            if before.is_text()
                && is_version(&before.text)
                && let Some(narrowed) = self.narrowed(&run, &before.text)?
            {
                *before = narrowed;
                open = false;
                continue;
            }
            // `threadripper pro 7995wx`, of which the first two words are no name, either.
            let is_begun = before.is_brand() || before.is_text() && is_branded(&before.text) && !before.has_number();
            if numbered && let Some(narrowed) = self.narrowed(before, &run.text)? {
                self.note_other_suites(before, &narrowed);
                *before = narrowed;
                open = false;
            } else if numbered && self.is_unheld_round(before, plain(&run.text).as_str()) {
                before.text = format!("{} {}", before.text, run.text);
                open = false;
            } else if is_begun && numbered
                || suffix
                || another
                || unknown
                || self.is_named_by_brand(before, &run)?
                || self.is_unknown_of(before, &run)?
            {
                let short = before.text.clone();
                before.extend_unknown(&run.text);
                // It is one name, and no longer the shorter one.
                self.unknown_names.iter_mut().filter(|name| **name == short).for_each(|name| {
                    name.clone_from(&before.text);
                });
                open |= another;
            } else if before.is_brand() && run.is(Facet::Device) && !run.is_brand()
                || before.is(Facet::Vendor) && (is_owned(&before.text, &run) || self.is_made_by(&run, before)?)
                || before.is(Facet::Vendor) && run.is_text() && is_branded(&run.text)
                || is_one_of(&run, before)
            {
                run.text = format!("{} {}", before.text, run.text);
                *before = run;
            } else {
                joined.push(run);
            }
        }
        Ok(with_makers(joined))
    }

    /// Whether a word for a form of devices stands in front of a number that nothing here is called: the `laptop 1650`.
    pub(super) fn is_unknown_of_form(&self, words: &[&str]) -> Result<bool, QueryError> {
        let [form, number, ..] = words else { return Ok(false) };
        let is_product = resolve::is_form_with_number(form, number);
        Ok(is_product && resolve::named::<Database>(&[number], &self.stores.database)?.is_empty())
    }

    /// Whether a word ends the names of other devices of a brand, so that it makes another one of this: a Jetson Thor Nano.
    fn is_of_line(&self, device: &WordRun, word: &str) -> Result<bool, QueryError> {
        let brand = device.text.split(' ').next().unwrap_or_default();
        let is_word = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_branded(&device.text) || !is_word || is_form(word) {
            return Ok(false);
        }
        let ends_so = self.stores.database.names_like(&format!("{brand}*{word}"))?;
        Ok(ends_so.iter().any(|name| name.facet == Facet::Device))
    }

    /// Whether a word of no language stands behind a brand that nothing here is called: the LPU of `groq lpu`.
    fn is_named_by_brand(&self, before: &WordRun, run: &WordRun) -> Result<bool, QueryError> {
        let brand = before.text.to_lowercase();
        let is_word = run.text.len() > 2 && run.text.chars().all(char::is_alphabetic);
        let is_name = is_word && !is_english(&run.text.to_lowercase());
        let are_texts = before.is_text() && run.is_text() && HARDWARE_BRANDS.contains(&brand.as_str());
        Ok(are_texts && is_name && !self.finds(&Condition::Text(run.text.clone()))?)
    }

    /// Whether a word in front of a number is the name of a product: written like one, or of no language and in no text.
    fn is_unknown_brand(&self, word: &str) -> Result<bool, QueryError> {
        let is_word = word.len() > 4 && word.chars().all(char::is_alphabetic) && !is_english(&word.to_lowercase());
        Ok(begins_name(word) || is_word && !self.finds(&Condition::Text(word.to_owned()))?)
    }
}

/// Whether a word counts as the Romans did: the Radeon VII.
fn is_roman(word: &str) -> bool {
    let word = plain(word);
    (1..=4).contains(&word.len()) && word.bytes().all(|byte| b"ivx".contains(&byte))
}

/// Whether an unknown word is written like a name: with a capital letter or all in capitals.
fn begins_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_uppercase()) && word.len() > 2 && !is_english(&word.to_lowercase())
}

/// Whether a word is the version of what stands in front of it: `v3`, `v0.7`.
pub(super) fn is_version(word: &str) -> bool {
    let word = plain(word);
    let parts = word.strip_prefix('v').map(|digits| digits.split('.'));
    parts.is_some_and(|mut parts| parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())))
}
