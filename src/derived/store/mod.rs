//! The relational truth: an SQLite database of entities, names and measurements.

mod read;
mod write;

use rusqlite::Connection;

use crate::model::{Field, FieldType};

pub use read::{Counts, StoredKind};

/// What an SQLite operation said, for a message to a person.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite failed.
    #[error("the SQLite store failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A stored entity could not be read back.
    #[error("the SQLite store holds what this dlbench cannot read: {0}")]
    Body(#[from] serde_json::Error),
    /// A stored id or word could not be read back.
    #[error("the SQLite store holds what this dlbench cannot read: {0}")]
    Value(#[from] crate::values::ParseError),
}

/// An open store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

/// The column that holds a field.
fn column(field: Field) -> String {
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
