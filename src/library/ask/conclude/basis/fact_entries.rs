//! Entries of facts: what the catalog states of an entity, a family's members in one line or one by one.

use indexmap::IndexMap;

use super::conclusion::Entry;
use super::fact_wording::unit_of;
use super::named::{NamedEntity, subject_key};
use super::statement::{Statement, statement};
use crate::ask::question::QueryError;
use crate::model::{Fact, Value};
use crate::stores::Stores;
use crate::values::EntityKind;

/// The facts of an entity, from the least to the largest value of a family's members; those that are not known are missing.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn overview_entries(
    stores: &Stores,
    entity: &NamedEntity,
    facts: &[Fact],
) -> Result<Vec<Entry>, QueryError> {
    let mut entries = Vec::new();
    for &fact in facts {
        entries.extend(side_entry(stores, entity, fact)?);
    }
    Ok(entries)
}

/// The facts by which an entity of a kind is introduced.
pub(in crate::ask::conclude) fn overview_facts(kind: EntityKind) -> &'static [Fact] {
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

/// What entities of a kind are told by in a list that is about none of their numbers.
pub(in crate::ask::conclude) fn main_facts(kind: EntityKind) -> &'static [Fact] {
    match kind {
        EntityKind::Device => &[Fact::Architecture, Fact::Memory, Fact::Tdp, Fact::Released],
        EntityKind::Network => &[Fact::Parameters, Fact::MultiplyAdds, Fact::InputShape],
        EntityKind::Dataset => &[Fact::Task, Fact::Classes, Fact::TrainSize],
        EntityKind::Framework | EntityKind::Source | EntityKind::HardwareClass => &[],
    }
}

/// The facts that a comparison of entities of a kind shows where they differ: those of an overview that weigh one entity
/// against another.
pub(in crate::ask::conclude) fn compared_facts(kind: EntityKind) -> impl Iterator<Item = Fact> {
    let describes = |fact: &Fact| matches!(fact, Fact::Architecture | Fact::Hardware | Fact::Task | Fact::DiffersIn);
    overview_facts(kind).iter().copied().filter(move |fact| !describes(fact))
}

/// One value of a side, from the least to the largest of a family's members.
pub(in crate::ask::conclude) fn side_entry(
    stores: &Stores,
    side: &NamedEntity,
    fact: Fact,
) -> Result<Option<Entry>, QueryError> {
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

/// What the catalog states of an entity; where a family states nothing itself, of each of its members.
pub(in crate::ask::conclude) fn statements(
    stores: &Stores,
    entity: &NamedEntity,
    fact: Fact,
) -> Result<Vec<Statement>, QueryError> {
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

pub(in crate::ask::conclude) fn entry(kind: EntityKind, id: &str, fact: Fact, stated: &Statement) -> Entry {
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

pub(in crate::ask::conclude) fn sources_of<'s>(stated: impl IntoIterator<Item = &'s Statement>) -> Vec<String> {
    let mut sources: Vec<String> = Vec::new();
    for source in stated.into_iter().flat_map(Statement::sources) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources
}

/// What people call an entity; `None` where there is none.
pub(in crate::ask::conclude) fn name(stores: &Stores, entity: &NamedEntity) -> Result<Option<String>, QueryError> {
    Ok(statement(stores, entity.kind, &entity.id, Fact::Id)?.map(|stated| stated.name))
}
