//! A grade of a class of hardware: what a high grade means, its reason, who disagrees, and what the measurements say.

use super::class_grades::{METRICS, classes_asked_for, entries_of, entry, grades_of, metrics_asked_for, spelled};
use super::grade_text::{about_all, about_one, at_end, graded_instead, is_at_end, ungraded, verdicts_on_all};
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::fact_entries;
use crate::ask::conclude::basis::named::{named_entities, named_sides};
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::question::{Clause, QueryError, Question, Superlative};
use crate::model::{HardwareClassRecord, MetricDefinition};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::text::and_list;

/// More metrics than this are not told in sentences.
const MOST_TOLD: usize = 3;

/// Tells the grades that were asked for.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, _found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let mut classes = classes_asked_for(stores, &named)?;
    let definitions = stores.database.definitions(METRICS)?;
    let mut none_passes = false;
    if question.read_as().any(|read| definitions.iter().any(|metric| metric.id.as_str() == read.facet)) {
        // `at least moderate energy efficiency`: the classes that are graded so.
        // Years and the like are conditions on what is measured, and none on a grade.
        let of_grade = |clause: &&Clause| {
            let key = clause.plain_kind();
            key == Some("class") || definitions.iter().any(|metric| Some(metric.id.as_str()) == key)
        };
        let conditions = question.clauses.iter().filter(of_grade).map(|clause| clause.condition.clone()).collect();
        let passing = stores.index.entities(EntityKind::HardwareClass, &Condition::All(conditions))?;
        let passes = |class: &HardwareClassRecord| passing.iter().any(|id| id == <&str>::from(class.id));
        if classes.iter().any(passes) {
            classes.retain(passes);
        } else {
            none_passes = true;
        }
    }
    let asked = metrics_asked_for(question, &definitions);
    let metrics: Vec<&MetricDefinition> = if asked.is_empty() { definitions.iter().collect() } else { asked };
    let worst_first = matches!(question.wanted.superlative, Some(Superlative::Worst));
    let mut conclusion = Conclusion::default();
    let mut sentences = Vec::new();
    // Who asks of a device is told that of its class.
    if let [only] = classes.as_slice()
        && let Some(device) = named.iter().find(|entity| entity.kind == EntityKind::Device)
    {
        let name = fact_entries::name(stores, device)?.unwrap_or_else(|| device.id.clone());
        sentences.push(format!("Classes are graded, not devices; {name} is of the class {}.", only.name));
    }
    if none_passes {
        sentences.push("No hardware class is graded so.".to_owned());
    }
    for metric in &metrics {
        let mut grades = grades_of(&classes, metric);
        if worst_first {
            grades.reverse();
        }
        conclusion.entries.extend(grades.iter().map(|(class, grade)| entry(class, metric, grade)));
        // Of many metrics at once the table says enough.
        if metrics.len() <= MOST_TOLD {
            sentences.push(match grades.is_empty() {
                true => ungraded(stores, metric, &classes)?,
                false => about_one(stores, metric, &grades, question.wanted.evidence)?,
            });
        }
    }
    if sentences.is_empty() {
        sentences.extend(no_such_metric(question, &definitions));
        sentences.push(match (classes.as_slice(), question.wanted.superlative) {
            // `where do gpus score worst`
            ([class], Some(superlative)) if !class.grades.is_empty() => {
                let is_worst = matches!(superlative, Superlative::Worst | Superlative::Least);
                conclusion.entries.retain(|entry| is_at_end(class, &definitions, &entry.quantity, is_worst));
                at_end(class, &definitions, is_worst)
            }
            _ => about_all(&classes, &definitions),
        });
        if let [class] = classes.as_slice() {
            sentences.extend(verdicts_on_all(stores, class)?);
        }
        sentences.extend(graded_instead(stores, &classes)?);
    }
    conclusion.text = sentences.join(" ");
    Ok(conclusion)
}

/// `how is the security of FPGAs graded`: that no metric is called so; `None` where nothing is asked for that none is.
fn no_such_metric(question: &Question, definitions: &[MetricDefinition]) -> Option<String> {
    let [unknown] = question.ignored.as_slice() else { return None };
    let names: Vec<String> = definitions.iter().map(spelled).collect();
    Some(format!("No metric of the survey is called `{unknown}`; its {} are {}.", names.len(), and_list(&names)))
}

/// The grades of the sides of a comparison that a question asks for by name, differing or not; `None` where it asks for none,
/// or where the sides are no classes.
///
/// # Errors
///
/// When a store fails.
pub fn grades_of_sides(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    let definitions = stores.database.definitions(METRICS)?;
    let metrics = metrics_asked_for(question, &definitions);
    let sides = named_sides(stores, question)?;
    if metrics.is_empty() || sides.is_empty() || sides.iter().any(|side| side.kind != EntityKind::HardwareClass) {
        return Ok(None);
    }
    let classes = classes_asked_for(stores, &sides)?;
    let mut conclusion = Conclusion::default();
    let mut sentences = Vec::new();
    for metric in metrics {
        conclusion.entries.extend(entries_of(&classes, metric));
        sentences.push(about_one(stores, metric, &grades_of(&classes, metric), question.wanted.evidence)?);
    }
    conclusion.text = sentences.join(" ");
    Ok(Some(conclusion))
}
