//! What comes of setting a side against another: the matched pairs, how their ratios are spread, and which side the others are
//! set against.

use super::best_batch_pairs::best_batch_pairs;
use super::compared_sides::ComparedSide;
use super::comparison_basis::Comparison;
use super::matched_pairs::{MatchedPair, Spread};
use super::side::Side;
use crate::ask::question::QueryError;
use crate::model::Metric;

/// A side against the baseline.
pub(super) struct Outcome<'o> {
    pub subject: &'o Side,
    pub spread: Spread,
    /// In how many pairs the subject is better.
    pub better: usize,
    pub pairs: Vec<MatchedPair>,
    /// Those of single layers, where networks are paired as well.
    pub layers: Vec<MatchedPair>,
    /// What each side has its own of besides what is compared, in words.
    pub apart: Option<&'static str>,
}

impl<'o> Outcome<'o> {
    /// What some pairs come to; `None` of none.
    pub fn of(subject: &'o Side, pairs: Vec<MatchedPair>, layers: Vec<MatchedPair>) -> Option<Self> {
        let spread = Spread::of(pairs.iter().map(|pair| pair.ratio))?;
        let better = pairs.iter().filter(|pair| pair.ratio > 1.0).count();
        Some(Self { subject, spread, better, pairs, layers, apart: None })
    }
}

impl Comparison<'_> {
    /// The side that the others are set against, and what they come to: the last of two; of several the best, where it has
    /// pairs with as many as any.
    pub(super) fn outcomes<'o>(
        &self,
        sides: &[&'o ComparedSide],
        metrics: &[Metric],
    ) -> Result<Option<(usize, Vec<Outcome<'o>>)>, QueryError> {
        let against = |baseline: usize| -> Result<Vec<Outcome<'o>>, QueryError> {
            let others = sides.iter().enumerate().filter(|(at, _)| *at != baseline);
            let outcomes = others.map(|(_, side)| self.outcome(side, sides[baseline], metrics));
            Ok(outcomes.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        };
        let Some(last) = sides.len().checked_sub(1) else { return Ok(None) };
        if sides.len() == 2 {
            return Ok(Some((last, against(last)?)));
        }
        let rank = |outcomes: &[Outcome<'o>]| {
            let is_first = outcomes.iter().all(|outcome| outcome.spread.mean <= 1.0);
            (outcomes.len(), is_first, outcomes.iter().map(|outcome| outcome.pairs.len()).sum::<usize>())
        };
        let mut most = (last, against(last)?);
        let mut left: Vec<usize> = (0..last).collect();
        while rank(&most.1) < (sides.len() - 1, true, 0) && !left.is_empty() {
            // The best of those known comes next: all others may be told from it.
            let best = most.1.iter().max_by(|a, b| a.spread.mean.total_cmp(&b.spread.mean));
            let is_best = |at: &usize| best.is_some_and(|best| std::ptr::eq(best.subject, &sides[*at].side));
            let next = left.iter().position(is_best).unwrap_or(left.len() - 1);
            let at = left.swap_remove(next);
            let outcomes = against(at)?;
            if rank(&outcomes) >= rank(&most.1) {
                most = (at, outcomes);
            }
        }
        Ok(Some(most))
    }

    fn outcome<'o>(
        &self,
        subject: &'o ComparedSide,
        baseline: &ComparedSide,
        metrics: &[Metric],
    ) -> Result<Option<Outcome<'o>>, QueryError> {
        let (mut pairs, mut apart) = (self.pairs(&subject.hits, &baseline.hits, metrics, false), None);
        if pairs.is_empty() {
            let (own, other) = (&subject.hits, &baseline.hits);
            if let Some((at_best, words)) = best_batch_pairs(self.stores, self.pairing(), own, other, metrics)? {
                (pairs, apart) = (at_best, Some(words));
            }
        }
        // A layer is no network: where networks can be paired, layers are told apart.
        let (layers, networks): (Vec<MatchedPair>, Vec<MatchedPair>) =
            pairs.into_iter().partition(|pair| self.sizes.is_layer(pair.subject.row));
        let (pairs, layers) = if networks.is_empty() { (layers, networks) } else { (networks, layers) };
        Ok(Outcome::of(&subject.side, pairs, layers).map(|outcome| Outcome { apart, ..outcome }))
    }
}
