//! Checks that a published JSON schema matches its type.

/// Fails if the schema of `T` differs from the published file, `NAME.schema.json` below this folder; `make docs` writes it.
pub fn is_current<T: schemars::JsonSchema>(name: &str, published: &str) {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let current = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
        std::fs::write(format!("{}/ask/{name}.schema.json", env!("CARGO_MANIFEST_DIR")), current).unwrap();
    } else {
        assert!(published == current, "{name}.schema.json is stale: run `make docs`");
    }
}
