//! What holds over all rows of what is listed: with rows of each of several, or of none.

use super::row_counts::RowCounts;
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::Aspect;
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

/// Keeps the entities that have rows with each of what the question wants, and with none of what it does not.
pub(super) fn over_all_rows(
    stores: &Stores,
    question: &Question,
    aspect: Aspect,
    entities: &mut Vec<(String, usize)>,
) -> Result<(), QueryError> {
    let wanted = &question.wanted;
    let each = wanted.each_of.iter().map(|clause| (clause, true));
    for (clause, is_wanted) in each.chain(wanted.none_of.iter().map(|clause| (clause, false))) {
        // What else is asked for holds for these rows as well, but what they stand beside does not.
        let kind = clause.readings.first().map(|reading| reading.read_as.facet.as_str());
        let beside = |other: &&Clause| !other.is_excluded() && other.plain_kind() != kind;
        let rest = question.clauses.iter().filter(beside).map(|other| other.condition.clone());
        let condition = Condition::All(rest.chain([clause.condition.clone()]).collect());
        let having = RowCounts::of(stores, &stores.index.measurements(&condition, None, &[], 0, 0)?, aspect)?;
        entities.retain(|(id, _)| (having.rows_of(id) > 0) == is_wanted);
    }
    Ok(())
}

/// What a list holds over all rows, in words: ` with rows of each of V100 and TPU`.
pub(in crate::ask::conclude) fn held_over_rows(question: &Question) -> String {
    let quoted = |clauses: &[Clause]| {
        let words: Vec<String> =
            clauses.iter().map(|clause| format!("`{}`", clause.text.trim_start_matches('-'))).collect();
        words
    };
    let (each, none) = (quoted(&question.wanted.each_of), quoted(&question.wanted.none_of));
    let mut text = String::new();
    if !each.is_empty() {
        text.push_str(&format!(" with rows of each of {}", and_list(&each)));
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
