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

/// The marks of notes, raised, in type of so many points.
pub(super) fn raised(own: &[usize], notes: &[TableNote], points: f64) -> String {
    let marks: Vec<String> = marks_of(own, notes).into_iter().map(mark).collect();
    if marks.is_empty() { String::new() } else { superscript(&marks.join(","), points) }
}

/// The smallest type that is read in print.
const SMALLEST: f64 = 6.0;
/// From this size of type on LaTeX raises in 6 points and more.
const LARGE_ENOUGH: f64 = 7.6;

/// The size of what is raised in type of so many points: LaTeX's, which is 5 points below 8, but no smaller than what is read.
pub(super) fn raised_points(points: f64) -> f64 {
    /// Of larger type it raises in this share.
    const SHARE: f64 = 0.75;
    if points < LARGE_ENOUGH { SMALLEST } else { points * SHARE }
}

/// What is raised in type of so many points; what is larger than LaTeX would have it keeps lines as far apart as they are.
pub(super) fn superscript(text: &str, points: f64) -> String {
    match points < LARGE_ENOUGH {
        true => format!("\\textsuperscript{{\\smash{{\\fontsize{{6}}{{7}}\\selectfont {text}}}}}"),
        false => format!("\\textsuperscript{{{text}}}"),
    }
}

/// A mark, as it is set.
pub(super) fn mark(mark: &str) -> String {
    match mark {
        "†" => "$\\dagger$".to_owned(),
        "‡" => "$\\ddagger$".to_owned(),
        other => escaped(other),
    }
}
