//! Output formats, and JSON writers: indented or one value per line, with control characters in strings escaped.

use std::io;
use std::io::Write;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};
use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use super::RenderError;
use crate::values::text::is_invisible;

/// Forwards the layout methods to the wrapped formatter.
macro_rules! laid_out_by_the_form {
    ($($part:ident($($first:ident)?)),*) => {
        $(fn $part<W: ?Sized + Write>(&mut self, to: &mut W $(, $first: bool)?) -> io::Result<()> {
            self.0.$part(to $(, $first)?)
        })*
    };
}

/// An output format. Its kebab-case name is the value on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Format {
    /// Text for a terminal
    Table,
    /// One JSON object
    Json,
    /// One JSON object per line, one line per row
    Ndjson,
    /// Comma-separated values with a header
    Csv,
    /// Markdown
    Markdown,
    /// HTML
    Html,
    /// LaTeX for a paper
    Latex,
    /// Typst for a paper
    Typst,
}

impl Format {
    /// Formats that people read, on a screen or in a document.
    pub const FOR_PEOPLE: &[Self] = &[Self::Table, Self::Markdown, Self::Html, Self::Latex, Self::Typst];

    /// The formats that have columns.
    pub const WITH_COLUMNS: &[Self] = &[Self::Table, Self::Csv, Self::Markdown, Self::Html, Self::Latex, Self::Typst];

    /// Whether people read the format, so that numbers are rounded and tables have a width.
    pub fn is_for_people(self) -> bool {
        Self::FOR_PEOPLE.contains(&self)
    }

    /// Whether the format is a single table of values with a header, for programs.
    pub fn is_delimited(self) -> bool {
        !self.is_for_people() && Self::WITH_COLUMNS.contains(&self)
    }
}

/// A value as indented JSON with a final newline.
///
/// # Errors
///
/// Fails if the value cannot be represented in JSON.
pub fn json(value: &impl Serialize) -> Result<String, RenderError> {
    let mut text = Vec::new();
    write_json(value, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Values as JSON, one per line.
///
/// # Errors
///
/// Fails if a value cannot be represented in JSON.
pub fn ndjson<V: Serialize>(values: impl IntoIterator<Item = V>) -> Result<String, RenderError> {
    let mut text = Vec::new();
    write_ndjson(values, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Writes the output of [`json`] without building it in memory.
///
/// # Errors
///
/// Fails if the output cannot be written, or if the value cannot be represented in JSON.
pub fn write_json(value: &impl Serialize, mut to: impl Write) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut to, Visible(PrettyFormatter::new())))?;
    to.write_all(b"\n")
}

/// Writes the output of [`ndjson`] without building it in memory.
///
/// # Errors
///
/// As for [`write_json`].
pub fn write_ndjson<V: Serialize>(values: impl IntoIterator<Item = V>, mut to: impl Write) -> io::Result<()> {
    for value in values {
        value.serialize(&mut Serializer::with_formatter(&mut to, Visible(CompactFormatter)))?;
        to.write_all(b"\n")?;
    }
    Ok(())
}

/// A JSON formatter that escapes invisible characters in strings.
struct Visible<F>(F);

impl<F: Formatter> Formatter for Visible<F> {
    laid_out_by_the_form! {
        begin_array(), end_array(), begin_array_value(first), end_array_value(),
        begin_object(), end_object(), begin_object_key(first), end_object_key(), begin_object_value(), end_object_value()
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, to: &mut W, fragment: &str) -> io::Result<()> {
        let mut written = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| is_invisible(*c)) {
            to.write_all(&fragment.as_bytes()[written..at])?;
            // JSON escapes characters beyond the basic multilingual plane as a surrogate pair.
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(to, "\\u{unit:04x}")?;
            }
            written = at + c.len_utf8();
        }
        to.write_all(&fragment.as_bytes()[written..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_invisible_is_escaped_and_read_back() {
        let value = serde_json::json!({ "a\u{202e}": ["x\u{7f}\n\u{e0001}y", 1.5, null, {}, []], "b": { "é": true } });
        let text = json(&value).unwrap();
        assert!(text.contains("\"a\\u202e\"") && text.contains("x\\u007f\\n\\udb40\\udc01y"), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        let plain = serde_json::json!({ "a": [1, [], { "b": {} }], "c": "é\"" });
        assert_eq!(json(&plain).unwrap(), serde_json::to_string_pretty(&plain).unwrap() + "\n");
        assert_eq!(ndjson([&plain, &value]).unwrap().lines().count(), 2);
    }
}
