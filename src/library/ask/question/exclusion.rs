//! Words that exclude what comes next, and `only`: `not from NVIDIA`, `without tensor cores`, `on neither CPU nor GPU`, `CPU only`.
//!
//! Such a word is never passed over: it takes effect on what it stands in front of, or is told as not heeded together with it.

use std::ops::Bound;

use super::carrying_word::Carried;
use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::idioms::{Idiom, states_size};
use super::interpreter::Interpreter;
use super::nouns::is_noun_of_devices;
use super::sentence::Sentence;
use super::vocabulary::{Cue, MEASUREMENTS, Meaning, field_at, longest_phrase, plain, plain_words};
use crate::model::{Aspect, Facet, Field};

/// Words between a negation and what it excludes: `except on NVIDIA`, `do not support FPGAs`.
const LEADING: &[&str] = &[
    "a",
    "an",
    "the",
    "any",
    "on",
    "in",
    "with",
    "for",
    "from",
    "by",
    "of",
    "to",
    "using",
    "use",
    "uses",
    "used",
    "that",
    "are",
    "is",
    "made",
    "having",
    "have",
    "has",
    "support",
    "supports",
    "supporting",
    "ran",
    "run",
    "runs",
    "running",
    "tested",
    "measured",
    "benchmarked",
    "be",
    "been",
    "under",
    "at",
    "those",
    "say",
    "says",
    "state",
    "states",
    "stated",
    "done",
    "performed",
    "produced",
    "submitted",
    "reported",
    "developed",
    "built",
    "report",
    "reports",
    "give",
    "gives",
    "mention",
    "mentions",
    "specify",
    "specifies",
    "list",
    "lists",
    "include",
    "includes",
    "contain",
    "know",
    "provide",
    "provides",
    "need",
    "needs",
    "require",
    "requires",
    "were",
    "was",
    "single",
    "known",
    "specifying",
    "stating",
    "naming",
    "giving",
    "outside",
];

/// Contractions that ask at the beginning of a question and deny elsewhere: `isn't the A100 faster`.
const ASKING: &[&str] =
    &["isn't", "isnt", "aren't", "arent", "doesn't", "doesnt", "don't", "dont", "won't", "can't", "cant"];

