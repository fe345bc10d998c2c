//! Which words that nothing here is called are likely to be the name of something that a question is about.

use crate::ask::question::clause::{Clause, text_clause};
use crate::ask::question::error::QueryError;
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::mentions::Context;
use crate::ask::question::nouns::is_noun;
use crate::ask::question::phrases::is_article;
use crate::ask::question::products::is_other_product;
use crate::ask::question::vocabulary::{Cue, Meaning, is_branded, meaning_of, plain};
use crate::ask::question::years::year_of;
use crate::model::{Facet, Lookup as _};
use crate::stores::resolve::is_english;

/// A word of fewer letters is as likely to be slang as a name.
const LEAST_LETTERS: usize = 5;

/// Words between what runs and the `on` in front of a device.
const RUNNING: &[&str] =
    &["run", "runs", "running", "ran", "work", "works", "perform", "performs", "do", "does", "training", "inference"];

impl Interpreter<'_> {
    /// `mamba on an A100`: words that were left out right in front of an `on` and a device are what is to run there, where nothing
    /// else says it. What else ran on the device is no answer.
    pub(in crate::ask::question) fn unknown_work(&mut self, clauses: &mut Vec<Clause>) {
        let named = Context::of(clauses);
        let says_work = named.networks || named.datasets || named.tasks || named.sources;
        if !named.devices || says_work || self.superlative.is_some() || self.about.is_some() {
            return;
        }
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let begins_device = |word: &String| {
            let devices = clauses.iter().filter(|clause| clause.plain_kind() == Some(Facet::Device.key()));
            devices.filter_map(|clause| clause.text.split(' ').next()).any(|first| plain(first) == *word)
        };
        let is_behind = |at: usize| words[at + 1..].iter().find(|word| !is_article(word)).is_some_and(begins_device);
        let Some(on) = (1..words.len()).find(|at| words[*at] == "on" && is_behind(*at)) else { return };
        let says_nothing = |word: &String| {
            let meaning = meaning_of(&[word.as_str()]);
            RUNNING.contains(&word.as_str()) || matches!(meaning, Some(Meaning::Nothing | Meaning::Cue(Cue::Speed)))
        };
        let front = words[..on].iter().rev().skip_while(|word| says_nothing(word));
        let mut name: Vec<String> = front.take_while(|word| self.ignored.contains(word)).cloned().collect();
        name.reverse();
        if name.is_empty() {
            return;
        }
        self.ignored.retain(|word| !name.contains(word));
        let name = name.join(" ");
        clauses.push(text_clause(&name));
        self.unknown_names.push(name);
    }

    /// Whether a word is what is said to have been run: `was deepspeech 2 trained`.
    pub(in crate::ask::question) fn is_run(&self, text: &str) -> bool {
        const BEFORE: &[&str] = &["was", "were", "is", "are", "has", "did", "does"];
        const BEHIND: &[&str] =
            &["trained", "train", "run", "ran", "measured", "tested", "benchmarked", "evaluated", "been"];
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let at = words.iter().position(|word| *word == plain(text));
        let Some(at) = at.filter(|at| *at > 0 && BEFORE.contains(&words[at - 1].as_str())) else { return false };
        words[at + 1..].iter().take(3).any(|word| BEHIND.contains(&word.as_str()))
    }

    /// Whether a word looks like the name of something: it has a number, or is long, no English, and in no text.
    pub(in crate::ask::question) fn is_unknown_name(&self, clause: &Clause) -> Result<bool, QueryError> {
        let text = clause.text.to_lowercase();
        if text.contains(|c: char| c.is_ascii_digit()) {
            return Ok(true);
        }
        let long = text.chars().filter(|c| c.is_alphabetic()).count() >= LEAST_LETTERS;
        Ok(long && !text.split(|c: char| !c.is_alphanumeric()).any(is_english) && !self.finds(&clause.condition)?)
    }

    /// Whether a bare number is that of a card as others are called: the `4060`, where there is a 4070 and a 4090.
    pub(in crate::ask::question) fn is_number_of_card(&self, text: &str) -> Result<bool, QueryError> {
        let is_number = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
        // 2010 is a year.
        if !is_number(text) || !text.ends_with('0') || year_of(text).is_some() {
            return Ok(false);
        }
        let alike = self.stores.database.beginning(&text[..2])?;
        Ok(alike.iter().any(|name| name.facet == Facet::Device && is_number(&name.normal)))
    }

    /// Whether words stand with a capital behind others in the question: the Myriad of `who makes the Myriad`.
    pub(in crate::ask::question) fn is_written_as_name(&self, words: &str) -> bool {
        let mut behind_first = self.question.split_whitespace().skip(1);
        behind_first
            .any(|word| word.starts_with(|c: char| c.is_uppercase()) && words.split(' ').any(|of| of == plain(word)))
    }
}

/// Whether an unknown name is that of what the question names none of, so that the rest is about something else: a device
/// by its brand and number, or what is to run on the devices.
pub(in crate::ask::question) fn is_of_unnamed(clause: &Clause, named: Context) -> bool {
    let letters = clause.text.chars().filter(|c| c.is_alphabetic()).count();
    let digits = clause.text.chars().filter(char::is_ascii_digit).count();
    // The `mi250x` of `mi250x resnet50` is a device, as often as not.
    let is_numbered = digits > 1 && letters > 1 || digits > 2 && letters == 1;
    if !named.devices && named.networks && !named.sources && is_numbered {
        return true;
    }
    let is_branded = is_branded(&clause.text) || is_numbered_card(&clause.text);
    // `jetson orin nano super`: a product needs no number to be another one.
    let numbered = (is_branded || clause.text.contains(|c: char| c.is_ascii_digit())) && letters > 2;
    let work = named.networks || named.datasets || named.tasks || named.sources || named.frameworks;
    numbered && if is_branded { !named.devices } else { named.devices && !work }
}

/// Whether words are the number of a product and what makes another one of it: the `4060 ti` that has no brand in front of it.
fn is_numbered_card(text: &str) -> bool {
    let mut words = text.split(' ');
    let number = words.next().unwrap_or_default();
    number.len() > 2 && number.bytes().all(|byte| byte.is_ascii_digit()) && words.any(is_other_product)
}

/// Whether words that were left out look like the name of something, and not like a word of English: `groq`, `q4_0`.
pub fn is_like_a_name(words: &str) -> bool {
    let is_name = |word: &str| {
        let has = |of: fn(&char) -> bool| word.chars().any(|c| of(&c));
        let is_word = word.chars().all(char::is_alphabetic);
        has(char::is_ascii_digit) && has(|c| c.is_alphabetic()) || is_word && word.len() > 2 && !is_english(word)
    };
    words.split(['-', ' ']).any(|word| meaning_of(&[word]).is_none() && !is_noun(word) && is_name(word))
}
