//! Numbers that siunitx reads, and marks of notes.

use super::escaping::escaped;
use crate::render::table::content::TableNote;

/// Sign, digits before and digits after the point of a plain decimal number.
pub(super) fn number(text: &str) -> Option<(bool, usize, usize)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    (!whole.is_empty() && plain(whole) && plain(fraction)).then_some((
        text.starts_with('-'),
        whole.len(),
        fraction.len(),
    ))
}

/// The marks of notes; a remark on the whole table has none.
pub(super) fn marks_of<'n>(own: &[usize], notes: &'n [TableNote]) -> Vec<&'n str> {
    own.iter().map(|note| notes[*note].mark.as_str()).filter(|mark| !mark.is_empty()).collect()
}

/// The marks of notes, raised.
pub(super) fn raised(own: &[usize], notes: &[TableNote]) -> String {
    let marks: Vec<String> = marks_of(own, notes).into_iter().map(mark).collect();
    if marks.is_empty() { String::new() } else { format!("\\textsuperscript{{{}}}", marks.join(",")) }
}

/// A mark, as it is set.
pub(super) fn mark(mark: &str) -> String {
    match mark {
        "†" => "$\\dagger$".to_owned(),
        "‡" => "$\\ddagger$".to_owned(),
        other => escaped(other),
    }
}
