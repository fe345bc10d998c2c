//! What became of something: the sentences of the catalog's notes on it, and on others that name it, with what holds of it today.

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry};
use crate::ask::conclude::basis::fact_entries::overview_entries;
use crate::ask::conclude::basis::fact_wording::value_in_words;
use crate::ask::conclude::basis::named::{NamedEntity, named_entities};
use crate::ask::conclude::basis::noted::{Noted, has_any, noted, noted_of, quoted, sentences};
use crate::ask::question::{QueryError, Question};
use crate::model::Fact;
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::and_list;

/// Words of sentences that say what became of something.
const OF_HISTORY: &[&str] = &[
    "merged",
    "merging",
    "became",
    "become",
    "renamed",
    "fork",
    "forked",
    "forks",
    "archived",
    "moved",
    "successor",
    "predecessor",
    "successors",
    "joined",
    "end",
    "ends",
    "ended",
    "maintained",
    "maintenance",
    "replaced",
    "replaces",
    "superseded",
    "carry",
    "continued",
    "continues",
    "removing",
    "removed",
    "stopped",
    "discontinued",
    "acquired",
    "bought",
    "retired",
    "deprecated",
    "today",
    "now called",
    "part of",
    "in its time",
    "grew out",
    "formerly",
];

/// So many sentences of others are told, and so many of its own.
const MOST_OF_OTHERS: usize = 2;
const MOST_OWN: usize = 3;

/// Tells what became of what the question names.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let mut told = Vec::new();
    let mut entries = Vec::new();
    let mut names = Vec::new();
    for entity in &named {
        names.extend(noted_of(stores, entity)?.map(|noted| (entity, noted)));
    }
    // Who names two asks what the one has to do with the other.
    let others_of = |entity: &NamedEntity| -> Vec<&str> {
        names.iter().filter(|(other, _)| *other != entity).map(|(_, noted)| noted.name.as_str()).collect()
    };
    let mut linked = Vec::new();
    for (entity, noted) in &names {
        let others = others_of(entity);
        let own: Vec<String> =
            sentences(&noted.notes).filter(|sentence| !others.is_empty() && has_any(sentence, &others)).collect();
        if !own.is_empty() {
            linked.push(format!("Of {}, the catalog notes: {}", noted.name, quoted(&own)));
            entries.extend(status(stores, entity)?);
        }
    }
    if !linked.is_empty() {
        return Ok(Conclusion { text: linked.join(" "), entries });
    }
    if names.len() > 1 {
        let all: Vec<&str> = names.iter().map(|(_, noted)| noted.name.as_str()).collect();
        told.push(format!("The notes on {} say nothing of the others.", and_list(&all)));
    }
    for (entity, noted) in &names {
        let (sentence, own) = of_one(stores, entity, noted)?;
        told.push(sentence);
        entries.extend(own);
    }
    if told.is_empty() {
        told.push("Of what the question names no history is kept.".to_owned());
    }
    Ok(Conclusion { text: told.join(" "), entries })
}

/// What is told of one: its status, what its notes say, and what the notes of others of its kind say of it.
pub(super) fn of_one(stores: &Stores, entity: &NamedEntity, own: &Noted) -> Result<(String, Vec<Entry>), QueryError> {
    let entries = status(stores, entity)?;
    let status = entries.first().and_then(value_in_words).map_or_else(String::new, |status| format!(" ({status})"));
    let mut said: Vec<String> =
        sentences(&own.notes).filter(|sentence| has_any(sentence, OF_HISTORY)).take(MOST_OWN).collect();
    let mut text = match said.is_empty() {
        true => String::new(),
        false => format!("{}{status}, as the catalog notes: {}", own.name, quoted(&said)),
    };
    let others = of_others(stores, entity, own)?;
    for (name, sentence) in &others {
        let lead = if text.is_empty() { format!("{}{status}: the", own.name) } else { " The".to_owned() };
        text.push_str(&format!("{lead} notes on {name} say: {}", quoted(std::slice::from_ref(sentence))));
        said.push(sentence.clone());
    }
    if said.is_empty() {
        text = format!("Nothing is noted of what became of {}{status}.", own.name);
    }
    Ok((text, entries))
}

/// The status of a framework, as an entry.
fn status(stores: &Stores, entity: &NamedEntity) -> Result<Vec<Entry>, QueryError> {
    match entity.kind {
        EntityKind::Framework => overview_entries(stores, entity, &[Fact::Maturity]),
        _ => Ok(Vec::new()),
    }
}

/// What the notes on other frameworks say of one, and what became of it.
fn of_others(stores: &Stores, entity: &NamedEntity, own: &Noted) -> Result<Vec<(String, String)>, QueryError> {
    let mut found = Vec::new();
    if entity.kind != EntityKind::Framework {
        return Ok(found);
    }
    for id in stores.database.ids(entity.kind)? {
        let Some(other) = noted(stores, entity.kind, &id)?.filter(|_| id != entity.id) else { continue };
        // PyTorch is no Torch: the name stands as words of its own, which `has_any` heeds.
        let names = [own.name.as_str()];
        let of_it = sentences(&other.notes).find(|one| has_any(one, &names) && has_any(one, OF_HISTORY));
        found.extend(of_it.map(|sentence| (other.name.clone(), sentence)));
        if found.len() == MOST_OF_OTHERS {
            break;
        }
    }
    Ok(found)
}
