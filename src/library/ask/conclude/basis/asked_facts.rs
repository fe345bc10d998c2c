//! Which facts a question asks for, and of which entities.

use super::named::NamedEntity;
use super::statement::{fact_of_facet, statement};
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::{Fact, FactType, Metric};
use crate::stores::Stores;
use crate::values::EntityKind;

/// The number by which a ranking is asked for, where it is one of the catalog and nothing that is measured.
pub(in crate::ask::conclude) fn ranked_by(question: &Question) -> Option<Fact> {
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

/// What is asked for by its name; where only a metric of frameworks is, the facts that it stands for; where nothing is, what
/// the conditions on the named entities are about.
pub(in crate::ask::conclude) fn facts_asked_for(question: &Question, named: &[NamedEntity]) -> Vec<Fact> {
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
pub(in crate::ask::conclude) fn fact_of_framework_metric(id: &str) -> Option<Fact> {
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
pub(in crate::ask::conclude) fn entities_with(
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
