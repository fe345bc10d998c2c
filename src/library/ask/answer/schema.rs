//! The published JSON Schema of an answer follows from the types and registries; this test keeps the file current.

use schemars::Schema;
use schemars::generate::SchemaSettings;

use super::document::Answer;
use crate::model::without_test_rows;

/// The schema, including the rows that exist only in tests.
pub fn schema_of_tests() -> Schema {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<Answer>();
    schema.insert(
        "title".to_owned(),
        "Answer of `dlbench query -f json`; a line of `-f ndjson` is a $defs/Measurement".into(),
    );
    schema
}

#[test]
fn the_published_schema_is_current() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/ask/answer/answer.schema.json");
    let current = without_test_rows(schema_of_tests());
    let current = serde_json::to_string_pretty(&current).expect("a schema is JSON") + "\n";
    if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
        std::fs::write(file, current).expect("the schema can be written");
    } else {
        assert!(super::SCHEMA == current, "the published schema is not current: `make docs` writes it");
    }
}
