//! What is known of an entity: its facts, what was measured on it, where it is best and worst.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::conclusion::{Conclusion, Entry, EntryValue};
use super::fact::{overview_entries, overview_facts};
use super::fact_wording::{capital, number_text, unit_of, value_text};
use super::found::Found;
use super::named::{NamedEntity, named_entities, subject_key};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Device, Fact, Field, HardwareClassRecord, Source, Value};
use crate::stores::Stores;
use crate::values::text::{and_list, counted};
use crate::values::{EntityKind, Grade};

/// The names of so many networks and devices are said.
const MOST_NAMES: usize = 3;

/// Tells what is known of the entities that were named.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, found: &Found<'_>) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let mut conclusion = Conclusion::default();
    let mut sentences = Vec::new();
    for entity in named.iter().take(MOST_NAMES) {
        let entries = overview_entries(stores, entity, overview_facts(entity.kind))?;
        sentences.extend(about(stores, entity, &entries)?);
        conclusion.entries.extend(entries);
    }
    sentences.extend(offers(stores, question)?);
    let subjects: IndexMap<String, Value> = named
        .iter()
        .map(|entity| (subject_key(entity.kind).to_owned(), Value::Text(entity.id.as_str().into())))
        .collect();
    let (measured, entry) = measured(stores, found, subjects, named.first().map(|entity| entity.kind))?;
    sentences.push(measured);
    conclusion.entries.extend(entry);
    if sentences.len() == 1 {
        // What is no entity of the catalog is named by the words that were read.
        let asked: Vec<String> =
            question.read_as().map(|read| format!("{} {}", read.facet, read.values.join(", "))).collect();
        if !asked.is_empty() {
            sentences.insert(0, format!("{}.", capital(&asked.join(", "))));
        }
    }
    conclusion.text = sentences.join(" ");
    Ok(conclusion)
}

/// What an entity is, in a sentence.
fn about(stores: &Stores, entity: &NamedEntity, entries: &[Entry]) -> Result<Option<String>, QueryError> {
    match entity.kind {
        EntityKind::HardwareClass => return of_class(stores, &entity.id),
        EntityKind::Source => {
            let source = stores.store.entity::<Source>(&entity.id)?;
            return Ok(source.map(|source| format!("{}: {}.", source.id, source.name)));
        }
        _ => {}
    }
    let Some(name) = super::fact::name(stores, entity)? else { return Ok(None) };
    let family = match entity.members.len() {
        0 => String::new(),
        members => format!(" (family of {members})"),
    };
    let facts: Vec<String> = entries.iter().filter_map(fact_in_words).collect();
    Ok(Some(match facts.is_empty() {
        true => format!("{name}{family}: no facts recorded."),
        false => format!("{name}{family}: {}.", facts.join(", ")),
    }))
}

/// `memory 16 to 32 GiB`, `Apache-2.0`.
fn fact_in_words(entry: &Entry) -> Option<String> {
    let fact = Fact::of_file_key(&entry.quantity)?;
    let value = match (&entry.value, entry.low, entry.high) {
        (Some(value), ..) => value_text(value),
        (None, Some(low), Some(high)) => {
            format!("{} to {}", number_text(low), number_text(high))
        }
        _ => return None,
    };
    let name = fact.heading().split_once(" [").map_or(fact.heading(), |(name, _)| name);
    Some(match (unit_of(fact), &entry.value) {
        (Some(unit), _) => format!("{name} {value} {unit}"),
        (None, Some(EntryValue::Flag(_) | EntryValue::Number(_) | EntryValue::List(_))) => format!("{name} {value}"),
        _ => value,
    })
}

