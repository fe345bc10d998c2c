//! What turns of phrase and phrases of the vocabulary add to a sentence.

use super::clause::Clause;
use super::error::QueryError;
use super::facing::{HARDWARE, kind_of};
use super::hints::{AskedQuantity, Mention, NamedSuperlative};
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::nouns::is_noun;
use super::order::Superlative;
use super::sentence::Sentence;
use super::sides::facet_of;
use super::vocabulary::{Cue, Link, MEASUREMENTS, Meaning, STAGE_OF_QUANTITY, plain, plain_words, sets_behind};
use crate::model::{Aspect, Facet, Field};
use crate::rows::Note;
use crate::stores::database::Database;
use crate::stores::resolve;

/// Words in front of a name that stands for itself alone.
const PLAIN: &[&str] = &["plain", "vanilla", "stock", "pure", "bare", "native", "normal", "regular"];

impl Interpreter<'_> {
    pub(super) fn said_by_idiom(&mut self, idiom: Idiom, text: String, sentence: &mut Sentence<'_>) {
        sentence.after_superlative = false;
        match idiom {
            Idiom::Clause(clause) => {
                if std::mem::take(&mut sentence.only) {
                    self.hints.exclusive.push(clause.text.clone());
                }
                sentence.ends_exceptions();
                sentence.push(facet_of(&clause), clause);
            }
            Idiom::Superlative(word, superlative) => {
                // `5 fastest`: how many is said as well.
                self.heard.extend((text != word).then(|| text.replacen(&word, "", 1)));
                let text = word;
                let mentions_before = self.hints.mentions.len();
                self.hints.superlatives.push(NamedSuperlative { text: text.clone(), superlative, mentions_before });
                self.hints.nouns_before_superlative = self.hints.nouns.len();
                self.superlative = Some((text, superlative));
                self.hints.ranks = true;
                self.hints.picks = matches!(superlative, Superlative::Best | Superlative::Worst);
                sentence.after_superlative = true;
            }
            Idiom::About(kind) => self.about = self.about.take().or(Some((text, kind))),
            Idiom::Done => self.heard.push(text),
        }
    }

    pub(super) fn said_by_phrase(
        &mut self,
        meaning: Meaning,
        text: String,
        after: &[&str],
        sentence: &mut Sentence<'_>,
    ) -> Result<(), QueryError> {
        // A turn of phrase has its effect as a whole: none of its words says anything alone.
        let is_turn = text.contains(' ') || !matches!(meaning, Meaning::Nothing);
        self.heard.extend(is_turn.then(|| text.clone()));
        let was_quantity = std::mem::take(&mut sentence.after_quantity);
        let was_superlative = std::mem::take(&mut sentence.after_superlative);
        let was_by = std::mem::replace(&mut sentence.after_by, plain(&text) == "by");
        // What is named behind `without X or` is excluded as well.
        let goes_on = sentence.or_behind_excluded && names_something(meaning);
        if !is_conjunction(&text) && !goes_on {
            sentence.excluded = None;
        }
        let was_or = std::mem::take(&mut sentence.or_behind_excluded);
        // `other than mlperf and nvidia` excepts both.
        let joins_exceptions = sentence.excepts && sentence.excluded.is_some() && plain(&text) == "and";
        sentence.or_behind_excluded = goes_on || joins_exceptions;
        let faces_next = plain(&text) == "over" && self.faces_next(after, sentence)?;
        match meaning {
            // `speedup of A100 over V100`, `should I get a 4090 over a 3090`
            Meaning::Nothing if faces_next => {
                self.hints.has_link = true;
                sentence.link = Some(Link::Versus);
            }
            // `largest batch`
            Meaning::Nothing if was_superlative && matches!(plain(&text).as_str(), "batch" | "batches") => {
                self.hints.superlative_of_axis = true;
                self.hints.along.push((text, Aspect::Field(Field::BatchSize)));
            }
            // `throughput vs batch`
            Meaning::Nothing
                if was_quantity
                    && sentence.link == Some(Link::Versus)
                    && matches!(plain(&text).as_str(), "batch" | "batches") =>
            {
                sentence.link = None;
                self.hints.along.push((text, Aspect::Field(Field::BatchSize)));
            }
            Meaning::Nothing if sentence.without.is_some() && matches!(plain(&text).as_str(), "batch" | "batches") => {
                self.push_stated(&text, Field::BatchSize, sentence)?;
            }
            Meaning::Nothing => {
                sentence.behind_backend |= matches!(plain(&text).as_str(), "backend" | "backends");
                sentence.after_and = plain(&text) == "and" && !sentence.read.is_empty();
                self.says_each_by_and(&text, after, sentence);
                sentence.after_quantity = was_quantity;
                sentence.after_superlative = was_superlative;
            }
            Meaning::Cue(Cue::How) => {
                self.hints.asks_how = true;
                sentence.after_quantity = was_quantity;
            }
            Meaning::Cue(Cue::Unmeasured) if self.says_never_rented(&text, after, sentence)? => {}
            Meaning::Cue(cue) => {
                // `for each of V100 and T4`
                let is_of = after.first().is_some_and(|next| plain(next) == "of");
                let cue = if cue == Cue::Each && is_of { Cue::Both } else { cue };
                // `is it faster, and how fast is it`
                self.hints.asks_how |= cue == Cue::Speed && plain(&text).starts_with("how");
                let first = cue != Cue::YesOrNo || sentence.read.is_empty() && self.hints.cues.is_empty();
                // `upgrade from V100 to A100` tells what the second is over the first.
                let is_from = cue == Cue::Compare && plain(&text).ends_with(" from");
                self.hints.from_first |= is_from && after.iter().any(|word| plain(word) == "to");
                match cue {
                    // `no longer maintained`
                    Cue::Maintained if sentence.without.take().is_some() => self.hints.cues.push(Cue::Abandoned),
                    Cue::Abandoned if sentence.without.take().is_some() => self.hints.cues.push(Cue::Maintained),
                    Cue::Only => self.says_only(after, sentence)?,
                    _ if first => self.hints.cues.push(cue),
                    _ => {}
                }
                self.hints.turns.push((text, cue));
                sentence.after_quantity = was_quantity;
            }
            Meaning::Carries(carried) => {
                // What is asked for is told, whichever way: `neither windows nor macos`.
                sentence.without = None;
                self.hints.carried.push((text, carried));
                sentence.after_quantity = was_quantity;
            }
            // `not caffe or theano` excludes both.
            Meaning::Link(Link::Or) if sentence.excluded.is_some() => sentence.or_behind_excluded = true,
            Meaning::Link(link) => {
                // `is the V100 worse than the A100`: whether it is so is asked.
                if sets_behind(&plain_words(&text)) {
                    self.hints.turns.push((text, Cue::Comparative));
                }
                self.hints.has_link |= link == Link::Versus;
                sentence.link = (!sentence.read.is_empty() || was_quantity).then_some(link);
                sentence.after_quantity = was_quantity;
            }
            // `without a batch size`: rows that do not state it.
            Meaning::Along(Aspect::Field(field)) if sentence.without.is_some() => {
                self.push_stated(&text, field, sentence)?;
            }
            Meaning::Along(aspect) => {
                self.hints.superlative_of_axis |= was_superlative;
                self.hints.along.push((text, aspect));
            }
            Meaning::About(kind) => {
                self.hints.asks_kind = true;
                self.about = Some((text, kind));
            }
            Meaning::NamesNearest(facet, value) => {
                self.notes.push(Note::NotKept { text: text.clone(), instead: true });
                let clause = self.facet_clause(&text, facet, vec![value.to_owned()], "alias")?;
                self.named(facet, clause, sentence);
            }
            Meaning::Names(facet, value) => {
                // `object detectors in the catalog`
                if facet == Facet::Task && text.ends_with('s') {
                    let begins = sentence.read.is_empty() && !self.hints.is_sentence();
                    self.note_networks(begins, after);
                }
                let clause = self.facet_clause(&text, facet, vec![value.to_owned()], "alias")?;
                self.named(facet, clause, sentence);
            }
            Meaning::NamesAny(facet, values) => {
                // `largest language model`
                if was_superlative && facet == Facet::Task {
                    self.hints.note_ranked(Aspect::Field(Field::Network));
                }
                // `which llms are there`, `language models you hold`
                if matches!(facet, Facet::Task | Facet::Network) && text.ends_with('s') {
                    let begins = sentence.read.is_empty() && !self.hints.is_sentence();
                    self.note_networks(begins, after);
                }
                let values = values.iter().map(|value| (*value).to_owned()).collect();
                let clause = self.facet_clause(&text, facet, values, "alias")?;
                self.named(facet, clause, sentence);
            }
            Meaning::NetworksOf(_) | Meaning::NetworksStating(_) => {
                if text.ends_with('s') {
                    let begins = sentence.read.is_empty() && !self.hints.is_sentence();
                    self.note_networks(begins, after);
                }
                if let Some(clause) = self.networks_meant(&text, meaning)? {
                    self.named(Facet::Network, clause, sentence);
                }
            }
            Meaning::NamesLike(facet, patterns) => {
                if let Some(clause) = self.names_like(&text, facet, patterns)? {
                    // `no datacenter cards`: others of the kind may be called otherwise.
                    if facet == Facet::Device && sentence.without.is_some() {
                        let named = clause.readings.first().map_or(0, |reading| reading.read_as.values.len());
                        self.hints.leads.push(format!(
                            "Left out as `{text}` are {named} devices that are known as such by their names; what is left may \
                             have others of the kind."
                        ));
                    }
                    if facet == Facet::Device {
                        self.hints.note_device(text.ends_with('s'));
                    }
                    // The field is no suite where devices are named: `esp32-p4 vs stm32n6, tiny ml`.
                    if facet == Facet::Device || facet == Facet::Source && !text.to_lowercase().contains("mlperf") {
                        sentence.class_words.push(sentence.read.len());
                    }
                    // What a framework runs on is a fact of it, and no list of devices.
                    sentence.push(facet_of(&clause), clause);
                }
            }
            Meaning::NotKept(None) => {
                // `not air cooled`: neither it nor its opposite is stated.
                self.heard.extend(sentence.without.take());
                // Said twice it is told once.
                let note = Note::NotKept { text: plain_words(&text), instead: false };
                if !self.notes.contains(&note) {
                    self.notes.push(note);
                }
            }
            Meaning::NotKept(Some(nearest)) => {
                // Said twice in other words it is told once.
                let asks_same =
                    |mention: &Mention| matches!(mention.asked, AskedQuantity::Only(asked) if asked == nearest);
                if !self.hints.mentions.iter().any(asks_same) {
                    self.notes.push(Note::NotKept { text: plain_words(&text), instead: true });
                }
                self.mention(text, AskedQuantity::Only(nearest), was_quantity, sentence);
            }
            Meaning::Without => {
                sentence.or_behind_excluded = was_or;
                sentence.excepts = is_exception(&text);
                self.says_without(text, after, sentence)?;
            }
            Meaning::Asks(named) => {
                self.stage_of_quantity(&text, was_quantity, sentence)?;
                self.ranked_by_what_follows(was_by);
                self.mention(text, AskedQuantity::InContext(named), was_quantity, sentence);
            }
            Meaning::AsksFor(quantity) => {
                self.ranked_by_what_follows(was_by);
                self.mention(text, AskedQuantity::Only(quantity), was_quantity, sentence);
            }
        }
        Ok(())
    }

    /// `tested on a raspberry pi and on a server gpu`: what is listed is to have rows on each.
    fn says_each_by_and(&mut self, text: &str, after: &[&str], sentence: &mut Sentence<'_>) {
        let on_another = plain(text) == "and"
            && after.first().is_some_and(|next| plain(next) == "on")
            && sentence.excluded.is_none()
            && sentence.read.last().is_some_and(|last| HARDWARE.contains(&kind_of(&last.clause)));
        if on_another {
            self.hints.cues.push(Cue::Both);
            sentence.each_of_class_words = true;
        }
    }

    /// The stage that the name of a quantity says as well. Behind another quantity the link before it stands between the two.
    fn stage_of_quantity(
        &mut self,
        text: &str,
        was_quantity: bool,
        sentence: &mut Sentence<'_>,
    ) -> Result<(), QueryError> {
        let words: Vec<String> = text.split(' ').map(plain).collect();
        let has = |one: &str| words.iter().any(|word| word == one);
        let says = |(stage, beside, _): &&(&str, Option<&str>, &[&str])| has(stage) && beside.is_none_or(has);
        let Some((word, _, stages)) = STAGE_OF_QUANTITY.iter().find(says) else { return Ok(()) };
        let stages = stages.iter().map(|stage| (*stage).to_owned()).collect();
        let clause = self.facet_clause(word, Facet::Stage, stages, "alias")?;
        let link = if was_quantity { sentence.link.take() } else { None };
        let without = sentence.without.take();
        sentence.push(Some(Facet::Stage), clause);
        (sentence.link, sentence.without) = (link, without);
        Ok(())
    }

    /// Whether an `over` sets what was named last against what is named next: a gain is spoken of, or both are of one kind.
    pub(super) fn faces_next(&self, after: &[&str], sentence: &Sentence<'_>) -> Result<bool, QueryError> {
        let Some(last) = sentence.read.last() else { return Ok(false) };
        if self.hints.has(Cue::SpeedUp) {
            return Ok(true);
        }
        // `TensorRT over plain TensorFlow`
        let says_nothing = |word: &&&str| is_article(word) || PLAIN.contains(&plain(word).as_str());
        let articles = after.iter().take_while(says_nothing).count();
        let next = &after[articles..];
        let names = resolve::named::<Database>(&next[..self.longest_name(next)?], &self.stores.database)?;
        let kind = kind_of(&last.clause);
        Ok(names
            .iter()
            .any(|name| name.facet.key() == kind || HARDWARE.contains(&name.facet.key()) && HARDWARE.contains(&kind)))
    }

    /// Adds what a phrase of the vocabulary names.
    fn named(&mut self, facet: Facet, clause: Clause, sentence: &mut Sentence<'_>) {
        if std::mem::take(&mut sentence.only) {
            self.hints.exclusive.push(clause.text.clone());
        }
        sentence.push(Some(facet), clause);
    }

    /// `gpus by memory bandwidth`: several of a kind are ordered by the quantity behind the `by`.
    fn ranked_by_what_follows(&mut self, was_by: bool) {
        if was_by && self.hints.nouns.iter().any(|noun| noun.plural) {
            self.hints.cues.push(Cue::Rank);
        }
    }

    fn mention(&mut self, text: String, asked: AskedQuantity, after_quantity: bool, sentence: &mut Sentence<'_>) {
        self.hints.opposed |= after_quantity && sentence.link == Some(Link::Versus);
        sentence.link = sentence.link.filter(|_| !after_quantity);
        sentence.after_quantity = true;
        self.hints.note_tokens(&text, &asked.quantities(Context::default()));
        let level = sentence.level.take();
        let without = sentence.without.take();
        self.hints.mentions.push(Mention { text, asked, level, without });
    }

    /// Says that words were left out.
    pub(super) fn leave_out(&mut self, text: &str) {
        let plain = plain_words(text);
        // The rows that there are none of were heard.
        let is_heard = self.hints.has(Cue::Unmeasured) && MEASUREMENTS.contains(&plain.as_str());
        if !plain.is_empty() && !is_noun(&plain) && !is_heard && !self.ignored.contains(&plain) {
            self.ignored.push(plain);
        }
    }
}

/// Whether a phrase is another name for something that can be excluded.
fn names_something(meaning: Meaning) -> bool {
    meaning.names_values()
}

/// Whether a word stands in front of a name and says nothing: `the nano`.
pub(super) fn is_article(word: &str) -> bool {
    matches!(plain(word).as_str(), "a" | "an" | "the" | "my" | "our" | "your")
}

/// Whether words name exceptions of all, and do not deny something of one.
fn is_exception(text: &str) -> bool {
    const EXCEPTING: &[&str] =
        &["other", "except", "excluding", "excl", "exclude", "apart", "aside", "but", "besides", "minus", "outside"];
    // `but not` denies.
    let words = plain_words(text);
    let mut words = words.split(' ');
    words.any(|word| EXCEPTING.contains(&word))
        && !text.to_lowercase().split(' ').any(|word| matches!(word, "not" | "no" | "never"))
}

/// Whether a word goes on with what stands in front of it.
fn is_conjunction(text: &str) -> bool {
    matches!(plain(text).as_str(), "and" | "or" | "any")
}
