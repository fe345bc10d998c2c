//! The tables of the database and their columns.

use rusqlite::Connection;
use strum::VariantArray as _;

use super::DatabaseError;
use crate::model::{Field, FieldType, Part};

/// Creates the tables, empty.
pub(super) fn create_tables(connection: &Connection) -> Result<(), DatabaseError> {
    connection.execute_batch(
        "CREATE TABLE entity (kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
         CREATE TABLE definition (list TEXT NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (list, position)) WITHOUT ROWID;
         CREATE TABLE lineage (kind TEXT NOT NULL, id TEXT NOT NULL, ancestor TEXT NOT NULL, PRIMARY KEY (kind, id, ancestor)) WITHOUT ROWID;
         CREATE INDEX descendants ON lineage (kind, ancestor);
         CREATE TABLE name (normal TEXT NOT NULL, facet TEXT NOT NULL, value TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (normal, facet, value, kind)) WITHOUT ROWID;
         CREATE TABLE fact (fact TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, number REAL, word TEXT);
         CREATE INDEX fact_of_kind ON fact (fact, kind);
         CREATE TABLE skipped (path TEXT PRIMARY KEY, line INTEGER, why TEXT NOT NULL, measurements INTEGER NOT NULL) WITHOUT ROWID;
         CREATE TABLE remark (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
         CREATE TABLE code (code INTEGER PRIMARY KEY, row INTEGER NOT NULL);
         CREATE TABLE measurement (
             row INTEGER PRIMARY KEY,
             setup INTEGER NOT NULL, workload INTEGER NOT NULL, protocol INTEGER NOT NULL, batch INTEGER NOT NULL,
             figures BLOB NOT NULL);",
    )?;
    for &part in Part::VARIANTS {
        let columns: Vec<String> = Field::of_part(part).map(|f| format!("{} {}", column(f), column_type(f))).collect();
        connection.execute_batch(&format!(
            "CREATE TABLE {part} (id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, source TEXT, metrics TEXT, {})",
            columns.join(", ")
        ))?;
    }
    Ok(())
}

/// The column that holds a field.
pub(super) fn column(field: Field) -> String {
    field.json_key()
}

/// The SQLite type of a field's column.
fn column_type(field: Field) -> &'static str {
    match field.kind() {
        FieldType::Count => "INTEGER",
        // As text, so that a decimal keeps its digits.
        _ => "TEXT",
    }
}
