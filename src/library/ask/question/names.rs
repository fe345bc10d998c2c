//! Reads words that are nothing but names and text, and joins clauses about one facet.

use std::cell::Cell;

use strum::VariantArray as _;

use super::clause::{Clause, any_of, either, text_clause};
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::makers::sold_as_own;
use super::products::is_version;
use super::sides::ReadClause;
use super::vocabulary::plain;
use super::word_run::WordRun;
use crate::model::{Device, Facet, Fact, Field, Lookup as _};
use crate::rows::Note;
use crate::stores::database::Database;
use crate::stores::index::{Condition, DocumentKind};
use crate::stores::resolve::{self, MatchKind, is_english, read_words};
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// Fields whose values are words that a question may use.
const FIELDS_IN_WORDS: &[Field] =
    &[Field::Mode, Field::Partition, Field::Setting, Field::Layout, Field::Os, Field::Data, Field::KernelLibrary];

/// So many unknown words are searched for the nearest name.
const MOST_SLIPS: usize = 4;

impl<'q> Interpreter<'q> {
    /// Reads words as names and text; a clause of several facets has none.
    pub(super) fn names(&mut self, words: &[&str]) -> Result<Vec<(Option<Facet>, Clause)>, QueryError> {
        let mut read = Vec::new();
        let runs = self.products(words)?;
        // The sign of a sentence is no part of the name in front of it: `4090?`.
        let without_sign =
            |text: &mut String| text.truncate(text.trim_end_matches(['?', '!', ',', ';', ':']).len().max(1));
        self.unknown_names.iter_mut().for_each(without_sign);
        for mut run in runs {
            without_sign(&mut run.text);
            if run.is_text() && !self.unknown_names.contains(&run.text) && self.is_inside_of_names(&run.text)? {
                self.unknown_names.push(run.text.clone());
            }
            self.round_of_suite(&mut run)?;
            if self.is_letter_for_no_language(&run)? {
                self.leave_out(&run.text);
                continue;
            }
            if let Some(clause) = self.value_in_word(&run)? {
                read.push((None, clause));
                continue;
            }
            // Later words may still show a sentence: see `leave_out_unfound`.
            let too_little = self.hints.is_sentence() || is_version(&run.text);
            if run.is_text() && too_little && self.says_too_little(&run.text)? {
                self.leave_out(&run.text);
                continue;
            }
            let of_frameworks = self.about.as_ref().is_some_and(|(_, kind)| *kind == EntityKind::Framework);
            if let Some(clause) = self.fact_in_words(&run, of_frameworks)? {
                read.push((None, clause));
                continue;
            }
            let mut alternatives = Vec::new();
            for reading in &self.with_own_makers(&run.readings)? {
                alternatives.push(match reading.facet {
                    Some(facet) => (Some(facet), self.facet_reading(&run.text, facet, reading)?),
                    None => (None, text_clause(&run.text)),
                });
                if reading.facet == Some(Facet::Vendor) {
                    let devices = self.sold_under(&run.text, &reading.values)?;
                    alternatives.extend(devices.into_iter().map(|clause| (Some(Facet::Device), clause)));
                }
                if reading.facet == Some(Facet::Instance) {
                    self.note_unnamed_instances(&run.text, &reading.values)?;
                }
            }
            if has_exact(&run, Facet::Device) || run.is(Facet::Device) {
                self.note_rack(&run);
            }
            // L4 is a device, and also what somebody calls a layer.
            if has_exact(&run, Facet::Device) && alternatives.iter().all(|(facet, _)| is_of_work_or_device(*facet)) {
                alternatives.retain(|(facet, _)| *facet == Some(Facet::Device));
            }
            // MIT makes chips, too.
            if of_frameworks && alternatives.iter().any(|(facet, _)| *facet == Some(Facet::License)) {
                alternatives.retain(|(facet, _)| *facet == Some(Facet::License));
            }
            if alternatives.len() > 1 {
                alternatives = self.with_matches(alternatives)?;
            }
            let facet = if alternatives.len() == 1 { alternatives[0].0 } else { None };
            let clauses = alternatives.into_iter().map(|(_, clause)| clause).collect();
            read.extend(either(run.text, clauses).map(|clause| (facet, clause)));
        }
        Ok(read)
    }

    /// Readings as makers, with the makers that belong to these and have another name in the catalog: the HiSilicon of Huawei.
    fn with_own_makers(&self, readings: &[resolve::WordReading]) -> Result<Vec<resolve::WordReading>, QueryError> {
        let mut readings = readings.to_vec();
        for reading in readings.iter_mut().filter(|reading| reading.facet == Some(Facet::Vendor)) {
            let own: Vec<&str> = reading.values.iter().flat_map(|maker| sold_as_own(maker)).copied().collect();
            for maker in own {
                let names = self.stores.database.exact(&normalise(maker))?;
                let makers = names.into_iter().filter(|name| name.facet == Facet::Vendor).map(|name| name.value);
                for maker in makers {
                    if !reading.values.contains(&maker) {
                        reading.values.push(maker);
                    }
                }
            }
        }
        Ok(readings)
    }

