//! In which metrics classes of hardware have the same grade.

use std::collections::BTreeSet;

use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::catalog::class_grades::{METRICS, classes_compared, entries_of, spelled};
use crate::ask::question::{QueryError, Question};
use crate::model::{HardwareClassRecord, MetricDefinition};
use crate::stores::Stores;
use crate::values::text::and_list;

/// Tells the metrics in which the classes that are named, or all that have grades, are graded alike, and those in which they differ.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let classes = classes_compared(stores, question)?;
    let definitions = stores.database.definitions(METRICS)?;
    let both_graded = |metric: &&MetricDefinition| classes.iter().all(|class| class.grades.contains_key(&metric.id));
    let graded: Vec<&MetricDefinition> = definitions.iter().filter(both_graded).collect();
    let mut conclusion = Conclusion::default();
    if classes.len() < 2 || graded.is_empty() {
        return Ok(conclusion);
    }
    let all = graded.len();
    let (alike, others): (Vec<&MetricDefinition>, Vec<&MetricDefinition>) =
        graded.into_iter().partition(|metric| are_alike(&classes, metric));
    for metric in &alike {
        conclusion.entries.extend(entries_of(&classes, metric));
    }
    let names: Vec<&str> = classes.iter().map(|class| class.name.as_str()).collect();
    let sources: BTreeSet<String> =
        classes.iter().flat_map(|class| class.grades.values()).map(|grade| grade.source.to_string()).collect();
    let by = and_list(&sources.into_iter().collect::<Vec<_>>());
    let told: Vec<String> = alike.iter().map(|metric| graded_in_words(&classes[0], metric)).collect();
    let mut sentences = vec![match told.is_empty() {
        true => format!("{} have the same grade in none of the {all} metrics ({by}).", and_list(&names)),
        false => format!(
            "{} have the same grade in {} of {all} metrics ({by}): {}.",
            and_list(&names),
            told.len(),
            and_list(&told)
        ),
    }];
    if classes.len() > 2 {
        sentences.extend(of_two_alone(&classes, &others));
    }
    let different: Vec<String> = others.iter().map(|metric| spelled(metric)).collect();
    if !different.is_empty() {
        let all = if classes.len() > 2 { "Not all are alike" } else { "They differ" };
        sentences.push(format!("{all} in {}.", and_list(&different)));
    }
    conclusion.text = sentences.join(" ");
    Ok(conclusion)
}

fn are_alike(classes: &[HardwareClassRecord], metric: &MetricDefinition) -> bool {
    let mut grades = classes.iter().filter_map(|class| Some(class.grades.get(&metric.id)?.grade));
    let first = grades.next();
    first.is_some() && grades.all(|grade| Some(grade) == first)
}

/// `Low latency of … alike`: the metrics in which two of several classes are graded alike.
fn of_two_alone(classes: &[HardwareClassRecord], metrics: &[&MetricDefinition]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (at, one) in classes.iter().enumerate() {
        for other in &classes[at + 1..] {
            let two = [one.clone(), other.clone()];
            let alike: Vec<String> = metrics
                .iter()
                .filter(|metric| are_alike(&two, metric))
                .map(|metric| graded_in_words(one, metric))
                .collect();
            if !alike.is_empty() {
                sentences.push(format!("{} and {} alone in {}.", one.name, other.name, and_list(&alike)));
            }
        }
    }
    sentences
}

/// `time to market (high)`
fn graded_in_words(class: &HardwareClassRecord, metric: &MetricDefinition) -> String {
    let grade = class.grades.get(&metric.id).map(|grade| grade.grade.to_string()).unwrap_or_default();
    format!("{} ({grade})", spelled(metric))
}
