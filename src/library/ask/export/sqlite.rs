//! Tables as an SQLite database.

use std::path::Path;

use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, params_from_iter};

use super::sheet::{ColumnType, Sheet};
use crate::model::Value;

/// Why an export could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// SQLite failed.
    #[error("the SQLite database cannot be written: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// Parquet failed.
    #[cfg(feature = "parquet")]
    #[error("the Parquet file cannot be written: {0}")]
    Parquet(#[from] ::parquet::errors::ParquetError),
}

/// Writes tables to a new database in the file `path`, which must not exist.
pub fn sqlite(sheets: &[Sheet], path: &Path) -> Result<(), ExportError> {
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
