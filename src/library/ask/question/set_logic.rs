//! What is to hold over all rows of an entity that is listed, or over all values of a fact of its: measured on both, on neither,
//! only on one.

use std::collections::BTreeSet;

use super::claims::claimed_fact;
use super::clause::{Clause, STATED, combine, filter_text, joined, negated, quoted};
use super::error::QueryError;
use super::facing::kind_of;
use super::hints::{Hints, Mention};
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::question::{Quantity, Wanted};
use super::vocabulary::{Cue, plain};
use crate::model::{Aspect, Device, Facet, Fact, Field};
use crate::rows::Note;
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::spelling::normalise;

impl Interpreter<'_> {
    /// `without tensor cores`: what the catalog states none of, which is said.
    pub(super) fn exclude_facts(&mut self, clauses: &mut Vec<Clause>, hints: &Hints) -> Result<(), QueryError> {
        let listed = self.about.as_ref().map(|(_, kind)| *kind).or_else(|| hints.kinds.first().copied());
        let of_listed = match listed {
            Some(EntityKind::Network) => Context { networks: true, ..Context::default() },
            Some(EntityKind::Dataset) => Context { datasets: true, ..Context::default() },
            _ => Context { devices: true, ..Context::default() },
        };
        for mention in &hints.mentions {
            let Some(without) = &mention.without else { continue };
            let number = |quantity: &Quantity| match quantity {
                Quantity::Fact(fact) if fact.unit().is_some() && Fact::filter(fact.key()).is_some() => Some(*fact),
                _ => None,
            };
            let Some(fact) = mention.asked.quantities(of_listed).iter().find_map(number) else {
                // `sources with no accuracy`: of rows it is known whether they state a metric.
                match metrics_of(mention) {
                    Some(stated) => clauses.push(negated(stated)),
                    None if let Some(stated) = self.stating_words(mention, hints)? => {
                        clauses.push(negated(stated));
                        self.notes.push(Note::StatesNone { text: format!("{without} {}", mention.text) });
                    }
                    None => self.leave_out(&format!("{without} {}", mention.text)),
                }
                continue;
            };
            clauses.push(negated(self.having(fact, &mention.text)?));
            self.notes.push(Note::StatesNone { text: format!("{without} {}", mention.text) });
        }
        Ok(())
    }

    /// `which GPUs have tensor cores`: those of which the catalog states some.
    pub(super) fn require_facts(
        &mut self,
        clauses: &mut Vec<Clause>,
        wanted: &Wanted,
        hints: &Hints,
    ) -> Result<(), QueryError> {
        let has = |(text, cue): &(String, Cue)| *cue == Cue::Support && matches!(plain(text).as_str(), "have" | "has");
        let asks_for_those = hints.has(Cue::Which) && hints.turns.iter().any(has) && !hints.asks_how;
        // `which cost less than the 3080 and have …`: what stands in front is not what they are to have.
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let at = |text: &str| {
            let text: Vec<String> = text.split_whitespace().map(plain).collect();
            words.windows(text.len().max(1)).rposition(|window| window == text)
        };
        let had = hints.turns.iter().filter(|turn| has(turn)).find_map(|(text, _)| at(text));
        let stands_behind = |mention: &Mention| at(&mention.text) > had;
        let [Quantity::Fact(fact)] = wanted.quantities.as_slice() else { return Ok(()) };
        let [mention] = hints.mentions.as_slice() else { return Ok(()) };
        // `which have HBM3 memory`: its type says that they have some.
        let is_said = *fact == Fact::Memory && clauses.iter().any(|clause| kind_of(clause) == Fact::MemoryType.key());
        let is_number = fact.unit().is_some() && Fact::filter(fact.key()).is_some() && !is_said;
        let is_asked = asks_for_those && mention.without.is_none() && stands_behind(mention);
        if is_asked && is_number && wanted.superlative.is_none() {
            clauses.push(self.having(*fact, &mention.text)?);
        }
        Ok(())
    }

    /// What the rows of each listed entity must have, and must not: a single row meets only one of two devices.
    pub(super) fn over_all_rows(
        &mut self,
        clauses: &mut Vec<Clause>,
        wanted: &mut Wanted,
        hints: &Hints,
    ) -> Result<(), QueryError> {
        let of_candidates = wanted.candidates.and_then(|aspect| match aspect {
            Aspect::Field(field) => Field::of_entities().find(|(of, _)| *of == field).map(|(_, kind)| kind),
            Aspect::Source => Some(EntityKind::Source),
            _ => None,
        });
        let Some(kind) = self.about.as_ref().map(|(_, kind)| *kind).or(of_candidates) else { return Ok(()) };
        if wanted.unmeasured {
            self.without_rows_of(kind, clauses, wanted)?;
        }
        if kind == EntityKind::Framework && hints.has(Cue::Support) {
            clauses.iter_mut().for_each(on_each_class);
        }
        let all = Condition::All(clauses.iter().map(|clause| clause.condition.clone()).collect());
        let of_catalog = !self.stores.index.entities(kind, &all)?.is_empty();
        if of_catalog {
            for clause in clauses.iter_mut() {
                self.stated_alternatives(kind, clause)?;
            }
        }
        let mut stated: Vec<Clause> = Vec::new();
        for clause in clauses.iter() {
            let (positive, is_excluded) = match &clause.condition {
                Condition::Not(inner) => ((**inner).clone(), true),
                condition => (condition.clone(), false),
            };
            let is_own = !self.stores.index.entities(kind, &positive)?.is_empty();
            let is_metric = kind_of(clause) == Facet::Metric.key();
            let is_only = hints.exclusive.iter().any(|text| is_named(clause, text));
            match (is_excluded, is_own) {
                // `inference with neither batch nor precision, which sources do that`: of the rows it is said.
                (true, false) if kind == EntityKind::Source && says_unstated(clause) && !self.says_of_sources() => {}
                (true, false) => wanted.none_of.push(Clause { condition: positive, ..clause.clone() }),
                // Of what is not stated it is not known that it is not so.
                (true, true) if of_catalog => stated.extend(self.stating(kind, clause)?),
                (false, true) if is_only => stated.extend(self.only_so(kind, clause)?),
                (false, false) if is_only => {
                    let condition = Condition::Not(Box::new(positive));
                    let text = format!("anything but {}", clause.text);
                    wanted.none_of.push(Clause { text, condition, ..clause.clone() });
                }
                (false, false) if hints.at_least.is_some() && clause.readings.len() > 1 => {
                    for reading in &clause.readings {
                        if wanted.each_of.iter().all(|known| known.equivalent != reading.equivalent) {
                            wanted.each_of.push(reading.clone().clause());
                        }
                    }
                    wanted.at_least = hints.at_least.filter(|least| *least < wanted.each_of.len());
                }
                (false, false) if hints.has(Cue::Both) && is_metric => {
                    wanted.each_of.extend(hints.mentions.iter().filter_map(metrics_of));
                }
                (false, false) if hints.has(Cue::Both) && clause.readings.len() > 1 => {
                    // Android and iOS are both `mobile`.
                    for reading in &clause.readings {
                        if wanted.each_of.iter().all(|known| known.equivalent != reading.equivalent) {
                            wanted.each_of.push(reading.clone().clause());
                        }
                    }
                }
                _ => {}
            }
        }
        stated.dedup_by(|later, first| later.text == first.text);
        clauses.append(&mut stated);
        Ok(())
    }

    /// Whether what is said behind a word for sources is said of them: `sources that state neither driver nor cuda`.
    fn says_of_sources(&self) -> bool {
        const SOURCES: &[&str] = &["source", "sources", "papers", "studies", "articles", "publications", "benchmarks"];
        const SAYING: &[&str] = &[
            "that",
            "which",
            "who",
            "without",
            "with",
            "state",
            "states",
            "stating",
            "lacking",
            "lack",
            "have",
            "not",
            "give",
            "gives",
            "giving",
            "report",
            "reports",
            "reporting",
            "mention",
            "name",
            "specify",
            "list",
            "leave",
            "leaving",
            "omit",
            "omitting",
            "don't",
            "never",
            "neither",
        ];
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        // `which sources have them`
        let is_of_rows = |word: Option<&String>| {
            word.is_some_and(|word| matches!(word.as_str(), "them" | "these" | "those" | "such" | "it" | "this"))
        };
        let says = |at: usize| SOURCES.contains(&words[at].as_str()) && SAYING.contains(&words[at + 1].as_str());
        let denies = |at: usize| {
            SOURCES.contains(&words[at].as_str()) && words[at + 1..].starts_with(&["do".to_owned(), "not".to_owned()])
        };
        (1..words.len()).any(|behind| (says(behind - 1) || denies(behind - 1)) && !is_of_rows(words.get(behind + 1)))
    }

    /// `networks that nobody measured on TPUs`: what has no row that meets all that rows can meet.
    fn without_rows_of(
        &self,
        kind: EntityKind,
        clauses: &mut Vec<Clause>,
        wanted: &mut Wanted,
    ) -> Result<(), QueryError> {
        let mut of_rows = Vec::new();
        for clause in std::mem::take(clauses) {
            match self.stores.index.entities(kind, &clause.condition)?.is_empty() {
                true => of_rows.push(clause),
                false => clauses.push(clause),
            }
        }
        wanted.unmeasured = of_rows.is_empty();
        wanted.none_of.extend(combine(of_rows));
        Ok(())
    }

    /// Of alternatives that exclude something each holds for those alone that state it: `no Python API or no GPU support`.
    fn stated_alternatives(&self, kind: EntityKind, clause: &mut Clause) -> Result<(), QueryError> {
        let Condition::Any(alternatives) = &mut clause.condition else { return Ok(()) };
        if alternatives.len() != clause.readings.len() {
            return Ok(());
        }
        for (alternative, reading) in alternatives.iter_mut().zip(&clause.readings) {
            if !matches!(alternative, Condition::Not(_)) {
                continue;
            }
            if let Some(stated) = self.stating(kind, &reading.clone().clause())? {
                *alternative = Condition::All(vec![alternative.clone(), stated.condition]);
            }
        }
        Ok(())
    }

    /// The entities that state the fact which a clause is about; `None` where all do.
    fn stating(&self, kind: EntityKind, clause: &Clause) -> Result<Option<Clause>, QueryError> {
        // Who asks for those that state none wants no others.
        if clause.readings.iter().all(|reading| reading.read_as.values == [STATED]) {
            return Ok(None);
        }
        let Some(fact) = fact_of(kind, clause).filter(|fact| fact.unit().is_none()) else { return Ok(None) };
        let all = self.words_stated(kind, fact)?;
        let mut stating: BTreeSet<String> =
            all.iter().filter(|(_, words)| !words.is_empty()).map(|(id, _)| id.clone()).collect();
        if stating.is_empty() {
            return Ok(None);
        }
        let mut maker = None;
        if kind == EntityKind::Device {
            // A member has what its family states.
            for (id, _) in all.iter().filter(|(_, words)| words.is_empty()) {
                if self.stores.database.ancestors(kind, id)?.iter().any(|family| stating.contains(family)) {
                    stating.insert(id.clone());
                }
            }
            if fact == Fact::Architecture {
                maker = self.only_maker(clause)?;
            }
        }
        if let Some(maker) = &maker {
            let of_others = Condition::Not(Box::new(Condition::Facet(Facet::Vendor, vec![maker.clone()])));
            stating.extend(self.stores.index.entities(kind, &of_others)?);
        }
        if stating.len() == all.len() {
            return Ok(None);
        }
        let values: BTreeSet<String> = all.iter().flat_map(|(_, words)| words).map(|word| quoted(word)).collect();
        let values: Vec<String> = values.into_iter().collect();
        let mut stated = self.of_entities(kind, fact, STATED, &values.join(","), stating)?;
        if let Some(maker) = maker {
            let of_others = format!("-{}", filter_text(Facet::Vendor, &[maker]));
            for reading in &mut stated.readings {
                reading.equivalent = format!("({} OR {of_others})", reading.equivalent);
            }
            stated.equivalent = format!("({} OR {of_others})", stated.equivalent);
        }
        Ok(Some(stated))
    }

    /// The one maker of all devices of the architecture that a clause excludes: devices of others have none of his, whatever they
    /// state. `None` where several make devices of it.
    fn only_maker(&self, clause: &Clause) -> Result<Option<String>, QueryError> {
        let Condition::Not(excluded) = &clause.condition else { return Ok(None) };
        let excluded = self.stores.index.entities(EntityKind::Device, excluded)?;
        let mut makers: BTreeSet<String> = BTreeSet::new();
        for id in &excluded {
            let device: Option<Device> = self.stores.database.entity(id)?;
            makers.extend(device.and_then(|device| device.vendor));
        }
        Ok(if makers.len() == 1 { makers.pop_first() } else { None })
    }

    /// The entities that state what a clause asks for and nothing else.
    fn only_so(&self, kind: EntityKind, clause: &Clause) -> Result<Option<Clause>, QueryError> {
        let Some(fact) = fact_of(kind, clause) else { return Ok(None) };
        let asked = clause.readings.iter().flat_map(|reading| &reading.read_as.values);
        let asked: Vec<String> = asked.map(|value| normalise(value)).collect();
        let is_asked = |word: &String| asked.contains(&normalise(word));
        let all = self.words_stated(kind, fact)?;
        let only = all.into_iter().filter(|(_, words)| !words.is_empty() && words.iter().all(is_asked));
        let only: BTreeSet<String> = only.map(|(id, _)| id).collect();
        self.of_entities(kind, fact, "only", "*", only).map(Some)
    }
}

