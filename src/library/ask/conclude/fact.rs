//! A fact of the catalog: its value, its source, and who disagrees.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::conclusion::{Conclusion, Entry, EntryValue};
use super::fact_wording::{capital, fact_name, number_text, unit_of, value_text};
use super::found::Found;
use super::grade::grades_side_by_side;
use super::measured::measured_range;
use super::named::{NamedEntity, named_entities, named_sides, subject_key};
use super::statement::{Statement, fact_of_facet, has, statement};
use super::value_list;
use super::wording::three;
use super::yes_or_no::{expected, yes_or_no};
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::{Aspect, Fact, FactType, Field, Metric, Value};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::spelling::normalise;
use crate::values::text::and_list;

/// More entities than this are summed up in the sentence.
const MOST_IN_SENTENCE: usize = 6;

/// More facts in which sides differ than this are counted in the sentence.
const MOST_COMPARED: usize = 5;

/// So many relatives are told that state what the entity asked about does not.
const MOST_RELATIVES: usize = 3;

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
    let mut unheard = Vec::new();
    if let Some((sentence, entries)) = told_together(stores, question, &named, &facts)? {
        return Ok(Conclusion { text: sentence, entries });
    }
    for fact in facts {
        if let Some((sentence, entries)) = networks_measured(stores, found, &named, fact)? {
            sentences.push(sentence);
            conclusion.entries.extend(entries);
            continue;
        }
        let entities = entities_with(stores, question, &named, fact)?;
        let (sentence, entries) = tell(stores, question, &entities, fact)?;
        let papers = if fact == Fact::Published { papers(stores, &entities)? } else { None };
        let sentence = papers.map_or_else(|| sentence.clone(), |papers| format!("{sentence} {papers}"));
        // What is not known is told where nothing else is.
        if entries.is_empty() { &mut unheard } else { &mut sentences }.push(sentence);
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
        sentences.extend(unheard.into_iter().next());
    }
    if sentences.is_empty() {
        sentences.push("No fact of the catalog is called so.".to_owned());
    }
    conclusion.text = sentences.join(" ");
    Ok(conclusion)
}

/// The papers of a few networks, whose year is asked for.
fn papers(stores: &Stores, entities: &[NamedEntity]) -> Result<Option<String>, QueryError> {
    let mut papers = Vec::new();
    for entity in entities.iter().take(MOST_RELATIVES) {
        let stated = statement(stores, entity.kind, &entity.id, Fact::Paper)?;
        papers.extend(stated.and_then(|stated| stated.value).map(|paper| value_text(&paper)));
    }
    Ok((!papers.is_empty()).then(|| format!("Paper: {}.", and_list(&papers))))
}

/// Several facts of one entity in one sentence: `COCO: training samples 118287, test samples 5000 (source).`
fn told_together(
    stores: &Stores,
    question: &Question,
    named: &[NamedEntity],
    facts: &[Fact],
) -> Result<Option<(String, Vec<Entry>)>, QueryError> {
    let is_number = |fact: &Fact| matches!(fact.value_type(), FactType::Number(_));
    let [only] = named else { return Ok(None) };
    if facts.len() < 2 || !facts.iter().all(is_number) || question.wanted.quantities.len() != facts.len() {
        return Ok(None);
    }
    let mut entries = Vec::new();
    let mut parts = Vec::new();
    let mut cited: Vec<Statement> = Vec::new();
    for &fact in facts {
        let stated = statements(stores, only, fact)?;
        let [known] = stated.as_slice() else { return Ok(None) };
        if known.value.is_none() {
            continue;
        }
        parts.push(format!("{} {}", fact_name(fact), with_unit(fact, known.value.as_ref())));
        entries.push(entry(only.kind, &known.id, fact, known));
        cited.push(known.clone());
    }
    let Some(first) = cited.first().filter(|_| parts.len() > 1) else { return Ok(None) };
    let sources = sources_of(&cited);
    let cite = if sources.is_empty() { String::new() } else { format!(" ({})", said_by(&sources, &cited)) };
    Ok(Some((format!("{}: {}{cite}.", first.name, parts.join(", ")), entries)))
}

