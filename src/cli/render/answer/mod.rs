//! The joined answer: the question as it was read, then the numbers, then the facts.

mod explanation;
mod facts;
mod names;
mod numbers;

use std::collections::BTreeSet;

use strum::VariantArray as _;

use super::{DIM, grid, heading, paragraph};
use crate::model::{Field, Value};
use crate::questions::query::{Answer, AnsweredMeasurement, Page, ReadAs};
use crate::values::text::{counted, printable};
use crate::values::{Grid, GridColumn};
pub(in crate::cli) use explanation::explanation;
use facts::{fact_grids, facts, numbered_sources};
use names::Names;
use numbers::{Layout, joined, metrics_of, numbers};

/// The answer for a person at a terminal.
pub(in crate::cli) fn text(answer: &Answer, page: &Page, width: usize) -> String {
    let mut text = read_as(answer, width);
    text.push('\n');
    text.push_str(&numbers(answer, page, width));
    text.push_str(&facts(answer, width));
    if !answer.notes.is_empty() {
        text.push_str(&format!("\n{}", heading("Notes")));
        for note in &answer.notes {
            text.push_str(&paragraph("  - ", &note.text, width));
        }
    }
    if !answer.suggestions.is_empty() {
        text.push_str(&format!("\n{}", heading("Nearby questions")));
        for near in &answer.suggestions {
            let total = counted(near.total, "measurement", "measurements");
            text.push_str(&format!("  dlbench query {}  {DIM}{total}{DIM:#}\n", shell_word(&printable(&near.query))));
        }
    }
    text
}

/// All of it in Markdown.
pub(in crate::cli) fn markdown(answer: &Answer) -> String {
    let rows: Vec<&AnsweredMeasurement> = answer.measurements.iter().collect();
    let layout = Layout::of(answer, &Names::of(answer), &rows, &BTreeSet::new());
    let mut text = format!("**{}**", printable(&answer.query));
    text.push_str(&format!(": {}", counted(answer.total, "measurement", "measurements")));
    if !layout.constants.is_empty() {
        text.push_str(&format!(" ({})", joined(&layout.constants)));
    }
    text.push_str("\n\n");
    if !answer.measurements.is_empty() {
        text.push_str(&grid::markdown(&layout.grid));
    }
    for (title, facts) in fact_grids(answer) {
        text.push_str(&format!("\n### {title}\n\n{}", grid::markdown(&facts)));
    }
    if !answer.catalog.sources.is_empty() {
        text.push_str("\n### Sources\n\n");
        for (number, source) in numbered_sources(answer) {
            text.push_str(&format!("{number}. {source}\n"));
        }
    }
    if !answer.notes.is_empty() {
        text.push_str("\n### Notes\n\n");
        for note in &answer.notes {
            text.push_str(&format!("- {}\n", printable(&note.text)));
        }
    }
    text
}

/// Every measurement with every field that any of them has: for a spreadsheet.
pub(in crate::cli) fn flat(answer: &Answer) -> Grid {
    let mut columns = vec![GridColumn::text("id"), GridColumn::text("source")];
    let fields: Vec<Field> = Field::VARIANTS
        .iter()
        .copied()
        .filter(|field| answer.measurements.iter().any(|m| m.recorded().get(*field).is_some()))
        .collect();
    let rows: Vec<&AnsweredMeasurement> = answer.measurements.iter().collect();
    let metrics = metrics_of(&rows);
    columns.extend(fields.iter().map(|field| GridColumn::text(field.json_key())));
    columns.extend(metrics.iter().map(|metric| GridColumn::number(metric.json_key())));
    columns.push(GridColumn::text("derived"));
    let mut grid = Grid { columns, rows: Vec::new() };
    for measurement in &answer.measurements {
        let recorded = measurement.recorded();
        let mut row = vec![recorded.id().to_owned(), recorded.source().to_string()];
        row.extend(fields.iter().map(|field| recorded.get(*field).map_or_else(String::new, Value::to_string)));
        row.extend(
            metrics
                .iter()
                .map(|metric| measurement.metric(*metric).map_or_else(String::new, |(value, _)| value.to_string())),
        );
        let derived: Vec<String> =
            measurement.metrics().filter(|(_, _, derived)| *derived).map(|(metric, _, _)| metric.json_key()).collect();
        row.push(derived.join(" "));
        grid.push(row);
    }
    grid
}

/// A question as a shell takes it.
fn shell_word(question: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | ':' | ',' | '+');
    if question.chars().all(plain) {
        format!("\"{question}\"")
    } else {
        format!("'{}'", question.replace('\'', r"'\''"))
    }
}

fn read_as(answer: &Answer, width: usize) -> String {
    let mut text = heading(&printable(&answer.query));
    let parts: Vec<String> = answer.read_as.iter().map(reading).collect();
    if !parts.is_empty() {
        text.push_str(&format!("{DIM}{}{DIM:#}", paragraph("read as  ", &parts.join(" · "), width)));
    }
    text
}

/// `V100 = device tesla-v100 (family of 10)`.
fn reading(read: &ReadAs) -> String {
    let values = match read.values.as_slice() {
        [first, rest @ ..] if read.how == "family" && rest.len() > 1 => {
            format!("{first} (family, {} members)", rest.len())
        }
        values => values.join(", "),
    };
    let how = match read.how.as_str() {
        "fuzzy" => " (nearest name)",
        _ => "",
    };
    if let Some(left_out) = read.text.strip_prefix('-') {
        return format!("{left_out} = not {} {values}{how}", read.facet);
    }
    if read.text == values {
        format!("{} {values}{how}", read.facet)
    } else {
        format!("{} = {} {values}{how}", read.text, read.facet)
    }
}