/// A class by the grades in which it is high and low.
fn of_class(stores: &Stores, id: &str) -> Result<Option<String>, QueryError> {
    let Some(class) = stores.store.entity::<HardwareClassRecord>(id)? else { return Ok(None) };
    let with = |wanted: Grade| {
        let graded = class.grades.iter().filter(|(_, record)| record.grade == wanted);
        let names: Vec<String> = graded.map(|(metric, _)| metric.as_str().replace('-', " ")).collect();
        if names.is_empty() { "nothing".to_owned() } else { and_list(&names) }
    };
    Ok(Some(match class.grades.is_empty() {
        true => format!("{}: no grades are known.", class.name),
        false => format!(
            "{}: graded high in {}, low in {} (what high means: dlbench table hardware-metrics).",
            class.name,
            with(Grade::High),
            with(Grade::Low)
        ),
    }))
}

/// What a cloud instance holds and costs, where the question names one.
fn offers(stores: &Stores, question: &Question) -> Result<Option<String>, QueryError> {
    let instance = Field::Instance.key();
    let Some(wanted) = question.read_as().find(|read| read.facet == instance).and_then(|read| read.values.first())
    else {
        return Ok(None);
    };
    let devices: Vec<Device> = stores.store.entities()?;
    let offers = devices.iter().flat_map(|device| device.cloud.iter().map(move |offer| (device, offer)));
    let said = offers.filter(|(_, offer)| offer.instance.eq_ignore_ascii_case(wanted)).map(|(device, offer)| {
        let count = offer.devices.map_or_else(String::new, |devices| format!("{devices} x "));
        let price = offer.usd_per_hour.map_or_else(String::new, |price| format!(", {price} USD/h"));
        let date = offer.as_of.as_ref().map_or_else(String::new, |date| format!(" as of {date}"));
        format!("{wanted} ({}): {count}{}{price}{date} ({}).", offer.provider, device.name, offer.source)
    });
    let said: Vec<String> = said.collect();
    Ok((!said.is_empty()).then(|| said.join(" ")))
}

/// What was measured on it: rows, sources, networks or devices, years.
fn measured(
    stores: &Stores,
    found: &Found<'_>,
    subjects: IndexMap<String, Value>,
    kind: Option<EntityKind>,
) -> Result<(String, Option<Entry>), QueryError> {
    let total = found.hits.total;
    if total == 0 {
        return Ok(("Nothing measured on it is known here.".to_owned(), None));
    }
    let counts = |aspect: Aspect| -> Result<Vec<(String, usize)>, QueryError> {
        let Some(part) = aspect.part() else { return Ok(Vec::new()) };
        let column = stores.store.aspect(aspect)?;
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (value, rows) in column.counts(&found.hits.shares[part as usize]) {
            *counts.entry(value.to_owned()).or_default() += rows;
        }
        let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(counts)
    };
    let sources = counts(Aspect::Source)?;
    let years: Vec<String> = counts(Aspect::Fact(Fact::Year))?.into_iter().map(|(year, _)| year).collect();
    let other = match kind {
        Some(EntityKind::Network) => Aspect::Field(Field::Device),
        _ => Aspect::Field(Field::Network),
    };
    let others = counts(other)?;
    let noun = if other == Aspect::Field(Field::Device) { "device" } else { "network" };
    let mut text =
        format!("Measured: {} from {}", counted(total, "row", "rows"), counted(sources.len(), "source", "sources"),);
    if let (Some(first), Some(last)) = (years.iter().min(), years.iter().max()) {
        text.push_str(&if first == last { format!(" ({first})") } else { format!(" ({first} to {last})") });
    }
    if !others.is_empty() {
        let most: Vec<String> = others.iter().take(MOST_NAMES).map(|(id, rows)| format!("{id} ({rows})")).collect();
        text.push_str(&format!(", {}; most on {}", counted(others.len(), noun, &format!("{noun}s")), and_list(&most)));
    }
    text.push('.');
    let entry = Entry {
        subjects,
        quantity: "measurements".to_owned(),
        value: Some(EntryValue::Number(total as f64)),
        n: total,
        sources: sources.into_iter().map(|(id, _)| id).collect(),
        ..Entry::default()
    };
    Ok((text, Some(entry)))
}