impl Interpreter<'_> {
    /// Notes that what comes next is excluded; where that cannot be, the word is left out, and said.
    pub(super) fn says_without(
        &mut self,
        text: String,
        after: &[&str],
        sentence: &mut Sentence<'_>,
    ) -> Result<(), QueryError> {
        let begins = sentence.read.is_empty() && self.hints.nouns.is_empty() && self.about.is_none();
        if begins && ASKING.contains(&plain(&text).as_str()) {
            self.hints.cues.push(Cue::YesOrNo);
            return Ok(());
        }
        let next = without_leading(after);
        // `edge devices without any measurement`
        let of_rows = next.first().is_some_and(|word| MEASUREMENTS.contains(&plain(word).as_str()));
        // The data of a `data center card` are no measurements.
        if of_rows && !names_group(next) && (self.about.is_some() || !self.hints.nouns.is_empty()) {
            self.hints.cues.push(Cue::Unmeasured);
            self.hints.turns.push((text, Cue::Unmeasured));
            return Ok(());
        }
        // `no cloud`: rows that name no instance.
        if next.first().is_some_and(|word| matches!(plain(word).as_str(), "cloud" | "clouds")) {
            let (stated, _) = self.with_value(Field::Instance, |_| true)?;
            let filter = format!("{}:*", Field::Instance);
            let values = vec!["stated".to_owned()];
            sentence.without = Some(text);
            sentence.push(None, Clause::of("cloud", Field::Instance.key(), values, filter, stated));
            return Ok(());
        }
        let is_object = match longest_phrase(next) {
            _ if next.is_empty() => false,
            None => true,
            // What it asks for is told, whichever way: `neither windows nor macos`.
            Some((_, Meaning::Carries(Carried::OperatingSystem))) if self.asks_of_frameworks()? => {
                self.heard.push(text);
                return Ok(());
            }
            _ if self.is_modality(next) => true,
            // `except version 1.12`
            _ if matches!(plain(next[0]).as_str(), "version" | "versions")
                && self.excluded_version(next, sentence)?.is_some() =>
            {
                true
            }
            // `neither mature nor open source`
            Some(_) if self.open_source(next, &plain(next[0]))?.is_some() => true,
            // `without specifying a batch`: rows that do not state it.
            Some((1, Meaning::Nothing)) if matches!(plain(next[0]).as_str(), "batch" | "batches") => true,
            // `yolov5 not small`
            Some(_) if self.part_of_named(next, sentence)?.is_some() => true,
            // `without batch 1`: the word alone says nothing, the number makes it a condition.
            _ if states_size(next) => true,
            Some((_, meaning)) => can_be_excluded(meaning) || self.longest_name(next)? > 0,
        };
        if is_object {
            sentence.without = Some(text);
        } else if !next.is_empty() || plain(&text) != "not" {
            self.leave_out(&text);
        }
        Ok(())
    }

    /// `neither driver nor cuda`: behind a negation the name of a field says that rows do not state it; how many words name it.
    pub(super) fn unstated_field<'w>(
        &mut self,
        words: &[&'w str],
        sentence: &mut Sentence<'w>,
    ) -> Result<Option<usize>, QueryError> {
        if sentence.without.is_none() || !sentence.names.is_empty() {
            return Ok(None);
        }
        let Some((taken, field)) = field_at(words) else { return Ok(None) };
        // `not cuda 9`, `no precision loss`
        const BEHIND: &[&str] = &[
            "and",
            "or",
            "nor",
            "but",
            "stated",
            "version",
            "versions",
            "in",
            "on",
            "of",
            "at",
            "given",
            "info",
            "information",
            "details",
        ];
        let ends = words[taken - 1].ends_with([',', '?', '.', ';']);
        let goes_on = words.get(taken).is_some_and(|next| !BEHIND.contains(&plain(next).as_str()));
        if goes_on && !ends || self.longest_name(words)? >= taken {
            return Ok(None);
        }
        self.push_stated(&words[..taken].join(" "), field, sentence)?;
        Ok(Some(taken))
    }

    /// The versions of the framework that is named in front: `tensorflow but not 1.x`; how many words say them.
    pub(super) fn excluded_version(
        &mut self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Clause)>, QueryError> {
        let lead = usize::from(matches!(plain(words[0]).as_str(), "version" | "versions"));
        let Some(version) = words.get(lead).map(|word| plain(word)) else { return Ok(None) };
        let is_version = version.starts_with(|c: char| c.is_ascii_digit())
            && version
                .split('.')
                .all(|part| part == "x" || !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
            && (lead > 0 || version.contains('.'));
        if !sentence.names.is_empty() || !is_version {
            return Ok(None);
        }
        let is_framework = |clause: &&Clause| {
            kind_of(clause) == Facet::Framework.key() && !clause.is_excluded() && clause.sides.is_empty()
        };
        let Some(framework) = sentence.read.iter().rev().map(|read| &read.clause).find(is_framework) else {
            return Ok(None);
        };
        let name = plain_words(&framework.text);
        let Some(first) = name.split(' ').next().map(str::to_owned) else { return Ok(None) };
        let found = self.version(&[first.as_str(), version.as_str()], &first, &version)?;
        Ok(match found {
            Some((_, Idiom::Clause(clause))) => Some((lead + 1, clause)),
            _ => None,
        })
    }

    /// Rows that state a field, whatever they state.
    pub(super) fn push_stated(
        &mut self,
        text: &str,
        field: Field,
        sentence: &mut Sentence<'_>,
    ) -> Result<(), QueryError> {
        let is_numeric = Aspect::Field(field).is_numeric();
        let stated = match is_numeric {
            true => self.within(field, (Bound::Included(0.0), Bound::Unbounded))?,
            false => self.with_value(field, |_| true)?.0,
        };
        let filter = if is_numeric { format!("{field}>=0") } else { format!("{field}:*") };
        let text = format!("stated {}", plain_words(text));
        sentence.push(None, Clause::of(&text, field.key(), vec!["stated".to_owned()], filter, stated));
        Ok(())
    }

    /// `only`: of what comes next, where that is a name, else of what was named last.
    pub(super) fn says_only(&mut self, after: &[&str], sentence: &mut Sentence<'_>) -> Result<(), QueryError> {
        let next = without_leading(after);
        // `inference cards only`: no other things, and not what ran on no other stage.
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let is_of_noun = |pair: &[String]| is_noun_of_devices(&pair[0]) && pair[1] == "only";
        let of_run = sentence.read.last().is_some_and(|last| kind_of(&last.clause) == Field::Stage.key());
        if of_run && words.windows(2).any(is_of_noun) {
            return Ok(());
        }
        let is_name = match longest_phrase(next) {
            _ if next.is_empty() => false,
            None => true,
            Some((_, meaning)) if meaning.names_values() => true,
            Some(_) => self.longest_name(next)? > 0,
        };
        match sentence.read.last().filter(|_| !is_name) {
            Some(last) => self.hints.exclusive.push(last.clause.text.clone()),
            None => sentence.only = true,
        }
        Ok(())
    }
}

fn without_leading<'w, 'a>(words: &'a [&'w str]) -> &'a [&'w str] {
    let is_leading = |at: &usize| LEADING.contains(&plain(words[*at]).as_str()) && !names_group(&words[*at..]);
    let leading = (0..words.len()).take_while(is_leading).count();
    &words[leading..]
}

/// Whether words begin with the name of a group that is no name of the catalog: the `single` of `not single-board computers` is
/// part of it.
fn names_group(words: &[&str]) -> bool {
    matches!(longest_phrase(words), Some((_, meaning)) if meaning.names_values())
}

/// Whether a phrase is something that can be excluded.
fn can_be_excluded(meaning: Meaning) -> bool {
    meaning.names_values()
        || matches!(
            meaning,
            Meaning::Asks(_)
                | Meaning::AsksFor(_)
                | Meaning::Along(Aspect::Field(_))
                | Meaning::NotKept(None)
                | Meaning::Cue(Cue::Maintained | Cue::Abandoned)
        )
}
