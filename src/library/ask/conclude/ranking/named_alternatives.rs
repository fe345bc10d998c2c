//! Rankings of what is named: of several architectures a frame in which more of them stand is the better field.

use super::frames::Frame;
use crate::ask::conclude::basis::named_alternatives::NamedAlternatives;
use crate::ask::hits::HitColumns;
use crate::values::text::or_list;

/// Keeps those frames in which the most of what is named stand, where that is more than one.
pub(super) fn keep(named: &NamedAlternatives, hits: &HitColumns, frames: &mut Vec<Frame>) {
    let standing: Vec<usize> =
        frames.iter().map(|frame| named.named.len() - missing(named, hits, frame).len()).collect();
    let Some(most) = standing.iter().copied().max().filter(|most| *most > 1) else { return };
    let mut standing = standing.into_iter();
    frames.retain(|_| standing.next() == Some(most));
}

/// Of which no candidate stands in a frame.
fn missing<'n>(named: &'n NamedAlternatives, hits: &HitColumns, frame: &Frame) -> Vec<&'n str> {
    named.missing(frame.candidates.iter().map(|candidate| hits.part(candidate.hit(frame), named.part)))
}

/// What is said of those that a frame does not hold: `, none of them `volta` or `turing``.
pub(super) fn missing_in_words(named: &NamedAlternatives, hits: &HitColumns, frame: &Frame) -> Option<String> {
    let missing: Vec<String> = missing(named, hits, frame).into_iter().map(|word| format!("`{word}`")).collect();
    (!missing.is_empty()).then(|| format!(", none of them {}", or_list(&missing)))
}
