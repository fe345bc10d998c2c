//! Comma-separated values that a spreadsheet cannot take for formulas and a terminal not for commands.

use super::content::Table;
use crate::values::text::printable;

/// The headings, then every row.
pub(super) fn draw(table: &Table) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(table.columns.iter().map(|column| harmless(&column.title())))?;
    for row in table.rows() {
        writer.write_record(row.iter().map(|cell| harmless(&cell.text)))?;
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Spreadsheets run a cell that begins with one of these characters, if need be after blanks, unless it is a number.
fn harmless(cell: &str) -> String {
    let cell = printable(cell);
    let formula = cell.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '|', '%']);
    if formula && cell.parse::<f64>().is_err() { format!("'{cell}") } else { cell }
}
