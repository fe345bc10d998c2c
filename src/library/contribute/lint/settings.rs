//! What rows have in common but for some fields: the key under which they are compared.

use std::hash::{Hash as _, Hasher as _};

use xxhash_rust::xxh3::Xxh3Default;

use crate::model::{Field, Measurement, Value};

/// A hash of the source and of every field that tells measurements apart, but for these.
pub(in crate::contribute) fn setting_but_for(measurement: &Measurement, but: &[Field]) -> u64 {
    let mut hash = Xxh3Default::new();
    measurement.source().as_str().hash(&mut hash);
    for (field, value) in measurement.fields() {
        if !field.is_identity() || but.contains(field) {
            continue;
        }
        hash.write_usize(*field as usize);
        match value {
            Value::Text(text) => text.hash(&mut hash),
            Value::Count(count) => hash.write_i64(*count),
            other => other.to_string().hash(&mut hash),
        }
    }
    hash.finish()
}
