//! Common first steps of all answers: the rows of a question with their values, and rows that might match but do not state a
//! requested field.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::RangeBounds as _;

use super::condition::{checked_later, condition, not_stating, rows_meeting};
use super::counted::values;
use super::key::{field_of, subjects_of, varied_by_sides};
use super::measure::{By, derived_values};
use super::outcome::{Outcome, Remark};
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::parse::{Ask, Filter, Is, Key, Quantity, Question, Result, Term, Test};
use crate::model::{Aspect, Derived, Facet, Field, Metric};
use crate::rows::Note;
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

/// Whether a question matches a large part of all rows without naming a subject: then rows are counted, as no number is useful.
pub(super) fn is_of_everything(stores: &Stores, question: &Question) -> Result<bool> {
    const MANY: usize = 10_000;
    if !question.sides.is_empty() || !question.wants.is_empty() || names_subject(&question.subject) {
        return Ok(false);
    }
    Ok(rows_meeting(stores, &question.subject)? > MANY)
}

/// Whether a filter names what ran, on what or by whom, or bounds a measured value.
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

/// The key of an axis whose values are names, so that each value is ranked as a candidate.
fn named_axis(question: &Question) -> Option<Key> {
    match question.along? {
        Aspect::Field(field) if field.entity_kind().is_some() && question.lines.is_none() => Some(field.into()),
        axis @ (Aspect::Fact(_) | Aspect::Source) => Some(Key::Aspect(axis)),
        _ => None,
    }
}

/// The filter for all rows of a question: its subject, and any one of its sides.
pub(in crate::ask) fn rows_asked(question: &Question) -> Filter {
    match question.sides.as_slice() {
        [] => question.subject.clone(),
        [side] => question.subject.and(side),
        sides => question.subject.with(Term::Any(sides.to_vec())),
    }
}

/// The rows that match a filter, with values; bounds on derived measures, which no column can answer, are checked here.
pub(in crate::ask) fn hits_of(stores: &Stores, values: &SharedValues, filter: &Filter, by: &By) -> Result<HitColumns> {
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
        hits = hits.filtered_by_hit(|hit| kept.binary_search(&hits.row(hit)).is_ok());
    }
    Ok(hits)
}

/// A remark with the number of mixed precision rows that a short format included, if the question names no mixed recipe.
pub(super) fn mixed_precision(stores: &Stores, question: &Question, outcome: &Outcome) -> Result<Option<Remark>> {
    let subject = outcome.relaxed.as_ref().unwrap_or(&question.subject).clone();
    let filter = rows_asked(&Question { subject, ..question.clone() });
    let named = precisions(&filter);
    let mixed = named.iter().filter_map(|name| name.parse::<Precision>().ok()?.mixed_counterpart());
    let mixed = mixed.map(|recipe| recipe.to_string()).filter(|recipe| !named.contains(&recipe));
    let mixed: Vec<String> = mixed.collect();
    if mixed.is_empty() {
        return Ok(None);
    }
    let of_mixed = Condition::All(vec![condition(stores, &filter)?, Condition::Facet(Facet::Precision, mixed)]);
    let rows = stores.index.count(DocumentKind::Measurement, &of_mixed)?;
    Ok((rows > 0).then_some(Remark::MixedPrecision(rows)))
}

/// The number formats that a filter names, without those it excludes.
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

