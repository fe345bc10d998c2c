//! Words that exclude what comes next, and `only`: `not from NVIDIA`, `without tensor cores`, `on neither CPU nor GPU`, `CPU only`.
//!
//! Such a word is never passed over: it takes effect on what it stands in front of, or is told as not heeded together with it.

use super::carrying_word::Carried;
use super::clause::Clause;
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::vocabulary::{Cue, MEASUREMENTS, Meaning, longest_phrase, plain};
use crate::model::{Aspect, Field};

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
        if of_rows && (self.about.is_some() || !self.hints.nouns.is_empty()) {
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
            Some((_, meaning)) => can_be_excluded(meaning) || self.longest_name(next)? > 0,
        };
        if is_object {
            sentence.without = Some(text);
        } else if !next.is_empty() || plain(&text) != "not" {
            self.leave_out(&text);
        }
        Ok(())
    }

    /// `only`: of what comes next, where that is a name, else of what was named last.
    pub(super) fn says_only(&mut self, after: &[&str], sentence: &mut Sentence<'_>) -> Result<(), QueryError> {
        let next = without_leading(after);
        let is_name = match longest_phrase(next) {
            _ if next.is_empty() => false,
            None => true,
            Some((
                _,
                Meaning::Names(..) | Meaning::NamesNearest(..) | Meaning::NamesAny(..) | Meaning::NamesLike(..),
            )) => true,
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
    let leading = words.iter().take_while(|word| LEADING.contains(&plain(word).as_str())).count();
    &words[leading..]
}

/// Whether a phrase is something that can be excluded.
fn can_be_excluded(meaning: Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Names(..)
            | Meaning::NamesNearest(..)
            | Meaning::NamesAny(..)
            | Meaning::NamesLike(..)
            | Meaning::Asks(_)
            | Meaning::AsksFor(_)
            | Meaning::Along(Aspect::Field(_))
            | Meaning::Cue(Cue::Maintained | Cue::Abandoned)
    )
}
