//! Years in which something came out, not in which it was measured: `gpus released after 2020`, `networks older than 2015`.

use super::clause::{Clause, filter_text};
use super::error::QueryError;
use super::facing::kind_of;
use super::hints::{Hints, Mention};
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::nouns::{entities_called, is_noun};
use super::question::{Quantity, Wanted};
use super::sentence::Sentence;
use super::vocabulary::{Cue, plain, plain_words};
use crate::model::{Aspect, Facet, Fact, FactValue, Source};
use crate::rows::Note;
use crate::stores::index::Condition;
use crate::values::EntityKind;

/// What says of each kind of entity when it came out.
const DATES: &[(EntityKind, Fact)] = &[
    (EntityKind::Device, Fact::Released),
    (EntityKind::Network, Fact::Published),
    (EntityKind::Framework, Fact::FirstRelease),
];

/// Words that compare the age of what is named in front of them.
const OF_AGE: &[&str] = &["newer", "older", "younger"];

impl Interpreter<'_> {
    /// Notes that a year is that of a release: behind `released`, or where `newer` compares what a noun names.
    pub(super) fn note_date(&mut self, words: &[&str], text: &str, sentence: &Sentence<'_>) {
        let last = self.hints.mentions.last().filter(|_| sentence.after_quantity);
        let is_of_entities = self.hints.nouns.iter().any(|noun| kind_of_noun(noun.aspect).is_some());
        // `which after 2022 released are`, as other languages have it.
        let behind = words.get(text.split_whitespace().count()).map(|word| plain(word)).unwrap_or_default();
        let is_behind = is_of_entities && matches!(behind.as_str(), "released" | "launched" | "published");
        let compares_age = is_of_entities && words.first().is_some_and(|word| OF_AGE.contains(&plain(word).as_str()));
        if last.is_some_and(asks_for_date)
            || compares_age
            || is_behind
            || is_of_entities && self.stands_behind_noun(words)
            || self.speaks_of_sources() && self.stands_behind_sources(words)
        {
            self.hints.dated.push(text.to_owned());
        }
    }

    /// `nets from before 2015`: a year behind the noun for what came out then.
    fn stands_behind_noun(&self, words: &[&str]) -> bool {
        let Some(first) = words.first().map(|word| plain(word)) else { return false };
        let question: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let of_noun = |three: &[String]| {
            let (noun, from, year) = (&three[0], &three[1], &three[2]);
            let is_named = self.hints.nouns.iter().any(|of| kind_of_noun(of.aspect).is_some()) && is_noun(noun);
            is_named && from == "from" && *year == first
        };
        question.windows(3).any(of_noun)
    }

    /// `papers from before 2017`, `sources from 2017 or earlier`: the year of the sources is meant, and not that of their rows.
    fn stands_behind_sources(&self, words: &[&str]) -> bool {
        const IN_FRONT: &[&str] = &["from", "of", "before", "after", "since", "until", "older", "newer", "than"];
        let all: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let at = all.len().saturating_sub(words.len());
        let front = all[..at].iter().rev().find(|word| !IN_FRONT.contains(&word.as_str()));
        front.and_then(|word| entities_called(word)) == Some(Aspect::Source)
    }

    /// Whether what was published is a source: `sources published between 2016 and 2018`.
    pub(super) fn speaks_of_sources(&self) -> bool {
        matches!(self.about, Some((_, EntityKind::Source)))
    }

    /// The sources of some years.
    pub(super) fn sources_of_years(&self, text: &str, is_of: impl Fn(i64) -> bool) -> Result<Clause, QueryError> {
        let sources = self.stores.database.entities::<Source>()?;
        let of_years = sources.iter().filter(|source| source.year.is_some_and(&is_of));
        let ids: Vec<String> = of_years.map(|source| source.id.to_string()).collect();
        let values = vec![text.to_owned()];
        let filter = filter_text(Facet::Source, &ids);
        Ok(Clause::of(text, Fact::Year.key(), values, filter, Condition::Facet(Facet::Source, ids)))
    }

    /// `not updated since 2018`: what holds of a framework today is known, and not since when. The year is none of a measurement.
    pub(super) fn updates_since(&mut self, clauses: &mut Vec<Clause>, hints: &Hints) {
        let turns = hints.turns.iter().filter(|(_, cue)| matches!(cue, Cue::Maintained | Cue::Abandoned));
        let question = plain_words(self.question);
        for (turn, _) in turns {
            let is_behind = |clause: &mut Clause| {
                let said = format!("{} {}", plain_words(turn), plain_words(&clause.text));
                kind_of(clause) == Facet::Year.key() && !clause.is_excluded() && question.contains(&said)
            };
            for clause in clauses.extract_if(.., is_behind) {
                self.notes.push(Note::NotKept { text: format!("{turn} {}", clause.text), instead: true });
            }
        }
    }

    /// `when did Theano stop development`: that it did is known, and not when.
    pub(super) fn note_undated_end(&mut self, wanted: &Wanted) {
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let asks_when =
            words.first().is_some_and(|first| first == "when") || words.windows(2).any(|two| two == ["and", "when"]);
        let is_date = |quantity: &Quantity| matches!(quantity, Quantity::Fact(fact) if DATES.iter().any(|(_, date)| date == fact));
        let is_told = self.notes.iter().any(|note| matches!(note, Note::NotKept { .. }));
        let of_status = wanted.quantities.contains(&Quantity::Fact(Fact::Maturity));
        if asks_when && of_status && !is_told && !wanted.quantities.iter().any(is_date) {
            self.notes.push(Note::NotKept { text: "when".to_owned(), instead: true });
        }
    }

    /// Makes such years conditions on when the entities came out that are spoken of.
    pub(super) fn dated_entities(&mut self, clauses: &mut [Clause], hints: &Hints) -> Result<(), QueryError> {
        let context = Context::of(clauses);
        for clause in clauses.iter_mut().filter(|clause| hints.dated.contains(&clause.text)) {
            let Condition::Facet(Facet::Year, years) = &clause.condition else { continue };
            let by_noun = hints.nouns.iter().find_map(|noun| kind_of_noun(noun.aspect));
            if self.speaks_of_sources() {
                *clause = self.sources_of_years(&clause.text, |year| years.contains(&year.to_string()))?;
                continue;
            }
            let kind = by_noun.or_else(|| kind_named(context)).unwrap_or(EntityKind::Device);
            let Some((_, fact)) = DATES.iter().find(|(of, _)| *of == kind) else { continue };
            let years: Vec<f64> = years.iter().filter_map(|year| year.parse().ok()).collect();
            let (Some(first), Some(last)) = (years.first(), years.last()) else { continue };
            let within = *first..=*last;
            let ids = self.stores.database.entities_with(kind, fact.key(), |value| match value {
                FactValue::Number(year) => within.contains(year),
                FactValue::Word(_) => false,
            })?;
            let condition = self.naming(kind, ids.into_iter().collect())?;
            let bounds = clause.equivalent.trim_start_matches(Facet::Year.key()).to_owned();
            let shown = bounds.trim_start_matches(':').to_owned();
            let filter = format!("{}{bounds}", fact.key());
            *clause = Clause::of(&clause.text, fact.key(), vec![shown], filter, condition);
        }
        Ok(())
    }
}

fn asks_for_date(mention: &Mention) -> bool {
    let asked = mention.asked.quantities(Context::default());
    asked.iter().any(|quantity| DATES.iter().any(|(_, fact)| *quantity == Quantity::Fact(*fact)))
}

/// The kind of entity that a noun names, of those that come out at some time.
fn kind_of_noun(aspect: Aspect) -> Option<EntityKind> {
    let Aspect::Field(field) = aspect else { return None };
    field.entity_kind().filter(|kind| DATES.iter().any(|(of, _)| of == kind))
}

fn kind_named(context: Context) -> Option<EntityKind> {
    match context {
        Context { devices: true, .. } | Context { classes: true, .. } => Some(EntityKind::Device),
        Context { networks: true, .. } => Some(EntityKind::Network),
        Context { frameworks: true, .. } => Some(EntityKind::Framework),
        _ => None,
    }
}
