//! The formats that a result can be written in.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

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
}
