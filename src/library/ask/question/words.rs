//! Reads bare words: the longest of a name, a turn of phrase and a phrase of the vocabulary wins at each place.

use super::clause::Clause;
use super::comparators::{Comparison, comparison};
use super::error::QueryError;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::sides::{self, ReadClause, kind_of};
use super::signs::{around_arrow, is_arrow};
use super::stated_sizes::unit_at;
use super::vocabulary::{
    Cue, KIND_NOUNS, Meaning, in_english, longest_phrase, meaning_of, near_word, plain, plain_words,
};
use super::years::years;
use crate::model::{Aspect, Facet, Field, Lookup as _};
use crate::rows::Note;
use crate::values::Unit;
use crate::values::spelling::normalise;

/// A sentence has at most this many words; what is behind them is not read, which is said.
const MOST_WORDS: usize = 250;

/// So many slips of words of the vocabulary are mended.
const MOST_SLIPS: usize = 8;

/// Short forms of words that a sign is part of.
const SHORT_FORMS: &[(&str, &str)] = &[("w/", "with"), ("w/o", "without")];

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
        for token in self.translated(tokens) {
            match token {
                Token::Word(word) => {
                    for word in self.words_in(word, words.last())? {
                        match left.checked_sub(1) {
                            Some(fewer) => {
                                left = fewer;
                                let word = self.singular(words.last(), word)?;
                                let word = self.without_slice(words.last(), word);
                                words.push(self.without_slip(word)?);
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
        let joined = sides::joined(sentence.clauses(), &self.hints);
        let joined = self.with_shared_device(joined)?;
        self.joined_by_facet(joined)
    }

    /// The words of one without blanks; `pruning/quantization` is two where no name is spelled so.
    fn words_in<'w>(&self, word: &'w str, before: Option<&&str>) -> Result<Vec<&'w str>, QueryError> {
        if is_arrow(word) {
            return Ok(vec![word]);
        }
        if let Some((_, written_out)) = SHORT_FORMS.iter().find(|(short, _)| word.eq_ignore_ascii_case(short)) {
            return Ok(vec![written_out]);
        }
        if let Some(around) = around_arrow(word) {
            return Ok(around.into());
        }
        let is_word = |part: &&str| part.len() > 2 && part.chars().all(char::is_alphabetic);
        let halves: Vec<&str> = word.trim_end_matches(['?', ',', '.']).split('/').collect();
        let divides = halves.len() == 2 && halves.iter().all(is_word) && meaning_of(&[word]).is_none();
        if divides && self.stores.database.exact(&normalise(word))?.is_empty() {
            // `without dsp/npu` has neither of the two.
            let excludes = before.is_some_and(|before| matches!(meaning_of(&[before]), Some(Meaning::Without)));
            return Ok(if excludes { vec![halves[0], "or", halves[1]] } else { halves });
        }
        Ok(parts_of(word))
    }

    /// One of several products: `8 v100s`, `V100s`. A `V100S` is another product.
    fn singular<'w>(&mut self, before: Option<&&str>, word: &'w str) -> Result<&'w str, QueryError> {
        let plain_word = word.trim_end_matches(['?', ',', '.', '!']);
        let Some(one) = plain_word.strip_suffix('s').filter(|one| one.ends_with(|c: char| c.is_ascii_digit())) else {
            return Ok(word);
        };
        let is_count = |before: &&str| before.parse::<u32>().is_ok_and(|count| count > 1);
        let is_many = |before: &&str| matches!(plain(before).as_str(), "many" | "several" | "multiple");
        let is_several = self.has_plurals
            || before.is_some_and(|before| is_count(before) || is_many(before))
            || one.contains(|c: char| c.is_uppercase());
        let names = self.stores.database.exact(&normalise(one))?;
        let is_plural = names.iter().any(|name| name.facet == Facet::Device)
            && (is_several || self.stores.database.exact(&normalise(plain_word))?.is_empty());
        self.has_plurals |= is_plural;
        Ok(if is_plural { one } else { word })
    }

    /// The generation of a slice of TPUs: `TPU v2-8` is a TPU v2. How many cores the slice has is left out, and said: rows
    /// count chips.
    fn without_slice<'w>(&mut self, before: Option<&&str>, word: &'w str) -> &'w str {
        let is_tpu = before.is_some_and(|before| matches!(plain(before).as_str(), "tpu" | "tpus"));
        let Some((generation, cores)) = word.split_once('-').filter(|_| is_tpu) else { return word };
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let of_version =
            generation.strip_prefix(['v', 'V']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if !of_version || !digits(&plain(cores)) {
            return word;
        }
        self.leave_out(&format!("slice of {}", plain(cores)));
        generation
    }

    /// The words in English, where they are of another language that is known; it is said how they were taken.
    fn translated(&mut self, tokens: Vec<Token<'q>>) -> Vec<Token<'q>> {
        let words: Vec<&'q str> = tokens
            .iter()
            .take(MOST_WORDS)
            .filter_map(|token| match token {
                Token::Word(word) => Some(*word),
                Token::Clause(_) => None,
            })
            .collect();
        if words.len() < tokens.len() {
            return tokens;
        }
        let Some(english) = in_english(&words) else { return tokens };
        self.notes.push(Note::Fuzzy { text: words.join(" "), taken_for: english.join(" ") });
        english.into_iter().map(Token::Word).collect()
    }

    /// The word of the vocabulary that a word is a slip of, where it is no name.
    fn without_slip<'w>(&mut self, word: &'w str) -> Result<&'w str, QueryError> {
        if self.slips_looked_for >= MOST_SLIPS {
            return Ok(word);
        }
        let Some(near) = near_word(word) else { return Ok(word) };
        self.slips_looked_for += 1;
        let normal = normalise(word);
        if !self.stores.database.exact(&normal)?.is_empty() || !self.stores.database.beginning(&normal)?.is_empty() {
            return Ok(word);
        }
        let note = Note::Fuzzy { text: plain(word), taken_for: near.to_owned() };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        Ok(near)
    }

    fn read_words<'w>(&mut self, words: &[&'w str], sentence: &mut Sentence<'w>) -> Result<(), QueryError> {
        let mut at = 0;
        self.note_change(words);
        self.hints.note_kinds(words);
        while at < words.len() {
            let rest = &words[at..];
            let begins = sentence.read.iter().all(is_qualifier) && !self.hints.is_sentence();
            self.hints.note_noun(rest, begins);
            if let Some(taken) = self.side_sign(rest, sentence)? {
                at += taken;
                continue;
            }
            if let Some(taken) = self.change_between(rest, sentence)? {
                at += taken;
                continue;
            }
            let after_and = std::mem::take(&mut sentence.after_and);
            if sentence.names.is_empty() {
                let taken = match (sentence.link.is_some(), after_and) {
                    (true, _) => self.inherited(rest, sentence)?,
                    (false, true) => self.inherited_by_and(rest, sentence)?,
                    (false, false) => None,
                };
                if let Some(taken) = taken {
                    at += taken;
                    continue;
                }
            }
            if let Some(taken) = self.said_of_what_follows(rest, sentence)? {
                at += taken;
                continue;
            }
            if let Some((taken, clause)) = self.stated_number(rest, sentence)? {
                self.flush(sentence)?;
                if let Some(clause) = clause {
                    sentence.push(None, clause);
                }
                at += taken;
                continue;
            }
            let phrase = longest_phrase(rest).filter(|_| !ends_product(sentence.names.last(), rest[0]));
            let least = phrase.map_or(0, |(taken, _)| taken);
            let idiom = match least {
                0..=2 => self.idiom(sentence.names.last().copied(), rest)?.filter(|(taken, _)| *taken >= least),
                _ => None,
            };
            let said = idiom.as_ref().map_or(least, |(taken, _)| *taken);
            let name = self.longest_name(rest)?;
            if name > said && !says_nothing(&rest[..name]) || said == 0 {
                let (name, split) = self.without_filter(&rest[..name])?;
                let is_superlative_of = std::mem::take(&mut sentence.after_superlative);
                self.asked_family(&words[..at], &rest[..name.max(1)])?;
                self.plural_of_name(rest, name, begins)?;
                if is_superlative_of {
                    self.ranked_family(&rest[..name.max(1)])?;
                }
                sentence.names.extend(&rest[..name.max(1)]);
                at += name.max(1);
                if split {
                    self.flush(sentence)?;
                }
                continue;
            }
            let joined = rest[..said].join(" ");
            let adjoins = !sentence.names.is_empty();
            self.flush(sentence)?;
            at += said;
            if let Some((_, Idiom::Clause(clause))) = &idiom
                && (adjoins || sentence.link.is_some())
                && self.sized_device(clause, sentence)?
            {
                continue;
            }
            match (idiom, phrase) {
                (Some((_, idiom)), _) => self.said_by_idiom(idiom, joined, sentence),
                (None, Some((_, meaning))) => {
                    self.said_by_phrase(meaning, joined, &words[at..], sentence)?;
                }
                (None, None) => {}
            }
        }
        self.flush(sentence)
    }

    /// A size, a year, an accuracy or a number of parameters; no clause where it constrains nothing.
    fn stated_number(
        &mut self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        let some = |(taken, clause)| Some((taken, Some(clause)));
        if let Some(found) = years(words) {
            self.note_date(words, &found.1.text, sentence);
            return Ok(some(found));
        }
        // `time to reach 94%`
        let last = self.hints.mentions.last().filter(|_| sentence.after_quantity);
        let reaches = last.is_some_and(|mention| ["reach", "until"].iter().any(|word| mention.text.ends_with(word)));
        if let Some(found) = self.accuracy(words, reaches)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.counts(words)? {
            return Ok(some(found));
        }
        if let Some(found) = self.numbers_along(words)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.count_of_several(words, sentence)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.size(words)? {
            return Ok(Some(found));
        }
        // The 7b of `mistral 7b` is no size of other networks where nothing is called mistral.
        let unknown = match sentence.names.last() {
            Some(name) => {
                self.longest_name(&[name])? == 0 && self.stores.database.beginning(&normalise(name))?.is_empty()
            }
            None => false,
        };
        Ok(if unknown { None } else { self.parameters(words)?.and_then(some) })
    }

    /// `at least 4` behind `multi-gpu runs`: how many devices are meant.
    fn count_of_several(
        &mut self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        let of_devices = |read: &ReadClause| kind_of(&read.clause) == Field::DeviceCount.key();
        if !sentence.names.is_empty() || !sentence.read.last().is_some_and(of_devices) {
            return Ok(None);
        }
        let Some((taken, compared @ Comparison::Than(..))) = comparison(words, &unit_at) else { return Ok(None) };
        let Some(bounds) = compared.bounds(Unit::Count).filter(|_| !compared.has_unit()) else { return Ok(None) };
        if self.names_product(words)?
            || longest_phrase(&words[taken..]).is_some_and(|(_, meaning)| is_measured(meaning))
        {
            return Ok(None);
        }
        let clause = self.sized(&words[..taken].join(" "), Aspect::Field(Field::DeviceCount), bounds)?;
        Ok(Some((taken, clause)))
    }

    /// Reads the names gathered so far.
    pub(super) fn flush(&mut self, sentence: &mut Sentence<'_>) -> Result<(), QueryError> {
        let names = std::mem::take(&mut sentence.names);
        if names.is_empty() {
            return Ok(());
        }
        for (facet, clause) in self.names(&names)? {
            // `not caffe, theano`
            if sentence.without.is_none() && sentence.excluded.as_deref() == Some(kind_of(&clause)) {
                sentence.without = Some(String::new());
                sentence.or_behind_excluded = false;
            }
            self.named_last = facet;
            if std::mem::take(&mut sentence.only) {
                self.hints.exclusive.push(clause.text.clone());
            }
            sentence.push(facet, clause);
        }
        // What was to be excluded is not known: it must not be forgotten that it was.
        if let Some(without) = sentence.without.take() {
            let words = plain_words(&names.join(" "));
            self.ignored.retain(|word| !words.split(' ').any(|of| of == word));
            self.leave_out(&format!("{without} {words}"));
        }
        Ok(())
    }
}