/// Where no framework is named, who asks which networks or data sets were tested asks which were measured.
fn networks_measured(
    stores: &Stores,
    found: &Found<'_>,
    named: &[NamedEntity],
    fact: Fact,
) -> Result<Option<(String, Vec<Entry>)>, QueryError> {
    let field = match fact {
        Fact::TestedNetwork => Field::Network,
        Fact::TestedDataset => Field::Dataset,
        _ => return Ok(None),
    };
    if found.hits.total == 0 || named.iter().any(|named| named.kind == EntityKind::Framework) {
        return Ok(None);
    }
    let measured = value_list::conclude(stores, found, Aspect::Field(field))?;
    Ok(Some((measured.text, measured.entries)))
}

/// The number by which a ranking is asked for, where it is one of the catalog and nothing that is measured.
pub fn ranked_by(question: &Question) -> Option<Fact> {
    is_ranked_by(question).then(|| question.wanted.quantities.iter().find_map(number_of_catalog)).flatten()
}

/// The number of the catalog, or the date, that a quantity is.
fn number_of_catalog(quantity: &Quantity) -> Option<Fact> {
    match quantity {
        Quantity::Fact(fact) if matches!(fact.value_type(), FactType::Number(_) | FactType::Date) => Some(*fact),
        _ => None,
    }
}

/// Whether a ranking is asked for by a number of the catalog, and by nothing that is measured.
fn is_ranked_by(question: &Question) -> bool {
    let mut quantities = question.wanted.quantities.iter();
    quantities.clone().any(|quantity| number_of_catalog(quantity).is_some())
        && !quantities.any(|quantity| matches!(quantity, Quantity::Metric(_) | Quantity::Derived(_)))
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
            let asked = facts_asked_for(question, &sides);
            let facts = if asked.is_empty() { compared_facts(kind).collect() } else { asked };
            for fact in facts {
                rows.extend(side_by_side(stores, &sides, fact)?.map(|entries| (fact_name(fact), entries)));
            }
            rows
        }
    };
    if rows.is_empty() {
        return Ok(None);
    }
    let of_classes = kind == EntityKind::HardwareClass;
    let mut said: Vec<String> = rows
        .iter()
        .take(MOST_COMPARED)
        .map(|(name, entries)| if of_classes { graded(name, entries) } else { against(name, entries) })
        .collect();
    if rows.len() > MOST_COMPARED {
        let noun = if of_classes { "grades" } else { "facts" };
        said.push(format!("and {} more {noun} differ", rows.len() - MOST_COMPARED));
    }
    if of_classes {
        let sentence = format!("Grades of the catalog: {}.", said.join("; "));
        return Ok(Some((sentence, rows.into_iter().flat_map(|(_, entries)| entries).collect())));
    }
    let sentence = format!("By the catalog: {}.", said.join(", "));
    Ok(Some((sentence, rows.into_iter().flat_map(|(_, entries)| entries).collect())))
}

/// What the catalog states of the sides of a comparison where facts alone are asked for, alike or not; `None` where more is
/// asked for, or where a side is no entity that can state them.
///
/// # Errors
///
/// When a store fails.
pub fn facts_of_sides(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    let quantities = &question.wanted.quantities;
    let sides = named_sides(stores, question)?;
    let only_facts = !quantities.is_empty() && quantities.iter().all(|quantity| matches!(quantity, Quantity::Fact(_)));
    let Some(kind) = sides.first().map(|side| side.kind).filter(|_| only_facts) else { return Ok(None) };
    let facts = facts_asked_for(question, &sides);
    let are_able = sides.iter().all(|side| side.kind == kind) && facts.iter().all(|fact| has(kind, *fact));
    if !are_able || sides.len() != question.wanted.sides.len() {
        return Ok(None);
    }
    let mut conclusion = Conclusion::default();
    let mut sentences = Vec::new();
    for fact in facts {
        let (sentence, entries) = tell(stores, question, &sides, fact)?;
        sentences.push(sentence);
        sentences.extend(ratio_of_two(stores, &sides, fact)?);
        conclusion.entries.extend(entries);
    }
    conclusion.text = sentences.join(" ");
    Ok(Some(conclusion))
}

