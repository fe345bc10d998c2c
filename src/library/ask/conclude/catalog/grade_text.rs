//! Grades in words: what a high grade means, its reason, and who disagrees.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::class_grades::{grades_of, spelled};
use super::grade_measured::measured;
use crate::ask::conclude::evidence::{EvidenceVerdict, judged_class, judged_grades};
use crate::ask::question::QueryError;
use crate::model::{GradeRecord, HardwareClassRecord, MetricDefinition};
use crate::stores::Stores;
use crate::values::Grade;
use crate::values::text::{and_list, capital, counted, first_sentences};

/// The reasons of so many grades are told.
const MOST_REASONS: usize = 2;

/// `Energy efficiency: ASIC high, GPU good, FPGA moderate …`, with meaning, reasons, disagreement and measurements; what these say
/// comes first where that is what is asked.
pub(super) fn about_one(
    stores: &Stores,
    metric: &MetricDefinition,
    grades: &[(&HardwareClassRecord, &GradeRecord)],
    evidence_first: bool,
) -> Result<String, QueryError> {
    let name = metric.id.as_str().replace('-', " ");
    if grades.is_empty() {
        return Ok(format!("No class has such a grade in {name}."));
    }
    let listed: Vec<String> = grades.iter().map(|(class, grade)| format!("{} {}", class.name, grade.grade)).collect();
    let sources: BTreeSet<String> = grades.iter().map(|(_, grade)| grade.source.to_string()).collect();
    let sources: Vec<String> = sources.into_iter().collect();
    let evidence = evidence_in_a_line(stores, metric, grades)?.map(|evidence| format!(" {evidence}"));
    let (first, last) = if evidence_first { (evidence, None) } else { (None, evidence) };
    let graded = format!("{}: {} ({}).", capital(&name), listed.join(", "), sources.join(", "));
    let mut text = format!("{graded}{} {}", first.unwrap_or_default(), meaning(metric));
    text.push_str(&reasons(grades));
    // Notes on several classes tell of one disagreement: that on the first of them is enough.
    let disagreement = grades.iter().filter_map(|(_, grade)| grade.notes.as_ref()).find(|notes| !is_reference(notes));
    if let Some(disagreement) = disagreement {
        text.push_str(&format!(" {}", first_sentences(disagreement, 2)));
    }
    if let Some(measured) = measured(stores, metric, grades)? {
        text.push_str(&format!(" {measured}"));
    }
    text.extend(last);
    Ok(text)
}

/// What the rows say of the grades: of one class all that the verdict rests on, of several the verdicts.
fn evidence_in_a_line(
    stores: &Stores,
    metric: &MetricDefinition,
    grades: &[(&HardwareClassRecord, &GradeRecord)],
) -> Result<Option<String>, QueryError> {
    let judged = judged_grades(stores, metric, grades)?;
    Ok(match judged.as_slice() {
        [] => None,
        [(_, only)] => Some(format!("Evidence: {}.", only.in_words().trim_end_matches('.'))),
        [(_, first), others @ ..] if others.iter().all(|(_, other)| other.verdict == first.verdict) => {
            Some(format!("Evidence: {} for each of them (dlbench evidence {}).", first.verdict, spelled(metric)))
        }
        several => {
            let verdicts: Vec<String> =
                several.iter().map(|(class, judged)| format!("{class} {}", judged.verdict)).collect();
            Some(format!("Evidence: {} (dlbench evidence {}).", and_list(&verdicts), spelled(metric)))
        }
    })
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
pub(super) fn ungraded(
    stores: &Stores,
    metric: &MetricDefinition,
    classes: &[HardwareClassRecord],
) -> Result<String, QueryError> {
    let all: Vec<HardwareClassRecord> = stores.database.entities()?;
    let named: Vec<&str> = classes.iter().map(|class| class.name.as_str()).collect();
    let graded: Vec<String> =
        grades_of(&all, metric).iter().map(|(class, grade)| format!("{} {}", class.name, grade.grade)).collect();
    let of = if named.is_empty() { "what the question names".to_owned() } else { and_list(&named) };
    Ok(format!("{} of {of}: not graded by the survey, which grades {}.", capital(&spelled(metric)), and_list(&graded)))
}

/// Which classes have grades, where none of those asked about has.
pub(super) fn graded_instead(stores: &Stores, classes: &[HardwareClassRecord]) -> Result<Option<String>, QueryError> {
    if classes.iter().any(|class| !class.grades.is_empty()) {
        return Ok(None);
    }
    let all: Vec<HardwareClassRecord> = stores.database.entities()?;
    let graded: Vec<&HardwareClassRecord> = all.iter().filter(|class| !class.grades.is_empty()).collect();
    let names: Vec<&str> = graded.iter().map(|class| class.name.as_str()).collect();
    Ok((!names.is_empty()).then(|| format!("{} grades {} alone.", graders(&graded), and_list(&names))))
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
            format!("Meant is {}; {better}.", first_letter_low(first_sentences(&metric.definition, 1)))
        }
    }
}

