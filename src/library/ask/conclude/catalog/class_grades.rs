//! The grades of classes of hardware, as the catalog states them.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Entry, EntryValue};
use crate::ask::conclude::basis::named::{NamedEntity, named_entities};
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::{Device, Facet, GradeRecord, HardwareClassRecord, MetricDefinition, Value, rank_of};
use crate::stores::Stores;
use crate::values::{EntityKind, Grade};

/// The list of definitions of hardware metrics.
pub(in crate::ask::conclude) const METRICS: &str = "hardware-metrics";

/// A metric as it is said: `time to market`.
pub(in crate::ask::conclude) fn spelled(metric: &MetricDefinition) -> String {
    metric.id.as_str().replace('-', " ")
}

/// The grades in which classes differ: the name of each metric, and an entry for each class.
///
/// # Errors
///
/// When a store fails.
pub fn grades_side_by_side(stores: &Stores, sides: &[NamedEntity]) -> Result<Vec<(String, Vec<Entry>)>, QueryError> {
    let classes = classes_asked_for(stores, sides)?;
    let mut rows = Vec::new();
    for metric in &stores.database.definitions(METRICS)? {
        let entries = entries_of(&classes, metric);
        if entries.len() == classes.len() && entries.windows(2).any(|pair| pair[0].value != pair[1].value) {
            rows.push((spelled(metric), entries));
        }
    }
    Ok(rows)
}

/// The metrics that a question names, in its order.
pub(in crate::ask::conclude) fn metrics_asked_for<'d>(
    question: &Question,
    definitions: &'d [MetricDefinition],
) -> Vec<&'d MetricDefinition> {
    let ids = question.wanted.quantities.iter().filter_map(|quantity| match quantity {
        Quantity::HardwareMetric(id) => Some(id.as_str()),
        _ => None,
    });
    ids.filter_map(|id| definitions.iter().find(|metric| metric.id.as_str() == id)).collect()
}

/// The grades of classes, in the order of the classes.
pub(in crate::ask::conclude) fn entries_of(classes: &[HardwareClassRecord], metric: &MetricDefinition) -> Vec<Entry> {
    classes.iter().filter_map(|class| Some(entry(class, metric, class.grades.get(&metric.id)?))).collect()
}

/// All grades of a class, the best first.
///
/// # Errors
///
/// When a store fails.
pub fn all_grades(stores: &Stores, class: &HardwareClassRecord) -> Result<Vec<Entry>, QueryError> {
    let definitions = stores.database.definitions(METRICS)?;
    let mut grades: Vec<(&MetricDefinition, &GradeRecord)> =
        definitions.iter().filter_map(|metric| Some((metric, class.grades.get(&metric.id)?))).collect();
    grades.sort_by(|(_, a), (_, b)| rank_of(b.grade).total_cmp(&rank_of(a.grade)));
    Ok(grades.into_iter().map(|(metric, grade)| entry(class, metric, grade)).collect())
}

/// The classes that a question names, itself or by a device of theirs; where it names none, all that have grades.
pub(in crate::ask::conclude) fn classes_asked_for(
    stores: &Stores,
    named: &[NamedEntity],
) -> Result<Vec<HardwareClassRecord>, QueryError> {
    let mut wanted: Vec<String> = Vec::new();
    for entity in named {
        let class = match entity.kind {
            EntityKind::HardwareClass => Some(entity.id.clone()),
            EntityKind::Device => stores.database.entity::<Device>(&entity.id)?.map(|device| device.class.to_string()),
            _ => None,
        };
        wanted.extend(class.filter(|class| !wanted.contains(class)));
    }
    let all: Vec<HardwareClassRecord> = stores.database.entities()?;
    if wanted.is_empty() {
        return Ok(all.into_iter().filter(|class| !class.grades.is_empty()).collect());
    }
    let named = |id: &String| all.iter().find(|class| <&str>::from(class.id) == id).cloned();
    Ok(wanted.iter().filter_map(named).collect())
}

/// The classes with grades that are set against each other: those that a question names, else all.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn classes_compared(
    stores: &Stores,
    question: &Question,
) -> Result<Vec<HardwareClassRecord>, QueryError> {
    let mut classes = classes_asked_for(stores, &named_entities(stores, question)?)?;
    if classes.len() < 2 {
        classes = classes_asked_for(stores, &[])?;
    }
    classes.retain(|class| !class.grades.is_empty());
    Ok(classes)
}

/// The grades of some classes, the better one first.
pub(in crate::ask::conclude) fn grades_of<'c>(
    classes: &'c [HardwareClassRecord],
    metric: &MetricDefinition,
) -> Vec<(&'c HardwareClassRecord, &'c GradeRecord)> {
    let graded = classes.iter().filter_map(|class| Some((class, class.grades.get(&metric.id)?)));
    let mut grades: Vec<_> = graded.collect();
    let better_is_low = metric.better == Some(Grade::Low);
    grades.sort_by(|(_, a), (_, b)| {
        let order = rank_of(b.grade).total_cmp(&rank_of(a.grade));
        if better_is_low { order.reverse() } else { order }
    });
    grades
}

pub(in crate::ask::conclude) fn entry(
    class: &HardwareClassRecord,
    metric: &MetricDefinition,
    grade: &GradeRecord,
) -> Entry {
    Entry {
        subjects: IndexMap::from([(Facet::Class.key().to_owned(), Value::Text(class.id.to_string().into()))]),
        quantity: metric.id.to_string(),
        value: Some(EntryValue::Text(grade.grade.to_string())),
        n: 1,
        sources: vec![grade.source.to_string()],
        ..Entry::default()
    }
}
