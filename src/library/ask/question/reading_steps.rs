//! What the next words of a sentence may be, tried in order: a sign between sides, what an exclusion or a kind named before goes
//! on with, a form of its own, a limit, and else the longest of a name, a turn of phrase and a phrase of the vocabulary.

use super::bounds::without_number;
use super::carrying_word::Carried;
use super::error::QueryError;
use super::facing::kind_of;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::phrases::is_article;
use super::sentence::Sentence;
use super::sides::{ReadClause, facet_of};
use super::vocabulary::{Cue, KIND_NOUNS, Meaning, longest_phrase, meaning_of, plain};
use super::years::year_of;
use crate::model::{Facet, Lookup as _};
use crate::values::spelling::normalise;

/// A place among the words of a sentence.
#[derive(Clone, Copy)]
pub(super) struct Place<'a, 'w> {
    /// All words that stand between two clauses.
    pub(super) words: &'a [&'w str],
    /// Index of the next one.
    pub(super) at: usize,
}

impl<'a, 'w> Place<'a, 'w> {
    /// The next word and all behind it.
    fn rest(self) -> &'a [&'w str] {
        &self.words[self.at..]
    }

    /// The word before.
    fn before(self) -> Option<&'w str> {
        self.at.checked_sub(1).map(|before| self.words[before])
    }
}

