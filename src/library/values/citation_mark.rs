//! A citation inside a text: the key of what is cited between two noncharacters, which no text of a file needs.

/// Stands before a key.
pub const CITATION_BEGINS: char = '\u{fdd0}';
/// Stands behind a key.
pub const CITATION_ENDS: char = '\u{fdd1}';

/// The mark of a citation, which a format that cites by keys sets as one. No other format may be given it.
pub fn citation_mark(key: &str) -> String {
    format!("{CITATION_BEGINS}{key}{CITATION_ENDS}")
}
