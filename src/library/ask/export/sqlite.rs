//! Tables as an SQLite database.

use std::fs;
use std::path::Path;

use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, params_from_iter};

use super::sheet::{ColumnType, Sheet};
use crate::model::Value;
use crate::reading::{WriteError, write_whole};

/// Why an export could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// SQLite failed.
    #[error("the SQLite database cannot be written: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Parquet failed.
    #[cfg(feature = "parquet")]
    #[error("the Parquet file cannot be written: {0}")]
    Parquet(#[from] ::parquet::errors::ParquetError),
}

/// Writes tables to a database in the file `path`. It is made in a folder of its own, so that a file that was there is
/// replaced only by a whole one.
///
/// # Errors
///
/// When SQLite fails, or the file cannot be written.
pub fn sqlite(sheets: &[Sheet], path: &Path) -> Result<(), ExportError> {
    let folder = tempfile::TempDir::new().map_err(WriteError::at(path))?;
    let made = folder.path().join("export.sqlite");
    new_database(sheets, &made)?;
    Ok(write_whole(path, fs::read(&made).map_err(WriteError::at(path))?)?)
}

/// Writes tables to a new database in the file `path`, which must not exist.
fn new_database(sheets: &[Sheet], path: &Path) -> Result<(), ExportError> {
    let connection = Connection::open(path)?;
    // The file is renamed into place only when it is whole.
    connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")?;
    for sheet in sheets {
        let columns: Vec<String> = sheet
            .columns
            .iter()
            .map(|column| {
                let kind = match column.kind {
                    ColumnType::Text => "TEXT",
                    ColumnType::Integer => "INTEGER",
                    ColumnType::Number => "REAL",
                };
                let key = if column.key == "id" { " PRIMARY KEY" } else { "" };
                format!("{} {kind}{key}", quoted(&column.key))
            })
            .collect();
        connection.execute_batch(&format!("CREATE TABLE {} ({})", quoted(sheet.name), columns.join(", ")))?;
        let places = vec!["?"; sheet.columns.len()].join(", ");
        let mut insert = connection.prepare(&format!("INSERT INTO {} VALUES ({places})", quoted(sheet.name)))?;
        for row in &sheet.rows {
            let cells = row.iter().map(|cell| match cell {
                None => SqlValue::Null,
                Some(Value::Text(text)) => SqlValue::Text(text.to_string()),
                Some(Value::Count(count)) => SqlValue::Integer(*count),
                Some(Value::Number(number)) => SqlValue::Real(number.value()),
            });
            insert.execute(params_from_iter(cells))?;
        }
    }
    for column in ["source", "framework", "device", "network"] {
        connection.execute_batch(&format!("CREATE INDEX measurements_by_{column} ON measurements ({column})"))?;
    }
    connection.execute_batch("COMMIT")?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(())
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
