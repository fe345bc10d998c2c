//! A fact of the catalog: its value, its source, and who disagrees.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::conclusion::{Conclusion, Entry, EntryValue};
use super::fact_wording::{capital, fact_name, number_text, unit_of, value_text};
use super::found::Found;
use super::grade::grades_side_by_side;
use super::measured::measured_range;
use super::named::{NamedEntity, named_entities, named_sides, subject_key};
use super::statement::{Statement, statement};
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::{Fact, Metric, Value};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::and_list;

/// More entities than this are summed up in the sentence.
const MOST_IN_SENTENCE: usize = 6;

/// More facts in which sides differ than this are counted in the sentence.
const MOST_COMPARED: usize = 5;

/// Tells the facts that were asked for.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, found: &Found<'_>) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let facts = facts_asked_for(question, &named);
    let mut conclusion = Conclusion::default();
    let mut sentences = Vec::new();
    for fact in facts {
        let entities = entities_with(stores, question, &named, fact)?;
        let (sentence, entries) = tell(stores, &entities, fact)?;
        sentences.push(sentence);
        conclusion.entries.extend(entries);
    }
    for quantity in &question.wanted.quantities {
        if let Quantity::Metric(metric) = quantity
            && found.hits.total > 0
            && let Some((sentence, entry)) = measured_range(stores, question, *metric)?
        {
            sentences.push(sentence);
            conclusion.entries.push(entry);
        }
    }
    if sentences.is_empty() {
        sentences.push("No fact of the catalog is called so.".to_owned());
    }
    conclusion.text = sentences.join(" ");
    Ok(conclusion)
}

/// One fact, or one grade, of each side of a comparison.
fn side_by_side(stores: &Stores, sides: &[NamedEntity], fact: Fact) -> Result<Option<Vec<Entry>>, QueryError> {
    let of_sides: Vec<Entry> = sides
        .iter()
        .map(|side| side_entry(stores, side, fact))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect();
    let differs = of_sides.windows(2).any(|pair| {
        let values = |entry: &Entry| (entry.value.clone(), entry.low, entry.high);
        values(&pair[0]) != values(&pair[1])
    });
    Ok((of_sides.len() == sides.len() && differs).then_some(of_sides))
}

/// What the catalog states of the sides of a comparison where they differ, side by side: a sentence, and an entry for each
/// fact and side. Of hardware classes these are the grades. `None` where the sides are no entities of one kind.
///
/// # Errors
///
/// When a store fails.
pub fn facts_side_by_side(stores: &Stores, question: &Question) -> Result<Option<(String, Vec<Entry>)>, QueryError> {
    let sides = named_sides(stores, question)?;
    let Some(kind) = sides.first().map(|side| side.kind) else { return Ok(None) };
    let of_one_kind = sides.len() == question.wanted.sides.len() && sides.iter().all(|side| side.kind == kind);
    if !of_one_kind || sides.len() < 2 {
        return Ok(None);
    }
    let rows: Vec<(String, Vec<Entry>)> = match kind {
        EntityKind::HardwareClass => grades_side_by_side(stores, &sides)?,
        _ => {
            let mut rows = Vec::new();
            for fact in compared_facts(kind) {
                let name = fact.heading().split_once(" [").map_or(fact.heading(), |(name, _)| name).to_owned();
                rows.extend(side_by_side(stores, &sides, fact)?.map(|entries| (name, entries)));
            }
            rows
        }
    };
    if rows.is_empty() {
        return Ok(None);
    }
    let said = rows.iter().take(MOST_COMPARED).map(|(name, entries)| {
        let values: Vec<String> = entries.iter().map(entry_in_words).collect();
        let unit =
            entries.first().and_then(|entry| entry.unit.clone()).map_or_else(String::new, |unit| format!(" {unit}"));
        format!("{name} {}{unit}", values.join(" against "))
    });
    let mut said: Vec<String> = said.collect();
    if rows.len() > MOST_COMPARED {
        said.push(format!("and {} more facts differ", rows.len() - MOST_COMPARED));
    }
    let sentence = format!("By the catalog: {}.", said.join(", "));
    Ok(Some((sentence, rows.into_iter().flat_map(|(_, entries)| entries).collect())))
}

/// The value of an entry, or its range, without the unit.
fn entry_in_words(entry: &Entry) -> String {
    match (&entry.value, entry.low, entry.high) {
        (Some(value), ..) => value_text(value),
        (None, Some(low), Some(high)) => format!("{} to {}", number_text(low), number_text(high)),
        _ => "not known".to_owned(),
    }
}

/// The facts of an entity, from the least to the largest value of a family's members; those that are not known are missing.
///
/// # Errors
///
/// When a store fails.
pub fn overview_entries(stores: &Stores, entity: &NamedEntity, facts: &[Fact]) -> Result<Vec<Entry>, QueryError> {
    let mut entries = Vec::new();
    for &fact in facts {
        entries.extend(side_entry(stores, entity, fact)?);
    }
    Ok(entries)
}

