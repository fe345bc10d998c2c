//! What measurements along an axis must be like, whatever they state there.

use crate::ask::question::Question;
use crate::model::{Facet, Field};
use crate::stores::index::Condition;

/// What measurements must be like, whatever they state in a field; and whether the question says something of it.
pub(in crate::ask::conclude) fn condition_beside(question: &Question, field: Field) -> (Condition, bool) {
    let (of_axis, others): (Vec<_>, Vec<_>) = question.clauses.iter().partition(|clause| {
        !clause.readings.is_empty() && clause.readings.iter().all(|reading| reading.read_as.facet == field.key())
    });
    (Condition::All(others.into_iter().map(|clause| clause.condition.clone()).collect()), !of_axis.is_empty())
}

/// The question whatever metric it names: where one of two is stated that follow from each other, either will do.
pub(in crate::ask::conclude) fn without_metric(question: &Question) -> Question {
    let mut question = question.clone();
    question.clauses.retain(|clause| {
        clause.readings.is_empty() || clause.readings.iter().any(|reading| reading.read_as.facet != Facet::Metric.key())
    });
    question
}
