//! One entity with all its facts, and the summary that `dlbench query` prints without a question.

use serde_json::Value;

use super::table::Table;
use super::{DIM, Format, RenderError, heading, json, paragraph};
use crate::ask::ExampleQuestion;
use crate::values::text::{counted, printable_name};
use crate::values::{Grid, GridColumn};

/// Writes the JSON of an entity, a measurement or a status as a card, as JSON, or as a table of facts and values.
///
/// # Errors
///
/// Fails if a value cannot be written in the format.
pub fn write(title: &str, entity: &Value, format: Format, width: usize) -> Result<String, RenderError> {
    match format {
        Format::Table => Ok(draw(title, entity, width)),
        Format::Json => json(entity),
        format => table(entity).draw(format, width),
    }
}

/// One row per known fact.
pub fn table(entity: &Value) -> Table {
    let mut facts = Grid::of_texts(&["fact", "value"]);
    for (key, value) in entity.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
        facts.push(vec![key.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)]);
    }
    Table::from(&facts)
}

/// Draws the JSON of an entity or measurement as a card; unknown facts are left out.
pub fn draw(title: &str, entity: &Value, width: usize) -> String {
    let mut card = heading(&printable_name(title));
    if let Value::Object(facts) = entity {
        let known: Vec<(&String, &Value)> = facts.iter().filter(|(_, value)| !is_absent(value)).collect();
        let longest = known.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
        for (key, value) in known {
            let label = key.replace('_', " ");
            let first = format!("  {label:longest$}  ");
            match value {
                Value::Object(inner) => {
                    card.push_str(&format!("  {DIM}{label}{DIM:#}\n"));
                    for (key, value) in inner.iter().filter(|(_, value)| !is_absent(value)) {
                        card.push_str(&paragraph(&format!("    {}  ", key.replace('_', " ")), &inline(value), width));
                    }
                }
                Value::Array(items) if items.iter().any(Value::is_object) => {
                    card.push_str(&format!("  {DIM}{label}{DIM:#}\n"));
                    for item in items {
                        card.push_str(&paragraph("    - ", &inline(item), width));
                    }
                }
                value => card.push_str(&paragraph(&first, &inline(value), width)),
            }
        }
    }
    card
}

/// A value on one line.
fn inline(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => printable_name(&text.split_whitespace().collect::<Vec<_>>().join(" ")),
        Value::Array(items) => items.iter().map(inline).collect::<Vec<_>>().join(", "),
        Value::Object(facts) => {
            let known = facts.iter().filter(|(_, value)| !is_absent(value));
            let facts: Vec<String> =
                known.map(|(key, value)| format!("{} {}", key.replace('_', " "), inline(value))).collect();
            facts.join("; ")
        }
    }
}

fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(facts) => facts.is_empty(),
        _ => false,
    }
}

/// The text that `dlbench query` prints without a question; `examples` are questions that this knowledge base can answer.
pub fn draw_invitation(measurements: usize, sources: usize, examples: &[ExampleQuestion], width: usize) -> String {
    let mut text = format!(
        "Ask {} from {} in plain words.\n\n",
        counted(measurements, "measurement", "measurements"),
        counted(sources, "source", "sources"),
    );
    let mut grid = Grid {
        columns: vec![GridColumn::text("try"), GridColumn::number("finds"), GridColumn::text("which shows")],
        rows: Vec::new(),
    };
    for example in examples {
        let command = format!("dlbench query '{}'", example.question);
        grid.push(vec![command, example.found.to_string(), example.shows.to_owned()]);
    }
    let mut table = Table::from(&grid);
    // A command must be copyable, so it is never wrapped.
    table.columns[0].whole = true;
    text.push_str(&table.text(width));
    text.push_str("\n`dlbench query --help` lists the options, `dlbench list metrics` the metrics.\n");
    text
}
