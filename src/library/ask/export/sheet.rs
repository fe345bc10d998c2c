//! A table with a type and a meaning for each column.

use serde::Serialize;
use serde_json::Value as Json;

use crate::model::Value;

/// Remark on columns of lists and objects.
const AS_JSON: &str = "As JSON.";

/// A typed table.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// The name, in snake_case.
    pub name: &'static str,
    /// The columns.
    pub columns: Vec<SheetColumn>,
    /// The rows; `None` is an unknown value.
    pub rows: Vec<Vec<Option<Value>>>,
}

/// A column of a [`Sheet`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetColumn {
    /// The name, in snake_case, with the unit.
    pub key: String,
    /// The type of its values.
    pub kind: ColumnType,
    /// The meaning of its values.
    pub about: String,
}

/// The type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum ColumnType {
    /// Text; lists and objects as JSON.
    Text,
    /// Whole numbers of at most 64 bits.
    Integer,
    /// 64-bit floating-point numbers.
    Number,
}

impl SheetColumn {
    /// A text column.
    pub fn text(key: &str, about: &str) -> Self {
        Self { key: key.to_owned(), kind: ColumnType::Text, about: about.to_owned() }
    }
}

impl Sheet {
    /// An empty table of text columns.
    pub fn new(name: &'static str, columns: &[(&str, &str)]) -> Self {
        let columns = columns.iter().map(|(key, about)| SheetColumn::text(key, about)).collect();
        Self { name, columns, rows: Vec::new() }
    }

    /// A table with one row per entity; the columns are the keys of their JSON.
    pub fn from_entities<E: Serialize>(
        name: &'static str,
        entities: impl IntoIterator<Item = E>,
    ) -> Result<Self, serde_json::Error> {
        let mut objects = Vec::new();
        for entity in entities {
            if let Json::Object(object) = serde_json::to_value(entity)? {
                objects.push(object);
            }
        }
        // A kind without entities gets a table as well, so that queries on it return no rows instead of failing.
        let mut keys: Vec<String> = if objects.is_empty() { vec!["id".to_owned()] } else { Vec::new() };
        for key in objects.iter().flat_map(|object| object.keys()) {
            if !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        let columns: Vec<SheetColumn> = keys
            .into_iter()
            .map(|key| {
                let known = || objects.iter().filter_map(|object| object.get(&key)).filter(|value| !value.is_null());
                let kind = match () {
                    () if known().next().is_some() && known().all(Json::is_i64) => ColumnType::Integer,
                    () if known().next().is_some() && known().all(Json::is_number) => ColumnType::Number,
                    () => ColumnType::Text,
                };
                let compound = known().any(|value| value.is_array() || value.is_object());
                let about = if compound { AS_JSON } else { "" }.to_owned();
                SheetColumn { key, kind, about }
            })
            .collect();
        let row = |object: &serde_json::Map<String, Json>| {
            columns.iter().map(|column| object.get(&column.key).and_then(|value| cell(value, column.kind))).collect()
        };
        let rows = objects.iter().map(row).collect();
        Ok(Self { name, columns, rows })
    }

    /// Adds the `meaning` of each key to its column.
    pub fn documented(mut self, meaning: impl Fn(&str) -> String) -> Self {
        for column in &mut self.columns {
            column.about = [meaning(&column.key).as_str(), &column.about].join(" ").trim().to_owned();
        }
        self
    }

    /// The cells of a column as texts.
    pub fn texts(&self, column: usize) -> impl Iterator<Item = Option<String>> {
        self.rows.iter().map(move |row| row[column].as_ref().map(Value::to_string))
    }

    /// The cells of a column as integers; `None` for texts.
    pub fn integers(&self, column: usize) -> impl Iterator<Item = Option<i64>> {
        self.rows.iter().map(move |row| match row[column].as_ref()? {
            Value::Count(count) => Some(*count),
            Value::Number(number) => Some(number.value() as i64),
            Value::Text(_) => None,
        })
    }

    /// The cells of a column as numbers; `None` for texts.
    pub fn numbers(&self, column: usize) -> impl Iterator<Item = Option<f64>> {
        self.rows.iter().map(move |row| match row[column].as_ref()? {
            Value::Count(count) => Some(*count as f64),
            Value::Number(number) => Some(number.value()),
            Value::Text(_) => None,
        })
    }
}

/// A JSON value as a cell; `None` for null and empty values.
fn cell(value: &Json, kind: ColumnType) -> Option<Value> {
    match value {
        Json::Null => None,
        Json::Array(items) if items.is_empty() => None,
        Json::Object(items) if items.is_empty() => None,
        Json::String(text) => Some(Value::Text(text.as_str().into())),
        Json::Number(number) => match kind {
            ColumnType::Integer => number.as_i64().map(Value::Count),
            ColumnType::Number => number.to_string().parse().ok().map(Value::Number),
            ColumnType::Text => Some(Value::Text(number.to_string().into())),
        },
        Json::Bool(yes) => Some(Value::Text(if *yes { "yes" } else { "no" }.into())),
        compound => Some(Value::Text(compound.to_string().into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_without_entities_has_a_table_of_ids() {
        let sheet = Sheet::from_entities("hardware_classes", Vec::<Json>::new()).unwrap();
        assert_eq!(sheet.columns, [SheetColumn::text("id", "")]);
        assert!(sheet.rows.is_empty());
    }
}
