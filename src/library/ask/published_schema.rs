//! Whether a schema that is published is that of the type.

/// Fails where the schema of `T` is not the published one, of the file of that name below this folder; `make docs` writes it.
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
