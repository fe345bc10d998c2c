//! Measurements as a contributor's file: what all rows share in `[defaults]`, the rest as a compact table.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dlbench::model::{Field, FieldType, Measurement, Metric, Value};

/// The text of a file.
pub fn file(rows: &[Measurement]) -> String {
    let fields: BTreeSet<Field> = rows.iter().flat_map(|row| row.fields().iter().map(|(field, _)| *field)).collect();
    let metrics: BTreeSet<Metric> =
        rows.iter().flat_map(|row| row.metrics().iter().map(|(metric, _)| *metric)).collect();
    let first = &rows[0];
    let is_shared = |field: &Field| rows.iter().all(|row| row.get(*field) == first.get(*field));
    let (shared, columns): (Vec<Field>, Vec<Field>) = fields.into_iter().partition(is_shared);

    let mut text = String::from("[defaults]\n");
    for field in shared {
        if let Some(value) = first.get(field) {
            let _ = writeln!(text, "{field} = {}", written(field, value));
        }
    }
    let names = columns.iter().map(|field| field.key()).chain(metrics.iter().map(|metric| metric.key()));
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    let _ = write!(text, "\n[[table]]\ncolumns = [{}]\nrows = [\n", names.join(", "));
    for row in rows {
        let fields = columns.iter().map(|field| row.get(*field).map(|value| written(*field, value)));
        let metrics = metrics.iter().map(|metric| row.metric(*metric).map(|value| value.to_string()));
        let mut between = "  [";
        for cell in fields.chain(metrics) {
            let _ = write!(text, "{between}{}", cell.as_deref().unwrap_or("\"\""));
            between = ", ";
        }
        text.push_str("],\n");
    }
    text.push_str("]\n");
    text
}

fn written(field: Field, value: &Value) -> String {
    match value {
        // A whole date has a form of its own in TOML.
        Value::Text(date) if field.kind() == FieldType::Date && date.len() == "2026-01-01".len() => date.to_string(),
        Value::Text(text) => toml::Value::String(text.to_string()).to_string(),
        Value::Count(count) => count.to_string(),
        Value::Number(number) => number.to_string(),
    }
}