/// Remarks on rows that fail only by an unstated field, rows that may be among the excluded ones, and rows dated by their source.
pub(super) fn unstated(stores: &Stores, question: &Question) -> Result<Vec<Remark>> {
    let filter = rows_asked(question);
    // A list omits rows that do not state the listed field; count them here.
    let listed = question.of.clone().filter(|_| question.ask == Ask::List).map(|of| Term::of(of, Is::Stated));
    let filter = listed.map_or(filter.clone(), |listed| filter.with(listed));
    let count = |filter: &Filter, also: Condition| -> Result<usize> {
        let condition = Condition::All(vec![condition(stores, filter)?, also]);
        Ok(stores.index.count(DocumentKind::Measurement, &condition)?)
    };
    let mut more: Vec<(usize, Key)> = Vec::new();
    let mut remarks = Vec::new();
    for (at, term) in filter.terms.iter().enumerate() {
        match term {
            Term::Test(test) => {
                // A list reports entities without a fact itself.
                let is_reported = |aspect: &Aspect| question.ask == Ask::List && matches!(aspect, Aspect::Fact(_));
                let Some(aspect) = asked(test).filter(|aspect| !is_reported(aspect)) else { continue };
                let missing = not_stating(stores, aspect)?;
                // Rows with integer weights match a number format without stating a recipe; subtract them.
                let rows = count(&filter.without(at), missing.clone())? - count(&filter, missing)?;
                if rows > 0 && more.iter().all(|(_, key)| *key != test.key) {
                    more.push((rows, test.key.clone()));
                }
            }
            Term::Not(excluded) => {
                let [Term::Test(test)] = excluded.terms.as_slice() else { continue };
                let Some(field) = field_of(&test.key).filter(|_| test.is != Is::Stated) else { continue };
                let rows = count(&filter, not_stating(stores, Aspect::Field(field))?)?;
                if rows > 0 {
                    let of = rows_meeting(stores, &filter)?;
                    remarks.push(Remark::Rows(Note::MayBeExcluded { field, rows, of }));
                }
            }
            Term::Any(_) => {}
        }
    }
    more.sort_by_key(|(rows, _)| Reverse(*rows));
    remarks.splice(0..0, more.into_iter().map(|(rows, field)| Remark::Unstated(field, rows)));
    let is_part = |stage: &String| ["prefill", "decode"].contains(&stage.as_str());
    let of_part = |term: &Term| {
        let stages = term.names(Facet::Stage);
        !stages.is_empty() && stages.iter().all(is_part)
    };
    if let Some(part) = filter.terms.iter().find(|term| of_part(term)) {
        let whole = Term::of(Facet::Stage, Is::OneOf(vec!["eval".to_owned()]));
        let apart = Term::Not(Filter { terms: vec![part.clone()] });
        let devices = |subject: Filter| -> Result<Vec<(String, usize)>> {
            let rows = Question { subject, ..Question::default() };
            let counted = values(stores, &rows, &Facet::Device.into())?.into_iter();
            Ok(counted.filter_map(|entry| Some((entry.subjects.values().next()?.to_string(), entry.n))).collect())
        };
        let of_whole = devices(filter.only(|term| !of_part(term)).with(whole).with(apart))?;
        let rows = of_whole.iter().map(|(_, rows)| rows).sum();
        if rows > 0 {
            let of_part: HashSet<String> = devices(filter.clone())?.into_iter().map(|(device, _)| device).collect();
            let only = of_whole.into_iter().map(|(device, _)| device).filter(|device| !of_part.contains(device));
            remarks.push(Remark::OfWholeInference { rows, only: only.collect() });
        }
    }
    if filter.has(Facet::Year) {
        let rows = count(&filter, not_stating(stores, Aspect::Field(Field::Date))?)?;
        if rows > 0 {
            let of = rows_meeting(stores, &filter)?;
            remarks.push(Remark::Rows(Note::DatedBySource { rows, of }));
        }
    }
    Ok(remarks)
}

/// The field or device fact of a test that rows may leave unstated; not device and network, which identify a row.
fn asked(test: &Test) -> Option<Aspect> {
    match (field_of(&test.key), &test.key) {
        (Some(field), _) => (field.is_expected() && !matches!(field, Field::Device | Field::Network | Field::Counts))
            .then_some(Aspect::Field(field)),
        (None, Key::Aspect(aspect @ Aspect::Fact(fact))) => (fact.kind() == EntityKind::Device).then_some(*aspect),
        // Few rows state a power, so count the others.
        (None, Key::Aspect(aspect @ Aspect::Metric(Metric::PowerW))) => Some(*aspect),
        _ => None,
    }
}
