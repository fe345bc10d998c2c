//! Comma- and tab-separated values.

use std::path::Path;

use super::super::ImportError;
use super::Record;

/// One record for each row; a row with another number of cells than the header is a mistake.
pub(super) fn records(text: &str, delimiter: u8, path: &Path) -> Result<Vec<Record>, ImportError> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(text.as_bytes());
    let malformed =
        |line: u64, message: String| ImportError::Malformed { path: path.to_owned(), line: line as usize, message };
    let header = reader.headers().map_err(|error| malformed(1, error.to_string()))?.clone();
    if header.iter().all(str::is_empty) {
        return Err(malformed(1, "expected a header with the names of the columns".to_owned()));
    }
    let mut records = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| {
            let line = error.position().map_or(0, csv::Position::line);
            let message = match error.kind() {
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    format!("expected {expected_len} cells as in the header, found {len}")
                }
                _ => error.to_string(),
            };
            malformed(line, message)
        })?;
        let line = row.position().map_or(0, |position| position.line() as usize);
        let values = header
            .iter()
            .zip(row.iter())
            .map(|(name, cell)| (name.split_whitespace().collect::<Vec<_>>().join(" "), cell.trim().to_owned()))
            .collect();
        records.push(Record::new(values, line));
    }
    Ok(records)
}
