//! Rows whose label the source corrected: the same values under another precision, say, and so under another id.

use std::collections::BTreeSet;

use crate::model::{Field, Measurement, Value};
use crate::reading::{WrittenRow, toml_literal, toml_one_line, toml_text};
use crate::values::Standing;

/// A row that was there, the row of the import that has its values, and the fields in which they differ.
pub(super) struct Corrected<'m> {
    pub old: &'m Measurement,
    pub new: &'m Measurement,
    pub fields: Vec<Field>,
}

/// A label is a few fields; rows that differ in more are other rows.
const MOST_FIELDS: usize = 3;

/// Pairs the rows that are gone with rows that are new: the same values, and nearly the same fields. Of several that are as
/// near, the first that is not taken.
pub(super) fn corrected<'m>(gone: &[&'m Measurement], added: &[&'m Measurement]) -> Vec<Corrected<'m>> {
    let mut free: Vec<&Measurement> = added.to_vec();
    let mut pairs = Vec::new();
    for old in gone {
        let near = free.iter().enumerate().filter_map(|(at, new)| {
            let fields = differing(old, new);
            let same = !old.metrics().is_empty() && old.metrics() == new.metrics();
            (same && (1..=MOST_FIELDS).contains(&fields.len())).then_some((fields.len(), at, fields))
        });
        if let Some((_, at, fields)) = near.min_by_key(|(count, at, _)| (*count, *at)) {
            pairs.push(Corrected { old, new: free.remove(at), fields });
        }
    }
    pairs
}

/// The fields in which two rows differ, without spellings and remarks.
fn differing(old: &Measurement, new: &Measurement) -> Vec<Field> {
    let is_said = |field: &Field| field.is_identity() || matches!(field, Field::Quantization);
    Field::of_files().filter(is_said).filter(|field| old.get(*field) != new.get(*field)).collect()
}

impl Corrected<'_> {
    /// What became of the fields: `precision was fp16 and is fp8`.
    pub fn told(&self) -> String {
        let shown = |row: &Measurement, field| row.get(field).map_or_else(|| "not stated".to_owned(), Value::to_string);
        let of = |field: &Field| {
            format!("{} was {} and is {}", field.key(), shown(self.old, *field), shown(self.new, *field))
        };
        self.fields.iter().map(of).collect::<Vec<_>>().join(", ")
    }

    /// The old row as superseded by the new one.
    pub fn superseded(&self) -> WrittenRow {
        let mut row = written(self.old);
        row.set(Field::Standing, toml_text(Standing::Superseded.into()));
        row.set(Field::StandingReason, toml_text(&format!("the source corrected it: {}", self.told())));
        row.set(Field::ReplacedBy, toml_text(self.new.id()));
        row
    }
}

/// A row as it stands in a file.
pub(super) fn written(measurement: &Measurement) -> WrittenRow {
    let mut row = WrittenRow::default();
    for (field, value) in measurement.fields().iter().filter(|(field, _)| !field.is_computed()) {
        let value = match value {
            Value::Text(text) => toml_one_line(text),
            number => toml_literal(&number.to_string()),
        };
        row.set(*field, value);
    }
    for (metric, value) in measurement.metrics() {
        row.set_metric(*metric, toml_literal(&value.to_string()));
    }
    row
}

/// The rows that an earlier import superseded: no source has them, and they stay while what replaces them is there, itself
/// replaced or not.
pub(super) fn is_history(old: &Measurement, known: &BTreeSet<&str>) -> bool {
    let replaced_by = old.text(Field::ReplacedBy);
    old.standing() == Some(Standing::Superseded) && replaced_by.is_some_and(|id| known.contains(id))
}
