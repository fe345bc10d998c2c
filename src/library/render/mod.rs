//! Rendering: tables in each format, errors with carets, and the shared styles.

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
    /// The result cannot be represented as JSON.
    #[error("cannot write the result as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The result cannot be written as CSV.
    #[error("cannot write the result as CSV: {0}")]
    Csv(#[from] std::io::Error),
}

/// Style of headings.
pub const BOLD: Style = Style::new().bold();
/// Style of less important text.
pub const DIM: Style = Style::new().dimmed();

/// A heading on its own line.
pub fn heading(text: &str) -> String {
    format!("{BOLD}{text}{BOLD:#}\n")
}

/// A paragraph wrapped to `width`: the first line starts with `first`, further lines are indented by its width.
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
