//! A fact of some entities as a sentence: `TDP of T4: 70 W; V100: 250 W (PCIe), 300 W (SXM2) (source).`

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::yes_or_no::{expected, yes_or_no};
use crate::ask::conclude::basis::conclusion::{Entry, EntryValue};
use crate::ask::conclude::basis::fact_entries::{entry, sources_of, statements};
use crate::ask::conclude::basis::fact_wording::{fact_name, unit_of, value_text};
use crate::ask::conclude::basis::named::NamedEntity;
use crate::ask::conclude::basis::statement::{Statement, statement};
use crate::ask::question::{QueryError, Question};
use crate::model::{Device, Fact};
use crate::stores::Stores;
use crate::values::billions_said;
use crate::values::spelling::normalise;
use crate::values::text::{and_list, capital, some_of};

/// More entities than this are summed up in the sentence.
const MOST_IN_SENTENCE: usize = 6;

/// So many relatives are told that state what the entity asked about does not.
const MOST_RELATIVES: usize = 3;

/// A sentence about a fact of some entities, and an entry for each that states it.
pub(in crate::ask::conclude) fn tell(
    stores: &Stores,
    question: &Question,
    entities: &[NamedEntity],
    fact: Fact,
) -> Result<(String, Vec<Entry>), QueryError> {
    let name = fact_name(fact);
    if entities.is_empty() {
        return Ok((format!("The catalog has no {name} of anything that the question names."), Vec::new()));
    }
    let expected = expected(question, fact);
    let mut entries = Vec::new();
    let mut parts = Vec::new();
    let mut answers = Vec::new();
    let mut cited: Vec<Statement> = Vec::new();
    for entity in entities {
        let stated = statements(stores, entity, fact)?;
        let known: Vec<&Statement> = stated.iter().filter(|stated| stated.value.is_some()).collect();
        entries.extend(known.iter().map(|stated| entry(entity.kind, &stated.id, fact, stated)));
        let of = name_of(stores, entity, fact)?;
        answers.extend(yes_or_no(fact, &of, &known, expected.as_deref()));
        parts.push(match known.as_slice() {
            [] => match said_by_name(&entity.id, fact) {
                Some(said) => format!("{of}: not stated; by its name {said}"),
                None if fact == Fact::Price => format!("{of}: not known{}", unpriced(stores, entity)?),
                None => format!("{of}: not known{}", known_of_relatives(stores, entity, fact)?),
            },
            [only] => format!("{}: {}", only.name, with_unit(fact, only.value.as_ref())),
            several => format!("{of}: {}", by_value(several, fact)),
        });
        cited.extend(known.into_iter().cloned());
    }
    let is_few = parts.len() <= MOST_IN_SENTENCE;
    // Of no offers none is the cheapest.
    let name = if fact == Fact::Price && entries.is_empty() { "price per hour".to_owned() } else { name };
    let mut sentence = match (is_few, answers.len() == entities.len()) {
        (true, true) => answers.join("; "),
        (true, false) => format!("{} of {}", capital(&name), parts.join("; ")),
        (false, _) => summed_up(&name, fact, entities.len(), &cited),
    };
    if !is_few {
        // The largest first: who asks about many wants to see which.
        entries.sort_by(|a, b| entry_number(b).total_cmp(&entry_number(a)));
    }
    let sources = sources_of(&cited);
    if !sources.is_empty() {
        sentence.push_str(&format!(" ({})", said_by(&sources, &cited)));
    }
    sentence.push('.');
    if is_few {
        for stated in &cited {
            for (source, said) in &stated.others {
                sentence.push_str(&format!(" {source} says otherwise of {}: {said}.", stated.name));
            }
        }
    }
    Ok((sentence, entries))
}

/// Which instances hold a device without a price that is known: `; in the catalog without a price: p5.48xlarge (AWS, 8 x)`.
fn unpriced(stores: &Stores, entity: &NamedEntity) -> Result<String, QueryError> {
    let mut instances = Vec::new();
    for id in std::iter::once(&entity.id).chain(&entity.members) {
        let Some(device) = stores.database.entity::<Device>(id)? else { continue };
        instances.extend(device.cloud.iter().map(|offer| match offer.devices {
            Some(devices) => format!("{} ({}, {devices} x)", offer.instance, offer.provider),
            None => format!("{} ({})", offer.instance, offer.provider),
        }));
    }
    instances.sort();
    instances.dedup();
    Ok(match instances.as_slice() {
        [] => " (no cloud instance with it is in the catalog)".to_owned(),
        some => format!("; in the catalog without a price: {}", some_of(some, MOST_RELATIVES)),
    })
}

/// What the name of a network says of its parameters, as language models are called: `gpt-3-175b`.
fn said_by_name(id: &str, fact: Fact) -> Option<String> {
    if fact != Fact::Parameters {
        return None;
    }
    id.split('-').find_map(billions_said).map(|billions| format!("about {billions} x 10^9"))
}