/// All grades of a class, those at the better end first; of several classes whose they are, for a table says the rest.
pub fn about_all(classes: &[HardwareClassRecord], definitions: &[MetricDefinition]) -> String {
    let graded: Vec<&HardwareClassRecord> = classes.iter().filter(|class| !class.grades.is_empty()).collect();
    let ungraded: Vec<&str> =
        classes.iter().filter(|class| class.grades.is_empty()).map(|class| class.name.as_str()).collect();
    let mut said = match graded.as_slice() {
        [] => Vec::new(),
        [only] => vec![by_grade(only, definitions)],
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

/// `Held against measurements: supported: energy efficiency; contradicted: low latency; no evidence on the other 10 …`
/// for the one class that was asked about.
pub fn verdicts_on_all(stores: &Stores, class: &HardwareClassRecord) -> Result<Option<String>, QueryError> {
    let judged = judged_class(stores, class)?;
    let with = |wanted: EvidenceVerdict| {
        let names = judged.iter().filter(|(_, verdict)| *verdict == wanted).map(|(metric, _)| spelled(metric));
        let names: Vec<String> = names.collect();
        (!names.is_empty()).then(|| format!("{wanted}: {}", and_list(&names)))
    };
    let known: Vec<String> = [EvidenceVerdict::Supported, EvidenceVerdict::Contradicted, EvidenceVerdict::Mixed]
        .into_iter()
        .filter_map(with)
        .collect();
    let unknown = judged.iter().filter(|(_, verdict)| *verdict == EvidenceVerdict::NoEvidence).count();
    let told = match (known.as_slice(), unknown) {
        ([], 0) => return Ok(None),
        ([], unknown) => format!("no evidence on any of {unknown}"),
        (known, 0) => known.join("; "),
        (known, unknown) => format!("{}; no evidence on the other {unknown}", known.join("; ")),
    };
    Ok(Some(format!("Held against measurements: {told} (dlbench evidence {}).", class.id)))
}

/// How good a grade is: a high cost is no strength.
fn merit(metric: &MetricDefinition, grade: Grade) -> Ordering {
    match (metric.better == Some(Grade::Low), grade) {
        (true, Grade::Low) | (false, Grade::High | Grade::Good) => Ordering::Greater,
        (true, Grade::High | Grade::Good) | (false, Grade::Low) => Ordering::Less,
        (_, Grade::Moderate) => Ordering::Equal,
    }
}

/// The grades of a class that are so good: `low latency high`.
fn graded_so(class: &HardwareClassRecord, definitions: &[MetricDefinition], wanted: Ordering) -> Vec<String> {
    let of = definitions.iter().filter_map(|metric| Some((metric, class.grades.get(&metric.id)?.grade)));
    let names = of.filter(|(metric, grade)| merit(metric, *grade) == wanted);
    names.map(|(metric, grade)| format!("{} {grade}", spelled(metric))).collect()
}

/// `ASIC, 12 grades (dai-berleant-2019). At the better end: low latency high …; in the middle: …; at the worse end: research costs
/// high …`.
fn by_grade(class: &HardwareClassRecord, definitions: &[MetricDefinition]) -> String {
    let graded = |wanted: Ordering, lead: &str| {
        let names = graded_so(class, definitions, wanted);
        (!names.is_empty()).then(|| format!("{lead}: {}", and_list(&names)))
    };
    let ends = [
        graded(Ordering::Greater, "At the better end"),
        graded(Ordering::Equal, "in the middle"),
        graded(Ordering::Less, "at the worse end"),
    ];
    let grades: Vec<String> = ends.into_iter().flatten().collect();
    let count = counted(class.grades.len(), "grade", "grades");
    format!("{}, {count} ({}). {}.", class.name, graders(&[class]), capital(&grades.join("; ")))
}

/// Whether a class's grade in a metric is one of its worst, or of its best.
pub(super) fn is_at_end(
    class: &HardwareClassRecord,
    definitions: &[MetricDefinition],
    metric: &str,
    is_worst: bool,
) -> bool {
    let end = if is_worst { Ordering::Less } else { Ordering::Greater };
    let own = definitions.iter().find(|definition| definition.id.as_str() == metric);
    own.is_some_and(|own| class.grades.get(&own.id).is_some_and(|grade| merit(own, grade.grade) == end))
}

/// `GPU is graded worst in low latency low and die size low (dai-berleant-2019); in the middle in …`: the grades of a class at one
/// end.
pub(super) fn at_end(class: &HardwareClassRecord, definitions: &[MetricDefinition], is_worst: bool) -> String {
    let (end, word) = if is_worst { (Ordering::Less, "worst") } else { (Ordering::Greater, "best") };
    let (at, middle) = (graded_so(class, definitions, end), graded_so(class, definitions, Ordering::Equal));
    let middle = if middle.is_empty() { String::new() } else { format!("; in the middle are {}", and_list(&middle)) };
    let graders = graders(&[class]);
    match at.is_empty() {
        true => format!("No grade of {} is at the {word} end ({graders}){middle}.", class.name),
        false => format!(
            "{} is graded {word} in {}: {} ({graders}){middle}.",
            class.name,
            counted(at.len(), "metric", "metrics"),
            and_list(&at)
        ),
    }
}

/// The sources of all grades.
fn graders(classes: &[&HardwareClassRecord]) -> String {
    let grades = classes.iter().flat_map(|class| class.grades.values());
    let sources: BTreeSet<String> = grades.map(|grade| grade.source.to_string()).collect();
    and_list(&sources.into_iter().collect::<Vec<_>>())
}

fn first_letter_low(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
