//! Rankings of what is named: of several architectures a frame in which more of them stand is the better field.

use super::frames::{Candidate, Frame};
use super::inputs::Ranking;
use super::superlatives::largest_first;
use crate::ask::conclude::basis::conclusion::Entry;
use crate::ask::conclude::basis::named_alternatives::NamedAlternatives;
use crate::ask::conclude::basis::wording::three;
use crate::ask::hits::HitColumns;
use crate::ask::question::{QueryError, Superlative};
use crate::values::text::{and_list, or_list};

/// So many candidates are told of a frame that holds what the first one does not.
const MOST_TOLD: usize = 3;

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

impl Ranking<'_> {
    /// Where those stand that are named and not in the frame that is taken, beside others that are named: ` With `t4` (DrQA training):
    /// Tesla T4 with 3020 s, then Tesla K80 (4910).`
    pub(super) fn with_missing(
        &mut self,
        alternatives: &[NamedAlternatives],
        (frame, others): (&Frame, &[Frame]),
        superlative: Superlative,
    ) -> Result<Option<String>, QueryError> {
        let mut told = String::new();
        for named in alternatives {
            for word in missing(named, self.hits, frame) {
                let holds = |other: &&Frame| {
                    let absent = missing(named, self.hits, other);
                    !other.is_extreme && !absent.contains(&word) && absent.len() + 1 < named.named.len()
                };
                let widest = others
                    .iter()
                    .filter(holds)
                    .max_by_key(|other| (other.measure == frame.measure, other.candidates.len()));
                let Some(other) = widest else { continue };
                let order = |a: &&Candidate, b: &&Candidate| {
                    let by_value = a.value(other).total_cmp(&b.value(other));
                    if largest_first(superlative, other.measure) { by_value.reverse() } else { by_value }
                };
                let mut candidates: Vec<&Candidate> = other.candidates.iter().collect();
                candidates.sort_by(order);
                let mut names = Vec::new();
                for candidate in candidates.into_iter().take(MOST_TOLD) {
                    let subjects = self.subjects(&self.hits.parts(candidate.hit(other)));
                    let name = self.name(&Entry { subjects, ..Entry::default() })?;
                    names.push((name, three(candidate.value(other))));
                }
                let Some(((first, value), behind)) = names.split_first() else { continue };
                let unit = self.unit(other).map_or_else(String::new, |unit| format!(" {unit}"));
                let behind: Vec<String> = behind.iter().map(|(name, value)| format!("{name} ({value})")).collect();
                let offer = self.offer(other, frame)?;
                let offer = if offer.is_empty() { "another frame".to_owned() } else { offer };
                let then = and_list(&behind);
                told.push_str(&format!(" With `{word}` ({offer}): {first} with {value}{unit}, then {then}."));
            }
        }
        Ok((!told.is_empty()).then_some(told))
    }
}
