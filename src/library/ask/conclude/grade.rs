//! A grade of a class of hardware: what a high grade means, its reason, who disagrees, and what the measurements say.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use strum::VariantArray as _;

use super::conclusion::{Conclusion, Entry, EntryValue};
use super::fact_wording::capital;
use super::found::Found;
use super::named::{NamedEntity, named_entities, named_sides};
use crate::ask::question::{Quantity, QueryError, Question, Superlative};
use crate::model::{
    Aspect, Device, Facet, Fact, Field, GradeRecord, HardwareClassRecord, Metric, MetricDefinition, Value, rank_of,
};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::text::{and_list, counted};
use crate::values::{EntityKind, Grade};

/// The list of definitions of hardware metrics.
const METRICS: &str = "hardware-metrics";
/// More metrics than this are not told in sentences.
const MOST_TOLD: usize = 3;
/// The reasons of so many grades are told.
const MOST_REASONS: usize = 2;

/// Tells the grades that were asked for.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, _found: &Found<'_>) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let mut classes = classes_asked_for(stores, &named)?;
    let definitions = stores.database.definitions(METRICS)?;
    let mut none_passes = false;
    if question.read_as().any(|read| definitions.iter().any(|metric| metric.id.as_str() == read.facet)) {
        // `at least moderate energy efficiency`: the classes that are graded so.
        let passing = stores.index.entities(EntityKind::HardwareClass, &question.condition_without(None))?;
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
        let name = super::fact_entries::name(stores, device)?.unwrap_or_else(|| device.id.clone());
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
                false => about_one(stores, metric, &grades)?,
            });
        }
    }
    if sentences.is_empty() {
        sentences.push(about_all(&classes));
    }
    conclusion.text = sentences.join(" ");
    Ok(conclusion)
}

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
            sentences.push(about_one(stores, metric, &grades)?);
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

/// A metric as it is said: `time to market`.
fn spelled(metric: &MetricDefinition) -> String {
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
        sentences.push(about_one(stores, metric, &grades_of(&classes, metric))?);
    }
    conclusion.text = sentences.join(" ");
    Ok(Some(conclusion))
}

/// The metrics that a question names, in its order.
fn metrics_asked_for<'d>(question: &Question, definitions: &'d [MetricDefinition]) -> Vec<&'d MetricDefinition> {
    let ids = question.wanted.quantities.iter().filter_map(|quantity| match quantity {
        Quantity::HardwareMetric(id) => Some(id.as_str()),
        _ => None,
    });
    ids.filter_map(|id| definitions.iter().find(|metric| metric.id.as_str() == id)).collect()
}

