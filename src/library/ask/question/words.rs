//! Reads bare words: the longest of a name, a turn of phrase and a phrase of the vocabulary wins at each place.

use super::bounds::without_number;
use super::carrying_word::Carried;
use super::clause::Clause;
use super::comparative_words::{asks_for_choice, is_comparative};
use super::counted_sides::counts_in_front;
use super::error::QueryError;
use super::facing::kind_of;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::phrases::is_article;
use super::sentence::Sentence;
use super::shared_device::without_opposed_architecture;
use super::sides::{self, ReadClause, facet_of};
use super::vocabulary::{Cue, KIND_NOUNS, Meaning, in_english, longest_phrase, meaning_of, plain, plain_words};
use super::years::year_of;
use crate::model::{Facet, Lookup as _};
use crate::rows::Note;
use crate::values::spelling::normalise;

/// A sentence has at most this many words; what is behind them is not read, which is said.
const MOST_WORDS: usize = 250;

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
        for token in without_dashes(self.translated(tokens)) {
            match token {
                Token::Word(word) => {
                    for word in self.words_in(word, words.last())? {
                        match left.checked_sub(1) {
                            Some(fewer) => {
                                left = fewer;
                                let word = self.singular(words.last(), self.owner(word)?)?;
                                // `slower then` is a slip of `slower than`.
                                let is_slip =
                                    plain(word) == "then" && words.last().is_some_and(|last| is_comparative(last));
                                let word = if is_slip { "than" } else { word };
                                let word = self.chips_of_slice(&mut words, word);
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
        // Nothing stood behind it that could be excluded.
        if let Some(without) = sentence.without.take() {
            self.leave_out(&without);
        }
        let read = self.named_sides(counts_in_front(sentence.clauses()))?;
        let joined = sides::joined(read, &self.hints);
        let joined = without_opposed_architecture(joined, &mut self.heard);
        let joined = self.with_shared_device(joined)?;
        self.joined_by_facet(joined)
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
        self.notes.push(Note::Translated { text: words.join(" "), english: english.join(" ") });
        english.into_iter().map(Token::Word).collect()
    }

    fn read_words<'w>(&mut self, words: &[&'w str], sentence: &mut Sentence<'w>) -> Result<(), QueryError> {
        let mut at = 0;
        self.words_read.extend(words.iter().map(|word| (*word).to_owned()));
        self.note_change(words);
        self.hints.note_kinds(words);
        self.hints.either |= words.iter().any(|word| plain(word) == "either");
        self.hints.chooses |= asks_for_choice(words, self.hints.enumerates);
        while at < words.len() {
            let rest = &words[at..];
            let begins = sentence.read.iter().all(is_qualifier) && !self.hints.is_sentence();
            // `quickest training, any framework`: whichever it is, it is not what is ranked.
            let is_any = at.checked_sub(1).is_some_and(|before| is_whichever(words[before])) && self.hints.ranks;
            if !is_any {
                self.hints.note_noun(rest, begins);
            }
            if self.hints.note_generations(at.checked_sub(1).map(|before| words[before]), rest) {
                self.flush(sentence)?;
                self.heard.push(rest[0].to_owned());
                at += 1;
                continue;
            }
            if let Some(taken) = self.side_sign(rest, sentence)? {
                self.heard.push(rest[..taken].join(" "));
                at += taken;
                continue;
            }
            if let Some(taken) = self.change_between(rest, sentence)? {
                at += taken;
                continue;
            }
            let after_and = std::mem::take(&mut sentence.after_and);
            // `jetson tx2 and the nano`
            if after_and && is_article(rest[0]) && rest.len() > 1 {
                sentence.after_and = true;
                at += 1;
                continue;
            }
            let excludes = sentence.without.is_some() || sentence.excluded.is_some();
            if excludes
                && sentence.names.is_empty()
                && let Some((facet, clause)) = self.excluded_part(rest, sentence)?
            {
                sentence.without.get_or_insert_default();
                sentence.or_behind_excluded = false;
                sentence.push(Some(facet), clause);
                at += 1;
                continue;
            }
            if excludes && let Some((taken, clause)) = self.excluded_version(rest, sentence)? {
                sentence.without.get_or_insert_default();
                sentence.or_behind_excluded = false;
                sentence.push(None, clause);
                // `neither 1.x nor tflite`
                sentence.excluded = Some(Facet::Framework.key().to_owned());
                at += taken;
                continue;
            }
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
                self.heard.push(rest[..taken].join(" "));
                at += taken;
                continue;
            }
            if let Some(taken) = self.submitted_by(rest, sentence)? {
                at += taken;
                continue;
            }
            if let Some(taken) = self.says_unknown(rest, sentence)? {
                at += taken;
                continue;
            }
            if let Some(taken) = self.unit_of_answer(rest, at.checked_sub(1).and_then(|before| words.get(before))) {
                self.flush(sentence)?;
                at += taken;
                continue;
            }
            if let Some(taken) = self.unstated_field(rest, sentence)? {
                at += taken;
                continue;
            }
            if let Some((taken, clause)) = self.same_as_entity(rest, sentence)? {
                self.flush(sentence)?;
                let facet = facet_of(&clause);
                sentence.push(facet, clause);
                at += taken;
                continue;
            }
            let found = longest_phrase(rest);
            if sentence.without.is_none()
                && let Some(taken) = self.counted_of_listed(rest)
            {
                self.flush(sentence)?;
                self.heard.push(rest[..taken].join(" "));
                at += taken;
                continue;
            }
            let limit = match self.turned_round(rest, found, sentence)? {
                Some(turned) => Some(turned),
                // The `over 5g` of phones is no limit.
                None if matches!(found, Some((_, Meaning::NotKept(_)))) => None,
                None => self.stated_number(rest, sentence)?,
            };
            if let Some((taken, clause)) = limit {
                self.flush(sentence)?;
                at += taken;
                if let Some(clause) = clause {
                    sentence.ends_exceptions();
                    let further = self.further_bound(&clause, &words[at..])?;
                    sentence.push(None, clause);
                    if let Some((taken, clause)) = further {
                        sentence.push(None, clause);
                        at += taken;
                    }
                }
                continue;
            }
            if let Some(taken) = without_number(rest, at.checked_sub(1).map(|before| words[before])) {
                self.flush(sentence)?;
                self.leave_out(&rest[..taken].join(" "));
                at += taken;
                continue;
            }
            let phrase = found.filter(|_| !ends_product(sentence.names.last(), rest[0]));
            // `what did an hour cost in 2019` asks for no effect.
            let phrase = match phrase {
                Some((2, Meaning::Cue(Cue::Effect)))
                    if rest.get(2).is_some_and(|next| year_of(&plain(next)).is_some()) =>
                {
                    longest_phrase(&rest[..1])
                }
                phrase => phrase,
            };
            let phrase = match self.goes_on_as_line(sentence.names.last(), rest)? {
                true => None,
                false => phrase,
            };
            let phrase = match self.is_unknown_of_form(rest)? {
                true => None,
                false => phrase,
            };
            let phrase = match phrase {
                // What a run was on is a value of rows.
                Some((_, Meaning::Carries(Carried::OperatingSystem))) if !self.asks_of_frameworks()? => None,
                phrase => phrase,
            };
            let phrase = match phrase {
                Some((taken, Meaning::NamesLike(..))) if self.goes_on_as_device(rest, taken)? => {
                    longest_phrase(&rest[..taken - 1])
                }
                phrase => phrase,
            };
            let phrase = match self.is_language_of_framework(rest[0])? {
                true => phrase.or_else(|| Some((1, meaning_of(&["programming", "language"])?))),
                false => phrase,
            };
            let least = phrase.map_or(0, |(taken, _)| taken);
            let idiom = match least {
                0..=2 => self.idiom(sentence.names.last().copied(), rest)?.filter(|(taken, _)| *taken >= least),
                _ => None,
            };
            let said = idiom.as_ref().map_or(least, |(taken, _)| *taken);
            let name = before_carrying(rest, self.longest_name(rest)?);
            if name > said && !says_nothing(&rest[..name]) || said == 0 {
                let (name, split) = self.without_filter(&rest[..name])?;
                let is_superlative_of = std::mem::take(&mut sentence.after_superlative);
                self.asked_family(&words[..at], &rest[..name.max(1)])?;
                self.plural_of_name(rest, name, begins)?;
                self.plural_of_family(&rest[..name.max(1)], begins, rest.get(name.max(1)).copied());
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
            // `which batch sizes`: the noun behind the `which` is inside of the phrase.
            if matches!(phrase, Some((_, Meaning::Along(_) | Meaning::Carries(_))))
                && matches!(plain(rest[0]).as_str(), "which" | "what")
            {
                (1..said).for_each(|inner| self.hints.note_noun(&rest[inner..], begins));
            }
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
                (Some((_, idiom)), _) => {
                    let further = match &idiom {
                        Idiom::Clause(clause) => self.further_bound(clause, &words[at..])?,
                        _ => None,
                    };
                    self.said_by_idiom(idiom, joined, sentence);
                    if let Some((taken, clause)) = further {
                        sentence.push(None, clause);
                        at += taken;
                    }
                }
                (None, Some((_, meaning))) => {
                    self.said_by_phrase(meaning, joined, &words[at..], sentence)?;
                }
                (None, None) => {}
            }
        }
        self.flush(sentence)
    }

    /// Whether the last word of a phrase begins a device's name that goes on behind it: the `edge` of `on the edge tpu`.
    fn goes_on_as_device(&self, words: &[&str], taken: usize) -> Result<bool, QueryError> {
        if taken < 2 || taken >= words.len() {
            return Ok(false);
        }
        let names = self.stores.database.exact(&normalise(&words[taken - 1..=taken].concat()))?;
        Ok(names.iter().any(|name| name.facet == Facet::Device))
    }

    /// Reads the names gathered so far.
    pub(super) fn flush(&mut self, sentence: &mut Sentence<'_>) -> Result<(), QueryError> {
        let names = std::mem::take(&mut sentence.names);
        if names.is_empty() {
            return Ok(());
        }
        if let Some(clause) = self.unknown_side(&names, sentence.link)? {
            sentence.push(None, clause);
            return Ok(());
        }
        for (facet, clause) in self.names(&names)? {
            let (facet, clause) = match std::mem::take(&mut sentence.behind_backend) {
                true => self.as_backend(facet, clause, sentence)?,
                false => (facet, clause),
            };
            let (facet, clause) = self.as_source(facet, clause, sentence)?;
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

/// Leaves out dashes that stand alone and set a part of a sentence off: `cpu - same machine`. Between two numbers one makes a range.
fn without_dashes(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    const DASHES: &[&str] = &["-", "--", "–", "—"];
    let has_figure = |token: Option<&Token<'_>>| matches!(token, Some(Token::Word(word)) if word.contains(|c: char| c.is_ascii_digit()));
    let is_lone = |at: usize| {
        let is_dash = matches!(tokens[at], Token::Word(word) if DASHES.contains(&word));
        is_dash && !(at > 0 && has_figure(tokens.get(at - 1)) && has_figure(tokens.get(at + 1)))
    };
    let lone: Vec<bool> = (0..tokens.len()).map(is_lone).collect();
    tokens.into_iter().zip(lone).filter(|(_, is_lone)| !is_lone).map(|(token, _)| token).collect()
}

/// Whether a clause in front of a plural says no more than of which of its kind it is: `aws instances with`, `nvidia cards with`.
fn is_qualifier(read: &ReadClause) -> bool {
    matches!(kind_of(&read.clause), "instance" | "vendor" | "class" | "architecture") && !read.clause.is_excluded()
}

/// Whether a word says that it does not matter which is named behind it.
fn is_whichever(word: &str) -> bool {
    matches!(plain(word).as_str(), "any" | "whatever" | "whichever")
}

/// Whether a word behind a product's number makes another product of it: `4090 laptop`.
fn ends_product(before: Option<&&str>, word: &str) -> bool {
    before.is_some_and(|before| before.contains(|c: char| c.is_ascii_digit())) && plain(word) == "laptop"
}

/// How many words of a name stand before a carrying phrase that goes on behind it: the `K80` of `K80 one gpu or two`, although a
/// device is called `K80 (one GPU)`.
fn before_carrying(words: &[&str], name: usize) -> usize {
    let carries = |at: &usize| {
        let phrase = longest_phrase(&words[*at..]);
        matches!(phrase, Some((taken, Meaning::Carries(_))) if at + taken > name)
    };
    (1..name).find(carries).unwrap_or(name)
}

/// Whether words are of everyday English, or nouns that say what is asked for, although something is called so.
fn says_nothing(words: &[&str]) -> bool {
    words.iter().all(|word| {
        let word = plain(word);
        matches!(meaning_of(&[&word]), Some(Meaning::Nothing | Meaning::Cue(Cue::How)))
            || KIND_NOUNS.iter().any(|(noun, _)| *noun == word)
    })
}
