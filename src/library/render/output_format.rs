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