/// Whether a clause in front of a plural says no more than of which of its kind it is: `aws instances with`, `nvidia cards with`.
fn is_qualifier(read: &ReadClause) -> bool {
    matches!(kind_of(&read.clause), "instance" | "vendor" | "class" | "architecture") && !read.clause.is_excluded()
}

/// Whether a phrase names something that a number behind a comparison may be of.
fn is_measured(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Asks(_) | Meaning::AsksFor(_) | Meaning::Along(_))
}

/// Whether a word behind a product's number makes another product of it: `4090 laptop`.
fn ends_product(before: Option<&&str>, word: &str) -> bool {
    before.is_some_and(|before| before.contains(|c: char| c.is_ascii_digit())) && plain(word) == "laptop"
}

/// Whether words are of everyday English, or nouns that say what is asked for, although something is called so.
fn says_nothing(words: &[&str]) -> bool {
    words.iter().all(|word| {
        let word = plain(word);
        matches!(meaning_of(&[&word]), Some(Meaning::Nothing | Meaning::Cue(Cue::How)))
            || KIND_NOUNS.iter().any(|(noun, _)| *noun == word)
    })
}

/// `8xV100` is `8x` and `V100`; `resnet50,vgg16` and `fp16|fp32` are two words each.
fn parts_of(word: &str) -> Vec<&str> {
    if word == "$" {
        return vec!["dollars"];
    }
    if let Some(items) = word.trim_end_matches(['?', ',', '.']).strip_suffix("/$").filter(|items| !items.is_empty()) {
        return vec![items, "per", "dollar"];
    }
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    if word.contains(['|', ',']) && !is_number(word) {
        return word.split(['|', ',']).filter(|part| !part.is_empty()).flat_map(times_of).collect();
    }
    // `images/s>1000`, which is no filter for its stroke.
    if let Some(at) = word.find(['<', '>']).filter(|at| *at > 0) {
        return vec![&word[..at], &word[at..]];
    }
    if word.len() > "non-".len() && word.get(..4).is_some_and(|lead| lead.eq_ignore_ascii_case("non-")) {
        return vec![&word[..3], &word[4..]];
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
