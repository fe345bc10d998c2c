//! What has the same of something as a named entity: `same architecture as the 1080 Ti`, `the licence that PyTorch has`. The value is
//! read off the catalog and said first; what has it, the named one left out, is what the words mean.

use std::collections::BTreeSet;

use super::clause::{Clause, filter_text};
use super::error::QueryError;
use super::hints::AskedQuantity;
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::question::Quantity;
use super::sentence::Sentence;
use super::vocabulary::{Meaning, longest_phrase, plain, plain_words};
use crate::model::{Facet, Fact};
use crate::stores::resolve::named as names_of;
use crate::values::EntityKind;
use crate::values::text::and_list;

/// Words that ask for what is alike.
const LEADS: &[&str] = &["same", "identical", "share", "shares", "sharing"];

/// Words between them and the fact.
const BEFORE_FACT: &[&str] = &["its", "their", "the", "an", "a", "exact"];

/// Words between the fact and the name, of which one links both.
const LINKS: &[&str] = &["as", "like", "with", "of", "to"];
const BEFORE_NAME: &[&str] = &["as", "like", "with", "of", "to", "a", "an", "the", "that", "used", "by", "in"];

/// Facts by nouns that stand for other things elsewhere.
const NOUNS: &[(&str, Fact)] = &[
    ("chip", Fact::Chip),
    ("die", Fact::Chip),
    ("silicon", Fact::Chip),
    ("gpu", Fact::Chip),
    ("generation", Fact::Architecture),
    ("process", Fact::Process),
    ("node", Fact::Process),
    ("family", Fact::Family),
    ("hardware", Fact::Hardware),
];

/// Kinds of entities that have facts in common.
const KINDS: &[EntityKind] = &[EntityKind::Device, EntityKind::Network, EntityKind::Framework, EntityKind::Dataset];

impl Interpreter<'_> {
    /// The entities with the same value of a fact as another one, where these words say so, and how many of them do.
    pub(super) fn same_as_entity(
        &mut self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Clause)>, QueryError> {
        if !LEADS.contains(&plain(words[0]).as_str()) || !sentence.names.is_empty() {
            return Ok(None);
        }
        let skip = |at: usize, fillers: &[&str]| {
            at + words[at..].iter().take_while(|word| fillers.contains(&plain(word).as_str())).count()
        };
        let at = skip(1, BEFORE_FACT);
        let Some((length, asked)) = words.get(at..).and_then(fact_at) else { return Ok(None) };
        let link = skip(at + length, &["process", "node", "size"]);
        let name = skip(link, BEFORE_NAME);
        let links = words[link..name].iter().any(|word| LINKS.contains(&plain(word).as_str()));
        let Some(rest) = words.get(name..).filter(|rest| links && !rest.is_empty()) else { return Ok(None) };
        let taken = name + self.longest_name(rest)?;
        if taken == name {
            return Ok(None);
        }
        let names = names_of(&words[name..taken], &self.stores.database)?;
        let text = words[..taken].join(" ");
        for kind in KINDS {
            let Some(id) = names.iter().find(|one| one.facet == Facet::of_entities(*kind)).map(|one| &one.value) else {
                continue;
            };
            let facts = asked.of_kind(*kind);
            if facts.is_empty() {
                continue;
            }
            if self.about.is_none() && self.hints.nouns.is_empty() {
                self.about = Some((text.clone(), *kind));
            }
            return self
                .alike(*kind, &text, &plain_words(&words[name..taken].join(" ")), id, &facts)
                .map(|clause| Some((taken, clause)));
        }
        Ok(None)
    }

    /// The entities that have one of some facts, the first that is stated, as another one has it; that one itself where it states
    /// none, which is said.
    fn alike(
        &mut self,
        kind: EntityKind,
        text: &str,
        called: &str,
        id: &str,
        facts: &[Fact],
    ) -> Result<Clause, QueryError> {
        let mut own: BTreeSet<String> = self.stores.database.descendants(kind, id)?.into_iter().collect();
        own.insert(id.to_owned());
        let families = self.stores.database.ancestors(kind, id)?;
        for &fact in facts {
            let stated = self.words_stated(kind, fact)?;
            let values_of = |ids: &dyn Fn(&String) -> bool| -> BTreeSet<&Vec<String>> {
                stated.iter().filter(|(of, words)| ids(of) && !words.is_empty()).map(|(_, words)| words).collect()
            };
            let mut values = values_of(&|of| own.contains(of));
            if values.is_empty() {
                values = values_of(&|of| families.contains(of));
            }
            if values.is_empty() {
                continue;
            }
            let alike: BTreeSet<&String> =
                stated.iter().filter(|(_, words)| values.contains(words)).map(|(of, _)| of).collect();
            let stating: BTreeSet<&String> =
                stated.iter().filter(|(_, words)| !words.is_empty()).map(|(of, _)| of).collect();
            let mut ids: BTreeSet<String> = BTreeSet::new();
            for of in alike.into_iter().filter(|of| !own.contains(*of) && !families.contains(of)) {
                ids.insert(of.clone());
                // What a family states holds for the members that say nothing of it.
                let members = self.stores.database.descendants(kind, of)?;
                ids.extend(members.into_iter().filter(|member| !stating.contains(member) && !own.contains(member)));
            }
            let said: Vec<String> = values.iter().map(|words| words.join(", ")).collect();
            let (name, unit) = name_and_unit(fact);
            let others = if ids.is_empty() { " Nothing else here is known to have the same." } else { "" };
            self.hints.leads.push(format!("The {name} of `{called}`: {}{unit}.{others}", and_list(&said)));
            if ids.is_empty() {
                break;
            }
            let ids: Vec<String> = ids.into_iter().collect();
            let filter = filter_text(Facet::of_entities(kind), &ids);
            let condition = self.naming(kind, ids)?;
            return Ok(Clause::of(text, fact.key(), said, filter, condition));
        }
        if self.hints.leads.is_empty() {
            let (name, _) = name_and_unit(facts[0]);
            self.hints
                .leads
                .push(format!("The {name} of `{called}` is not known, so nothing is known to have the same."));
        }
        self.facet_clause(text, Facet::of_entities(kind), vec![id.to_owned()], "exact")
    }
}