/// The facts by which an entity of a kind is introduced.
pub fn overview_facts(kind: EntityKind) -> &'static [Fact] {
    match kind {
        EntityKind::Device => &[
            Fact::Architecture,
            Fact::Memory,
            Fact::Bandwidth,
            Fact::PeakFp32,
            Fact::PeakFp16Tensor,
            Fact::Tdp,
            Fact::Released,
            Fact::LaunchPrice,
        ],
        EntityKind::Framework => {
            &[Fact::Maturity, Fact::License, Fact::CoreLanguage, Fact::ApiLanguage, Fact::MultiServer, Fact::Hardware]
        }
        EntityKind::Network => {
            &[Fact::Task, Fact::Parameters, Fact::MultiplyAdds, Fact::InputShape, Fact::Published, Fact::DiffersIn]
        }
        EntityKind::Dataset => &[Fact::Task, Fact::Classes, Fact::TrainSize, Fact::TestSize, Fact::License],
        _ => &[],
    }
}

/// What people call an entity; `None` where there is none.
pub fn name(stores: &Stores, entity: &NamedEntity) -> Result<Option<String>, QueryError> {
    Ok(statement(stores, entity.kind, &entity.id, Fact::Id)?.map(|stated| stated.name))
}

/// The facts that a comparison of entities of a kind shows where they differ: those of an overview that weigh one entity
/// against another.
fn compared_facts(kind: EntityKind) -> impl Iterator<Item = Fact> {
    let describes = |fact: &Fact| matches!(fact, Fact::Architecture | Fact::Hardware | Fact::Task | Fact::DiffersIn);
    overview_facts(kind).iter().copied().filter(move |fact| !describes(fact))
}

/// One value of a side, from the least to the largest of a family's members.
fn side_entry(stores: &Stores, side: &NamedEntity, fact: Fact) -> Result<Option<Entry>, QueryError> {
    let statements = statements(stores, side, fact)?;
    let mut known: Vec<&Statement> = statements.iter().filter(|stated| stated.value.is_some()).collect();
    known.sort_by(|a, b| a.number().unwrap_or(0.0).total_cmp(&b.number().unwrap_or(0.0)));
    let (Some(least), Some(largest)) = (known.first(), known.last()) else { return Ok(None) };
    let mut entry = entry(side.kind, &side.id, fact, least);
    entry.n = known.len();
    entry.sources = sources_of(known.iter().copied());
    if known.iter().any(|other| other.value != least.value) {
        entry.value = None;
        let (Some(low), Some(high)) = (least.number(), largest.number()) else { return Ok(None) };
        (entry.low, entry.high) = (Some(low), Some(high));
    }
    Ok(Some(entry))
}

/// What is asked for by its name; where only a metric of frameworks is, the facts that it stands for.
fn facts_asked_for(question: &Question, named: &[NamedEntity]) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    for quantity in &question.wanted.quantities {
        let fact = match quantity {
            Quantity::Fact(fact) => Some(*fact),
            Quantity::FrameworkMetric(id) => fact_of_framework_metric(id),
            // What rows measure, the catalog may state as well: the power drawn, and what the device is made for.
            Quantity::Metric(Metric::PowerW) if named.iter().any(|named| named.kind == EntityKind::Device) => {
                Some(Fact::Tdp)
            }
            _ => None,
        };
        facts.extend(fact.filter(|fact| !facts.contains(fact)));
    }
    facts
}

/// The fact in which the catalog holds a metric of frameworks.
pub fn fact_of_framework_metric(id: &str) -> Option<Fact> {
    Some(match id {
        "license-type" => Fact::License,
        "core-codes" => Fact::CoreLanguage,
        "api-codes" => Fact::ApiLanguage,
        "compatible-hardware" => Fact::Hardware,
        "stability" => Fact::MultiServer,
        "tested-networks" => Fact::TestedNetwork,
        "tested-datasets" => Fact::TestedDataset,
        _ => return None,
    })
}

/// The named entities that can have a fact; where none is named, all of its kind that meet the question.
fn entities_with(
    stores: &Stores,
    question: &Question,
    named: &[NamedEntity],
    fact: Fact,
) -> Result<Vec<NamedEntity>, QueryError> {
    let mut able = Vec::new();
    for entity in named {
        if statement(stores, entity.kind, &entity.id, fact)?.is_some() {
            able.push(entity.clone());
        }
    }
    // `mlperf resnet50 parameters` is about the network; what else is named says where to look.
    if able.iter().any(|entity| entity.kind == fact.kind()) {
        able.retain(|entity| entity.kind == fact.kind());
    }
    if able.is_empty() {
        let ids = stores.index.entities(fact.kind(), &question.condition_without(None))?;
        able.extend(ids.into_iter().map(|id| NamedEntity { kind: fact.kind(), id, members: Vec::new() }));
    }
    Ok(able)
}