    /// The devices that are called by the name of a maker and are another's today: the Habana Gaudi of Intel.
    fn sold_under(&mut self, text: &str, makers: &[String]) -> Result<Option<Clause>, QueryError> {
        let mut devices: Vec<String> = Vec::new();
        let made = Condition::Facet(Facet::Vendor, makers.to_vec());
        let own = self.stores.index.entities(EntityKind::Device, &made)?;
        for maker in makers {
            let called = self.stores.database.beginning(&normalise(maker))?;
            let others = called.into_iter().filter(|name| name.facet == Facet::Device && !own.contains(&name.value));
            for name in others {
                if !devices.contains(&name.value) && self.is_called_by(&name.value, maker)? {
                    devices.push(name.value);
                }
            }
        }
        if devices.is_empty() {
            return Ok(None);
        }
        self.facet_clause(text, Facet::Device, devices, "alias").map(Some)
    }

    /// Whether a name of a device begins with a word.
    fn is_called_by(&self, id: &str, word: &str) -> Result<bool, QueryError> {
        let Some(device) = self.stores.database.entity::<Device>(id)? else { return Ok(false) };
        let begins = |name: &str| name.split([' ', '-']).next().is_some_and(|first| first.eq_ignore_ascii_case(word));
        Ok(begins(&device.name) || device.aliases.iter().any(|alias| begins(alias)))
    }

    /// Joins clauses about one facet, so that their order does not matter; what several rows can have at once stays apart.
    pub(super) fn joined_by_facet(&mut self, read: Vec<ReadClause>) -> Result<Vec<Clause>, QueryError> {
        let mut facets: Vec<(Facet, Vec<Clause>)> = Vec::new();
        let mut others: Vec<Clause> = Vec::new();
        for ReadClause { facet, clause, .. } in read {
            match facet {
                Some(facet) => match facets.iter_mut().find(|(f, _)| *f == facet) {
                    Some((_, entries)) => entries.push(clause),
                    None => facets.push((facet, vec![clause])),
                },
                None => others.push(clause),
            }
        }
        let mut clauses = Vec::new();
        for (facet, entries) in facets {
            clauses.extend(self.facet_clauses(facet, entries)?);
        }
        clauses.extend(self.values_of_one_field(others));
        Ok(clauses)
    }

    /// Several values of what a row has one of, joined: `cuDNN 5 and 7` are rows of either. Bounds are left apart, since all
    /// of them hold.
    fn values_of_one_field(&mut self, clauses: Vec<Clause>) -> Vec<Clause> {
        let mut joined: Vec<(Option<String>, Vec<Clause>)> = Vec::new();
        for clause in clauses {
            let field = single_value_of(&clause).map(str::to_owned);
            match joined.iter_mut().find(|(of, _)| field.is_some() && *of == field) {
                Some((_, values)) if values.iter().any(|value| value.equivalent == clause.equivalent) => {}
                Some((_, values)) => values.push(clause),
                None => joined.push((field, vec![clause])),
            }
        }
        let mut clauses = Vec::new();
        for (_, values) in joined {
            if values.len() > 1 {
                let texts: Vec<String> = values.iter().map(|clause| clause.text.clone()).collect();
                self.notes.push(Note::AnyOf { values: texts });
            }
            let text = values.iter().map(|clause| clause.text.as_str()).collect::<Vec<_>>().join(" or ");
            clauses.extend(either(text, values));
        }
        clauses
    }

