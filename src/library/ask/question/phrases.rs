//! What turns of phrase and phrases of the vocabulary add to a sentence.

use super::clause::Clause;
use super::error::QueryError;
use super::facing::{HARDWARE, kind_of};
use super::hints::{Asked, Mention, NamedSuperlative};
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::nouns::is_noun;
use super::order::Superlative;
use super::sentence::Sentence;
use super::sides::facet_of;
use super::vocabulary::{Cue, Link, MEASUREMENTS, Meaning, STAGE_OF_QUANTITY, plain, plain_words};
use crate::model::{Aspect, Facet, Field, Lookup as _};
use crate::rows::Note;
use crate::stores::database::Database;
use crate::stores::resolve;
use crate::values::EntityKind;
use crate::values::spelling::normalise;

impl Interpreter<'_> {
    pub(super) fn said_by_idiom(&mut self, idiom: Idiom, text: String, sentence: &mut Sentence<'_>) {
        sentence.after_superlative = false;
        match idiom {
            Idiom::Clause(clause) => {
                if std::mem::take(&mut sentence.only) {
                    self.hints.exclusive.push(clause.text.clone());
                }
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
        sentence.or_behind_excluded = goes_on;
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
            Meaning::Nothing => {
                sentence.behind_backend |= matches!(plain(&text).as_str(), "backend" | "backends");
                sentence.after_and = plain(&text) == "and" && !sentence.read.is_empty();
                sentence.after_quantity = was_quantity;
                sentence.after_superlative = was_superlative;
            }
            Meaning::Cue(Cue::How) => {
                self.hints.asks_how = true;
                sentence.after_quantity = was_quantity;
            }
            Meaning::Cue(cue) => {
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
                self.notes.push(Note::NotKept { text: text.clone() });
                let clause = self.facet_clause(&text, facet, vec![value.to_owned()], "alias")?;
                self.named(facet, clause, sentence);
            }
            Meaning::Names(facet, value) => {
                let clause = self.facet_clause(&text, facet, vec![value.to_owned()], "alias")?;
                self.named(facet, clause, sentence);
            }
            Meaning::NamesAny(facet, values) => {
                // `largest language model`
                if was_superlative && facet == Facet::Task {
                    self.hints.note_ranked(Aspect::Field(Field::Network));
                }
                // `which llms are there`
                if matches!(facet, Facet::Task | Facet::Network) && text.ends_with('s') {
                    self.hints.note_asked(Aspect::Field(Field::Network));
                }
                let values = values.iter().map(|value| (*value).to_owned()).collect();
                let clause = self.facet_clause(&text, facet, values, "alias")?;
                self.named(facet, clause, sentence);
            }
            Meaning::NamesLike(facet, patterns) => {
                if let Some(clause) = self.names_like(&text, facet, patterns)? {
                    if facet == Facet::Device {
                        self.hints.note_device(text.ends_with('s'));
                        sentence.class_words.push(sentence.read.len());
                    }
                    // What a framework runs on is a fact of it, and no list of devices.
                    sentence.push(facet_of(&clause), clause);
                }
            }
            Meaning::NotKept(None) => self.notes.push(Note::NotKept { text: plain_words(&text) }),
            Meaning::NotKept(Some(nearest)) => {
                // Said twice in other words it is told once.
                let asks_same = |mention: &Mention| matches!(mention.asked, Asked::Only(asked) if asked == nearest);
                if !self.hints.mentions.iter().any(asks_same) {
                    self.notes.push(Note::NotKept { text: plain_words(&text) });
                }
                self.mention(text, Asked::Only(nearest), was_quantity, sentence);
            }
            Meaning::Without => {
                sentence.or_behind_excluded = was_or;
                self.says_without(text, after, sentence)?;
            }
            Meaning::Asks(named) => {
                self.stage_of_quantity(&text, was_quantity, sentence)?;
                self.ranked_by_what_follows(was_by);
                self.mention(text, Asked::InContext(named), was_quantity, sentence);
            }
            Meaning::AsksFor(quantity) => {
                self.ranked_by_what_follows(was_by);
                self.mention(text, Asked::Only(quantity), was_quantity, sentence);
            }
        }
        Ok(())
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
        let articles = after.iter().take_while(|word| is_article(word)).count();
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

    fn mention(&mut self, text: String, asked: Asked, after_quantity: bool, sentence: &mut Sentence<'_>) {
        self.hints.opposed |= after_quantity && sentence.link == Some(Link::Versus);
        sentence.link = sentence.link.filter(|_| !after_quantity);
        sentence.after_quantity = true;
        self.hints.note_tokens(&text, &asked.quantities(Context::default()));
        let level = sentence.level.take();
        let without = sentence.without.take();
        self.hints.mentions.push(Mention { text, asked, level, without });
    }

    /// The values of a facet whose names match any of some patterns, such as the devices that are phones; `None` where the
    /// word means something else, or nothing has such a name.
    fn names_like(&mut self, text: &str, facet: Facet, patterns: &[&str]) -> Result<Option<Clause>, QueryError> {
        // What a framework runs on is no list of devices.
        let runs_on = self.hints.turns.iter().any(|(_, cue)| *cue == Cue::Support);
        let of_frameworks = self.about.as_ref().is_some_and(|(_, kind)| *kind == EntityKind::Framework)
            || runs_on && self.named_last == Some(Facet::Framework);
        if of_frameworks && facet == Facet::Device {
            let is_phone = patterns.iter().any(|pattern| pattern.starts_with("iphone"));
            let kind = if is_phone { "mobile" } else { text };
            let exact = self.stores.database.exact(&normalise(kind))?;
            let named = exact.into_iter().find(|name| name.facet == Facet::Hardware);
            return Ok(match named {
                Some(name) => Some(self.facet_clause(text, name.facet, vec![name.value], "exact")?),
                None => None,
            });
        }
        let mut values: Vec<String> = Vec::new();
        for pattern in patterns {
            let names = self.stores.database.names_like(pattern)?;
            for name in names.into_iter().filter(|name| name.facet == facet) {
                if !values.contains(&name.value) {
                    values.push(name.value);
                }
            }
        }
        if values.is_empty() {
            self.leave_out(text);
            return Ok(None);
        }
        Ok(Some(self.facet_clause(text, facet, values, "family")?))
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

    /// What a superlative right in front of a family of devices ranks: the boards of `fastest jetson`.
    pub(super) fn ranked_family(&mut self, name: &[&str]) -> Result<(), QueryError> {
        let normal = normalise(&name.concat());
        // A number is that of one product, of which the variants are no field to rank.
        if normal.contains(|c: char| c.is_ascii_digit()) {
            return Ok(());
        }
        let exact = self.stores.database.exact(&normal)?;
        // `jetson` is none itself, but what the names of several begin with.
        let names = if exact.is_empty() && normal.len() > 2 { self.stores.database.beginning(&normal)? } else { exact };
        let of_devices = names.into_iter().filter(|name| name.facet == Facet::Device);
        let mut devices: Vec<String> = of_devices.map(|name| name.value).collect();
        if let [family] = devices.as_slice() {
            devices = self.stores.database.descendants(EntityKind::Device, family)?;
        }
        devices.dedup();
        if devices.len() > 1 {
            self.hints.family_asked_for = self.hints.family_asked_for.or(Some(Aspect::Field(Field::Device)));
        }
        Ok(())
    }

    /// The members of a family that is named in the plural, where they are asked for: `list cnns`, `transformers measured on A100`.
    pub(super) fn plural_of_name(&mut self, words: &[&str], taken: usize, begins: bool) -> Result<(), QueryError> {
        let normal = normalise(&words[..taken].concat());
        let Some(singular) = normal.strip_suffix('s').filter(|one| one.len() > 2) else { return Ok(()) };
        if singular.ends_with(|c: char| c.is_ascii_digit() || c == 's') {
            return Ok(());
        }
        let names = self.stores.database.exact(singular)?;
        if let Some(name) = names.into_iter().find(|name| name.facet == Facet::Network)
            && self.stores.database.descendants(EntityKind::Network, &name.value)?.len() > 1
        {
            let aspect = Aspect::Field(Field::Network);
            self.hints.note_asked(aspect);
            self.hints.note_leading(aspect, begins, words.get(taken).copied());
        }
        Ok(())
    }

    /// What `which` asks for where a name stands right behind it: the networks of `which EfficientNet`.
    pub(super) fn asked_family(&mut self, before: &[&str], name: &[&str]) -> Result<(), QueryError> {
        let asking = before.last().is_some_and(|word| matches!(plain(word).as_str(), "which" | "what"));
        if !asking || self.hints.family_asked_for.is_some() {
            return Ok(());
        }
        let names = self.stores.database.exact(&normalise(&name.concat()))?;
        let of = |facet: Facet| match facet {
            Facet::Network => Some(Aspect::Field(Field::Network)),
            Facet::Device => Some(Aspect::Field(Field::Device)),
            Facet::Framework => Some(Aspect::Field(Field::Framework)),
            _ => None,
        };
        self.hints.family_asked_for = names.iter().find_map(|name| of(name.facet));
        Ok(())
    }
}

/// Whether a phrase is another name for something that can be excluded.
fn names_something(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Names(..) | Meaning::NamesNearest(..) | Meaning::NamesAny(..) | Meaning::NamesLike(..))
}

/// Whether a word stands in front of a name and says nothing: `the nano`.
pub(super) fn is_article(word: &str) -> bool {
    matches!(plain(word).as_str(), "a" | "an" | "the" | "my" | "our" | "your")
}

/// Whether a word goes on with what stands in front of it.
fn is_conjunction(text: &str) -> bool {
    matches!(plain(text).as_str(), "and" | "or" | "any")
}
