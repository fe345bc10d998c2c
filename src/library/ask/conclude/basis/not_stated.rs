//! What a list says beside its entities: how many do not state what a condition is about, and what is stated where nothing meets it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::fact_wording::{fact_name, number_text, unit_of};
use super::listed_kinds::{aspect_of, name_of};
use super::over_rows::with_ancestors;
use super::row_counts::RowCounts;
use super::statement::{fact_of_facet, has, statement};
use super::wording::Names;
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Facet, Fact, FactType, FactValue};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::EntityKind;
use crate::values::text::and_list;

/// So many are named that state nothing of what is excluded.
const MOST_NAMED: usize = 5;

/// How many entities meet all but one condition, and do not state the fact that it limits: `12 more state no TDP.`
pub(in crate::ask::conclude) fn not_stating(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
) -> Result<Vec<String>, QueryError> {
    let mut said = Vec::new();
    for (at, clause) in question.clauses.iter().enumerate() {
        if let Some(silent) = silent_on_precision(stores, question, kind, at)? {
            said.push(silent);
            continue;
        }
        if let Some(silent) = kept_out_unstated(stores, question, kind, at)? {
            said.push(silent);
            continue;
        }
        if let Some(unmeasured) = not_measured_in(stores, question, kind, at)? {
            said.push(unmeasured);
            continue;
        }
        let Some(fact) = limited_fact(clause, kind).filter(|_| !clause.is_excluded()) else {
            said.extend(silent_frameworks(stores, question, kind, at)?);
            continue;
        };
        let mut others = stores.index.entities(kind, &question.condition_without(Some(at)))?;
        if others.is_empty()
            && question.clauses.len() > 1
            && let Some(aspect) = aspect_of(kind)
        {
            // What else is asked for is of rows: of what they name it is not known whether it keeps within the limit.
            let rows = stores.index.measurements(&question.condition_without(Some(at)), None, &[], 0, 0)?;
            others.extend(RowCounts::of(stores, &rows, aspect)?.values.into_iter().map(|(id, _)| id));
        }
        let stating = stores.database.entities_with(kind, fact.key(), |_| true)?;
        // What meets it by a relative, or by another fact that says the same, is among those that are listed.
        let met = stores.index.entities(kind, &question.condition_without(None))?;
        let mut unknown = 0;
        for id in others.iter().filter(|id| !stating.contains(*id) && !met.contains(*id)) {
            // What a family states holds for its members.
            let by_family = stores.database.ancestors(kind, id)?.iter().any(|of| stating.contains(of));
            unknown += usize::from(!by_family);
        }
        if unknown > 0 {
            let state = if unknown == 1 { "states" } else { "state" };
            said.push(format!("{unknown} more {state} no {}.", fact_name(fact)));
        }
    }
    Ok(said)
}

/// Of what something else is excluded by those that state nothing of it, which are in no such list since it is not known of them:
/// `3 more state no architecture: B300, L40 and RTX A1000.`
fn kept_out_unstated(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    at: usize,
) -> Result<Option<String>, QueryError> {
    let Some(fact) = question.clauses[at].is_stated_alone().filter(|_| kind == EntityKind::Device) else {
        return Ok(None);
    };
    let met = stores.index.entities(kind, &question.condition_without(None))?;
    let mut unknown = stores.index.entities(kind, &question.condition_without(Some(at)))?;
    unknown.retain(|id| !met.contains(id));
    let state = if unknown.len() == 1 { "states" } else { "state" };
    let (count, name, told) = (unknown.len(), fact_name(fact), some_names(stores, kind, &unknown)?);
    Ok((count > 0).then(|| format!("{count} more {state} no {name}: {told}.")))
}

/// Of devices that are listed for some work those that meet all else and were not measured in it: `2 more have no rows of
/// `inference`: Hailo-15M and Versal AI Edge.`
fn not_measured_in(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    at: usize,
) -> Result<Option<String>, QueryError> {
    let clause = &question.clauses[at];
    let of_work = clause.plain_kind() == Some(Facet::Stage.key()) && kind == EntityKind::Device;
    let Some(aspect) = aspect_of(kind).filter(|_| of_work) else { return Ok(None) };
    let mut others = stores.index.entities(kind, &question.condition_without(Some(at)))?;
    let rows = stores.index.measurements(&question.condition_without(None), None, &[], 0, 0)?;
    let measured = with_ancestors(stores, kind, &RowCounts::of(stores, &rows, aspect)?)?;
    others.retain(|id| !measured.contains(id));
    let have = if others.len() == 1 { "has" } else { "have" };
    let (count, told) = (others.len(), some_names(stores, kind, &others)?);
    Ok((count > 0).then(|| format!("{count} more {have} no rows of `{}`: {told}.", clause.text)))
}

/// The names of the first few, and how many others there are.
fn some_names(stores: &Stores, kind: EntityKind, ids: &[String]) -> Result<String, QueryError> {
    let mut names = Names::default();
    let mut told = Vec::new();
    for id in ids.iter().take(MOST_NAMED) {
        told.push(name_of(stores, &mut names, kind, id)?);
    }
    if let Some(more) = ids.len().checked_sub(told.len()).filter(|more| *more > 0) {
        told.push(format!("{more} others"));
    }
    Ok(and_list(&told))
}