impl Interpreter<'_> {
    /// Reads what the next words are and says how many were taken, one at least.
    pub(super) fn step<'w>(&mut self, place: Place<'_, 'w>, sentence: &mut Sentence<'w>) -> Result<usize, QueryError> {
        let rest = place.rest();
        let begins = sentence.read.iter().all(is_qualifier) && !self.hints.is_sentence();
        // `quickest training, any framework`: whichever it is, it is not what is ranked.
        if !(place.before().is_some_and(is_whichever) && self.hints.ranks) {
            self.hints.note_noun(rest, begins);
        }
        if let Some(taken) = self.between_sides(place, sentence)? {
            return Ok(taken);
        }
        if let Some(taken) = self.goes_on(rest, sentence)? {
            return Ok(taken);
        }
        if let Some(taken) = self.form(place, sentence)? {
            return Ok(taken);
        }
        let found = longest_phrase(rest);
        if let Some(taken) = self.stated_limit(place, found, sentence)? {
            return Ok(taken);
        }
        let phrase = self.phrase_at(rest, found, sentence)?;
        self.named_or_said(place, phrase, begins, sentence)
    }

    /// What stands between the sides of a contrast: a generation, a sign, a change from one to the other.
    fn between_sides<'w>(
        &mut self,
        place: Place<'_, 'w>,
        sentence: &mut Sentence<'w>,
    ) -> Result<Option<usize>, QueryError> {
        let rest = place.rest();
        if self.hints.note_generations(place.before(), rest) {
            self.flush(sentence)?;
            self.heard.push(rest[0].to_owned());
            return Ok(Some(1));
        }
        if let Some(taken) = self.accelerator_of_host(rest, sentence)? {
            self.heard.push(rest[0].to_owned());
            return Ok(Some(taken));
        }
        if let Some(taken) = self.side_sign(rest, sentence)? {
            self.heard.push(rest[..taken].join(" "));
            return Ok(Some(taken));
        }
        self.change_between(rest, sentence)
    }

    /// What goes on from the words before: an exclusion, or the kind of what was named on the other side of a link.
    fn goes_on<'w>(&mut self, rest: &[&'w str], sentence: &mut Sentence<'w>) -> Result<Option<usize>, QueryError> {
        let after_and = std::mem::take(&mut sentence.after_and);
        // `jetson tx2 and the nano`
        if after_and && is_article(rest[0]) && rest.len() > 1 {
            sentence.after_and = true;
            return Ok(Some(1));
        }
        let excludes = sentence.without.is_some() || sentence.excluded.is_some();
        if excludes
            && sentence.names.is_empty()
            && let Some((facet, clause)) = self.excluded_part(rest, sentence)?
        {
            sentence.without.get_or_insert_default();
            sentence.or_behind_excluded = false;
            sentence.push(Some(facet), clause);
            return Ok(Some(1));
        }
        if excludes && let Some((taken, clause)) = self.excluded_version(rest, sentence)? {
            sentence.without.get_or_insert_default();
            sentence.or_behind_excluded = false;
            sentence.push(None, clause);
            // `neither 1.x nor tflite`
            sentence.excluded = Some(Facet::Framework.key().to_owned());
            return Ok(Some(taken));
        }
        if !sentence.names.is_empty() {
            return Ok(None);
        }
        match (sentence.link.is_some(), after_and) {
            (true, _) => self.inherited(rest, sentence),
            (false, true) => self.inherited_by_and(rest, sentence),
            (false, false) => Ok(None),
        }
    }

    /// Forms that are told by their first words: who submitted, what is unknown, in which unit, the same as.
    fn form<'w>(&mut self, place: Place<'_, 'w>, sentence: &mut Sentence<'w>) -> Result<Option<usize>, QueryError> {
        let rest = place.rest();
        if let Some(taken) = self.said_of_what_follows(rest, sentence)? {
            self.heard.push(rest[..taken].join(" "));
            return Ok(Some(taken));
        }
        if let Some(taken) = self.submitted_by(rest, sentence)? {
            return Ok(Some(taken));
        }
        if let Some(taken) = self.says_unknown(rest, sentence)? {
            return Ok(Some(taken));
        }
        if let Some(taken) = self.unit_of_answer(rest, place.before()) {
            self.flush(sentence)?;
            return Ok(Some(taken));
        }
        if let Some(taken) = self.unstated_field(rest, sentence)? {
            return Ok(Some(taken));
        }
        if let Some((taken, clause)) = self.same_as_entity(rest, sentence)? {
            self.flush(sentence)?;
            let facet = facet_of(&clause);
            sentence.push(facet, clause);
            return Ok(Some(taken));
        }
        if sentence.without.is_none()
            && let Some(taken) = self.counted_of_listed(rest)
        {
            self.flush(sentence)?;
            self.heard.push(rest[..taken].join(" "));
            return Ok(Some(taken));
        }
        Ok(None)
    }

    /// A number with its comparator, on either side of what it limits; a comparator without a number is left out.
    fn stated_limit<'w>(
        &mut self,
        place: Place<'_, 'w>,
        found: Option<(usize, Meaning)>,
        sentence: &mut Sentence<'w>,
    ) -> Result<Option<usize>, QueryError> {
        let rest = place.rest();
        let limit = match self.turned_round(rest, found, sentence)? {
            Some(turned) => Some(turned),
            // The `over 5g` of phones is no limit.
            None if matches!(found, Some((_, Meaning::NotKept(_)))) => None,
            None => self.stated_number(rest, sentence)?,
        };
        if let Some((mut taken, clause)) = limit {
            self.flush(sentence)?;
            if let Some(clause) = clause {
                sentence.ends_exceptions();
                let further = self.further_bound(&clause, &rest[taken..])?;
                sentence.push(None, clause);
                if let Some((more, clause)) = further {
                    sentence.push(None, clause);
                    taken += more;
                }
            }
            return Ok(Some(taken));
        }
        let Some(taken) = without_number(rest, place.before()) else { return Ok(None) };
        self.flush(sentence)?;
        self.leave_out(&rest[..taken].join(" "));
        Ok(Some(taken))
    }

    /// The phrase of the vocabulary that words begin with, unless what stands around them makes something else of it.
    fn phrase_at(
        &self,
        rest: &[&str],
        found: Option<(usize, Meaning)>,
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Meaning)>, QueryError> {
        let before = sentence.names.last();
        let phrase = found.filter(|_| !ends_product(before, rest[0]));
        // `what did an hour cost in 2019` asks for no effect.
        let phrase = match phrase {
            Some((2, Meaning::Cue(Cue::Effect))) if rest.get(2).is_some_and(|next| year_of(&plain(next)).is_some()) => {
                longest_phrase(&rest[..1])
            }
            phrase => phrase,
        };
        if self.goes_on_as_line(before, rest)? || self.is_unknown_of_form(rest)? {
            return self.language_or(None, rest);
        }
        let phrase = match phrase {
            // `who published power measurements`: a source is asked for, and no maker.
            Some((taken, Meaning::Asks(_))) if self.asks_who_measured(&rest[..taken]) => {
                Some((taken, Meaning::Cue(Cue::WhoMeasured)))
            }
            // What a run was on is a value of rows.
            Some((_, Meaning::Carries(Carried::OperatingSystem))) if !self.asks_of_frameworks()? => None,
            Some((taken, Meaning::NamesLike(..))) if self.goes_on_as_device(rest, taken)? => {
                longest_phrase(&rest[..taken - 1])
            }
            phrase => phrase,
        };
        self.language_or(phrase, rest)
    }

    /// A phrase, or the language of a framework that a word without one names.
    fn language_or(
        &self,
        phrase: Option<(usize, Meaning)>,
        rest: &[&str],
    ) -> Result<Option<(usize, Meaning)>, QueryError> {
        if phrase.is_none() && self.is_language_of_framework(rest[0])? {
            return Ok(meaning_of(&["programming", "language"]).map(|meaning| (1, meaning)));
        }
        Ok(phrase)
    }

    /// The longest of a name, a turn of phrase and a phrase.
    fn named_or_said<'w>(
        &mut self,
        place: Place<'_, 'w>,
        phrase: Option<(usize, Meaning)>,
        begins: bool,
        sentence: &mut Sentence<'w>,
    ) -> Result<usize, QueryError> {
        let rest = place.rest();
        let least = phrase.map_or(0, |(taken, _)| taken);
        let idiom = match least {
            0..=2 => self.idiom(sentence.names.last().copied(), rest)?.filter(|(taken, _)| *taken >= least),
            _ => None,
        };
        let said = idiom.as_ref().map_or(least, |(taken, _)| *taken);
        let name = before_carrying(rest, self.longest_name(rest)?);
        if name > said && !says_nothing(&rest[..name]) || said == 0 {
            return self.named_part(place, name, begins, sentence);
        }
        // `which batch sizes`: the noun behind the `which` is inside of the phrase.
        if matches!(phrase, Some((_, Meaning::Along(_) | Meaning::Carries(_))))
            && matches!(plain(rest[0]).as_str(), "which" | "what")
        {
            (1..said).for_each(|inner| self.hints.note_noun(&rest[inner..], begins));
        }
        let adjoins = !sentence.names.is_empty();
        self.flush(sentence)?;
        let (text, behind) = (rest[..said].join(" "), &rest[said..]);
        match (idiom, phrase) {
            (Some((_, Idiom::Clause(clause))), _)
                if (adjoins || sentence.link.is_some()) && self.sized_device(&clause, sentence)? =>
            {
                Ok(said)
            }
            (Some((_, idiom)), _) => {
                let further = match &idiom {
                    Idiom::Clause(clause) => self.further_bound(clause, behind)?,
                    _ => None,
                };
                self.said_by_idiom(idiom, text, sentence);
                let Some((more, clause)) = further else { return Ok(said) };
                sentence.push(None, clause);
                Ok(said + more)
            }
            (None, Some((_, meaning))) => {
                self.said_by_phrase(meaning, text, behind, sentence)?;
                Ok(said)
            }
            (None, None) => Ok(said),
        }
    }

    /// Keeps words that are a name, or a part of one, until the name ends.
    fn named_part<'w>(
        &mut self,
        place: Place<'_, 'w>,
        name: usize,
        begins: bool,
        sentence: &mut Sentence<'w>,
    ) -> Result<usize, QueryError> {
        let rest = place.rest();
        let (name, is_split) = self.without_filter(&rest[..name])?;
        let taken = name.max(1);
        let is_superlative_of = std::mem::take(&mut sentence.after_superlative);
        self.asked_family(&place.words[..place.at], &rest[..taken])?;
        self.plural_of_name(rest, name, begins)?;
        self.plural_of_family(&rest[..taken], begins, rest.get(taken).copied());
        if is_superlative_of {
            self.ranked_family(&rest[..taken])?;
        }
        sentence.names.extend(&rest[..taken]);
        if is_split {
            self.flush(sentence)?;
        }
        Ok(taken)
    }

    /// Whether the last word of a phrase begins a device's name that goes on behind it: the `edge` of `on the edge tpu`.
    fn goes_on_as_device(&self, words: &[&str], taken: usize) -> Result<bool, QueryError> {
        if taken < 2 || taken >= words.len() {
            return Ok(false);
        }
        let names = self.stores.database.exact(&normalise(&words[taken - 1..=taken].concat()))?;
        Ok(names.iter().any(|name| name.facet == Facet::Device))
    }
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
