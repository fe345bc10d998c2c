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
    let options = textwrap::Options::new(width).initial_indent(first).subsequent_indent(&blanks).break_words(false);
    let mut lines = textwrap::fill(&crate::values::text::printable(text), options);
    lines.push('\n');
    lines
}
