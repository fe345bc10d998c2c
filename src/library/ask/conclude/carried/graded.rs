//! What is graded so: the metrics in which classes of hardware have a grade.

use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::named::named_entities;
use crate::ask::conclude::catalog::class_grades::{METRICS, classes_asked_for, entry, spelled};
use crate::ask::question::{QueryError, Question};
use crate::model::rank_of;
use crate::stores::Stores;
use crate::values::Grade;
use crate::values::text::and_list;

/// Tells which classes have a grade, those that are named or all, and in what.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question, wanted: Grade) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let definitions = stores.database.definitions(METRICS)?;
    let mut conclusion = Conclusion::default();
    let mut told = Vec::new();
    let mut none = Vec::new();
    let mut graders: Vec<String> = Vec::new();
    for class in &classes_asked_for(stores, &named)? {
        let graded: Vec<_> = definitions
            .iter()
            .filter_map(|metric| Some((metric, class.grades.get(&metric.id).filter(|own| own.grade == wanted)?)))
            .collect();
        if graded.is_empty() {
            none.push(class.name.clone());
            continue;
        }
        let metrics: Vec<String> = graded.iter().map(|(metric, _)| spelled(metric)).collect();
        told.push(format!("{} ({} of {}): {}", class.name, graded.len(), class.grades.len(), and_list(&metrics)));
        for (metric, grade) in graded {
            let source = grade.source.to_string();
            conclusion.entries.push(entry(class, metric, grade));
            graders.extend((!graders.contains(&source)).then_some(source));
        }
    }
    let by = if graders.is_empty() { String::new() } else { format!(" by {}", and_list(&graders)) };
    let others = if none.is_empty() { String::new() } else { format!(" Nothing of {} is graded so.", and_list(&none)) };
    // The scale of the survey has no such grade: where it stands is told.
    let between = between(wanted).filter(|_| wanted == Grade::Good).map(|(worse, better)| {
        format!(" Among the other grades it is taken to stand between {worse} and {better}, which is no word of the survey's.")
    });
    let others = others + &between.unwrap_or_default();
    conclusion.text = match told.is_empty() {
        true => format!("Nothing is graded {wanted}.{others}"),
        false => format!("Graded {wanted}{by}: {}.{others}", told.join("; ")),
    };
    Ok(conclusion)
}

/// The grades between which one stands.
fn between(grade: Grade) -> Option<(Grade, Grade)> {
    let mut scale = [Grade::Low, Grade::Moderate, Grade::Good, Grade::High];
    scale.sort_by(|a, b| rank_of(*a).total_cmp(&rank_of(*b)));
    let at = scale.iter().position(|one| *one == grade)?;
    Some((*scale.get(at.checked_sub(1)?)?, *scale.get(at + 1)?))
}
