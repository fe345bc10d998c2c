//! Comma- and tab-separated values.

use super::record::{MalformedInput, Record};
use super::record_list::RecordList;
use crate::values::text::one_line;

/// One record for each row; a row with another number of cells than the header is a mistake.
pub(super) fn records(text: &str, delimiter: u8) -> Result<Vec<Record>, MalformedInput> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| MalformedInput::new(1, error.to_string()))?.clone();
    if header.iter().all(str::is_empty) {
        return Err(MalformedInput::new(1, "expected a header with the names of the columns"));
    }
    let mut records = RecordList::default();
    for row in reader.records() {
        let row = row.map_err(|error| MalformedInput::of_csv(&error))?;
        let line = row.position().map_or(0, |position| position.line() as usize);
        let values =
            header.iter().zip(row.iter()).map(|(name, cell)| (one_line(name), cell.trim().to_owned())).collect();
        records.push(Record::new(values, line))?;
    }
    Ok(records.into_records())
}
