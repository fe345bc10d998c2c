//! Measurements in portions, since no format needs all of them in memory at once.

use std::fs::File;
use std::io;
use std::path::Path;

use super::sheet::Sheet;
use super::{MEASUREMENTS, cells};
use crate::model::Value;
use crate::reading::{WriteError, write_atomically_with};
use crate::rows::JoinedRow;
use crate::stores::database::DatabaseError;

/// Measurements in portions, each yielded as it is read.
pub type MeasurementPortions<'r> = dyn Iterator<Item = Result<Vec<JoinedRow>, DatabaseError>> + 'r;

/// Why an export could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The measurements could not be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// SQLite failed.
    #[error("the SQLite database cannot be written: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The document could not be written.
    #[error("the JSON document cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Parquet failed.
    #[cfg(feature = "parquet")]
    #[error("the Parquet file cannot be written: {0}")]
    Parquet(#[from] ::parquet::errors::ParquetError),
}

/// Passes on the rows of a table: its own, and for the table of measurements each portion as it is read.
///
/// # Errors
///
/// Fails if the measurements cannot be read, or with an error of `take`.
pub fn each_portion<E: From<DatabaseError>>(
    sheet: &Sheet,
    rows: &mut MeasurementPortions<'_>,
    mut take: impl FnMut(Vec<Vec<Option<Value>>>) -> Result<(), E>,
) -> Result<(), E> {
    take(sheet.rows.clone())?;
    if sheet.name == MEASUREMENTS {
        for portion in rows {
            take(portion?.iter().map(cells).collect())?;
        }
    }
    Ok(())
}

/// Lets a library write a file by its path in a temporary folder, then moves the content into place atomically.
pub(super) fn made_beside(path: &Path, make: impl FnOnce(&Path) -> Result<(), ExportError>) -> Result<(), ExportError> {
    let folder = tempfile::TempDir::new().map_err(WriteError::at(path))?;
    let made = folder.path().join("export");
    make(&made)?;
    let mut made = File::open(&made).map_err(WriteError::at(path))?;
    write_atomically_with(path, |to| {
        io::copy(&mut made, to).map_err(WriteError::at(path))?;
        Ok(())
    })
}
