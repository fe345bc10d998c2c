//! Drawing: grids in each format, mistakes with carets, and the styles they share.

pub(super) mod answer;
pub(super) mod card;
pub(super) mod diagnostics;
pub(super) mod grid;
pub(super) mod invitation;

use anstyle::Style;

/// Headings.
pub(super) const BOLD: Style = Style::new().bold();
/// What matters less.
pub(super) const DIM: Style = Style::new().dimmed();

/// A heading on a line of its own.
pub(super) fn heading(text: &str) -> String {
    format!("{BOLD}{text}{BOLD:#}\n")
}

/// A paragraph wrapped to `width`, its first line after `first`, the others after as many blanks.
pub(super) fn paragraph(first: &str, text: &str, width: usize) -> String {
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
pub(super) fn json(value: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    let plain = serde_json::to_string_pretty(value)?;
    let mut text = String::with_capacity(plain.len() + 1);
    for c in plain.chars() {
        if c != '\n' && crate::values::text::is_invisible(c) {
            text.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            text.push(c);
        }
    }
    text.push('\n');
    Ok(text)
}
