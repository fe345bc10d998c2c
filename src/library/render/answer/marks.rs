//! The marks of cells and the notes that they stand for, each note once in a table.

use super::super::table::TableNote;

/// Of a device of which the source names no member.
pub(super) const FAMILY: (&str, &str) = ("†", "a device family: the source does not say which member");
/// Of a recipe of mixed precision.
pub(super) const MIXED: (&str, &str) = ("‡", "mixed precision: computes in the shorter format");
/// Of fp32 that may be TF32.
pub(super) const MAY_BE_TF32: (&str, &str) =
    ("¶", "fp32 of a device with TF32 units: the source does not say which of the two ran");
/// Of figures that are cut.
pub(super) const CUT: (&str, &str) = ("", "figures of more than 7 digits are cut (-f csv has all)");
/// The same where nobody can ask for all digits.
pub(super) const CUT_IN_PRINT: (&str, &str) = ("", "figures of more than 7 digits are cut");
/// Of figures that are rounded.
pub(super) const ROUNDED: (&str, &str) = ("", "figures are rounded (-f csv has all digits)");
/// The same where nobody can ask for all digits.
pub(super) const ROUNDED_IN_PRINT: (&str, &str) = ("", "figures are rounded");

/// The place of a note among `notes`, where it is added if it is missing.
pub(super) fn note(notes: &mut Vec<TableNote>, (mark, text): (&str, &str)) -> usize {
    if let Some(at) = notes.iter().position(|note| note.mark == mark && note.text == text) {
        return at;
    }
    notes.push(TableNote { mark: mark.to_owned(), text: text.to_owned() });
    notes.len() - 1
}

/// Adds notes to others; where each of them stands there.
pub(super) fn take(notes: &mut Vec<TableNote>, more: Vec<TableNote>) -> Vec<usize> {
    more.into_iter().map(|new| note(notes, (&new.mark, &new.text))).collect()
}