/// Whether a clause says no more than that something is not stated.
fn says_unstated(clause: &Clause) -> bool {
    clause.readings.iter().all(|reading| reading.read_as.values == [STATED])
}

/// Classes that are named together are all supported: a row ran on one, and a framework runs on several.
fn on_each_class(clause: &mut Clause) {
    let is_of_classes = clause.plain_kind() == Some(Facet::Class.key()) && clause.readings.len() > 1;
    if !is_of_classes || clause.text.contains(" or ") {
        return;
    }
    clause.equivalent = joined(clause.readings.iter().map(|reading| reading.equivalent.as_str()));
    clause.condition = Condition::All(clause.readings.iter().map(|reading| reading.condition.clone()).collect());
}

/// The rows that state any of the metrics that a name asks for.
fn metrics_of(mention: &Mention) -> Option<Clause> {
    let metric = |quantity: &Quantity| match quantity {
        Quantity::Metric(metric) => Some(metric.key().to_owned()),
        _ => None,
    };
    let keys: Vec<String> = mention.asked.quantities(Context::default()).iter().filter_map(metric).collect();
    let condition = Condition::Facet(Facet::Metric, keys.clone());
    let filter = filter_text(Facet::Metric, &keys);
    (!keys.is_empty()).then(|| Clause::of(&mention.text, Facet::Metric.key(), keys, filter, condition))
}

/// The fact of entities of a kind that a clause is about.
fn fact_of(kind: EntityKind, clause: &Clause) -> Option<Fact> {
    // Data sets have a task as networks do.
    let is_of = |fact: Fact| fact.kind() == kind || fact == Fact::Task && kind == EntityKind::Dataset;
    let of = |key: &str| {
        let of_frameworks = claimed_fact(key).filter(|_| kind == EntityKind::Framework);
        of_frameworks.or_else(|| key.parse().ok()).filter(|fact: &Fact| is_of(*fact))
    };
    clause.readings.iter().find_map(|reading| of(&reading.read_as.facet))
}

/// Whether a clause, or what it joins, was said in some words.
fn is_named(clause: &Clause, text: &str) -> bool {
    clause.text == text || clause.readings.iter().any(|reading| reading.read_as.text == text)
}
