//! Drawing: tables in each format, mistakes with carets, and the styles they share.

pub mod answer;
pub mod bibtex;
pub mod card;
pub mod contradictions;
pub mod evidence;
pub mod figure;
pub mod findings;
#[cfg(test)]
mod new_row;
mod output_format;
pub mod paper;
pub mod pivot;
pub mod table;
pub mod wanted;

use anstyle::Style;

pub use output_format::Format;
pub use output_format::{json, ndjson, write_json, write_ndjson};

/// Why a result could not be written in a format.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// It is no JSON.
    #[error("cannot write the result as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is no CSV.
    #[error("cannot write the result as CSV: {0}")]
    Csv(#[from] std::io::Error),
}

/// Headings.
pub const BOLD: Style = Style::new().bold();
/// What matters less.
pub const DIM: Style = Style::new().dimmed();

/// A heading on a line of its own.
pub fn heading(text: &str) -> String {
    format!("{BOLD}{text}{BOLD:#}\n")
}

/// A paragraph wrapped to `width`, its first line after `first`, the others after as many blanks.
pub fn paragraph(first: &str, text: &str, width: usize) -> String {
    let blanks = " ".repeat(first.chars().count());
    let options = textwrap::Options::new(width)
        .initial_indent(first)
        .subsequent_indent(&blanks)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    let mut lines = textwrap::fill(&crate::values::text::printable(text), options);
    lines.push('\n');
    lines
}