/// `That of A is 1.5 times that of B.`
fn ratio_of_two(stores: &Stores, sides: &[NamedEntity], fact: Fact) -> Result<Option<String>, QueryError> {
    let [a, b] = sides else { return Ok(None) };
    let number = |side: &NamedEntity| -> Result<Option<(String, f64)>, QueryError> {
        let stated = statements(stores, side, fact)?;
        Ok(match stated.as_slice() {
            [only] => only.number().filter(|number| *number > 0.0).map(|number| (only.name.clone(), number)),
            _ => None,
        })
    };
    let (Some(a), Some(b)) = (number(a)?, number(b)?) else { return Ok(None) };
    if matches!(fact.value_type(), FactType::Date) || fact == Fact::Published || a.1 == b.1 {
        return Ok(None);
    }
    let (larger, smaller) = if a.1 > b.1 { (a, b) } else { (b, a) };
    Ok(Some(format!("That of {} is {} times that of {}.", larger.0, three(larger.1 / smaller.1), smaller.0)))
}

/// `memory 16 against 32 GiB`.
fn against(name: &str, entries: &[Entry]) -> String {
    let values: Vec<String> = entries.iter().map(entry_in_words).collect();
    let unit = entries.first().and_then(|entry| entry.unit.clone()).map_or_else(String::new, |unit| format!(" {unit}"));
    format!("{name} {}{unit}", values.join(" against "))
}

/// `low latency GPU low, FPGA moderate`.
fn graded(name: &str, entries: &[Entry]) -> String {
    let class = |entry: &Entry| entry.subjects.values().next().map(ToString::to_string).unwrap_or_default();
    let grades = entries.iter().map(|entry| format!("{} {}", class(entry).to_uppercase(), entry_in_words(entry)));
    format!("{name} {}", grades.collect::<Vec<_>>().join(", "))
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

/// What is asked for by its name; where only a metric of frameworks is, the facts that it stands for; where nothing is, what
/// the conditions on the named entities are about.
fn facts_asked_for(question: &Question, named: &[NamedEntity]) -> Vec<Fact> {
    let has_kind = |kind: EntityKind| named.iter().any(|named| named.kind == kind);
    let of_quantity = |quantity: &Quantity| match quantity {
        Quantity::Fact(fact) => Some(of_kinds_named(*fact, &has_kind)),
        Quantity::FrameworkMetric(id) => fact_of_framework_metric(id),
        // What rows measure, the catalog may state as well: the power drawn, and what the device is made for.
        Quantity::Metric(Metric::PowerW) if has_kind(EntityKind::Device) => Some(Fact::Tdp),
        _ => None,
    };
    let mut facts: Vec<Fact> = Vec::new();
    for fact in question.wanted.quantities.iter().filter_map(of_quantity) {
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    if question.wanted.quantities.is_empty() {
        for named in named {
            let of_conditions = question.read_as().filter_map(|read| fact_of_facet(&read.facet, named.kind));
            facts.extend(of_conditions);
        }
        facts.dedup();
    }
    facts
}

/// Networks come out with their paper, frameworks with their first release.
fn of_kinds_named(fact: Fact, has_kind: &impl Fn(EntityKind) -> bool) -> Fact {
    match fact {
        Fact::Released if has_kind(EntityKind::Device) => fact,
        Fact::Released if has_kind(EntityKind::Network) => Fact::Published,
        Fact::Released if has_kind(EntityKind::Framework) => Fact::FirstRelease,
        fact => fact,
    }
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
fn tell(
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
            [] => format!("{of}: not known{}", known_of_relatives(stores, entity, fact)?),
            [only] => format!("{}: {}", only.name, with_unit(fact, only.value.as_ref())),
            several => format!("{of}: {}", by_value(several, fact)),
        });
        cited.extend(known.into_iter().cloned());
    }
    let is_few = parts.len() <= MOST_IN_SENTENCE;
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
