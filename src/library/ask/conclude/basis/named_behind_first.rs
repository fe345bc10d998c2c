//! How many candidates the sentence of a ranking names.

use crate::ask::question::Question;

/// So many are named behind the first where the question says no number, and so many where it does.
const NEXT: usize = 2;
const MOST_NEXT: usize = 9;

/// How many are named behind the first: as many as were asked for, of many no more than a sentence holds.
pub(in crate::ask::conclude) fn next_named(question: &Question) -> usize {
    question.limit.map_or(NEXT, |limit| limit.saturating_sub(1).min(MOST_NEXT))
}
