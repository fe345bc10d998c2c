//! Reads JSON as records (a list or object of objects, or the objects at a path), with statistics of repeated measurements.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::{Map, Value};

use super::record::{MalformedInput, Record, RecordBudget};

/// One record for each object. Inner objects and lists are named `outer.inner` and `list.0`, and a list of numbers also
/// gets statistics (`list.median` …).
///
/// `rows` is the path to the objects: `models.frameworks` takes each framework of each model (lists and objects alike).
/// A record also has the values beside its path, under the names of the path (`models.name`).
pub(super) fn records(text: &str, rows: Option<&str>) -> Result<Vec<Record>, MalformedInput> {
    let text = as_printed(text);
    match serde_json::from_str(&text) {
        Ok(value) => records_of(value, rows),
        Err(_) if is_sequence(&text) => records_of_sequence(&text, rows),
        Err(error) => Err(MalformedInput::new(error.line(), error.to_string())),
    }
}

/// Like [`records`] for one object per line (JSON Lines); objects that span several lines are read as well.
pub(super) fn records_of_lines(text: &str, rows: Option<&str>) -> Result<Vec<Record>, MalformedInput> {
    let text = as_printed(text);
    match serde_json::from_str(&text) {
        Ok(list @ Value::Array(_)) => records_of(list, rows),
        _ => records_of_sequence(&text, rows),
    }
}

/// Whether the text is a sequence of objects.
fn is_sequence(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>();
    let first = values.next().is_some_and(|value| value.is_ok());
    first && text[values.byte_offset()..].trim_start().starts_with('{')
}

/// One record for each object of a sequence, with the line where the object begins.
fn records_of_sequence(text: &str, rows: Option<&str>) -> Result<Vec<Record>, MalformedInput> {
    let mut records = Vec::new();
    let mut budget = RecordBudget::default();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let (mut from, mut line) = (0, 1);
    loop {
        let rest = &text[values.byte_offset()..];
        let start = text.len() - rest.trim_start().len();
        line += text[from..start].matches('\n').count();
        from = start;
        let Some(value) = values.next() else { break };
        let value = value.map_err(|error| MalformedInput::new(line, format!("expected an object: {error}")))?;
        if !value.is_object() {
            return Err(MalformedInput::new(line, "expected an object in each line"));
        }
        for record in records_of(Value::Array(vec![value]), rows)? {
            budget.take_all(&record.values)?;
            records.push(Record { line, place: String::new(), ..record });
        }
    }
    if records.is_empty() {
        return Err(MalformedInput::new(1, "expected an object in each line"));
    }
    Ok(records)
}

/// Marks a string that was a number in the JSON; as a number it would lose its trailing zeros.
const PRINTED: char = '\u{1}';

/// Rewrites each number that ends in zeros after its point (`62.10`) as a marked string, so that it keeps its digits,
/// and the `NaN` and `Infinity` that some programs write as `null`.
fn as_printed(text: &str) -> Cow<'_, str> {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#""(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)\b|-?\d[0-9.eE+-]*"#).expect("the pattern is tested")
    });
    TOKEN.replace_all(text, |found: &Captures<'_>| {
        let token = &found[0];
        match token.split_once('.') {
            _ if token.starts_with('"') => token.to_owned(),
            _ if token.ends_with(['N', 'y']) => "null".to_owned(),
            Some((_, behind)) if behind.len() > 1 && behind.ends_with('0') && !behind.contains(['e', 'E']) => {
                format!("\"\\u{:04x}{token}\"", u32::from(PRINTED))
            }
            _ => token.to_owned(),
        }
    })
}

/// Like [`records`] for data written as TOML.
pub(super) fn records_of_toml(text: &str, rows: Option<&str>) -> Result<Vec<Record>, MalformedInput> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or_default());
        MalformedInput::new(before.matches('\n').count() + 1, error.message().to_owned())
    })?;
    let value = serde_json::to_value(table).map_err(|error| MalformedInput::new(1, error.to_string()))?;
    records_of(value, rows)
}

