//! Frameworks that a survey says to have what a list asks for, and the record of today does not.

use std::collections::BTreeMap;

use crate::ask::conclude::basis::listed::Listed;
use crate::ask::conclude::basis::statement::{fact_of_facet, statement};
use crate::ask::question::{Clause, QueryError, Question, ReadAs};
use crate::model::Fact;
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::spelling::normalise;
use crate::values::text::and_list;

/// So many of them are named.
const MOST_NAMED: usize = 6;

/// Which frameworks meet a condition by what a survey says alone: ` TensorFlow is none of them today; dai-berleant-2019 says
/// otherwise.`
pub(super) fn by_surveys_alone(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    entities: &[Listed],
) -> Result<Option<String>, QueryError> {
    if kind != EntityKind::Framework {
        return Ok(None);
    }
    let mut named: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (at, clause) in question.clauses.iter().enumerate().filter(|(_, clause)| !clause.is_excluded()) {
        let others: Vec<Condition> = question
            .clauses
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(_, one)| one.condition.clone())
            .collect();
        let asked = asked_values(clause, kind);
        if asked.is_empty() {
            continue;
        }
        for id in stores.index.entities(kind, &Condition::All(others))? {
            if entities.iter().any(|listed| listed.id == id) {
                continue;
            }
            for (fact, value) in &asked {
                let Some(stated) = statement(stores, kind, &id, *fact)? else { continue };
                for (source, said) in &stated.others {
                    let is_said = said.split(", ").any(|said| normalise(said) == *value);
                    let names = named.entry(source.clone()).or_default();
                    if is_said && !names.contains(&stated.name) {
                        names.push(stated.name.clone());
                    }
                }
            }
        }
    }
    let told = named.iter().filter(|(_, names)| !names.is_empty()).map(|(source, names)| {
        let more = names.len().saturating_sub(MOST_NAMED);
        let mut first: Vec<String> = names.iter().take(MOST_NAMED).cloned().collect();
        first.extend((more > 0).then(|| format!("{more} more")));
        format!(" {source} says so of {}, too, which the records of today do not.", and_list(&first))
    });
    let told: String = told.collect();
    Ok((!told.is_empty()).then_some(told))
}

/// The facts of frameworks that a condition asks for, each with a value, normalised.
fn asked_values(clause: &Clause, kind: EntityKind) -> Vec<(Fact, String)> {
    let of_reading = |reading: &ReadAs| {
        let fact = fact_of_facet(&reading.facet, kind);
        let values = reading.values.iter().map(|value| normalise(value)).collect::<Vec<_>>();
        fact.into_iter()
            .flat_map(move |fact| values.clone().into_iter().map(move |value| (fact, value)))
            .collect::<Vec<_>>()
    };
    clause.readings.iter().flat_map(|reading| of_reading(&reading.read_as)).collect()
}
