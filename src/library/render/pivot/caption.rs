//! What a comparison is called: on a screen by its question, in a paper by what its numbers are and what they are of.

use super::super::table::Column;
use crate::ask::compare::Pivot;
use crate::model::{Aspect, Source};
use crate::values::text::{and_list, capital};

/// Between the parts of a caption.
const SEPARATOR: &str = " · ";

/// The question, and what all cells share.
pub(super) fn asked(pivot: &Pivot, question: &str) -> String {
    let shared = shared(pivot).join(SEPARATOR);
    if shared.is_empty() { question.to_owned() } else { format!("{question}: {shared}") }
}

/// What the numbers are and by what they stand, what the question is about, and what all cells share: a reader of a paper knows
/// neither the question's filters nor ids.
pub(super) fn printed(pivot: &Pivot) -> String {
    let mut measures: Vec<String> = Vec::new();
    for column in &pivot.columns {
        let name = measure_name(column.measure, &column.heading);
        if !measures.contains(&name) {
            measures.push(name);
        }
    }
    let by = pivot.rows_by.iter().chain(&pivot.columns_by).filter(|key| *key != "metric");
    let by: Vec<String> = by
        .map(|key| match Aspect::named(key) {
            Some(Aspect::Field(field)) => field.in_prose(),
            Some(aspect) => aspect.heading().to_owned(),
            None => key.clone(),
        })
        .collect();
    let parts = fixed(pivot);
    let title = format!("{} by {}", capital(&and_list(&measures)), and_list(&by));
    if parts.is_empty() { title } else { format!("{title}: {parts}") }
}

/// What the question is about, and what all cells share.
pub(super) fn fixed(pivot: &Pivot) -> String {
    let told = |key: &str| pivot.shared.iter().any(|(shared, _)| shared == key);
    let subjects = pivot.subjects.iter().filter(|(key, _)| !told(key)).map(|(key, words)| match key.as_str() {
        "source" => people(pivot, words),
        _ => words.clone(),
    });
    let parts: Vec<String> = subjects.chain(shared(pivot)).collect();
    parts.join(SEPARATOR)
}

/// `throughput`, `items per joule`.
pub(super) fn measure_name(key: &str, heading: &str) -> String {
    let named = Aspect::named(key).map_or(heading, |aspect| aspect.heading());
    match Column::key(named, true).heading.as_str() {
        // What is counted has its place in the unit.
        "items" => key.replace('-', " "),
        name => name.to_owned(),
    }
}

/// The sources that a question names, by who wrote them.
fn people(pivot: &Pivot, ids: &str) -> String {
    let named = |id: &str| {
        let source = pivot.sources.iter().find(|source| source.id.as_str() == id);
        source.map_or_else(|| id.to_owned(), Source::people_and_year)
    };
    ids.split(", ").map(named).collect::<Vec<_>>().join(", ")
}

/// What all cells share, in words.
fn shared(pivot: &Pivot) -> Vec<String> {
    let shared = pivot.shared.iter().map(|(key, value)| match (key.as_str(), value.as_str()) {
        ("device-count", "1") => "1 device".to_owned(),
        ("device-count", count) => format!("{count} devices"),
        ("n", n) => format!("n = {n}"),
        ("batch-size", batch) => format!("batch {batch}"),
        (
            "network" | "dataset" | "stage" | "scenario" | "precision" | "device" | "framework" | "statistic" | "timed"
            | "instance",
            value,
        ) => value.to_owned(),
        (key, value) => match Aspect::named(key) {
            Some(Aspect::Field(field)) => field.in_print(value),
            Some(aspect) => format!("{} {value}", aspect.heading()),
            None => format!("{key} {value}"),
        },
    });
    shared.collect()
}