fn records_of(value: Value, rows: Option<&str>) -> Result<Vec<Record>, MalformedInput> {
    let mut found = FoundObjects::default();
    let steps: Vec<&str> = rows.map_or_else(Vec::new, |rows| rows.split('.').collect());
    for (key, object) in items(value) {
        let mut context = BTreeMap::new();
        context.extend(key.map(|key| ("key".to_owned(), key)));
        found.collect(&object, "", &steps, context)?;
    }
    if found.objects.is_empty() {
        let place = rows.map_or_else(String::new, |rows| format!(" at `{rows}`"));
        return Err(MalformedInput::new(1, format!("expected a list of objects, or an object{place}")));
    }
    let numbered = found.objects.into_iter().enumerate();
    Ok(numbered.map(|(at, values)| Record { place: format!("object {}", at + 1), ..Record::new(values, 1) }).collect())
}

/// The objects in a list or in an object of objects; otherwise the single object.
fn items(value: Value) -> Vec<(Option<String>, Value)> {
    match value {
        Value::Array(items) => items.into_iter().filter(Value::is_object).map(|item| (None, item)).collect(),
        Value::Object(map) if map.values().all(Value::is_object) => {
            map.into_iter().map(|(key, value)| (Some(key), value)).collect()
        }
        one @ Value::Object(_) => vec![(None, one)],
        _ => Vec::new(),
    }
}

/// Collects the objects that become records.
#[derive(Default)]
struct FoundObjects {
    objects: Vec<BTreeMap<String, String>>,
    budget: RecordBudget,
}

impl FoundObjects {
    fn collect(
        &mut self,
        object: &Value,
        name: &str,
        steps: &[&str],
        mut context: BTreeMap<String, String>,
    ) -> Result<(), MalformedInput> {
        let Some((step, deeper)) = steps.split_first() else {
            self.flatten(name, object, &mut context)?;
            self.objects.push(context);
            return Ok(());
        };
        let Some(map) = object.as_object() else { return Ok(()) };
        for (key, value) in map.iter().filter(|(key, _)| key != step) {
            self.flatten(&joined(name, key), value, &mut context)?;
        }
        for (key, item) in map.get(*step).cloned().map_or_else(Vec::new, items) {
            let mut context = context.clone();
            context.extend(key.map(|key| (joined(&joined(name, step), "key"), key)));
            self.budget.take_all(&context)?;
            self.collect(&item, &joined(name, step), deeper, context)?;
        }
        Ok(())
    }

    fn flatten(
        &mut self,
        name: &str,
        value: &Value,
        values: &mut BTreeMap<String, String>,
    ) -> Result<(), MalformedInput> {
        let text = match value {
            Value::Null => return Ok(()),
            Value::Object(map) => {
                return map.iter().try_for_each(|(key, value)| self.flatten(&joined(name, key), value, values));
            }
            Value::Array(items) => {
                let printed = |item: &Value| item.as_str()?.strip_prefix(PRINTED)?.parse().ok();
                let numbers: Vec<f64> =
                    items.iter().filter_map(|item| item.as_f64().or_else(|| printed(item))).collect();
                if numbers.len() == items.len() {
                    add_statistics(name, &numbers, values);
                }
                let mut items = items.iter().enumerate();
                return items.try_for_each(|(at, value)| self.flatten(&joined(name, &at.to_string()), value, values));
            }
            Value::String(text) => text.strip_prefix(PRINTED).unwrap_or(text).trim().to_owned(),
            other => other.to_string(),
        };
        self.budget.take(name, &text)?;
        values.insert(name.to_owned(), text);
        Ok(())
    }
}

fn joined(outer: &str, inner: &str) -> String {
    if outer.is_empty() { inner.to_owned() } else { format!("{outer}.{inner}") }
}

/// Minimum number of values for statistics.
const LEAST: usize = 2;

/// Adds the statistics of `numbers` under `name`: `{name.n}`, `{name.median}`, `{name.mean}`, `{name.min}` and `{name.max}`.
pub(super) fn add_statistics(name: &str, numbers: &[f64], values: &mut BTreeMap<String, String>) {
    if numbers.len() < LEAST || numbers.iter().any(|number| !number.is_finite()) {
        return;
    }
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let median = match sorted.len() % 2 {
        0 => f64::midpoint(sorted[middle - 1], sorted[middle]),
        _ => sorted[middle],
    };
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    for (statistic, value) in
        [("median", median), ("mean", mean), ("min", sorted[0]), ("max", sorted[sorted.len() - 1])]
    {
        values.insert(format!("{name}.{statistic}"), value.to_string());
    }
    values.insert(format!("{name}.n"), sorted.len().to_string());
}

