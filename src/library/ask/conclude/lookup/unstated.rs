//! Rows that keep out of an answer because they do not state what was asked for.

use crate::ask::conclude::basis::conclusion::UnstatedField;
use crate::ask::question::{Clause, Intent, QueryError, Question};
use crate::model::{Aspect, Facet, Field};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};

/// Figures are seldom published later than so many years after they were measured.
const YEARS_TO_PUBLICATION: i32 = 2;

/// Counts the rows that meet the question but for a field that they do not state, the most first.
///
/// # Errors
///
/// When a store fails.
pub fn unstated(stores: &Stores, question: &Question) -> Result<Vec<UnstatedField>, QueryError> {
    let of_rows = [Intent::Lookup, Intent::Ranking, Intent::Comparison, Intent::Relation];
    if !of_rows.contains(&question.wanted.intent) {
        return Ok(Vec::new());
    }
    let mut found: Vec<UnstatedField> = Vec::new();
    for (at, clause) in question.clauses.iter().enumerate() {
        let later = published_later(clause);
        let Some(field) = asked_for(clause).or_else(|| later.is_some().then_some(Field::Date)) else { continue };
        let Some(unstated) = not_stating(stores, field)? else { continue };
        let unstated = Condition::All([unstated].into_iter().chain(later).collect());
        let condition = Condition::All(vec![question.condition_without(Some(at)), unstated]);
        let rows = stores.index.count(DocumentKind::Measurement, &condition)?;
        if rows > 0 && !found.iter().any(|known| known.field == field.key()) {
            found.push(UnstatedField { field: field.key().to_owned(), rows });
        }
    }
    found.sort_by_key(|unstated| std::cmp::Reverse(unstated.rows));
    Ok(found)
}

/// Of a clause that asks for years what sources published soon behind them have: where rows state no date, the year of their
/// source counts, and they were measured in that or in one before.
fn published_later(clause: &Clause) -> Option<Condition> {
    let Condition::Facet(Facet::Year, years) = &clause.condition else { return None };
    let last: i32 = years.iter().filter_map(|year| year.parse().ok()).max()?;
    let later = (last + 1..=last + YEARS_TO_PUBLICATION).map(|year| year.to_string());
    Some(Condition::Facet(Facet::Year, later.collect()))
}

/// How many of the rows that meet a question which asks for years state no date, so that the year of their source counts.
///
/// # Errors
///
/// When a store fails.
pub fn dated_by_source(stores: &Stores, question: &Question) -> Result<usize, QueryError> {
    let is_of_years = |clause: &Clause| clause.readings.iter().any(|one| one.read_as.facet == Facet::Year.key());
    if !question.clauses.iter().any(is_of_years) {
        return Ok(0);
    }
    let Some(undated) = not_stating(stores, Field::Date)? else { return Ok(0) };
    let condition = Condition::All(vec![question.condition_without(None), undated]);
    stores.index.count(DocumentKind::Measurement, &condition).map_err(Into::into)
}

/// How many of the rows that meet a question do not state what it excludes some values of: they may be of these.
///
/// # Errors
///
/// When a store fails.
pub fn may_be_excluded(stores: &Stores, question: &Question) -> Result<Vec<(Field, usize)>, QueryError> {
    let mut found: Vec<(Field, usize)> = Vec::new();
    for clause in question.clauses.iter().filter(|clause| clause.is_excluded()) {
        let Some(field) = expected_field(clause) else { continue };
        let Some(unstated) = not_stating(stores, field)? else { continue };
        if found.iter().any(|(known, _)| *known == field) {
            continue;
        }
        let condition = Condition::All(vec![question.condition_without(None), unstated]);
        let rows = stores.index.count(DocumentKind::Measurement, &condition)?;
        found.extend((rows > 0).then_some((field, rows)));
    }
    Ok(found)
}

/// The field that a clause is about, where something is missing in a row that does not state it. What a row is about as a
/// whole, its device and its network, it would not be found without; what it counts belongs to the quantity.
fn asked_for(clause: &Clause) -> Option<Field> {
    if matches!(clause.condition, Condition::Not(_)) { None } else { expected_field(clause) }
}

/// The same of a clause that may exclude.
fn expected_field(clause: &Clause) -> Option<Field> {
    let mut keys = clause.readings.iter().map(|reading| reading.read_as.facet.as_str());
    let key = keys.next()?;
    let Some(Aspect::Field(field)) = Aspect::keyed(key) else { return None };
    let is_one = keys.all(|other| other == key);
    let is_part = !matches!(field, Field::Device | Field::Network | Field::Counts) && field.part().is_some();
    (is_one && is_part && field.is_expected()).then_some(field)
}

/// The rows that do not state a field; `None` where all do.
pub(in crate::ask::conclude) fn not_stating(stores: &Stores, field: Field) -> Result<Option<Condition>, QueryError> {
    let Some(part) = field.part() else { return Ok(None) };
    let column = stores.database.aspect(Aspect::Field(field))?;
    let also = match field {
        Field::BatchSize => Some(stores.database.aspect(Aspect::Field(Field::BatchSizeGlobal))?),
        _ => None,
    };
    let states_none =
        |share: &u32| column.number(*share) == 0 && also.as_ref().is_none_or(|also| also.number(*share) == 0);
    let shares: Vec<u32> = (0..column.len() as u32).filter(states_none).collect();
    Ok((!shares.is_empty()).then_some(Condition::Shares(part, shares)))
}
