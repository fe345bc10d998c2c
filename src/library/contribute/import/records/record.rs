//! A record of a file, and what is wrong with a file that holds none.

use std::collections::BTreeMap;

use regex::Regex;

/// One record: the values that a template can name, and where it stands.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Record {
    pub values: BTreeMap<String, String>,
    /// The line in the file, counted from 1.
    pub line: usize,
    /// The place in a file without lines (`object 3`, `Sheet:7`); once the record is read, `file:line`.
    pub place: String,
    /// The table of the file that it stands in: where that begins.
    pub table: usize,
    /// The footnotes of its cells, by column.
    pub notes: BTreeMap<String, String>,
}

impl Record {
    pub fn new(values: BTreeMap<String, String>, line: usize) -> Self {
        Self { values, line, ..Self::default() }
    }

    /// A row below a header: each cell under the name of its column, missing cells empty, beside what the page says
    /// around the table.
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

/// Why a file is not of its format.
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

    /// A row whose number of cells is not that of the header.
    pub fn cell_count(line: usize, expected: usize, found: usize) -> Self {
        Self::new(line, format!("expected {expected} cells as in the header, found {found}"))
    }

    /// A row that the CSV reader refuses.
    pub fn of_csv(error: &csv::Error) -> Self {
        let line = error.position().map_or(0, csv::Position::line) as usize;
        match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                Self::cell_count(line, *expected_len as usize, *len as usize)
            }
            _ => Self::new(line, error.to_string()),
        }
    }

    /// The message with its line, for one line of text.
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
