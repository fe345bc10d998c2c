//! The records of a file, as many as memory is meant to hold: what a page says around a table stands in each of its rows, and a long
//! name in each object below it, so that a small file may say very much.

use std::collections::BTreeMap;

use super::record::{MalformedInput, Record};

/// Bytes that the values of all records of a file may come to; tests have less patience.
const MOST_BYTES: usize = if cfg!(test) { 8 << 20 } else { 256 << 20 };

/// A name or a value has so many bytes beside its text.
const OWN_BYTES: usize = 24;

/// What the values of records may still come to.
#[derive(Debug)]
pub(super) struct RecordBudget {
    left: usize,
}

impl Default for RecordBudget {
    fn default() -> Self {
        Self { left: MOST_BYTES }
    }
}

impl RecordBudget {
    /// Takes what a name and a value need.
    ///
    /// # Errors
    ///
    /// When that is more than there is left.
    pub fn take(&mut self, name: &str, value: &str) -> Result<(), MalformedInput> {
        match self.left.checked_sub(name.len() + value.len() + 2 * OWN_BYTES) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(MalformedInput::new(
                0,
                format!(
                    "expected rows whose values come to at most {} MiB, those around a table counted in each row",
                    MOST_BYTES >> 20
                ),
            )),
        }
    }

    /// The same for all values.
    pub fn take_all(&mut self, values: &BTreeMap<String, String>) -> Result<(), MalformedInput> {
        values.iter().try_for_each(|(name, value)| self.take(name, value))
    }
}

/// The records of a file.
#[derive(Debug, Default)]
pub(super) struct RecordList {
    records: Vec<Record>,
    budget: RecordBudget,
}

impl RecordList {
    /// Adds one.
    ///
    /// # Errors
    ///
    /// When the values of all become too much.
    pub fn push(&mut self, record: Record) -> Result<(), MalformedInput> {
        self.budget.take_all(&record.values)?;
        self.records.push(record);
        Ok(())
    }

    pub fn into_records(self) -> Vec<Record> {
        self.records
    }
}

#[cfg(test)]
mod tests {
    use super::super::{delimited, html, json, markdown};
    use crate::contribute::recipe::Recipe;

    #[test]
    fn a_file_that_says_too_much_in_each_row_is_refused() {
        let recipe =
            Recipe::parse("[[table]]\nfiles = \"*\"\nformat = \"html\"\nbatch = \"b\"\n[table.set]\n").unwrap();
        let compiled = recipe.table[0].compiled().unwrap();
        let long = "a".repeat(1 << 16);
        let rows = |row: &str| row.repeat(200);
        let page = format!("<h1>{long}</h1><table><tr><th>b</th></tr>{}</table>", rows("<tr><td>1</td></tr>"));
        let table = format!("# {long}\n\n| b |\n|---|\n{}", rows("| 1 |\n"));
        let list = format!("{long}\n{}", rows("1\n"));
        let objects = format!("{{\"x\": {{\"{long}\": [{}1]}}, \"y\": {{}}}}", rows("1,"));
        for found in [
            html::records(&page, &compiled),
            markdown::records(&table, &compiled),
            delimited::records(&list, b','),
            json::records(&objects, None),
        ] {
            let told = found.map(|records| records.len()).unwrap_err().message;
            assert!(told.contains("come to at most 8 MiB"), "{told}");
        }
    }
}
