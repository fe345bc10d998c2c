//! Rows that keep out of an answer because they do not state what was asked for.

use crate::ask::conclude::basis::conclusion::UnstatedField;
use crate::ask::conclude::basis::unstated_rows::{field_of, not_stating, unstated_conditions};
use crate::ask::question::{Clause, Intent, QueryError, Question};
use crate::model::{Aspect, Facet, Fact, Field};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};

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
    for (field, condition) in unstated_conditions(stores, question)? {
        let rows = stores.index.count(DocumentKind::Measurement, &condition)?;
        if rows > 0 && !found.iter().any(|known| known.field == field.key()) {
            found.push(UnstatedField { field: field.key().to_owned(), rows });
        }
    }
    found.sort_by_key(|unstated| std::cmp::Reverse(unstated.rows));
    Ok(found)
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
        // That a field is not to be stated at all, rows that do not state it meet.
        if clause.readings.iter().any(|one| one.read_as.values.iter().any(|value| value == "stated")) {
            continue;
        }
        // What ran on nobody's device by name may have been of the maker that is excluded.
        let of_maker = clause.readings.iter().any(|one| one.read_as.facet == Facet::Vendor.key());
        let (field, unstated) = match field_of(clause) {
            _ if of_maker => (Field::Device, Some(of_no_maker(stores)?)),
            Some(field) => (field, not_stating(stores, field)?),
            None => continue,
        };
        let Some(unstated) = unstated else { continue };
        if found.iter().any(|(known, _)| *known == field) {
            continue;
        }
        let condition = Condition::All(vec![question.condition_without(None), unstated]);
        let rows = stores.index.count(DocumentKind::Measurement, &condition)?;
        found.extend((rows > 0).then_some((field, rows)));
    }
    Ok(found)
}

/// Rows on devices of which the maker is not known: `CPU (not named by the source)`.
fn of_no_maker(stores: &Stores) -> Result<Condition, QueryError> {
    let made = stores.database.aspect(Aspect::Fact(Fact::Vendor))?;
    let makers: Vec<String> = made.values().map(str::to_owned).collect();
    Ok(Condition::Not(Box::new(Condition::Facet(Facet::Vendor, makers))))
}
