//! Writes tables as an SQLite database.

use std::path::Path;

use rusqlite::types::{ToSqlOutput, Value as SqlValue, ValueRef};
use rusqlite::{Connection, params_from_iter};

use super::portions::{ExportError, MeasurementPortions, each_portion, made_beside};
use super::sheet::{ColumnType, Sheet};
use crate::model::Value;

/// Writes tables to a database at `path`, streaming measurements as they are read. An existing file is replaced only by a
/// complete one.
///
/// # Errors
///
/// Fails if the measurements cannot be read, if SQLite fails, or if the file cannot be written.
pub fn sqlite(sheets: &[Sheet], rows: &mut MeasurementPortions<'_>, path: &Path) -> Result<(), ExportError> {
    made_beside(path, |made| new_database(sheets, rows, made))
}

/// Writes tables to a new database at `path`, which must not exist.
fn new_database(sheets: &[Sheet], rows: &mut MeasurementPortions<'_>, path: &Path) -> Result<(), ExportError> {
    let connection = Connection::open(path)?;
    // Journal and sync are not needed: the file is moved into place only when it is complete.
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
        each_portion(sheet, rows, |portion| -> Result<(), ExportError> {
            for row in &portion {
                insert.execute(params_from_iter(row.iter().map(parameter)))?;
            }
            Ok(())
        })?;
    }
    for column in ["source", "framework", "device", "network"] {
        connection.execute_batch(&format!("CREATE INDEX measurements_by_{column} ON measurements ({column})"))?;
    }
    connection.execute_batch("COMMIT")?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(())
}

/// A cell as an SQLite parameter; texts are not copied.
fn parameter(cell: &Option<Value>) -> ToSqlOutput<'_> {
    match cell {
        None => ToSqlOutput::Owned(SqlValue::Null),
        Some(Value::Text(text)) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        Some(Value::Count(count)) => ToSqlOutput::Owned(SqlValue::Integer(*count)),
        Some(Value::Number(number)) => ToSqlOutput::Owned(SqlValue::Real(number.value())),
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
