//! JSON as records (a list of objects, an object of objects, or the objects at a path), and statistics of repeated measurements.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::record::{MalformedInput, Record, RecordBudget};

/// One record for each object; inner objects and lists are named `outer.inner` and `list.0`, and a list of numbers has
/// statistics (`list.median` …).
///
/// `rows` leads to the objects: `models.frameworks` takes each framework of each model (lists and objects alike), and a
/// record also has what stands beside its path under the names of the path (`models.name`).
pub(super) fn records(text: &str, rows: Option<&str>) -> Result<Vec<Record>, MalformedInput> {
    match serde_json::from_str(text) {
        Ok(value) => records_of(value, rows),
        Err(error) => match is_in_lines(text) {
            true => records_of_lines(text, rows),
            false => Err(MalformedInput::new(error.line(), error.to_string())),
        },
    }
}

/// Whether each of the first two lines that are not empty is an object of its own.
fn is_in_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut is_object = || lines.next().is_some_and(|line| serde_json::from_str::<Map<String, Value>>(line).is_ok());
    is_object() && is_object()
}

/// The same where each line is an object of its own; empty lines are skipped.
pub(super) fn records_of_lines(text: &str, rows: Option<&str>) -> Result<Vec<Record>, MalformedInput> {
    let mut records = Vec::new();
    let mut budget = RecordBudget::default();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value: Value = serde_json::from_str(line)
            .map_err(|error| MalformedInput::new(at + 1, format!("expected an object: {error}")))?;
        if !value.is_object() {
            return Err(MalformedInput::new(at + 1, "expected an object in each line"));
        }
        for record in records_of(Value::Array(vec![value]), rows)? {
            budget.take_all(&record.values)?;
            records.push(Record { line: at + 1, place: String::new(), ..record });
        }
    }
    if records.is_empty() {
        return Err(MalformedInput::new(1, "expected an object in each line"));
    }
    Ok(records)
}

/// The same data written as TOML.
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

/// The objects of a list, of an object of objects, or the one object there is.
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

/// The objects that records are made of.
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
                let numbers: Vec<f64> = items.iter().filter_map(Value::as_f64).collect();
                if numbers.len() == items.len() {
                    add_statistics(name, &numbers, values);
                }
                let mut items = items.iter().enumerate();
                return items.try_for_each(|(at, value)| self.flatten(&joined(name, &at.to_string()), value, values));
            }
            Value::String(text) => text.trim().to_owned(),
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

/// Statistics need at least so many numbers.
const LEAST: usize = 2;

/// Adds `{name.n}`, `{name.median}`, `{name.mean}`, `{name.min}` and `{name.max}` of the numbers named `name`.
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

/// One record for a table whose columns hold repeats: the statistics of each column of numbers.
///
/// # Errors
///
/// When a column holds numbers and something else.
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
