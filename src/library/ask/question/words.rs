//! Reads bare words: the longest of a name, a turn of phrase and a phrase of the vocabulary wins at each place.

use super::clause::Clause;
use super::error::QueryError;
use super::hints::{Asked, Mention, Noun};
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::sides::{self, ReadClause};
use super::vocabulary::{Cue, KIND_NOUNS, Link, Meaning, longest_phrase, meaning_of, plain};
use super::years::years;
use crate::model::{Aspect, Field, Lookup as _};
use crate::values::spelling::normalise;

/// A sentence has at most this many words; what is behind them is not read, which is said.
const MOST_WORDS: usize = 250;

/// Words that a negation may stand in front of: `without the T4`.
const ARTICLES: &[&str] = &["a", "an", "the", "any"];

/// Words in front of a metric of classes that say how it is graded.
const LEVELS: &[(&str, &str)] =
    &[("high", "high"), ("good", "good"), ("moderate", "moderate"), ("medium", "moderate"), ("low", "low")];

/// A bare word, or a clause that stands between them.
pub(super) enum Token<'q> {
    /// A word.
    Word(&'q str),
    /// What was read of a filter, a phrase or a group.
    Clause(Clause),
}

impl<'q> Interpreter<'q> {
    /// Reads bare words and the clauses between them.
    pub(super) fn sentence(&mut self, tokens: Vec<Token<'q>>) -> Result<Vec<Clause>, QueryError> {
        let mut sentence = Sentence::default();
        let mut words: Vec<&str> = Vec::new();
        let mut left = MOST_WORDS;
        for token in tokens {
            match token {
                Token::Word(word) => {
                    for word in parts_of(word) {
                        match left.checked_sub(1) {
                            Some(fewer) => {
                                left = fewer;
                                words.push(word);
                            }
                            None => self.unread += 1,
                        }
                    }
                }
                Token::Clause(clause) => {
                    self.read_words(&std::mem::take(&mut words), &mut sentence)?;
                    let link = sentence.link.take();
                    sentence.read.push(ReadClause { facet: None, clause, link });
                }
            }
        }
        self.read_words(&words, &mut sentence)?;
        let joined = sides::joined(sentence.read, &self.hints);
        self.joined_by_facet(joined)
    }

