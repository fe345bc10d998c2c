//! The table rows that exist only in tests.

use schemars::Schema;
use serde_json::Value;

use super::{Fact, Field, Metric};

/// A schema as published: without the rows that exist only in tests.
pub fn without_test_rows(schema: Schema) -> Schema {
    published(schema.to_value()).try_into().expect("a schema stays one")
}

fn published(schema: Value) -> Value {
    let rows = [Field::TestRack.json_key(), Metric::TestMetricBits.json_key(), Fact::TestPins.row_json_key()];
    let of_test = |key: &str| rows.iter().any(|row| row == key);
    match schema {
        Value::Object(mut map) => {
            map.retain(|key, _| !of_test(key));
            Value::Object(map.into_iter().map(|(key, value)| (key, published(value))).collect())
        }
        Value::Array(items) => {
            let kept = items.into_iter().filter(|item| !item.as_str().is_some_and(of_test));
            Value::Array(kept.map(published).collect())
        }
        other => other,
    }
}
