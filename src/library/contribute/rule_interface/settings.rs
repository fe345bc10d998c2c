//! What rows have in common but for some fields: the key under which they are compared.

use std::sync::LazyLock;

use rayon::prelude::*;
use strum::VariantArray as _;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::model::{Field, Measurement, Value};
use crate::reading::Located;

/// The setting of each row: its source and every field that tells measurements apart, as a sum of hashes, so that any of
/// the fields can be taken out again.
pub(in crate::contribute) struct Settings(Vec<u64>);

impl Settings {
    /// The settings of rows, in their order.
    pub fn of(rows: &[Located<Measurement>]) -> Self {
        let whole = |row: &Located<Measurement>| {
            let measurement = row.get();
            let source = xxh3_64_with_seed(measurement.source().as_str().as_bytes(), u64::MAX);
            let fields = measurement.fields().iter().filter(|(field, _)| field.is_identity());
            fields.fold(source, |sum, (field, value)| sum.wrapping_add(hash_of(*field, value)))
        };
        Self(rows.par_iter().map(whole).collect())
    }

    /// The setting of a row (its index, and itself) but for some fields.
    pub fn but_for(&self, at: usize, measurement: &Measurement, but: &[Field]) -> u64 {
        let taken_out = but.iter().filter(|field| field.is_identity());
        taken_out.fold(self.0[at], |sum, field| match measurement.get(*field) {
            Some(value) => sum.wrapping_sub(hash_of(*field, value)),
            None => sum,
        })
    }
}

/// The value of a field as a number; 0 where it is not stated.
pub(super) fn level_of(measurement: &Measurement, field: Field) -> u64 {
    measurement.get(field).map_or(0, |value| hash_of(field, value))
}

fn hash_of(field: Field, value: &Value) -> u64 {
    let seed = seed_of(field);
    match value {
        Value::Text(text) => xxh3_64_with_seed(text.as_bytes(), seed),
        Value::Count(count) => xxh3_64_with_seed(&count.to_le_bytes(), seed),
        other => xxh3_64_with_seed(other.to_string().as_bytes(), seed),
    }
}

/// What tells equal values of different fields apart: made of the field's name, so that no finding hangs on its place in the table.
fn seed_of(field: Field) -> u64 {
    static SEEDS: LazyLock<Vec<u64>> =
        LazyLock::new(|| Field::VARIANTS.iter().map(|field| xxh3_64(field.key().as_bytes())).collect());
    SEEDS[field as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_told_by_the_name_of_its_field_and_not_by_its_place() {
        for &field in Field::VARIANTS {
            assert_eq!(seed_of(field), xxh3_64(field.key().as_bytes()), "{field}");
        }
        let text = Value::Text("7".into());
        assert_ne!(hash_of(Field::Network, &text), hash_of(Field::Device, &text));
    }
}
