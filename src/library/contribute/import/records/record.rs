//! A record of a file, the list of its records within a memory limit, and the error for a malformed file.

use std::collections::BTreeMap;

use regex::Regex;

/// One record: the values that templates can refer to, and its place in the file.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Record {
    pub values: BTreeMap<String, String>,
    /// The line in the file, counted from 1.
    pub line: usize,
    /// The place in a file without lines (`object 3`, `Sheet:7`); after reading, `file:line`.
    pub place: String,
    /// Identifies the table that contains the record by the line where the table begins.
    pub table: usize,
    /// The footnotes of the record's cells, by column.
    pub notes: BTreeMap<String, String>,
}

impl Record {
    pub fn new(values: BTreeMap<String, String>, line: usize) -> Self {
        Self { values, line, ..Self::default() }
    }

    /// A row below a header: each cell under the name of its column (empty if missing), together with the context of
    /// the table.
    pub fn of_row(
        context: BTreeMap<String, String>,
        header: &[String],
        cells: impl IntoIterator<Item = String>,
        line: usize,
    ) -> Self {
        let mut values = context;
        values.extend(header.iter().cloned().zip(cells.into_iter().chain(std::iter::repeat(String::new()))));
        Self::new(values, line)
    }
}

/// Why a file is malformed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct MalformedInput {
    /// The line, counted from 1; 0 when the message concerns the whole file.
    pub line: usize,
    /// What was expected.
    pub message: String,
}

impl MalformedInput {
    pub fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }

    /// The error for a row whose number of cells differs from the header's.
    pub fn cell_count(line: usize, expected: usize, found: usize) -> Self {
        Self::new(line, format!("expected {expected} cells as in the header, found {found}"))
    }

    /// The error for a row that the CSV reader rejects.
    pub fn of_csv(error: &csv::Error, text: &str) -> Self {
        let line = error.position().map_or(0, |position| LineNumbers::of(text).at(position));
        match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                Self::cell_count(line, *expected_len as usize, *len as usize)
            }
            _ => Self::new(line, error.to_string()),
        }
    }

    /// The message prefixed with its line, for one-line output.
    pub fn with_line(&self) -> String {
        format!("line {}: {}", self.line, self.message)
    }
}

/// Adds the named groups of a match to `values`; `false` when the pattern does not match.
pub(super) fn add_captures(pattern: &Regex, text: &str, values: &mut BTreeMap<String, String>) -> bool {
    let Some(found) = pattern.captures(text) else {
        return false;
    };
    for name in pattern.capture_names().flatten() {
        if let Some(group) = found.name(name) {
            values.insert(name.to_owned(), group.as_str().trim().to_owned());
        }
    }
    true
}

/// Maximum total bytes of the values of a file's records; smaller in tests, to keep them fast.
const MOST_BYTES: usize = if cfg!(test) { 8 << 20 } else { 256 << 20 };

/// Overhead in bytes for each name or value, besides its text.
const OWN_BYTES: usize = 24;

/// How many bytes the values of further records may take.
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
    /// Subtracts the size of a name and a value from the budget.
    ///
    /// # Errors
    ///
    /// When the budget is exceeded.
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

    /// Subtracts the size of all values from the budget.
    pub fn take_all(&mut self, values: &BTreeMap<String, String>) -> Result<(), MalformedInput> {
        values.iter().try_for_each(|(name, value)| self.take(name, value))
    }
}

/// The records of a file, limited by a memory budget.
#[derive(Debug, Default)]
pub(super) struct RecordList {
    records: Vec<Record>,
    budget: RecordBudget,
}

impl RecordList {
    /// Adds a record.
    ///
    /// # Errors
    ///
    /// When the records exceed the memory budget.
    pub fn push(&mut self, record: Record) -> Result<(), MalformedInput> {
        self.budget.take_all(&record.values)?;
        self.records.push(record);
        Ok(())
    }

    pub fn into_records(self) -> Vec<Record> {
        self.records
    }
}

/// Line numbers of consecutive CSV rows. The CSV reader reports the line where the previous row ended, which differs
/// from the line of the row after `\r\n` or an empty line.
pub(in super::super) struct LineNumbers<'t> {
    text: &'t str,
    byte: usize,
    line: usize,
}

impl<'t> LineNumbers<'t> {
    pub fn of(text: &'t str) -> Self {
        Self { text, byte: 0, line: 1 }
    }

    /// The line of the row that the CSV reader finds from this position on.
    pub fn at(&mut self, position: &csv::Position) -> usize {
        let bytes = self.text.as_bytes();
        let is_end = |byte: &&u8| matches!(**byte, b'\r' | b'\n');
        let read = usize::try_from(position.byte()).unwrap_or(usize::MAX).clamp(self.byte, bytes.len());
        let start = read + bytes[read..].iter().take_while(is_end).count();
        let ends = |at: &usize| bytes[*at] == b'\n' || bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        self.line += (self.byte..start).filter(ends).count();
        self.byte = start;
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::super::{html, json, lines, markdown};
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
            lines::records(&list, b','),
            json::records(&objects, None),
        ] {
            let told = found.map(|records| records.len()).unwrap_err().message;
            assert!(told.contains("come to at most 8 MiB"), "{told}");
        }
    }
}