fn entry_number(entry: &Entry) -> f64 {
    match entry.value {
        Some(EntryValue::Number(number)) => number,
        _ => f64::NEG_INFINITY,
    }
}

/// What relatives of an entity state that it does not state itself, its own members first: ` (known of YOLOv3-tiny: 2.8 G)`.
fn known_of_relatives(stores: &Stores, entity: &NamedEntity, fact: Fact) -> Result<String, QueryError> {
    let mut relatives: Vec<String> = entity.members.clone();
    for family in stores.database.ancestors(entity.kind, &entity.id)? {
        relatives.push(family.clone());
        let beginning = normalise(&entity.id);
        let members = stores.database.descendants(entity.kind, &family)?;
        relatives.extend(members.into_iter().filter(|member| normalise(member).contains(&beginning)));
    }
    let mut known = Vec::new();
    for relative in relatives.iter().filter(|relative| **relative != entity.id) {
        if known.len() < MOST_RELATIVES
            && let Some(stated) = statement(stores, entity.kind, relative, fact)?
            && stated.value.is_some()
        {
            let said = format!("{}: {}", stated.name, with_unit(fact, stated.value.as_ref()));
            if !known.contains(&said) {
                known.push(said);
            }
        }
    }
    Ok(if known.is_empty() { String::new() } else { format!(" (known of {})", and_list(&known)) })
}

/// `TDP is known of 143 of 200: 2 W (Coral) to 1000 W (B200)`.
fn summed_up(name: &str, fact: Fact, all: usize, stated: &[Statement]) -> String {
    let lead = format!("{} is known of {} ({all} asked about)", capital(name), stated.len());
    let numbers = || stated.iter().filter_map(|stated| Some((stated.number()?, stated)));
    let least = numbers().min_by(|a, b| a.0.total_cmp(&b.0));
    let largest = numbers().max_by(|a, b| a.0.total_cmp(&b.0));
    match (least, largest) {
        (Some((_, least)), Some((_, largest))) => {
            let said = |stated: &Statement| format!("{} ({})", with_unit(fact, stated.value.as_ref()), stated.name);
            format!("{lead}: {} to {}", said(least), said(largest))
        }
        _ => lead,
    }
}

/// `250 W (PCIe 16 GB, PCIe 32 GB), 300 W (SXM2 16 GB)`.
fn by_value(stated: &[&Statement], fact: Fact) -> String {
    let mut groups: IndexMap<String, Vec<&str>> = IndexMap::new();
    let mut ordered: Vec<&&Statement> = stated.iter().collect();
    ordered.sort_by(|a, b| a.number().unwrap_or(0.0).total_cmp(&b.number().unwrap_or(0.0)));
    for statement in ordered {
        groups.entry(with_unit(fact, statement.value.as_ref())).or_default().push(&statement.name);
    }
    if let [(only, of)] = groups.iter().collect::<Vec<_>>().as_slice() {
        return format!("{only} ({} variants alike)", of.len());
    }
    let group = |(value, of): (&String, &Vec<&str>)| match of.as_slice() {
        few if few.len() <= 3 => format!("{value} ({})", few.join(", ")),
        many => format!("{value} ({} variants)", many.len()),
    };
    groups.iter().map(group).collect::<Vec<_>>().join(", ")
}

pub(super) fn with_unit(fact: Fact, value: Option<&EntryValue>) -> String {
    let shown = value.map_or_else(|| "not known".to_owned(), value_text);
    match unit_of(fact) {
        Some(unit) if matches!(value, Some(EntryValue::Number(_))) => format!("{shown} {unit}"),
        _ => shown,
    }
}

fn name_of(stores: &Stores, entity: &NamedEntity, fact: Fact) -> Result<String, QueryError> {
    // One name may be that of a few.
    let mut names = Vec::new();
    for id in entity.id.split(',') {
        names.push(statement(stores, entity.kind, id, fact)?.map_or_else(|| id.to_owned(), |stated| stated.name));
    }
    Ok(and_list(&names))
}

/// `epoch-ai-2025 and apache/mxnet, read 2026-11-21`.
pub(super) fn said_by(sources: &[String], cited: &[Statement]) -> String {
    let accessed: BTreeMap<String, String> = cited
        .iter()
        .flat_map(|stated| &stated.citations)
        .filter_map(|citation| Some((citation.short_name(), citation.accessed.as_ref()?.to_string())))
        .collect();
    let named: Vec<String> = sources
        .iter()
        .take(2)
        .map(|source| match accessed.get(source) {
            Some(date) => format!("{source}, read {date}"),
            None => source.clone(),
        })
        .collect();
    match sources.len().saturating_sub(named.len()) {
        0 => and_list(&named),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