/// What the catalog states of an entity; where a family states nothing itself, of each of its members.
fn statements(stores: &Stores, entity: &NamedEntity, fact: Fact) -> Result<Vec<Statement>, QueryError> {
    let own = statement(stores, entity.kind, &entity.id, fact)?;
    let mut members = Vec::new();
    for member in &entity.members {
        members.extend(statement(stores, entity.kind, member, fact)?.filter(|stated| stated.value.is_some()));
    }
    Ok(match own {
        Some(own) if own.value.is_some() && members.iter().all(|member| member.value == own.value) => vec![own],
        Some(own) if own.value.is_some() => std::iter::once(own).chain(members).collect(),
        own if members.is_empty() => own.into_iter().collect(),
        _ => members,
    })
}

/// A sentence about a fact of some entities, and an entry for each that states it.
fn tell(stores: &Stores, entities: &[NamedEntity], fact: Fact) -> Result<(String, Vec<Entry>), QueryError> {
    let name = fact_name(fact);
    if entities.is_empty() {
        return Ok((format!("Nothing that the question names has a {name} in the catalog."), Vec::new()));
    }
    let mut entries = Vec::new();
    let mut parts = Vec::new();
    let mut numbers: Vec<f64> = Vec::new();
    let mut cited: Vec<Statement> = Vec::new();
    for entity in entities {
        let stated = statements(stores, entity, fact)?;
        let known: Vec<&Statement> = stated.iter().filter(|stated| stated.value.is_some()).collect();
        numbers.extend(known.iter().filter_map(|stated| stated.number()));
        entries.extend(known.iter().map(|stated| entry(entity.kind, &stated.id, fact, stated)));
        parts.push(match known.as_slice() {
            [] => {
                let of = name_of(stores, entity, fact)?;
                format!("{of}: not known")
            }
            [only] => format!("{}: {}", only.name, with_unit(fact, only.value.as_ref())),
            several => format!("{}: {}", name_of(stores, entity, fact)?, by_value(several, fact)),
        });
        cited.extend(known.into_iter().cloned());
    }
    let hidden = parts.len().saturating_sub(MOST_IN_SENTENCE);
    let mut sentence = match hidden {
        0 => format!("{} of {}", capital(&name), parts.join("; ")),
        _ => summed_up(&name, fact, entities.len(), &numbers, &entries),
    };
    let sources = sources_of(&cited);
    if !sources.is_empty() {
        sentence.push_str(&format!(" ({})", said_by(&sources, &cited)));
    }
    sentence.push('.');
    if hidden == 0 {
        for stated in &cited {
            for (source, said) in &stated.others {
                sentence.push_str(&format!(" {source} says otherwise of {}: {said}.", stated.name));
            }
        }
    }
    Ok((sentence, entries))
}

/// `TDP is known of 143 of 200: 2 to 1000 W`.
fn summed_up(name: &str, fact: Fact, all: usize, numbers: &[f64], entries: &[Entry]) -> String {
    let known = entries.len();
    let lead = format!("{} is known of {known} ({all} asked about)", capital(name));
    let least = numbers.iter().copied().min_by(f64::total_cmp);
    let largest = numbers.iter().copied().max_by(f64::total_cmp);
    match (least, largest) {
        (Some(least), Some(largest)) => {
            let unit = unit_of(fact).map_or_else(String::new, |unit| format!(" {unit}"));
            format!("{lead}: {} to {}{unit}", number_text(least), number_text(largest))
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

fn entry(kind: EntityKind, id: &str, fact: Fact, stated: &Statement) -> Entry {
    Entry {
        subjects: IndexMap::from([(subject_key(kind).to_owned(), Value::Text(id.into()))]),
        quantity: fact.file_key().to_owned(),
        value: stated.value.clone(),
        unit: unit_of(fact),
        n: 1,
        sources: stated.sources(),
        ..Entry::default()
    }
}

fn with_unit(fact: Fact, value: Option<&EntryValue>) -> String {
    let shown = value.map_or_else(|| "not known".to_owned(), value_text);
    match unit_of(fact) {
        Some(unit) if matches!(value, Some(EntryValue::Number(_))) => format!("{shown} {unit}"),
        _ => shown,
    }
}

fn name_of(stores: &Stores, entity: &NamedEntity, fact: Fact) -> Result<String, QueryError> {
    Ok(statement(stores, entity.kind, &entity.id, fact)?.map_or_else(|| entity.id.clone(), |stated| stated.name))
}

fn sources_of<'s>(stated: impl IntoIterator<Item = &'s Statement>) -> Vec<String> {
    let mut sources: Vec<String> = Vec::new();
    for source in stated.into_iter().flat_map(Statement::sources) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources
}

/// `epoch-ai-2025 and apache/mxnet, read 2026-11-21`.
fn said_by(sources: &[String], cited: &[Statement]) -> String {
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
