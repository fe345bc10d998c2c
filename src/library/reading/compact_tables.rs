//! `[[table]]`: `columns` that name keys, and `rows` with a cell for each.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The items of a key that is a list.
pub(super) fn list_of<'t>(table: &'t DeTable<'t>, key: &str) -> Option<&'t [Spanned<DeValue<'t>>]> {
    Some(&table.get(key)?.get_ref().as_array()?[..])
}

/// The cells of a row, as many as there are columns; else the message and the label of a finding.
pub(super) fn cells_of<'t>(
    row: &'t Spanned<DeValue<'t>>,
    columns: usize,
) -> Result<&'t [Spanned<DeValue<'t>>], (String, &'static str)> {
    match row.get_ref() {
        DeValue::Array(cells) if cells.len() == columns => Ok(&cells[..]),
        DeValue::Array(cells) => {
            Err((format!("the row has {} cells, the table {columns} columns", cells.len()), "in this row"))
        }
        _ => Err(("a row is a list of cells".to_owned(), "expected [ … ]")),
    }
}
