//! Grades of hardware classes by the metrics of the survey, their order, and where a survey contradicts itself.

use indexmap::IndexSet;

use super::condition::entities_meeting;
use super::key::{named, subject};
use super::spread::in_order;
use super::{Entry, EntryValue, Outcome, Remark};
use crate::ask::parse::{Ask, End, Key, Quantity, QueryError, Question};
use crate::model::{Device, Direction, GradeRecord, HardwareClassRecord, MetricDefinition, rank_of};
use crate::stores::Stores;
use crate::values::{EntityKind, Grade};

/// The list of definitions of hardware metrics.
const METRICS: &str = "hardware-metrics";

/// The grades of the named classes (a device names its class), or of all, best first unless the worst is asked for.
pub(super) fn grades(stores: &Stores, question: &Question) -> Result<Outcome, QueryError> {
    let mut outcome = Outcome::of(Ask::Grade);
    let definitions = stores.database.definitions(METRICS)?;
    let asked: Vec<&MetricDefinition> = metrics_of(question, &definitions);
    let metrics: Vec<&MetricDefinition> = if asked.is_empty() { definitions.iter().collect() } else { asked };
    let classes = classes_of(stores, question)?;
    let end = question.order.as_ref().map_or(End::Best, |order| order.end);
    for metric in metrics {
        let mut graded: Vec<(&HardwareClassRecord, &GradeRecord)> =
            classes.iter().filter_map(|class| Some((class, class.grades.get(&metric.id)?))).collect();
        let better = if metric.better == Some(Grade::Low) { Direction::Lower } else { Direction::Higher };
        graded.sort_by(|(_, a), (_, b)| in_order(rank_of(a.grade), rank_of(b.grade), end.is_largest(better)));
        outcome.entries.extend(graded.iter().map(|(class, grade)| entry(class, metric, grade)));
        // What is named and has no grade is said.
        let ungraded =
            classes.iter().filter(|class| !class.grades.contains_key(&metric.id) && !question.wants.is_empty());
        outcome.remarks.extend(
            ungraded
                .map(|class| Remark::FactUnknown { subject: class.id.to_string(), quantity: metric.id.to_string() }),
        );
        if question.wants.is_empty() && question.order.is_none() {
            continue;
        }
        outcome.remarks.push(Remark::GradeDirection { metric: metric.id.to_string(), better: metric.better });
        let notes = graded.iter().filter_map(|(class, grade)| Some((class, grade.notes.clone()?)));
        outcome.remarks.extend(notes.map(|(class, note)| Remark::GradeNote {
            class: class.id.to_string(),
            metric: metric.id.to_string(),
            note,
        }));
    }
    outcome.entries.truncate(question.take.unwrap_or(usize::MAX));
    Ok(outcome)
}

/// All grades of a class, the highest first.
pub(super) fn grades_of_class(stores: &Stores, id: &str) -> Result<Vec<Entry>, QueryError> {
    let Some(class) = stores.database.entity::<HardwareClassRecord>(id)? else { return Ok(Vec::new()) };
    let definitions = stores.database.definitions(METRICS)?;
    let mut graded: Vec<(&MetricDefinition, &GradeRecord)> =
        definitions.iter().filter_map(|metric| Some((metric, class.grades.get(&metric.id)?))).collect();
    graded.sort_by(|(_, a), (_, b)| rank_of(b.grade).total_cmp(&rank_of(a.grade)));
    Ok(graded.into_iter().map(|(metric, grade)| entry(&class, metric, grade)).collect())
}

/// The metrics that a question wants, orders by or limits.
fn metrics_of<'d>(question: &Question, definitions: &'d [MetricDefinition]) -> Vec<&'d MetricDefinition> {
    let wanted = question.wants.iter().chain(question.order.iter().map(|order| &order.by));
    let ids = wanted.filter_map(|quantity| match quantity {
        Quantity::HardwareMetric(id) => Some(id.as_str()),
        _ => None,
    });
    let limited = question.subject.tests().filter_map(|test| match &test.key {
        Key::Grade(id) => Some(id.as_str()),
        _ => None,
    });
    let ids: IndexSet<&str> = ids.chain(limited).collect();
    ids.iter().filter_map(|id| definitions.iter().find(|metric| metric.id.as_str() == *id)).collect()
}

/// The classes that a question is about: those that its subject and sides name or meet, else all with grades.
fn classes_of(stores: &Stores, question: &Question) -> Result<Vec<HardwareClassRecord>, QueryError> {
    let mut wanted: Vec<String> = Vec::new();
    for filter in question.sides.iter().chain([&question.subject]) {
        for entity in named(stores, filter)? {
            let class = match entity.kind {
                EntityKind::HardwareClass => Some(entity.id),
                EntityKind::Device => {
                    stores.database.entity::<Device>(&entity.id)?.map(|device| device.class.to_string())
                }
                _ => None,
            };
            wanted.extend(class.filter(|class| !wanted.contains(class)));
        }
    }
    let all: Vec<HardwareClassRecord> = stores.database.entities()?;
    let of = |id: &String| all.iter().find(|class| <&str>::from(class.id) == id).cloned();
    if !wanted.is_empty() {
        return Ok(wanted.iter().filter_map(of).collect());
    }
    let meeting = entities_meeting(stores, EntityKind::HardwareClass, &question.subject)?;
    let graded = |class: &HardwareClassRecord| !class.grades.is_empty();
    Ok(meeting.iter().filter_map(of).filter(graded).collect())
}

fn entry(class: &HardwareClassRecord, metric: &MetricDefinition, grade: &GradeRecord) -> Entry {
    Entry {
        subjects: subject(EntityKind::HardwareClass, <&str>::from(class.id)),
        quantity: metric.id.to_string(),
        value: Some(EntryValue::Text(grade.grade.to_string())),
        n: 1,
        sources: vec![grade.source.to_string()],
        ..Entry::default()
    }
}