/// What a fact is called, and its unit with a blank in front.
fn name_and_unit(fact: Fact) -> (String, String) {
    match fact.heading().split_once(" [") {
        Some((name, unit)) => (name.to_owned(), format!(" {}", unit.trim_end_matches(']'))),
        None => (fact.heading().to_owned(), String::new()),
    }
}

/// The fact that words begin with.
enum FactAsked {
    Fact(Fact),
    InContext(AskedQuantity),
}

impl FactAsked {
    /// The facts that it is of entities of a kind.
    fn of_kind(&self, kind: EntityKind) -> Vec<Fact> {
        let context = match kind {
            EntityKind::Device => Context { devices: true, ..Context::default() },
            EntityKind::Network => Context { networks: true, ..Context::default() },
            EntityKind::Framework => Context { frameworks: true, ..Context::default() },
            _ => Context { datasets: true, ..Context::default() },
        };
        let facts: Vec<Fact> = match self {
            Self::Fact(fact) => vec![*fact],
            Self::InContext(asked) => {
                let asked = asked.quantities(context);
                asked
                    .into_iter()
                    .filter_map(|quantity| match quantity {
                        Quantity::Fact(fact) => Some(fact),
                        _ => None,
                    })
                    .collect()
            }
        };
        facts
    }
}

fn fact_at(words: &[&str]) -> Option<(usize, FactAsked)> {
    let first = plain(words.first()?);
    if let Some((_, fact)) = NOUNS.iter().find(|(noun, _)| *noun == first) {
        return Some((1, FactAsked::Fact(*fact)));
    }
    let (taken, meaning) = longest_phrase(words)?;
    let asked = match meaning {
        Meaning::Asks(named) => AskedQuantity::InContext(named),
        Meaning::AsksFor(quantity) => AskedQuantity::Only(quantity),
        _ => return None,
    };
    Some((taken, FactAsked::InContext(asked)))
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    #[test]
    fn what_is_the_same_is_read_off_the_catalog_and_said() {
        let sample = Sample::of(&[]);
        let read = understand("frameworks with the same license as firelight", &sample.stores).unwrap();
        assert_eq!(read.wanted.leads.len(), 1, "{:?}", read.wanted.leads);
        assert!(read.wanted.leads[0].contains("MIT"), "{:?}", read.wanted.leads);
        assert!(read.ignored.is_empty(), "{:?}", read.ignored);
    }
}