/// How many devices state no peak in any format, so that nothing is known of what they support: said of the first precision.
fn silent_on_precision(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    at: usize,
) -> Result<Option<String>, QueryError> {
    let is_of_precision = |clause: &Clause| {
        clause.readings.first().is_some_and(|reading| reading.read_as.facet == Facet::Precision.key())
    };
    let is_first = question.clauses.iter().position(is_of_precision) == Some(at);
    if kind != EntityKind::Device || !is_first {
        return Ok(None);
    }
    // Who was measured in a format is known by that, whatever the catalog states.
    let condition = question.condition_without(None);
    let by_rows = stores.index.entities(kind, &condition)?.is_empty()
        && stores.index.count(DocumentKind::Measurement, &condition)? > 0;
    if by_rows {
        return Ok(None);
    }
    let mut stating = BTreeSet::new();
    for fact in Fact::filters().filter(|fact| fact.key().starts_with("peak-")) {
        stating.extend(stores.database.entities_with(kind, fact.key(), |_| true)?);
    }
    let others = question.clauses.iter().filter(|clause| !is_of_precision(clause)).map(|one| one.condition.clone());
    let others = stores.index.entities(kind, &Condition::All(others.collect()))?;
    let silent = others.iter().filter(|id| !stating.contains(*id)).count();
    let state = if silent == 1 { "states" } else { "state" };
    Ok((silent > 0).then(|| format!("{silent} more {state} no peak in any format: what they support is not known.")))
}

/// The same of frameworks and what they are known by in words: `12 more state no status.`
fn silent_frameworks(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    at: usize,
) -> Result<Option<String>, QueryError> {
    let clause = &question.clauses[at];
    let key = clause.readings.first().map(|reading| reading.read_as.facet.as_str());
    let Some(fact) = key
        .and_then(|key| fact_of_facet(key, kind))
        .filter(|_| matches!(kind, EntityKind::Framework | EntityKind::Dataset))
    else {
        return Ok(None);
    };
    let is_own = |other: &Clause| other.readings.first().map(|reading| reading.read_as.facet.as_str()) == key;
    let others = question.clauses.iter().filter(|other| !is_own(other)).map(|other| other.condition.clone());
    let mut silent = 0;
    for id in stores.index.entities(kind, &Condition::All(others.collect()))? {
        let known = statement(stores, kind, &id, fact)?.is_some_and(|stated| stated.value.is_some());
        silent += usize::from(!known);
    }
    let state = if silent == 1 { "states" } else { "state" };
    // Of two conditions on one fact the first says it.
    let is_first = question.clauses[..at].iter().all(|other| !is_own(other));
    Ok((silent > 0 && is_first).then(|| format!("{silent} more {state} no {}.", fact_name(fact))))
}

/// Says what no entity meets; of a single limit also what is stated: `stated are 15 to 700 W`.
pub(in crate::ask::conclude) fn none_listed(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
) -> Result<String, QueryError> {
    let clauses: Vec<&Clause> = question.clauses.iter().filter(|clause| !clause.text.is_empty()).collect();
    let words: Vec<String> = clauses.iter().map(|clause| format!("`{}`", clause.text)).collect();
    let none = format!("No {} is known to meet {}", kind.noun(), and_list(&words));
    let [clause] = clauses.as_slice() else { return Ok(format!("{none}.")) };
    let Some(fact) = limited_fact(clause, kind) else { return Ok(format!("{none}.")) };
    let stated = RefCell::new(Vec::new());
    stores.database.entities_with(kind, fact.key(), |value| {
        if let FactValue::Number(number) = value {
            stated.borrow_mut().push(*number);
        }
        false
    })?;
    // Words have no order.
    if !matches!(fact.value_type(), FactType::Number(_) | FactType::Date) {
        return Ok(format!("{none}."));
    }
    let mut stated = stated.into_inner();
    stated.sort_by(f64::total_cmp);
    let (Some(low), Some(high)) = (stated.first(), stated.last()) else { return Ok(format!("{none}.")) };
    let unit = unit_of(fact).map_or_else(String::new, |unit| format!(" {unit}"));
    let name = fact_name(fact);
    Ok(format!(
        "{none}: the {name} that is stated of any goes from {} to {}{unit}.",
        number_text(*low),
        number_text(*high)
    ))
}

/// The number that a condition limits: `memory:>64`.
pub(in crate::ask::conclude) fn limited_fact(clause: &Clause, kind: EntityKind) -> Option<Fact> {
    // Of `HBM3 or HBM3e` both are of one fact.
    let fact = Fact::filter(clause.plain_kind()?)?;
    let is_number = matches!(fact.value_type(), FactType::Number(_) | FactType::Date);
    let is_word = kind == EntityKind::Device
        && matches!(fact, Fact::MemoryType | Fact::FormFactor | Fact::Chip | Fact::Architecture);
    ((is_number || is_word) && has(kind, fact)).then_some(fact)
}
