//! Second readers of the largest sources: each is written from the source's description and files, independently of the import,
//! and states what every row means; the knowledge base must agree. The source files are not in the repository: they are searched
//! for in the folder `DLBENCH_SOURCES`, else in `shared/sources` beside the repository. If they are missing, only digests of the
//! knowledge base's rows are compared.

#![forbid(unsafe_code)]

#[cfg(test)]
mod readers;

use std::collections::BTreeMap;

/// A measurement as its file states it.
pub type Row = BTreeMap<String, toml::Value>;

/// Sources whose labels were corrected by hand from documents other than the file read here; their exceptions name the rows.
pub const CORRECTED: &[&str] = &[
    "lambdal-2025",
    "llm-inference-bench-2025",
    "mlperf-inference-v0.5",
    "mlperf-inference-v0.7",
    "mlperf-inference-v1.0",
    "mlperf-inference-v2.0",
    "mlperf-inference-v2.1",
    "mlperf-inference-v3.0",
    "mlperf-inference-v3.1",
    "mlperf-inference-v6.0",
];

/// The labels that may be corrected: precision, network, device and the fields that follow from them.
pub const CORRECTED_LABELS: &[&str] =
    &["network", "input-shape", "dataset", "precision", "device", "notes", "standing", "standing-reason"];

/// The rows of a measurement file, each merged with the defaults that it shares with others.
pub fn rows_of(file: &toml::Table) -> Vec<Row> {
    let table = |value: &toml::Value| -> Row {
        value.as_table().into_iter().flatten().map(|(k, v)| (k.clone(), v.clone())).collect()
    };
    let list = |of: &toml::Table, key: &str| of.get(key).and_then(|list| list.as_array().cloned()).unwrap_or_default();
    let defaults = file.get("defaults").map(table).unwrap_or_default();
    let mut rows: Vec<Row> = list(file, "run").iter().map(table).collect();
    for part in list(file, "table") {
        let part = part.as_table().expect("a table").clone();
        let columns = list(&part, "columns");
        for row in list(&part, "rows") {
            let cells = columns.iter().filter_map(toml::Value::as_str).zip(row.as_array().expect("a row"));
            rows.push(
                cells
                    .filter(|(_, cell)| cell.as_str() != Some(""))
                    .map(|(name, cell)| (name.to_owned(), cell.clone()))
                    .collect(),
            );
        }
    }
    let with_defaults = |row: Row| defaults.clone().into_iter().chain(row).collect();
    rows.into_iter().map(with_defaults).collect()
}
