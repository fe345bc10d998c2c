//! Comma-separated values that spreadsheets do not run as formulas and terminals do not obey as control sequences.

use std::borrow::Cow;
use std::io::{self, Write};

use super::content::Table;
use crate::values::text::printable;

/// A streaming CSV writer.
pub struct CsvWriter<W: Write> {
    writer: csv::Writer<W>,
}

impl<W: Write> CsvWriter<W> {
    /// A writer that buffers a few rows at most.
    pub fn new(to: W) -> Self {
        Self { writer: csv::Writer::from_writer(to) }
    }

    /// Writes a row; the first one holds the headings.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub fn row<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) -> io::Result<()> {
        for cell in cells {
            self.writer.write_field(harmless(cell.as_ref()).as_bytes()).map_err(into_io_error)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(into_io_error)
    }

    /// Flushes the buffered rows and returns the output.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// The I/O error itself, with its kind: callers treat a closed pipe as success.
fn into_io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// The headings, then every row.
pub(super) fn draw(table: &Table) -> io::Result<String> {
    let mut writer = CsvWriter::new(Vec::new());
    writer.row(table.columns.iter().map(super::content::Column::title))?;
    for row in table.rows() {
        writer.row(row.iter().map(|cell| &cell.text))?;
    }
    String::from_utf8(writer.finish()?).map_err(io::Error::other)
}

/// Prefixes `'` to a cell that a spreadsheet would run as a formula: one of these characters after any blanks, and not a number.
fn harmless(cell: &str) -> Cow<'_, str> {
    // Fast path: most cells are ASCII words and numbers.
    if cell.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
        && !cell.trim_start().starts_with(['=', '+', '-', '@', '|', '%'])
    {
        return Cow::Borrowed(cell);
    }
    let cell = printable(cell);
    let formula = cell.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '|', '%']);
    Cow::Owned(if formula && cell.parse::<f64>().is_err() { format!("'{cell}") } else { cell })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_output_that_is_closed_says_so() {
        let mut writer = CsvWriter::new(Closed);
        // The writer buffers the first rows.
        let closed = (0..100_000).find_map(|_| writer.row(["cell"]).err());
        assert_eq!(closed.map(|error| error.kind()), Some(io::ErrorKind::BrokenPipe));
    }
}
