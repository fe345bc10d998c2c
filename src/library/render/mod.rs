//! Drawing: tables in each format, mistakes with carets, and the styles they share.

pub mod answer;
pub mod bibtex;
pub mod card;
pub mod cff;
pub mod contradictions;
pub mod diagnostics;
pub mod estimate;
pub mod evidence;
pub mod figure;
pub mod findings;
pub mod invitation;
#[cfg(test)]
mod new_row;
mod output_format;
pub mod paper;
pub mod pivot;
pub mod table;
pub mod verdict;
pub mod wanted;

use anstyle::Style;

pub use output_format::Format;

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

/// A value as indented JSON with a final newline; what a terminal would obey is escaped inside its texts.
pub fn json(value: &impl serde::Serialize) -> Result<String, RenderError> {
    Ok(visible(&serde_json::to_string_pretty(value)?) + "\n")
}

/// Values as JSON, each on a line of its own.
pub fn ndjson<V: serde::Serialize>(values: impl IntoIterator<Item = V>) -> Result<String, RenderError> {
    let mut text = String::new();
    for value in values {
        text.push_str(&visible(&serde_json::to_string(&value)?));
        text.push('\n');
    }
    Ok(text)
}

/// JSON with what is invisible in its texts escaped.
fn visible(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && crate::values::text::is_invisible(c) {
            // Beyond the basic plane JSON writes a pair of surrogates.
            for unit in c.encode_utf16(&mut [0; 2]) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            text.push(c);
        }
    }
    text
}
