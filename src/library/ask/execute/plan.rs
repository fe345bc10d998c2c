//! What every kind of answer begins with: the rows that a question is about, and their values.

use std::ops::RangeBounds as _;

use super::condition::{checked_later, condition, rows_meeting};
use super::key::{subjects_of, varied_by_sides};
use super::measure::{By, derived_values};
use super::outcome::{Outcome, Remark};
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::parse::{Ask, Filter, Is, Key, Quantity, QueryError, Question, Term, Test};
use crate::model::{Aspect, Derived, Facet, Field};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::{EntityKind, Precision};

/// The question with the kind of answer that fits it: scaling over device counts is a series, a series along names a ranking.
pub(super) fn as_executed(question: &Question) -> Question {
    let counts = Aspect::Field(Field::DeviceCount);
    let scaling = Quantity::Derived(Derived::ScalingEfficiency);
    match question.ask {
        Ask::Compare
            if varied_by_sides(&question.sides) == [Field::DeviceCount] && question.wants.contains(&scaling) =>
        {
            let named = question.sides.iter().flat_map(|side| subjects_of(side).into_values());
            let is = Is::OneOf(named.map(|count| count.to_string()).collect());
            let subject = question.subject.with(Term::of(Field::DeviceCount, is));
            Question { ask: Ask::Along, subject, along: Some(counts), sides: Vec::new(), ..question.clone() }
        }
        Ask::Rank if question.order.as_ref().is_some_and(|order| order.by == scaling) => {
            let lines = question.of.clone();
            Question { ask: Ask::Along, along: Some(counts), lines, of: None, ..question.clone() }
        }
        Ask::Along if question.sides.is_empty() => match named_axis(question) {
            Some(of) => Question { ask: Ask::Rank, of: Some(of), ..question.clone() },
            None => question.clone(),
        },
        _ => question.clone(),
    }
}

/// Whether a question is of a large part of everything, under some condition: no number of it says anything, what is there is counted.
pub(super) fn is_of_everything(stores: &Stores, question: &Question) -> Result<bool, QueryError> {
    const MANY: usize = 10_000;
    if !question.sides.is_empty() || !question.wants.is_empty() || names_subject(&question.subject) {
        return Ok(false);
    }
    Ok(rows_meeting(stores, &question.subject)? > MANY)
}

/// Whether a filter says what was run, on what or by whom, or bounds what was measured.
fn names_subject(filter: &Filter) -> bool {
    filter.terms.iter().any(|term| match term {
        Term::Test(Test { key: Key::Facet(facet), .. }) => {
            facet.entity_kind().is_some_and(|kind| kind != EntityKind::HardwareClass)
                || matches!(facet, Facet::Task | Facet::Vendor | Facet::Architecture | Facet::Instance)
        }
        Term::Test(Test { key: Key::Aspect(aspect), .. }) => !matches!(aspect, Aspect::Fact(_)),
        Term::Test(Test { key: Key::Text, .. }) => true,
        Term::Test(_) | Term::Not(_) => false,
        Term::Any(filters) => filters.iter().any(names_subject),
    })
}

/// The key of an axis whose places are names, so that each is a candidate.
fn named_axis(question: &Question) -> Option<Key> {
    match question.along? {
        Aspect::Field(field) if field.entity_kind().is_some() && question.lines.is_none() => Some(field.into()),
        axis @ (Aspect::Fact(_) | Aspect::Source) => Some(Key::Aspect(axis)),
        _ => None,
    }
}

/// What rows must be like to be any the question is about: its subject and one of its sides.
pub(in crate::ask) fn rows_asked(question: &Question) -> Filter {
    match question.sides.as_slice() {
        [] => question.subject.clone(),
        [side] => question.subject.and(side),
        sides => question.subject.with(Term::Any(sides.to_vec())),
    }
}

/// The rows that meet a filter, with their values; what no column holds, such as bounds on derived measures, is checked here.
pub(in crate::ask) fn hits_of(
    stores: &Stores,
    values: &SharedValues,
    filter: &Filter,
    by: &By,
) -> Result<HitColumns, QueryError> {
    let condition = condition(stores, filter)?;
    let mut hits = by.hits(stores, values, &condition)?;
    for test in checked_later(filter) {
        let Key::Aspect(Aspect::Derived(measure)) = &test.key else { continue };
        let rows = HitColumns::of(stores, &condition, measure.needs())?;
        let of_rows = derived_values(stores, values, &rows, *measure)?;
        let holds = |value: f64| match &test.is {
            Is::Within(low, high) => (*low, *high).contains(&value),
            Is::Stated | Is::OneOf(_) => !value.is_nan(),
        };
        let kept: Vec<u64> =
            rows.rows().iter().zip(of_rows).filter(|(_, value)| holds(*value)).map(|(row, _)| *row).collect();
        hits = hits.kept(|hit| kept.binary_search(&hits.row(hit)).is_ok());
    }
    Ok(hits)
}

/// How many rows of mixed precision a short number format took in, where the question names no mixed recipe.
pub(super) fn mixed_precision(
    stores: &Stores,
    question: &Question,
    outcome: &Outcome,
) -> Result<Option<Remark>, QueryError> {
    let subject = outcome.relaxed.as_ref().unwrap_or(&question.subject).clone();
    let filter = rows_asked(&Question { subject, ..question.clone() });
    let named = precisions(&filter);
    let mixed: Vec<String> = named
        .iter()
        .filter_map(|name| name.parse::<Precision>().ok()?.mixed_counterpart())
        .map(|recipe| recipe.to_string())
        .filter(|recipe| !named.contains(&recipe))
        .collect();
    if mixed.is_empty() {
        return Ok(None);
    }
    let of_mixed = Condition::All(vec![condition(stores, &filter)?, Condition::Facet(Facet::Precision, mixed)]);
    let rows = stores.index.count(DocumentKind::Measurement, &of_mixed)?;
    Ok((rows > 0).then_some(Remark::MixedPrecision(rows)))
}

/// The number formats that a filter names, not those that it excludes.
fn precisions(filter: &Filter) -> Vec<&String> {
    let mut found = Vec::new();
    for term in &filter.terms {
        match term {
            Term::Any(filters) => found.extend(filters.iter().flat_map(precisions)),
            term => found.extend(term.names(Facet::Precision)),
        }
    }
    found
}