/// The grades of classes, in the order of the classes.
fn entries_of(classes: &[HardwareClassRecord], metric: &MetricDefinition) -> Vec<Entry> {
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
fn classes_asked_for(stores: &Stores, named: &[NamedEntity]) -> Result<Vec<HardwareClassRecord>, QueryError> {
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

/// The grades of some classes, the better one first.
fn grades_of<'c>(
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

fn entry(class: &HardwareClassRecord, metric: &MetricDefinition, grade: &GradeRecord) -> Entry {
    Entry {
        subjects: IndexMap::from([(Facet::Class.key().to_owned(), Value::Text(class.id.to_string().into()))]),
        quantity: metric.id.to_string(),
        value: Some(EntryValue::Text(grade.grade.to_string())),
        n: 1,
        sources: vec![grade.source.to_string()],
        ..Entry::default()
    }
}

/// `Energy efficiency: ASIC high, GPU good, FPGA moderate …`, with meaning, reasons, disagreement and measurements.
fn about_one(
    stores: &Stores,
    metric: &MetricDefinition,
    grades: &[(&HardwareClassRecord, &GradeRecord)],
) -> Result<String, QueryError> {
    let name = metric.id.as_str().replace('-', " ");
    if grades.is_empty() {
        return Ok(format!("No class has such a grade in {name}."));
    }
    let listed: Vec<String> = grades.iter().map(|(class, grade)| format!("{} {}", class.name, grade.grade)).collect();
    let sources: BTreeSet<String> = grades.iter().map(|(_, grade)| grade.source.to_string()).collect();
    let sources: Vec<String> = sources.into_iter().collect();
    let mut text = format!("{}: {} ({}). {}", capital(&name), listed.join(", "), sources.join(", "), meaning(metric));
    text.push_str(&reasons(grades));
    // Notes on several classes tell of one disagreement: that on the first of them is enough.
    let disagreement = grades.iter().filter_map(|(_, grade)| grade.notes.as_ref()).find(|notes| !is_reference(notes));
    if let Some(disagreement) = disagreement {
        text.push_str(&format!(" {}", first_sentences(disagreement, 2)));
    }
    if let Some(measured) = measured(stores, metric, grades)? {
        text.push_str(&format!(" {measured}"));
    }
    Ok(text)
}

/// Whether a note only points to what is said of the metric anyway.
fn is_reference(note: &str) -> bool {
    note.contains("see the metric")
}

/// The survey's reason for each of a few grades.
fn reasons(grades: &[(&HardwareClassRecord, &GradeRecord)]) -> String {
    if grades.len() > MOST_REASONS {
        return String::new();
    }
    let reason = |(class, grade): &(&HardwareClassRecord, &GradeRecord)| {
        let most = if grades.len() == 1 { 2 } else { 1 };
        let reason = first_sentences(grade.rationale.as_ref()?, most);
        Some(match grades.len() {
            1 => format!(" Why: {reason}"),
            _ => format!(" Why {}: {reason}", class.name),
        })
    };
    let mut said: Vec<String> = Vec::new();
    for reason in grades.iter().filter_map(reason) {
        said.push(reason);
    }
    said.concat()
}

/// What is said of classes without a grade: who has one.
fn ungraded(stores: &Stores, metric: &MetricDefinition, classes: &[HardwareClassRecord]) -> Result<String, QueryError> {
    let all: Vec<HardwareClassRecord> = stores.database.entities()?;
    let named: Vec<&str> = classes.iter().map(|class| class.name.as_str()).collect();
    let graded: Vec<String> =
        grades_of(&all, metric).iter().map(|(class, grade)| format!("{} {}", class.name, grade.grade)).collect();
    let of = if named.is_empty() { "what the question names".to_owned() } else { and_list(&named) };
    Ok(format!("{} of {of}: not graded by the survey, which grades {}.", capital(&spelled(metric)), and_list(&graded)))
}

/// What a high grade means, and which way is better.
fn meaning(metric: &MetricDefinition) -> String {
    let better = match metric.better {
        Some(Grade::Low) => "low is better",
        Some(_) => "high is better",
        None => "neither end is better",
    };
    let notes = metric.notes.as_deref().unwrap_or_default();
    let said = notes.split(". ").find(|sentence| sentence.contains("High means"));
    let said =
        said.and_then(|sentence| Some(sentence[sentence.find("High means")?..].trim_end_matches('.').to_owned()));
    match (said, metric.id.as_str()) {
        (Some(said), _) => format!("{said}; {better}."),
        (None, "time-to-market") => format!("High means a short time; {better}."),
        (None, _) => {
            format!("Meant is {}; {better}.", first_letter_low(&first_sentence(&metric.definition)))
        }
    }
}

/// All grades of a class, the highest first; of several classes whose they are, for a table says the rest.
pub fn about_all(classes: &[HardwareClassRecord]) -> String {
    let graded: Vec<&HardwareClassRecord> = classes.iter().filter(|class| !class.grades.is_empty()).collect();
    let ungraded: Vec<&str> =
        classes.iter().filter(|class| class.grades.is_empty()).map(|class| class.name.as_str()).collect();
    let mut said = match graded.as_slice() {
        [] => Vec::new(),
        [only] => vec![by_grade(only)],
        several => {
            let names: Vec<&str> = several.iter().map(|class| class.name.as_str()).collect();
            let metrics: BTreeSet<&str> =
                several.iter().flat_map(|class| class.grades.keys()).map(|metric| metric.as_str()).collect();
            vec![format!(
                "{} are graded in {} by {}; what high means: dlbench table hardware-metrics.",
                and_list(&names),
                counted(metrics.len(), "metric", "metrics"),
                graders(several)
            )]
        }
    };
    if !ungraded.is_empty() {
        said.push(format!("No grades are known of {}.", and_list(&ungraded)));
    }
    said.join(" ")
}

/// `ASIC, 12 grades (dai-berleant-2019): high in low latency; moderate in nothing …`.
fn by_grade(class: &HardwareClassRecord) -> String {
    let with = |wanted: &Grade| {
        let graded = class.grades.iter().filter(|(_, record)| record.grade == *wanted);
        let names: Vec<String> = graded.map(|(metric, _)| metric.as_str().replace('-', " ")).collect();
        (!names.is_empty()).then(|| format!("{wanted} in {}", and_list(&names)))
    };
    let grades: Vec<String> = Grade::VARIANTS.iter().filter_map(with).collect();
    let count = counted(class.grades.len(), "grade", "grades");
    format!("{}, {count} ({}): {}.", class.name, graders(&[class]), grades.join("; "))
}

/// The sources of all grades.
fn graders(classes: &[&HardwareClassRecord]) -> String {
    let grades = classes.iter().flat_map(|class| class.grades.values());
    let sources: BTreeSet<String> = grades.map(|grade| grade.source.to_string()).collect();
    and_list(&sources.into_iter().collect::<Vec<_>>())
}

/// The metric of rows that measures what a grade judges.
fn measured_as(metric: &str) -> Option<(Metric, &'static str)> {
    Some(match metric {
        "computing-performance" => (Metric::ThroughputPerS, "throughput"),
        "low-latency" => (Metric::LatencyMs, "latency"),
        "energy-efficiency" => (Metric::ItemsPerJoule, "items per joule"),
        _ => return None,
    })
}

/// How many rows of each class measured what the grade judges, and on how many networks all of them did.
fn measured(
    stores: &Stores,
    metric: &MetricDefinition,
    grades: &[(&HardwareClassRecord, &GradeRecord)],
) -> Result<Option<String>, QueryError> {
    let Some((wanted, name)) = measured_as(metric.id.as_str()) else { return Ok(None) };
    let classes: Vec<String> = grades.iter().map(|(class, _)| class.id.to_string()).collect();
    let columns = stores.index.columns(&Condition::Facet(Facet::Class, classes.clone()), &[wanted])?;
    let (class_aspect, network_aspect) = (Aspect::Fact(Fact::Class), Aspect::Field(Field::Network));
    let (Some(class_part), Some(network_part)) = (class_aspect.part(), network_aspect.part()) else { return Ok(None) };
    let (class_of, network_of) = (stores.database.aspect(class_aspect)?, stores.database.aspect(network_aspect)?);
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    let mut networks: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let values = columns.metrics.first().map(Vec::as_slice).unwrap_or_default();
    for (at, _) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
        let Some(class) = class_of.of(columns.parts[class_part as usize][at]) else { continue };
        *rows.entry(class).or_default() += 1;
        networks.entry(class).or_default().extend(network_of.of(columns.parts[network_part as usize][at]));
    }
    let counts = grades.iter().map(|(class, _)| {
        format!("{} of {}", counted(rows.get(<&str>::from(class.id)).copied().unwrap_or(0), "row", "rows"), class.name)
    });
    let counts = and_list(&counts.collect::<Vec<_>>());
    if classes.len() < 2 {
        return Ok(Some(format!("Measured {name}: {counts}.")));
    }
    let mut of_classes = classes.iter().map(|class| networks.get(class.as_str()).cloned().unwrap_or_default());
    let first = of_classes.next().unwrap_or_default();
    let common = of_classes.fold(first, |common, others| common.intersection(&others).copied().collect());
    Ok(Some(match common.len() {
        0 => format!("Measured {name}: {counts}, on no network in common."),
        n => format!(
            "Measured {name}: {counts}; {} all of them.",
            counted(n, "network is common to", "networks are common to")
        ),
    }))
}

fn first_sentence(text: &str) -> String {
    first_sentences(text, 1)
}

fn first_sentences(text: &str, most: usize) -> String {
    let end = text.match_indices(". ").nth(most - 1).map_or(text.len(), |(at, _)| at + 1);
    text[..end].to_owned()
}

fn first_letter_low(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
