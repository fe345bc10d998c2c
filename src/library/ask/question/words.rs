//! Reads the words of a question and the clauses that stand between them, in order.

use super::clause::Clause;
use super::comparative_words::{asks_for_choice, is_comparative};
use super::counted_sides::counts_in_front;
use super::error::QueryError;
use super::facing::kind_of;
use super::interpreter::Interpreter;
use super::reading_steps::Place;
use super::sentence::Sentence;
use super::shared_device::without_opposed_architecture;
use super::sides::{self, ReadClause};
use super::vocabulary::{in_english, plain, plain_words};
use crate::rows::Note;

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
                                self.add_word(word, &mut words, &mut sentence)?;
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
        let joined = self.without_class_of_one_side(joined)?;
        self.joined_by_facet(joined)
    }

    /// Adds a word as what it means: a slip as the word that was meant, a slice of TPUs and a DGX as so many devices.
    fn add_word(
        &mut self,
        word: &'q str,
        words: &mut Vec<&'q str>,
        sentence: &mut Sentence<'q>,
    ) -> Result<(), QueryError> {
        let word = self.singular(words.last(), self.owner(word)?)?;
        // `slower then` is a slip of `slower than`.
        let is_slip = plain(word) == "then" && words.last().is_some_and(|last| is_comparative(last));
        let word = if is_slip { "than" } else { word };
        let Some(slice) = self.slice(words, word)? else {
            if self.is_tpu_generation(words, word)? {
                words.push("tpu");
            }
            self.eight_of_dgx(words, word);
            words.push(self.without_slip(word)?);
            return Ok(());
        };
        if !slice.is_named {
            words.push("tpu");
        }
        // The number of chips stands in front of the chip's name.
        if let Some(chips) = slice.chips {
            let name = words.split_off(words.len() - 1);
            self.read_words(&std::mem::replace(words, name), sentence)?;
            sentence.push(None, chips);
        }
        words.push(slice.generation);
        Ok(())
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
        self.words_read.extend(words.iter().map(|word| (*word).to_owned()));
        self.note_change(words);
        self.hints.note_kinds(words);
        self.hints.either |= words.iter().any(|word| plain(word) == "either");
        self.hints.chooses |= asks_for_choice(words, self.hints.enumerates);
        let mut at = 0;
        while at < words.len() {
            at += self.step(Place { words, at }, sentence)?;
        }
        self.flush(sentence)
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
