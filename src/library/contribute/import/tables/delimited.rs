//! Comma- and tab-separated values.

use super::{Mistake, Record};

/// One record for each row; a row with another number of cells than the header is a mistake.
pub(super) fn records(text: &str, delimiter: u8) -> Result<Vec<Record>, Mistake> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| Mistake::new(1, error.to_string()))?.clone();
    if header.iter().all(str::is_empty) {
        return Err(Mistake::new(1, "expected a header with the names of the columns"));
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
            Mistake::new(line as usize, message)
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
