//! What is said of frameworks: `tested on lstm`, `with a c++ api`, `written in c++`, `tensorflow backend`.

use std::collections::{BTreeMap, BTreeSet};

use super::clause::{Clause, either, filter_text, negated, quoted};
use super::error::QueryError;
use super::facing::kind_of;
use super::hints::Hints;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::question::{Quantity, Wanted};
use super::sentence::Sentence;
use super::vocabulary::{Cue, SUPERLATIVES, plain};
use super::word_run::WordRun;
use crate::model::{Aspect, Facet, Fact, FactValue, Field, Framework, Lookup as _};
use crate::stores::index::Condition;
use crate::values::spelling::normalise;
use crate::values::text::and_list;
use crate::values::{EntityKind, FrameworkStatus};

/// What an SPDX expression calls a licence by that is in no list.
const NO_LISTED_LICENSE: &str = "LicenseRef";

/// Words by which the languages that a question names are those of the core, and of the interfaces.
const OF_CORES: &[&str] = &["core", "cores", "written", "implemented", "coded", "programmed"];
const OF_INTERFACES: &[&str] =
    &["api", "apis", "interface", "interfaces", "binding", "bindings", "frontend", "wrapper"];

/// Words by which it is languages that a question names.
const OF_LANGUAGES: &[&str] =
    &["language", "languages", "framework", "frameworks", "library", "libraries", "code", "program"];

/// A question of more different words is a sentence.
const MOST_OF_KEYWORDS: usize = 5;

