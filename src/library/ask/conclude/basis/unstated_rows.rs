//! Rows that do not state what a question asks of them.

use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Aspect, Dataset, Facet, Field};
use crate::stores::Stores;
use crate::stores::database::DatabaseError;
use crate::stores::index::Condition;

/// Figures are seldom published later than so many years after they were measured.
const YEARS_TO_PUBLICATION: i32 = 2;

/// What the rows are like that meet the question but for a field that they do not state, by the field.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn unstated_conditions(
    stores: &Stores,
    question: &Question,
) -> Result<Vec<(Field, Condition)>, QueryError> {
    let mut found = Vec::new();
    for (at, clause) in question.clauses.iter().enumerate() {
        let later = published_later(clause);
        let Some(field) = asked_for(clause).or_else(|| later.is_some().then_some(Field::Date)) else { continue };
        // What is asked for twice is looked for once, and is left out wherever it stands.
        let is_twin = |other: &Clause| other.equivalent == clause.equivalent;
        if question.clauses[..at].iter().any(is_twin) {
            continue;
        }
        let Some(unstated) = not_stating(stores, field)? else { continue };
        let others = question.clauses.iter().filter(|other| !is_twin(other));
        let mut all = vec![Condition::All(others.map(|other| other.condition.clone()).collect()), unstated];
        all.extend(later);
        // Who asks for a data set asks for what is done with it: the accuracy in finding faces is none on ImageNet.
        all.extend(task_of(stores, clause).map_err(QueryError::from)?);
        found.push((field, Condition::All(all)));
    }
    Ok(found)
}

/// What rows of a network must be used for to have run on the data sets that a clause names.
fn task_of(stores: &Stores, clause: &Clause) -> Result<Option<Condition>, DatabaseError> {
    if clause.plain_kind() != Some(Field::Dataset.key()) {
        return Ok(None);
    }
    let mut tasks = Vec::new();
    for id in clause.readings.iter().flat_map(|reading| &reading.read_as.values) {
        let Some(task) = stores.database.entity::<Dataset>(id)?.and_then(|dataset| dataset.task) else {
            return Ok(None);
        };
        tasks.push(task);
    }
    Ok(Some(Condition::Facet(Facet::Task, tasks)))
}

/// Of a clause that asks for years what sources published soon behind them have: where rows state no date, the year of their
/// source counts, and they were measured in that or in one before.
fn published_later(clause: &Clause) -> Option<Condition> {
    let Condition::Facet(Facet::Year, years) = &clause.condition else { return None };
    let last: i32 = years.iter().filter_map(|year| year.parse().ok()).max()?;
    let later = (last + 1..=last + YEARS_TO_PUBLICATION).map(|year| year.to_string());
    Some(Condition::Facet(Facet::Year, later.collect()))
}

/// The field that a clause is about, where something is missing in a row that does not state it. What a row is about as a
/// whole, its device and its network, it would not be found without; what it counts belongs to the quantity.
fn asked_for(clause: &Clause) -> Option<Field> {
    if matches!(clause.condition, Condition::Not(_)) { None } else { expected_field(clause) }
}

/// The same of a clause that may exclude.
fn expected_field(clause: &Clause) -> Option<Field> {
    field_of(clause).filter(|field| field.is_expected())
}

/// The field of which a clause names values, one that rows state of themselves.
pub(in crate::ask::conclude) fn field_of(clause: &Clause) -> Option<Field> {
    let mut keys = clause.readings.iter().map(|reading| reading.read_as.facet.as_str());
    let key = keys.next()?;
    let Some(Aspect::Field(field)) = Aspect::keyed(key) else { return None };
    let is_one = keys.all(|other| other == key);
    let is_part = !matches!(field, Field::Device | Field::Network | Field::Counts) && field.part().is_some();
    (is_one && is_part).then_some(field)
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