    fn read_words<'w>(&mut self, words: &[&'w str], sentence: &mut Sentence<'w>) -> Result<(), QueryError> {
        let mut at = 0;
        while at < words.len() {
            let rest = &words[at..];
            if sentence.link.is_some() && sentence.names.is_empty() && self.inherited(rest, sentence)? {
                at += 1;
                continue;
            }
            if let Some((taken, clause)) = self.stated_number(rest, sentence)? {
                self.flush(sentence)?;
                sentence.push(None, clause);
                at += taken;
                continue;
            }
            let phrase = longest_phrase(rest);
            let least = phrase.map_or(0, |(taken, _)| taken);
            let idiom = match least {
                0..=2 => self.idiom(sentence.names.last().copied(), rest)?.filter(|(taken, _)| *taken >= least),
                _ => None,
            };
            let said = idiom.as_ref().map_or(least, |(taken, _)| *taken);
            let name = self.longest_name(rest)?;
            if name > said && !says_nothing(&rest[..name]) || said == 0 {
                let (name, split) = self.without_filter(&rest[..name])?;
                self.noun(rest[0]);
                sentence.names.extend(&rest[..name.max(1)]);
                at += name.max(1);
                if split {
                    self.flush(sentence)?;
                }
                continue;
            }
            let joined = rest[..said].join(" ");
            self.noun(rest[0]);
            self.flush(sentence)?;
            at += said;
            match (idiom, phrase) {
                (Some((_, idiom)), _) => self.said_by_idiom(idiom, joined, sentence),
                (None, Some((_, meaning))) => {
                    let before = at.checked_sub(said + 1).map(|before| words[before]);
                    self.said_by_phrase(meaning, joined, before, &words[at..], sentence)?;
                }
                (None, None) => {}
            }
        }
        self.flush(sentence)
    }

    fn said_by_idiom(&mut self, idiom: Idiom, text: String, sentence: &mut Sentence<'_>) {
        match idiom {
            Idiom::Clause(clause) => sentence.push(None, clause),
            Idiom::Superlative(text, superlative) => {
                self.hints.nouns_before_superlative = self.hints.nouns.len();
                self.superlative = Some((text, superlative));
            }
            Idiom::About(kind) => self.about = self.about.take().or(Some((text, kind))),
            Idiom::Done => {}
        }
    }

    fn said_by_phrase(
        &mut self,
        meaning: Meaning,
        text: String,
        before: Option<&str>,
        after: &[&str],
        sentence: &mut Sentence<'_>,
    ) -> Result<(), QueryError> {
        let was_quantity = std::mem::take(&mut sentence.after_quantity);
        match meaning {
            // `speedup of A100 over V100`
            Meaning::Nothing if plain(&text) == "over" && self.hints.has(Cue::SpeedUp) && !sentence.read.is_empty() => {
                sentence.link = Some(Link::Versus);
            }
            Meaning::Nothing => sentence.after_quantity = was_quantity,
            Meaning::Cue(cue) => {
                let first = cue != Cue::YesOrNo || sentence.read.is_empty() && self.hints.cues.is_empty();
                if first {
                    self.hints.cues.push(cue);
                }
                sentence.after_quantity = was_quantity;
            }
            Meaning::Link(link) => {
                sentence.link = (!sentence.read.is_empty() || was_quantity).then_some(link);
                sentence.after_quantity = was_quantity;
            }
            Meaning::Along(aspect) => self.hints.along.push((text, aspect)),
            Meaning::About(kind) => self.about = Some((text, kind)),
            Meaning::Names(facet, value) => {
                let clause = self.facet_clause(&text, facet, vec![value.to_owned()], "alias")?;
                sentence.push(Some(facet), clause);
            }
            Meaning::Without => {
                let article = after.first().is_some_and(|word| ARTICLES.contains(&plain(word).as_str()));
                let next = &after[usize::from(article)..];
                sentence.without = !next.is_empty() && (longest_phrase(next).is_none() || self.longest_name(next)? > 0);
            }
            Meaning::Asks(named) => self.mention(text, Asked::InContext(named), before, was_quantity, sentence),
            Meaning::AsksFor(quantity) => self.mention(text, Asked::Only(quantity), before, was_quantity, sentence),
        }
        Ok(())
    }

    fn mention(
        &mut self,
        text: String,
        asked: Asked,
        before: Option<&str>,
        after_quantity: bool,
        sentence: &mut Sentence<'_>,
    ) {
        self.hints.opposed |= after_quantity && sentence.link.is_some();
        sentence.link = sentence.link.filter(|_| !after_quantity);
        sentence.after_quantity = true;
        let before = before.map(plain);
        let level = LEVELS.iter().find(|(word, _)| Some(*word) == before.as_deref()).map(|(_, grade)| *grade);
        self.hints.mentions.push(Mention { text, asked, level });
    }

    /// Records what a word says can be listed or ranked.
    fn noun(&mut self, word: &str) {
        let word = plain(word);
        let (aspect, vague) = match word.trim_end_matches('s') {
            "gpu" | "card" | "device" | "accelerator" | "board" | "cpu" | "processor" | "fpga" | "phone" => {
                (Field::Device, false)
            }
            "hardware" | "chip" | "clas" | "asic" => (Field::Device, true),
            "framework" | "library" | "librarie" => (Field::Framework, false),
            "network" | "model" => (Field::Network, false),
            "instance" => (Field::Instance, false),
            "dataset" => (Field::Dataset, false),
            "precision" => (Field::Precision, false),
            "version" => (Field::FrameworkVersion, false),
            "source" | "result" | "benchmark" | "submission" | "entrie" => {
                self.hints.nouns.push(Noun { aspect: Aspect::Source, plural: word.ends_with('s'), vague: true });
                return;
            }
            _ => return,
        };
        self.hints.nouns.push(Noun { aspect: Aspect::Field(aspect), plural: word.ends_with('s'), vague });
    }

    /// A size, a year or a number of parameters.
    fn stated_number(
        &mut self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Clause)>, QueryError> {
        if let Some(found) = years(words) {
            return Ok(Some(found));
        }
        if let Some(found) = self.size(words)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.counts(words)? {
            return Ok(Some(found));
        }
        // The 7b of `mistral 7b` is no size of other networks where nothing is called mistral.
        let unknown = match sentence.names.last() {
            Some(name) => self.longest_name(&[name])? == 0 && self.stores.store.beginning(&normalise(name))?.is_empty(),
            None => false,
        };
        if unknown { Ok(None) } else { self.parameters(words) }
    }

    /// Reads the names gathered so far.
    fn flush(&mut self, sentence: &mut Sentence<'_>) -> Result<(), QueryError> {
        let names = std::mem::take(&mut sentence.names);
        if names.is_empty() {
            return Ok(());
        }
        for (facet, clause) in self.names(&names)? {
            sentence.push(facet, clause);
        }
        sentence.without = false;
        Ok(())
    }
}

/// Whether words are of everyday English, or nouns that say what is asked for, although something is called so.
fn says_nothing(words: &[&str]) -> bool {
    words.iter().all(|word| {
        let word = plain(word);
        matches!(meaning_of(&[&word]), Some(Meaning::Nothing)) || KIND_NOUNS.iter().any(|(noun, _)| *noun == word)
    })
}

/// `8xV100` is `8x` and `V100`; `resnet50,vgg16` and `fp16|fp32` are two words each.
fn parts_of(word: &str) -> Vec<&str> {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    if word.contains(['|', ',']) && !is_number(word) {
        return word.split(['|', ',']).filter(|part| !part.is_empty()).flat_map(times_of).collect();
    }
    // `images/s>1000`, which is no filter for its stroke.
    if let Some(at) = word.find(['<', '>']).filter(|at| *at > 0) {
        return vec![&word[..at], &word[at..]];
    }
    for suffix in ["-instruct", "-chat"] {
        if let Some(name) = word.to_lowercase().strip_suffix(suffix) {
            return vec![&word[..name.len()], &word[name.len() + 1..]];
        }
    }
    times_of(word)
}

fn times_of(word: &str) -> Vec<&str> {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let sign = word[digits..].chars().next();
    match sign {
        Some(sign @ ('x' | 'X' | '×' | '*')) if digits > 0 && digits <= 4 => {
            let (times, rest) = word.split_at(digits + sign.len_utf8());
            // `3x224x224` is a shape.
            if rest.starts_with(|c: char| c.is_alphabetic()) { vec![times, rest] } else { vec![word] }
        }
        _ => vec![word],
    }
}
