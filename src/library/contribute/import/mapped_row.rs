//! A record as the row that it becomes.

use std::collections::BTreeMap;

use crate::model::{FieldType, Measurement, MeasurementKey, Value};
use crate::reading::{WrittenRow, toml_literal, toml_one_line};
use crate::values::EntityId;

/// A record as a measurement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MappedRow {
    /// The name of the measurement file, without `.toml`.
    pub batch: String,
    /// Where the record stands, as `file:line`.
    pub place: String,
    /// Every number is a [`Value::Number`], with the digits of its source.
    pub values: BTreeMap<MeasurementKey, Value>,
}

impl MappedRow {
    /// The id that the measurement will have.
    pub fn identity(&self, source: &EntityId) -> String {
        let fields = self.values.iter().filter_map(|(key, value)| match (key, value) {
            (MeasurementKey::Field(field), Value::Number(number)) if field.kind() == FieldType::Count => {
                Some((*field, Value::Count(number.value() as i64)))
            }
            (MeasurementKey::Field(field), value) => Some((*field, value.clone())),
            (MeasurementKey::Metric(_), _) => None,
        });
        Measurement::new(source.clone(), fields.collect(), Vec::new()).id().to_owned()
    }

    /// The row as it is written.
    pub fn written(&self) -> WrittenRow {
        let mut row = WrittenRow::default();
        for (key, value) in &self.values {
            let value = match value {
                Value::Text(text) => toml_one_line(text),
                number => toml_literal(&number.to_string()),
            };
            match key {
                MeasurementKey::Field(field) => row.set(*field, value),
                MeasurementKey::Metric(metric) => row.set_metric(*metric, value),
            }
        }
        row
    }
}