    /// Whether a word that is no name is everyday English that no row says of itself: it constrains nothing.
    pub(super) fn says_too_little(&self, text: &str) -> Result<bool, QueryError> {
        let word = plain(text);
        // `v3` of something unknown.
        if is_version(&word) {
            return Ok(true);
        }
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        if word.chars().count() < 3 {
            return Ok(is_number || !word.contains(|c: char| c.is_ascii_digit()));
        }
        if !is_english(&word) {
            return Ok(false);
        }
        for field in FIELDS_IN_WORDS {
            let (condition, _) = self.with_value(*field, |stated| stated.eq_ignore_ascii_case(&word))?;
            if condition != Condition::Any(Vec::new()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn runs(&mut self, words: &[&str]) -> Result<Vec<WordRun>, QueryError> {
        let mut runs: Vec<WordRun> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            if word.contains('*') {
                let (before, after) = (&words[..at], &words[at + 1..]);
                runs.extend(self.runs(before)?);
                runs.push(WordRun { text: (*word).to_owned(), readings: self.pattern(word)? });
                runs.extend(self.runs(after)?);
                return Ok(runs);
            }
        }
        let unknown = Cell::new(self.unknown_words);
        let readings = read_words::<Database>(words, &self.stores.database, |word| {
            // Nobody misspells so many names in one question, and each search for the nearest one takes its time.
            if unknown.get() >= MOST_SLIPS {
                return Ok(true);
            }
            // A failing index shows itself in the search that follows.
            let found = self.stores.index.has_text(word).unwrap_or(true);
            unknown.set(unknown.get() + usize::from(!found));
            Ok(found)
        })?;
        self.unknown_words = unknown.get();
        let mut last = None;
        for reading in readings {
            let text = words[reading.words.clone()].join(" ");
            match runs.last_mut() {
                Some(run) if last.as_ref() == Some(&reading.words) => run.readings.push(reading),
                _ => {
                    last = Some(reading.words.clone());
                    runs.push(WordRun { text, readings: vec![reading] });
                }
            }
        }
        Ok(runs)
    }

    /// What a word with `*` can mean: every name that matches, else a text.
    fn pattern(&self, word: &str) -> Result<Vec<resolve::WordReading>, QueryError> {
        let mut readings: Vec<resolve::WordReading> = Vec::new();
        // A star alone matches everything, which says nothing.
        let names =
            if word.chars().any(char::is_alphanumeric) { self.stores.database.names_like(word)? } else { Vec::new() };
        for name in names {
            match readings.iter_mut().find(|reading| reading.facet == Some(name.facet)) {
                Some(reading) if reading.values.contains(&name.value) => {}
                Some(reading) => reading.values.push(name.value),
                None => readings.push(resolve::WordReading {
                    words: 0..1,
                    facet: Some(name.facet),
                    values: vec![name.value],
                    how: MatchKind::Alias,
                    taken_for: None,
                }),
            }
        }
        if readings.is_empty() {
            readings.push(resolve::WordReading {
                words: 0..1,
                facet: None,
                values: vec![word.to_owned()],
                how: MatchKind::Text,
                taken_for: None,
            });
        }
        Ok(readings)
    }

    /// Of several readings of the same words those that find anything; all of them when none does.
    fn with_matches(&self, readings: Vec<(Option<Facet>, Clause)>) -> Result<Vec<(Option<Facet>, Clause)>, QueryError> {
        let mut leading = Vec::new();
        for (facet, clause) in &readings {
            if self.finds(&clause.condition)? {
                leading.push((*facet, clause.clone()));
            }
        }
        Ok(if leading.is_empty() { readings } else { leading })
    }

    /// Several words about one facet: rows that meet all of them where a row can, else rows that meet any.
    fn facet_clauses(&mut self, facet: Facet, clauses: Vec<Clause>) -> Result<Vec<Clause>, QueryError> {
        if clauses.len() == 1 {
            return Ok(clauses);
        }
        if facet.has_many_values() {
            let all = Condition::All(clauses.iter().map(|clause| clause.condition.clone()).collect());
            if self.finds(&all)? {
                return Ok(clauses);
            }
            let texts: Vec<String> = clauses.iter().map(|clause| clause.text.clone()).collect();
            self.notes.push(Note::AnyOf { values: texts });
        }
        Ok(vec![any_of(facet, clauses)])
    }

    /// Whether a measurement or an entity meets a condition.
    pub(super) fn finds(&self, condition: &Condition) -> Result<bool, QueryError> {
        for subject in subjects() {
            if self.stores.index.count(subject, condition)? > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn facet_reading(
        &mut self,
        text: &str,
        facet: Facet,
        reading: &resolve::WordReading,
    ) -> Result<Clause, QueryError> {
        if let Some(taken_for) = &reading.taken_for {
            self.notes.push(Note::Fuzzy { text: text.to_owned(), taken_for: taken_for.clone() });
        }
        let how: &str = reading.how.into();
        let values = match facet {
            Facet::Device => self.of_form(text, &reading.values)?,
            _ => reading.values.clone(),
        };
        self.facet_clause(text, facet, values, how)
    }
}

/// Everything that a question can find.
fn subjects() -> impl Iterator<Item = DocumentKind> {
    [DocumentKind::Measurement].into_iter().chain(EntityKind::VARIANTS.iter().map(|kind| DocumentKind::Entity(*kind)))
}

/// The field or fact that a clause asks for one value of, where a row or an entity has no more than one.
fn single_value_of(clause: &Clause) -> Option<&str> {
    let key = clause.plain_kind()?;
    let [reading] = clause.readings.as_slice() else { return None };
    let is_value = !reading.read_as.values.iter().any(|value| value.contains(['<', '>']) || value.contains(".."));
    // Who writes two filters means both.
    let is_filter = clause.text.contains(':');
    let of_row = || {
        key == Facet::Year.key()
            || key.parse::<Field>().is_ok_and(|field| field.entity_kind().is_none() && field != Field::ApiLanguage)
    };
    let of_entity = || {
        [Fact::Memory, Fact::Parameters, Fact::FormFactor, Fact::MemoryType, Fact::Steward]
            .iter()
            .any(|f| f.key() == key)
    };
    (is_value && !is_filter && (of_row() || of_entity())).then_some(key)
}

/// Whether a run of words is the own name of a value of a facet.
fn has_exact(run: &WordRun, facet: Facet) -> bool {
    run.readings.iter().any(|reading| reading.facet == Some(facet) && reading.how == MatchKind::Exact)
}

fn is_of_work_or_device(facet: Option<Facet>) -> bool {
    matches!(facet, Some(Facet::Device | Facet::Network))
}