impl Interpreter<'_> {
    /// `tensorflow backend`: what stands behind Keras.
    pub(super) fn backend(&mut self, words: &[&str]) -> Result<Option<(usize, Idiom)>, QueryError> {
        let names = self.stores.database.exact(&normalise(words[0]))?;
        let Some(name) = names.into_iter().find(|name| name.facet == Facet::Framework) else {
            return Ok(None);
        };
        let condition = self.with_value(Field::Backend, |value| value == name.value)?.0;
        if condition == Condition::Any(Vec::new()) {
            return Ok(None);
        }
        let text = words[..2].join(" ");
        let equivalent = format!("{}:{}", Field::Backend, name.value);
        Ok(Some((2, Idiom::Clause(Clause::of(&text, Field::Backend.key(), vec![name.value], equivalent, condition)))))
    }

    /// The framework behind the word, as that which computes behind another one: `keras with any backend other than tensorflow`.
    pub(super) fn as_backend(
        &self,
        facet: Option<Facet>,
        clause: Clause,
        sentence: &Sentence<'_>,
    ) -> Result<(Option<Facet>, Clause), QueryError> {
        let stands_behind = sentence.read.iter().any(|read| kind_of(&read.clause) == Facet::Framework.key());
        let [reading] = clause.readings.as_slice() else { return Ok((facet, clause)) };
        if facet != Some(Facet::Framework) || !stands_behind {
            return Ok((facet, clause));
        }
        let values = reading.read_as.values.clone();
        let (condition, _) = self.with_value(Field::Backend, |value| values.iter().any(|named| named == value))?;
        if condition == Condition::Any(Vec::new()) {
            return Ok((facet, clause));
        }
        let equivalent = format!("{}:{}", Field::Backend, values.join(","));
        Ok((None, Clause::of(&clause.text, Field::Backend.key(), values, equivalent, condition)))
    }

    /// Whether a word asks in which language a framework that the question names is written.
    pub(super) fn is_language_of_framework(&self, word: &str) -> Result<bool, QueryError> {
        if plain(word) != "language" {
            return Ok(false);
        }
        for word in self.question.split_whitespace() {
            let names = self.stores.database.exact(&normalise(word))?;
            if names.iter().any(|name| name.facet == Facet::Framework) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether frameworks are spoken of, of the kind or by a name, and no run of theirs: no figure stands in the question.
    pub(super) fn asks_of_frameworks(&self) -> Result<bool, QueryError> {
        if self.question.contains(|c: char| c.is_ascii_digit()) {
            return Ok(false);
        }
        if self.hints.speaks_of(EntityKind::Framework) {
            return Ok(true);
        }
        for word in self.question.split_whitespace() {
            let names = self.stores.database.exact(&normalise(&plain(word)))?;
            if names.iter().any(|name| name.facet == Facet::Framework) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a letter that a language is called by says something else in a sentence, as the C of `all A's, B's and C's`.
    pub(super) fn is_letter_for_no_language(&self, run: &WordRun) -> Result<bool, QueryError> {
        let is_letter = plain(&run.text).len() == 1 && run.is(Facet::Language);
        let says = |words: &[&str]| words.iter().any(|word| self.all_words.contains(*word));
        let speaks = || says(OF_CORES) || says(OF_INTERFACES) || says(OF_LANGUAGES);
        // Beside few words nothing else is meant: `c multi-server lstm`.
        let is_sentence = self.all_words.len() > MOST_OF_KEYWORDS;
        Ok(is_letter && is_sentence && !speaks() && !self.asks_of_frameworks()?)
    }

    /// Whether runs are asked for, of devices or in an order: `slowest gpu tested on vgg16`.
    pub(super) fn asks_for_runs(&self) -> bool {
        let is_superlative = |word: &str| SUPERLATIVES.iter().any(|(name, _)| *name == plain(word));
        self.hints.speaks_of(EntityKind::Device)
            || !self.hints.along.is_empty()
            || self.named_last == Some(Facet::Device)
            || self.question.split_whitespace().any(is_superlative)
    }

    /// What the record of today says of the frameworks that a survey's status selects: `By the survey; today's record: …`.
    pub(super) fn statuses_of_today(&self, surveyed: &Clause) -> Result<Option<String>, QueryError> {
        let named = |one: &Condition| match one {
            Condition::Entities(EntityKind::Framework, ids) | Condition::Facet(Facet::Framework, ids) => {
                Some(ids.clone())
            }
            _ => None,
        };
        let ids = match &surveyed.condition {
            Condition::Any(any) => any.iter().find_map(named),
            one => named(one),
        };
        let Some(ids) = ids else { return Ok(None) };
        let mut said = Vec::new();
        for id in &ids {
            let Some(framework) = self.stores.database.entity::<Framework>(id)? else { continue };
            let status = framework.status.map_or_else(|| "not stated".to_owned(), |status| status.to_string());
            said.push(format!("{} {status}", framework.name));
        }
        Ok((!said.is_empty())
            .then(|| format!("Listed are those that the survey calls so; by today's record: {}.", and_list(&said))))
    }

    /// The frameworks that the survey reports on, of those that report on frameworks the one with the most: those of `frameworks
    /// in the survey`, and of `inactive frameworks per survey` those that it calls so.
    pub(super) fn surveyed(&self, text: &str, statuses: &[FrameworkStatus]) -> Result<Clause, QueryError> {
        let frameworks: Vec<Framework> = self.stores.database.entities()?;
        let mut reports: BTreeMap<String, usize> = BTreeMap::new();
        for source in frameworks.iter().flat_map(|framework| framework.reported.keys()) {
            *reports.entry(source.to_string()).or_default() += 1;
        }
        let survey = reports.into_iter().max_by_key(|(_, frameworks)| *frameworks).map(|(source, _)| source);
        let is_said = |framework: &&Framework| {
            let of_survey = framework.reported.iter().find(|(source, _)| Some(source.to_string()) == survey);
            let is_of_status = |status: &FrameworkStatus| statuses.contains(status);
            of_survey.is_some_and(|(_, said)| statuses.is_empty() || said.status.iter().any(is_of_status))
        };
        let ids: BTreeSet<String> =
            frameworks.iter().filter(is_said).map(|framework| framework.id.to_string()).collect();
        let ids: Vec<String> = ids.into_iter().collect();
        let filter = filter_text(Facet::Framework, &ids);
        let condition = self.naming(EntityKind::Framework, ids)?;
        Ok(Clause::of(text, Facet::Source.key(), survey.into_iter().collect(), filter, condition))
    }

    /// `list surveys that compare frameworks`: the sources that report on frameworks; whether these are asked for.
    pub(super) fn list_surveys(
        &mut self,
        clauses: &mut Vec<Clause>,
        wanted: &mut Wanted,
        hints: &Hints,
    ) -> Result<bool, QueryError> {
        let mut turns = hints.turns.iter();
        let named = turns.find(|(text, cue)| *cue == Cue::Survey && plain(text) == "surveys");
        let Some((text, _)) = named.filter(|_| hints.has(Cue::Which)) else { return Ok(false) };
        let frameworks: Vec<Framework> = self.stores.database.entities()?;
        let reporting = frameworks.iter().flat_map(|framework| framework.reported.keys());
        let ids: BTreeSet<String> = reporting.map(ToString::to_string).collect();
        clauses.push(self.facet_clause(text, Facet::Source, ids.into_iter().collect(), "alias")?);
        wanted.candidates = Some(Aspect::Source);
        wanted.quantities.retain(|quantity| *quantity != Quantity::Criteria);
        self.about = Some((text.clone(), EntityKind::Source));
        Ok(true)
    }

    /// `open source frameworks`: those whose licence has an entry in the list of open licences.
    pub(super) fn open_source(&mut self, words: &[&str], first: &str) -> Result<Option<(usize, Idiom)>, QueryError> {
        let taken = match first {
            "open-source" | "opensource" => 1,
            "open" if words.get(1).is_some_and(|word| plain(word) == "source") => 2,
            _ => return Ok(None),
        };
        if !self.hints.speaks_of(EntityKind::Framework) {
            return Ok(None);
        }
        let frameworks: Vec<Framework> = self.stores.database.entities()?;
        let stated = frameworks.iter().filter_map(|framework| framework.license.as_ref().map(ToString::to_string));
        let open: BTreeSet<String> = stated.filter(|license| !license.contains(NO_LISTED_LICENSE)).collect();
        if open.is_empty() {
            return Ok(None);
        }
        let clause =
            self.facet_clause(&words[..taken].join(" "), Facet::License, open.into_iter().collect(), "alias")?;
        // It is none of several alternatives: a licence that is named as well holds beside it.
        let condition = Condition::All(vec![clause.condition]);
        Ok(Some((taken, Idiom::Clause(Clause { condition, ..clause }))))
    }

    /// `tested on lstm`: the frameworks that were.
    pub(super) fn tested(&mut self, words: &[&str]) -> Result<Option<(usize, Idiom)>, QueryError> {
        let start = 2 + words[2..].iter().take_while(|word| matches!(**word, "a" | "an" | "the")).count();
        for end in (start + 1..=words.len().min(start + 4)).rev() {
            let names = self.stores.database.exact(&normalise(&words[start..end].concat()))?;
            for (facet, fact) in [(Facet::Network, Fact::TestedNetwork), (Facet::Dataset, Fact::TestedDataset)] {
                let ids: Vec<&str> =
                    names.iter().filter(|name| name.facet == facet).map(|name| name.value.as_str()).collect();
                if !ids.is_empty() {
                    let ids = ids.into_iter().map(str::to_owned).collect();
                    let clause = self.tested_on(&words[..end].join(" "), fact, ids)?;
                    return Ok(Some((end, Idiom::Clause(clause))));
                }
            }
        }
        Ok(Some((2, Idiom::Done)))
    }

    /// The frameworks that were tested on any of these networks or data sets.
    pub(super) fn tested_on(&self, text: &str, fact: Fact, ids: Vec<String>) -> Result<Clause, QueryError> {
        let frameworks = self.stores.database.entities_with(
            EntityKind::Framework,
            fact.key(),
            |value| matches!(value, FactValue::Word(word) if ids.contains(word)),
        )?;
        let condition = self.naming(EntityKind::Framework, frameworks.into_iter().collect())?;
        let equivalent = format!("{fact}:{}", ids.join(","));
        Ok(Clause::of(text, fact.key(), ids, equivalent, condition))
    }

    /// `c++ api`, `python interface`, `written in c++`.
    pub(super) fn language(
        &mut self,
        words: &[&str],
        first: &str,
        second: &str,
    ) -> Result<Option<(usize, Idiom)>, QueryError> {
        let (language, taken, fact) = match (first, second) {
            ("written" | "implemented" | "coded" | "programmed", "in") if words.len() > 2 => {
                (words[2], 3, Fact::CoreLanguage)
            }
            ("core", _) if words.len() > 1 => (words[1], 2, Fact::CoreLanguage),
            (_, "api" | "apis" | "interface" | "bindings") => (words[0], 2, Fact::ApiLanguage),
            (_, "core") => (words[0], 2, Fact::CoreLanguage),
            _ => return Ok(None),
        };
        let names = self.stores.database.exact(&normalise(language))?;
        let Some(name) = names.into_iter().find(|name| name.facet == Facet::Language) else {
            return Ok(None);
        };
        let clause = self.in_language(&words[..taken].join(" "), fact, name.value)?;
        Ok(Some((taken, Idiom::Clause(clause))))
    }

    /// The frameworks that a fact says a language of.
    fn in_language(&self, text: &str, fact: Fact, language: String) -> Result<Clause, QueryError> {
        let frameworks = self.stores.database.entities_with(
            EntityKind::Framework,
            fact.key(),
            |value| matches!(value, FactValue::Word(word) if *word == language),
        )?;
        let condition = self.naming(EntityKind::Framework, frameworks.into_iter().collect())?;
        let equivalent = format!("{fact}:{}", quoted(&language));
        Ok(Clause::of(text, fact.key(), vec![language], equivalent, condition))
    }

    /// Languages as those of the core where the question speaks of it and of no interface: `neither python nor c++ at the core`,
    /// the Python of `not written in c++ or python`.
    pub(super) fn languages_of_core(&mut self, clauses: &mut Vec<Clause>) -> Result<(), QueryError> {
        let says = |any: &[&str]| any.iter().any(|word| self.all_words.contains(*word));
        let is_language = |clause: &Clause| kind_of(clause) == Facet::Language.key();
        if !says(OF_CORES) || says(OF_INTERFACES) || !clauses.iter().any(is_language) {
            return Ok(());
        }
        // `which language is it written in; can I call it from Java`: what stands in another clause is of the interfaces.
        let asked = |clause: &Clause| {
            let last = clause.text.split(' ').next_back().unwrap_or_default();
            self.question.split(';').any(|part| {
                let words: Vec<String> = part.split_whitespace().map(plain).collect();
                words.contains(&plain(last)) && words.iter().any(|word| OF_CORES.contains(&word.as_str()))
            })
        };
        if !clauses.iter().filter(|clause| is_language(clause)).any(asked) && self.question.contains(';') {
            return Ok(());
        }
        for clause in clauses.iter_mut().filter(|clause| is_language(clause) && clause.sides.is_empty()) {
            let is_excluded = clause.is_excluded();
            let mut of_core = Vec::new();
            for reading in &clause.readings {
                let text = reading.read_as.text.trim_start_matches('-');
                for language in &reading.read_as.values {
                    of_core.push(self.in_language(text, Fact::CoreLanguage, language.clone())?);
                }
            }
            let text = clause.text.trim_start_matches('-').to_owned();
            if let Some(joined) = either(text, of_core) {
                *clause = if is_excluded { negated(joined) } else { joined };
            }
        }
        clauses.retain(|clause| !(kind_of(clause) == "text" && plain(&clause.text) == "core"));
        self.heard.push("core".to_owned());
        Ok(())
    }
}
