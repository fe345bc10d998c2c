//! Objects of a document as the rows of a table.

use serde::Serialize;
use serde_json::{Map, Value};

/// An object whose objects lie in it: `{"under": {"batch-size": 8}}` becomes `{"under_batch_size": 8}`.
pub fn flattened(object: impl Serialize) -> serde_json::Result<Map<String, Value>> {
    let mut flat = Map::new();
    if let Value::Object(object) = serde_json::to_value(object)? {
        for (key, value) in object {
            match value {
                Value::Object(inner) => {
                    let key = |inner: String| format!("{key}_{}", inner.replace('-', "_"));
                    flat.extend(inner.into_iter().map(|(name, value)| (key(name), value)));
                }
                value => {
                    flat.insert(key, value);
                }
            }
        }
    }
    Ok(flat)
}
