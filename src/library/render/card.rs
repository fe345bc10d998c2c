//! One entity, whole: a line for each fact.

use serde_json::Value;

use super::{DIM, heading, paragraph};

/// Draws the JSON of an entity or measurement as a card; unknown facts are left out.
pub fn draw(title: &str, entity: &Value, width: usize) -> String {
    let mut card = heading(title);
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
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
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
