//! The classes that a condition on a grade leaves: `hardware with high energy efficiency`.

use super::class_grades::{METRICS, entry, grades_of, spelled};
use super::grade_text::about_one;
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::question::{QueryError, Question};
use crate::model::{HardwareClassRecord, MetricDefinition};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::and_list;

/// The classes that a condition on a grade leaves, where a question asks for nothing else; `None` where it has no such condition.
///
/// # Errors
///
/// When a store fails.
pub fn graded_classes(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    if question.about.is_some_and(|kind| kind != EntityKind::HardwareClass) {
        return Ok(None);
    }
    let definitions = stores.database.definitions(METRICS)?;
    let is_condition = |metric: &&MetricDefinition| question.read_as().any(|read| read.facet == metric.id.as_str());
    let metrics: Vec<&MetricDefinition> = definitions.iter().filter(is_condition).collect();
    if metrics.is_empty() {
        return Ok(None);
    }
    let ids = stores.index.entities(EntityKind::HardwareClass, &question.condition_without(None))?;
    let mut classes: Vec<HardwareClassRecord> = stores.database.entities()?;
    classes.retain(|class| ids.iter().any(|id| id == <&str>::from(class.id)));
    let mut conclusion = Conclusion::default();
    let mut sentences = Vec::new();
    if metrics.len() > 1 {
        sentences.push(meeting_all(&classes, &metrics));
    }
    for metric in metrics {
        let grades = grades_of(&classes, metric);
        conclusion.entries.extend(grades.iter().map(|(class, grade)| entry(class, metric, grade)));
        if sentences.is_empty() {
            sentences.push(about_one(stores, metric, &grades, false)?);
        }
    }
    conclusion.text = sentences.join(" ");
    Ok(Some(conclusion))
}

/// The classes that meet conditions on several grades: `GPU meets all of it (energy efficiency good, research costs low).`
fn meeting_all(classes: &[HardwareClassRecord], metrics: &[&MetricDefinition]) -> String {
    let of_class = |class: &HardwareClassRecord| {
        let grade =
            |metric: &&&MetricDefinition| Some(format!("{} {}", spelled(metric), class.grades.get(&metric.id)?.grade));
        let grades: Vec<String> = metrics.iter().filter_map(|metric| grade(&metric)).collect();
        format!("{} ({})", class.name, grades.join(", "))
    };
    match classes {
        [] => format!(
            "No class meets this in {}.",
            and_list(&metrics.iter().map(|metric| spelled(metric)).collect::<Vec<_>>())
        ),
        [only] => format!("One class meets all of it: {}.", of_class(only)),
        several => {
            format!(
                "{} classes meet all of it: {}.",
                several.len(),
                and_list(&several.iter().map(of_class).collect::<Vec<_>>())
            )
        }
    }
}
