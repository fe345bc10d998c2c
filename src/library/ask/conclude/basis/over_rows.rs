//! What holds over all rows of what is listed: with rows of each of several, or of none.

use std::collections::BTreeSet;

use super::row_counts::RowCounts;
use crate::ask::question::{Clause, QueryError, Question, is_hardware};
use crate::model::{Aspect, Field};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::text::{and_list, or_list};

/// Whether every condition is on what is listed rather than on its rows, and some of them exclude.
pub(super) fn is_excluded_by_catalog(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
) -> Result<bool, QueryError> {
    if !question.clauses.iter().any(Clause::is_excluded) {
        return Ok(false);
    }
    for clause in &question.clauses {
        if stores.index.entities(kind, &clause.condition)?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Keeps the entities that have rows with each of what the question wants, and with none of what it does not. A family whose
/// members have such rows is none that has none.
pub(super) fn over_all_rows(
    stores: &Stores,
    question: &Question,
    (kind, aspect): (EntityKind, Aspect),
    entities: &mut Vec<(String, usize)>,
) -> Result<(), QueryError> {
    let mut having = Vec::new();
    for clause in &question.wanted.each_of {
        having.push(having_rows(stores, question, clause, aspect)?);
    }
    let least = question.wanted.at_least.unwrap_or(having.len());
    entities.retain(|(id, _)| having.iter().filter(|of_clause| of_clause.rows_of(id) > 0).count() >= least);
    for clause in &question.wanted.none_of {
        let having = with_ancestors(stores, kind, &having_rows(stores, question, clause, aspect)?)?;
        entities.retain(|(id, _)| !having.contains(id));
    }
    Ok(())
}

/// The rows of each entity that meet a clause together with what else is asked for.
fn having_rows(stores: &Stores, question: &Question, clause: &Clause, aspect: Aspect) -> Result<RowCounts, QueryError> {
    // What else is asked for holds for these rows as well, but what they stand beside does not: no row is of a TPU and of a GPU.
    let kind = clause.readings.first().map(|reading| reading.read_as.facet.as_str());
    let faces = |other: &Clause| match (kind, other.plain_kind()) {
        (Some(one), Some(other)) => one == other || is_hardware(one) && is_hardware(other),
        (one, other) => one == other,
    };
    let beside = |other: &&Clause| !other.is_excluded() && !faces(other);
    let rest = question.clauses.iter().filter(beside).map(|other| other.condition.clone());
    let condition = Condition::All(rest.chain([clause.condition.clone()]).collect());
    RowCounts::of(stores, &stores.index.measurements(&condition, None, &[], 0, 0)?, aspect)
}

/// The entities that have rows, with the families that they are of.
pub(super) fn with_ancestors(
    stores: &Stores,
    kind: EntityKind,
    counts: &RowCounts,
) -> Result<BTreeSet<String>, QueryError> {
    let mut all = BTreeSet::new();
    for (id, _) in &counts.values {
        all.extend(stores.database.ancestors(kind, id)?);
        all.insert(id.clone());
    }
    Ok(all)
}

/// Those of a list over all rows of which only the family has rows of what they are to have none of: what a source calls by the
/// name of the family may have been any of them.
pub(in crate::ask::conclude) fn known_by_family_alone(
    stores: &Stores,
    question: &Question,
    (kind, aspect): (EntityKind, Aspect),
    listed: &[&str],
) -> Result<Vec<String>, QueryError> {
    let mut all: BTreeSet<String> = BTreeSet::new();
    for clause in &question.wanted.none_of {
        let having = having_rows(stores, question, clause, aspect)?;
        for id in listed {
            let families = stores.database.ancestors(kind, id)?;
            if families.iter().any(|family| family != id && having.rows_of(family) > 0) {
                all.insert((*id).to_owned());
            }
        }
    }
    Ok(all.into_iter().collect())
}

/// Those of a list over all rows with rows that do not state at all what they are to have none of, by the field that these leave
/// open: a row without a data set may be of any.
pub(in crate::ask::conclude) fn not_stated_in_rows(
    stores: &Stores,
    question: &Question,
    aspect: Aspect,
    listed: &[&str],
) -> Result<Vec<(Field, Vec<String>)>, QueryError> {
    let mut open: Vec<(Field, Vec<String>)> = Vec::new();
    for clause in &question.wanted.none_of {
        let Some(reading) = clause.readings.first() else { continue };
        let Some(Aspect::Field(field)) = Aspect::keyed(&reading.read_as.facet) else { continue };
        // Who wants no cloud asks for rows that state none.
        let is_of_any = reading.read_as.values == ["stated"] || open.iter().any(|(of, _)| *of == field);
        let Some(part) = field.part().filter(|_| !is_of_any) else { continue };
        let stated = stores.database.aspect(Aspect::Field(field))?.shares_with(|_| true);
        let condition = Condition::Not(Box::new(Condition::Shares(part, stated)));
        let having = having_rows(stores, question, &Clause { condition, ..clause.clone() }, aspect)?;
        let ids: Vec<String> = listed.iter().filter(|id| having.rows_of(id) > 0).map(|id| (*id).to_owned()).collect();
        if !ids.is_empty() {
            open.push((field, ids));
        }
    }
    Ok(open)
}

/// What a list holds over all rows, in words: ` with rows of each of V100 and TPU`.
pub(in crate::ask::conclude) fn held_over_rows(question: &Question) -> String {
    let quoted = |clauses: &[Clause]| {
        let words: Vec<String> =
            clauses.iter().map(|clause| format!("`{}`", clause.text.trim_start_matches('-'))).collect();
        words
    };
    let (each, none) = (quoted(&question.wanted.each_of), quoted(&question.wanted.none_of));
    let mut text = match &question.wanted.counted {
        Some(limit) => format!(" with {}", limit.text),
        None => String::new(),
    };
    match question.wanted.at_least {
        _ if each.is_empty() => {}
        Some(least) => text.push_str(&format!(" with rows of at least {least} of {}", and_list(&each))),
        None => text.push_str(&format!(" with rows of each of {}", and_list(&each))),
    }
    if !none.is_empty() {
        let joint = if each.is_empty() { " without" } else { " and without" };
        text.push_str(&format!("{joint} rows of {}", or_list(&none)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::Intent;

    #[test]
    fn the_catalog_excludes_where_all_conditions_are_on_what_is_listed() {
        let sample = Sample::of(&[("paper-2020", "\n[[run]]\nthroughput-per-s = 1\n")]);
        for (filters, kind, expected) in [
            ("-license:mit", EntityKind::Framework, false),
            ("multi-server:no -license:mit", EntityKind::Framework, false),
            ("license:mit", EntityKind::Framework, false),
            ("stage:eval -license:mit", EntityKind::Framework, false),
            ("memory>10 -device:nova", EntityKind::Device, true),
        ] {
            let question = sample.question(filters, Intent::List);
            let excluded = is_excluded_by_catalog(&sample.stores, &question, kind).unwrap();
            assert_eq!(excluded, expected, "{filters}");
        }
    }
}
