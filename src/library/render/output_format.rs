//! The formats of results, and JSON: indented, or a value on each line; control characters in texts are escaped.

use std::io;
use std::io::Write;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};
use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use super::RenderError;
use crate::values::text::is_invisible;

/// Passes the layout on to the form that is wrapped.
macro_rules! laid_out_by_the_form {
    ($($part:ident($($first:ident)?)),*) => {
        $(fn $part<W: ?Sized + Write>(&mut self, to: &mut W $(, $first: bool)?) -> io::Result<()> {
            self.0.$part(to $(, $first)?)
        })*
    };
}

/// How a result is written. The kebab-case name is the word on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Format {
    /// For a person at a terminal
    Table,
    /// One JSON object
    Json,
    /// One JSON object a line, one line a row
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
    /// The formats that people read on a screen or a page.
    pub const FOR_PEOPLE: &[Self] = &[Self::Table, Self::Markdown, Self::Html, Self::Latex, Self::Typst];

    /// The formats that have columns.
    pub const WITH_COLUMNS: &[Self] = &[Self::Table, Self::Csv, Self::Markdown, Self::Html, Self::Latex, Self::Typst];

    /// Whether people read it, so that figures are cut and tables have a width.
    pub fn is_for_people(self) -> bool {
        Self::FOR_PEOPLE.contains(&self)
    }

    /// Whether it is one table of values with a header, which programs read.
    pub fn is_delimited(self) -> bool {
        !self.is_for_people() && Self::WITH_COLUMNS.contains(&self)
    }
}

/// A value as indented JSON with a final newline.
///
/// # Errors
///
/// When the value has no shape in JSON.
pub fn json(value: &impl Serialize) -> Result<String, RenderError> {
    let mut text = Vec::new();
    write_json(value, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Values as JSON, each on a line of its own.
///
/// # Errors
///
/// When a value has no shape in JSON.
pub fn ndjson<V: Serialize>(values: impl IntoIterator<Item = V>) -> Result<String, RenderError> {
    let mut text = Vec::new();
    write_ndjson(values, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Writes what [`json`] gives without holding it in memory.
///
/// # Errors
///
/// What the output says; or when the value has no shape in JSON.
pub fn write_json(value: &impl Serialize, mut to: impl Write) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut to, Visible(PrettyFormatter::new())))?;
    to.write_all(b"\n")
}

/// Writes what [`ndjson`] gives without holding it in memory.
///
/// # Errors
///
/// As [`write_json`].
pub fn write_ndjson<V: Serialize>(values: impl IntoIterator<Item = V>, mut to: impl Write) -> io::Result<()> {
    for value in values {
        value.serialize(&mut Serializer::with_formatter(&mut to, Visible(CompactFormatter)))?;
        to.write_all(b"\n")?;
    }
    Ok(())
}

/// A form of JSON with what is invisible in its texts escaped.
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
            // Beyond the basic plane JSON writes a pair of surrogates.
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
