//! Comma- and tab-separated values, and those with another character between them.

use std::borrow::Cow;

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

/// The text without the line `sep=;` by which Excel is told the character, and that character: what the recipe says, what
/// that line says, else what the header is written with.
///
/// # Errors
///
/// When the recipe's character is not one byte.
pub(super) fn delimiter(text: &str, stated: Option<char>) -> Result<(Cow<'_, str>, u8), MalformedInput> {
    let byte = |c: char| {
        let told = || MalformedInput::new(0, format!("`delimiter = \"{c}\"` is not one character of ASCII"));
        u8::try_from(c).ok().filter(u8::is_ascii).ok_or_else(told)
    };
    let first = text.lines().next().unwrap_or_default();
    let told = first.strip_prefix("sep=").and_then(|rest| rest.chars().next());
    // The line stays as an empty one, so that the others keep their numbers.
    let text = if told.is_some() { Cow::Owned(text.replacen(first, "", 1)) } else { Cow::Borrowed(text) };
    let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let of_header = || [';', '\t', '|'].into_iter().find(|c| header.contains(*c)).filter(|_| !header.contains(','));
    let delimiter = byte(stated.or(told).or_else(of_header).unwrap_or(','))?;
    Ok((text, delimiter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_character_is_the_stated_one_that_of_excel_or_that_of_the_header() {
        let of = |text: &str, stated| delimiter(text, stated).map(|(_, byte)| char::from(byte));
        assert_eq!(of("a;b\n1,5;2", None), Ok(';'));
        assert_eq!(of("a, mean;b\n1;2", Some(';')), Ok(';'));
        assert_eq!(of("sep=;\na,x;b\n1;2", None), Ok(';'));
        assert_eq!(of("a,b\n1;2,3", None), Ok(','));
        assert!(of("a§b", Some('§')).unwrap_err().message.contains("ASCII"));
        let (text, byte) = delimiter("sep=;\na;b\n1;2\n", None).unwrap();
        assert_eq!(records(&text, byte).unwrap()[0].line, 3);
    }
}
