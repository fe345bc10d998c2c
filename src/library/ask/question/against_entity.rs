//! Limits that another entity sets: `newer than Pascal`, `more memory than a 3090`, `cheaper than the V100`. What is limited is a
//! fact of the catalog, and the limit is what it states of the entity that is named.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::bounds::{Limited, is_number, lead, named, of_size};
use super::clause::{Clause, filter_text};
use super::error::QueryError;
use super::facing::kind_of;
use super::filters::bounds_of;
use super::grammar::Operator;
use super::interpreter::Interpreter;
use super::nouns::is_noun_of_devices;
use super::question::Beyond;
use super::sentence::Sentence;
use super::vocabulary::plain;
use crate::model::{Aspect, Device, Facet, Fact, Field};
use crate::stores::resolve::named as names_of;
use crate::values::{Date, EntityKind};

/// Words between the `than` and the name.
const ARTICLES: &[&str] = &["a", "an", "the", "that", "those", "of", "my"];

/// Kinds of entities that are limited by others.
const KINDS: &[EntityKind] = &[EntityKind::Device, EntityKind::Network, EntityKind::Framework, EntityKind::Dataset];

impl Interpreter<'_> {
    /// The limit that these words begin with, and how many of them say it; no clause where what it is compared with states none.
    pub(super) fn limit_by_entity(
        &mut self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        let last = self.hints.mentions.last().filter(|_| sentence.after_quantity);
        let Some((lead, limited, operator)) = lead(words, last) else { return self.limit_by_same(words) };
        let articles = words[lead..].iter().take_while(|word| ARTICLES.contains(&plain(word).as_str())).count();
        let at = lead + articles;
        let length = self.longest_name(&words[at..])?;
        if length == 0 || self.stands_against(sentence) {
            return Ok(None);
        }
        // `gpus faster than`: which of several is asked; `is a gpu faster than a cpu` sets two against each other.
        let is_of_several = || self.hints.nouns.iter().any(|noun| noun.plural || noun.asked);
        if limited == Limited::Speed && !is_of_several() {
            return Ok(None);
        }
        let (taken, text) = (at + length, words[..at + length].join(" "));
        let entity = plain(&words[at..at + length].join(" "));
        // Who names no kind speaks of that of the entity.
        let speaks_of = |kind: &&EntityKind| self.hints.kinds.is_empty() || self.hints.speaks_of(**kind);
        for kind in KINDS.iter().filter(speaks_of) {
            let names = names_of(&words[at..at + length], &self.stores.database)?;
            let of_kind = |facet: Facet| names.iter().find(|name| name.facet == facet).map(|name| name.value.clone());
            if *kind == EntityKind::Device
                && limited == Limited::Age
                && let Some(architecture) = of_kind(Facet::Architecture)
            {
                return Ok(Some((taken, self.of_age_of_architecture(&text, &architecture, operator)?)));
            }
            let Some(id) = of_kind(Facet::of_entities(*kind)) else { continue };
            let clause = match limited {
                Limited::Age => self.of_age_of(*kind, &text, &id, operator)?,
                Limited::Of(fact) if fact.kind() == *kind => self.of_size_of(fact, &text, &id, operator)?,
                Limited::Speed => {
                    let field = Field::of_entities().find(|(_, of)| of == kind).map(|(field, _)| field);
                    let named = &words[at..at + length].join(" ");
                    let reference = self.facet_clause(named, Facet::of_entities(*kind), vec![id.clone()], "exact")?;
                    self.heard.push(text.clone());
                    self.hints.beyond =
                        field.map(|field| Beyond { field, reference, is_faster: operator == Operator::Greater });
                    return Ok(Some((taken, None)));
                }
                Limited::Size if *kind == EntityKind::Network => {
                    self.of_size_of(Fact::Parameters, &text, &id, operator)?
                }
                Limited::Size if *kind == EntityKind::Dataset => {
                    self.of_size_of(Fact::TrainSize, &text, &id, operator)?
                }
                Limited::Of(_) | Limited::Size => continue,
            };
            self.hints.compared_with = Some(id);
            if clause.is_none() {
                self.leave_out(&format!("{} {entity}", words[..lead].join(" ")));
                self.has_unmet_limits = true;
            }
            return Ok(Some((taken, clause)));
        }
        Ok(None)
    }

    /// `and have more memory` behind `cheaper than the 3080`: than the same.
    fn limit_by_same(&mut self, words: &[&str]) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        let (Some(id), Some(first)) = (self.hints.compared_with.clone(), words.first()) else { return Ok(None) };
        let first = plain(first);
        let Some(operator) = of_size(&first) else { return Ok(None) };
        let Some((length, aspects)) = named(&words[1..]) else { return Ok(None) };
        let taken = 1 + length;
        let fact = aspects.into_iter().find_map(|aspect| match aspect {
            Aspect::Fact(fact) if is_number(fact) => Some(fact),
            _ => None,
        });
        let Some(fact) = fact.filter(|_| words.get(taken).is_none_or(|next| plain(next) != "than")) else {
            return Ok(None);
        };
        let text = words[..taken].join(" ");
        let clause = self.of_size_of(fact, &text, &id, operator)?;
        if clause.is_none() {
            self.leave_out(&text);
            self.has_unmet_limits = true;
        }
        Ok(Some((taken, clause)))
    }

    /// Whether something stands in front that the entity is compared with, so that it is a side and no limit.
    fn stands_against(&self, sentence: &Sentence<'_>) -> bool {
        let is_entity = |key: &str| KINDS.iter().any(|kind| Facet::of_entities(*kind).key() == key);
        // `gpus faster than …`: a word for a class is what is limited, too.
        sentence.names.iter().any(|name| !is_noun_of_devices(&plain(name)))
            || sentence.read.iter().enumerate().any(|(at, read)| {
                // `phones older than …`: a word for devices is what is limited.
                let is_word = sentence.class_words.contains(&at);
                is_entity(kind_of(&read.clause)) && !read.clause.is_excluded() && !is_word
            })
    }

    /// The devices of the architectures of the same maker that came out after another one of its, or before.
    fn of_age_of_architecture(
        &mut self,
        text: &str,
        architecture: &str,
        operator: Operator,
    ) -> Result<Option<Clause>, QueryError> {
        let devices: Vec<Device> = self.stores.database.entities()?;
        let is_of = |device: &&Device| device.architecture.as_deref() == Some(architecture);
        let makers: BTreeSet<Option<&str>> = devices.iter().filter(is_of).map(|one| one.vendor.as_deref()).collect();
        let of_maker = |device: &&Device| makers.contains(&device.vendor.as_deref());
        let first = |name: &str| {
            let own = devices.iter().filter(of_maker).filter(|device| device.architecture.as_deref() == Some(name));
            own.filter_map(|device| device.release_date).min()
        };
        let Some(limit) = first(architecture) else { return Ok(None) };
        let others: BTreeSet<&str> =
            devices.iter().filter(of_maker).filter_map(|device| device.architecture.as_deref()).collect();
        let passing = others.into_iter().filter(|name| first(name).is_some_and(|date| passes(date, limit, operator)));
        let values: Vec<String> = passing.map(str::to_owned).collect();
        if values.is_empty() {
            return Ok(None);
        }
        self.facet_clause(text, Facet::Architecture, values, "alias").map(Some)
    }

    /// The entities that came out after another one, or before.
    fn of_age_of(
        &mut self,
        kind: EntityKind,
        text: &str,
        id: &str,
        operator: Operator,
    ) -> Result<Option<Clause>, QueryError> {
        let fact = match kind {
            EntityKind::Network => Fact::Published,
            EntityKind::Framework => Fact::FirstRelease,
            _ => Fact::Released,
        };
        let stated: Vec<(String, Date)> = self
            .words_stated(kind, fact)?
            .into_iter()
            .filter_map(|(id, words)| Some((id, words.first()?.parse().ok()?)))
            .collect();
        let own = self.lineage(kind, id)?;
        let Some(limit) = stated.iter().filter(|(id, _)| own.contains(id)).map(|(_, date)| *date).min() else {
            return Ok(None);
        };
        let stating: BTreeSet<&String> = stated.iter().map(|(id, _)| id).collect();
        let mut ids = BTreeSet::new();
        for (id, _) in stated.iter().filter(|(id, date)| passes(*date, limit, operator) && !own.contains(id)) {
            ids.insert(id.clone());
            // What a family states holds for the members that say nothing of it.
            let members = self.stores.database.descendants(kind, id)?;
            ids.extend(members.into_iter().filter(|member| !stating.contains(member)));
        }
        let ids: Vec<String> = ids.into_iter().collect();
        let filter = filter_text(Facet::of_entities(kind), &ids);
        let condition = self.naming(kind, ids)?;
        let shown = format!("{}{limit}", operator.sign());
        Ok(Some(Clause::of(text, fact.key(), vec![shown], filter, condition)))
    }

    /// The entities of which a number lies beyond that of another one: of a family that differs in it, beyond all its members.
    fn of_size_of(
        &mut self,
        fact: Fact,
        text: &str,
        id: &str,
        operator: Operator,
    ) -> Result<Option<Clause>, QueryError> {
        let own = self.lineage(fact.kind(), id)?;
        let stated = self.words_stated(fact.kind(), fact)?;
        let numbers = stated.iter().filter(|(id, _)| own.contains(id));
        let numbers = numbers.filter_map(|(_, words)| words.first()?.parse::<f64>().ok());
        let limit = match operator {
            Operator::Less | Operator::LessOrEqual => numbers.reduce(f64::min),
            _ => numbers.reduce(f64::max),
        };
        let Some(limit) = limit else { return Ok(None) };
        let bounds: (Bound<f64>, Bound<f64>) = bounds_of(operator, limit);
        self.sized(text, Aspect::Fact(fact), bounds)
    }

    /// An entity with its members, or, of a member that may state nothing itself, with its family.
    fn lineage(&self, kind: EntityKind, id: &str) -> Result<BTreeSet<String>, QueryError> {
        let mut own: BTreeSet<String> = self.stores.database.descendants(kind, id)?.into_iter().collect();
        own.insert(id.to_owned());
        if own.len() == 1 {
            own.extend(self.stores.database.ancestors(kind, id)?);
        }
        Ok(own)
    }
}

/// Whether a date lies on the side of another one that is asked for, for certain.
fn passes(date: Date, limit: Date, operator: Operator) -> bool {
    match operator {
        Operator::Less | Operator::LessOrEqual => date.is_before(limit),
        _ => limit.is_before(date),
    }
}