/// Reduces a table whose columns hold repeats to one record with the statistics of each numeric column.
///
/// # Errors
///
/// When a column mixes numbers and other text.
pub(super) fn of_columns(records: &[Record]) -> Result<Vec<Record>, MalformedInput> {
    let Some(first) = records.first() else {
        return Ok(Vec::new());
    };
    let mut values = BTreeMap::new();
    for name in first.values.keys() {
        let column = records.iter().filter_map(|record| Some((record.line, record.values.get(name)?)));
        let cells: Vec<(usize, &String)> = column.filter(|(_, cell)| !cell.is_empty()).collect();
        let numbers: Vec<f64> = cells.iter().filter_map(|(_, cell)| cell.parse().ok()).collect();
        if numbers.len() == cells.len() {
            add_statistics(name, &numbers, &mut values);
        } else if !numbers.is_empty() {
            let (line, cell) = cells.iter().find(|(_, cell)| cell.parse::<f64>().is_err()).unwrap_or(&cells[0]);
            return Err(MalformedInput::new(*line, format!("expected a number in `{name}`, found `{cell}`")));
        }
    }
    Ok(vec![Record::new(values, first.line)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_takes_each_inner_object_with_what_stands_beside_it() {
        let text = r#"{"machine": {"name": "X", "models": [{"name": "A", "runs": [{"ms": 1}, {"ms": [2, 4]}]}]}}"#;
        let records = records(text, Some("models.runs")).unwrap();
        let value = |at: usize, name: &str| records[at].values.get(name).map(String::as_str);
        assert_eq!(records.len(), 2);
        assert_eq!(
            (value(0, "key"), value(0, "name"), value(0, "models.name")),
            (Some("machine"), Some("X"), Some("A"))
        );
        assert_eq!((value(0, "models.runs.ms"), value(1, "models.runs.ms.median")), (Some("1"), Some("3")));
    }

    #[test]
    fn toml_gives_the_same_records_as_json() {
        let records = records_of_toml("[x]\nname = \"X\"\n[[x.runs]]\nms = 25\n", Some("runs")).unwrap();
        let value = |name: &str| records[0].values.get(name).map(String::as_str);
        assert_eq!((value("key"), value("name"), value("runs.ms")), (Some("x"), Some("X"), Some("25")));
    }

    #[test]
    fn an_object_in_each_line_is_a_record_with_its_line() {
        let records = records("{\"a\": 1}\n\n{\"a\": {\"b\": 2}}\n", None).unwrap();
        let told: Vec<_> = records.iter().map(|record| (record.line, record.values.len())).collect();
        assert_eq!(told, [(1, 1), (3, 1)]);
        assert_eq!(records_of_lines("{\"a\": 1}\n[1]\n", None).unwrap_err().line, 2);
        assert_eq!(super::records("{\"a\": 1}\n{\"a\": \n", None).unwrap_err().line, 2);
    }

    #[test]
    fn objects_over_several_lines_follow_each_other_and_numbers_keep_their_digits() {
        let text = "{\"a\": 62.10,\n \"b\": [1.50, 2.5]}\n{\"a\": NaN, \"b\": \"1.0\\\"2.00\"} {\"a\": 44.0}";
        let records = records(text, None).unwrap();
        let value = |at: usize, name: &str| records[at].values.get(name).map(String::as_str);
        assert_eq!(records.iter().map(|record| record.line).collect::<Vec<_>>(), [1, 3, 3]);
        assert_eq!((value(0, "a"), value(0, "b.0"), value(0, "b.median")), (Some("62.10"), Some("1.50"), Some("2")));
        assert_eq!((value(1, "a"), value(1, "b"), value(2, "a")), (None, Some("1.0\"2.00"), Some("44.0")));
        assert_eq!(records_of_lines("[{\"a\": 1},\n{\"a\": 2}]", None).unwrap().len(), 2);
    }

    #[test]
    fn what_is_no_json_is_told_with_its_line() {
        assert_eq!(records("[{\n\"a\": }]", None).unwrap_err().line, 2);
        assert_eq!(records_of_toml("[a]\nb = 1\nc = =\n", None).unwrap_err().line, 3);
    }

    #[test]
    fn repeats_have_a_median_between_the_middle_two() {
        let mut values = BTreeMap::new();
        add_statistics("t", &[4.0, 1.0, 2.0, 8.0], &mut values);
        let value = |name: &str| values.get(name).map(String::as_str);
        assert_eq!((value("t.median"), value("t.n"), value("t.min")), (Some("3"), Some("4"), Some("1")));
        assert_eq!(value("t.mean"), Some("3.75"));
    }
}
