//! What comes of setting a side against another: the matched pairs, how their ratios are spread, and which side the others are
//! set against.

use super::best_batch_pairs::best_batch_pairs;
use super::compared_sides::ComparedSide;
use super::inputs::Comparison;
use crate::ask::conclude::basis::device_sizes::{SizeOfDevices, of_one_size};
use crate::ask::conclude::basis::matched_pairs::{MatchedPair, Spread};
use crate::ask::conclude::basis::outliers::far_from_others;
use crate::ask::conclude::basis::side::Side;
use crate::ask::question::QueryError;
use crate::model::Metric;

/// A side against the baseline.
pub(in crate::ask::conclude) struct Outcome<'o> {
    pub subject: &'o Side,
    pub spread: Spread,
    /// In how many pairs the subject is better.
    pub better: usize,
    pub pairs: Vec<MatchedPair>,
    /// The ratios of pairs that are left out, far from all others.
    pub far: Vec<f64>,
    /// Those of single layers, where networks are paired as well.
    pub layers: Vec<MatchedPair>,
    /// What each side has its own of besides what is compared, in words.
    pub apart: Option<&'static str>,
    /// Whether the devices of each pair are of one size, where generations of them are compared.
    pub size: Option<SizeOfDevices>,
}

impl<'o> Outcome<'o> {
    /// What some pairs come to, those left out that are far from all others; `None` of none.
    fn of(subject: &'o Side, pairs: Vec<MatchedPair>, layers: Vec<MatchedPair>) -> Option<Self> {
        let ratios: Vec<f64> = pairs.iter().map(|pair| pair.ratio).collect();
        let (far, near): (Vec<_>, Vec<_>) = pairs.into_iter().zip(far_from_others(&ratios)).partition(|(_, far)| *far);
        let pairs: Vec<MatchedPair> = near.into_iter().map(|(pair, _)| pair).collect();
        let far = far.into_iter().map(|(pair, _)| pair.ratio).collect();
        let spread = Spread::of(pairs.iter().map(|pair| pair.ratio))?;
        let better = pairs.iter().filter(|pair| pair.ratio > 1.0).count();
        Some(Self { subject, spread, better, pairs, far, layers, apart: None, size: None })
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
        let mut size = None;
        if self.of_generations {
            let (kept, of_devices) = of_one_size(self.stores, self.values, pairs)?;
            (pairs, size) = (kept, Some(of_devices));
        }
        let outcome = self.outcome_of(&subject.side, pairs);
        Ok(outcome.map(|outcome| Outcome { apart, size, ..outcome }))
    }

    /// What some pairs come to. A layer is no network: where networks can be paired, layers are told apart.
    pub(in crate::ask::conclude) fn outcome_of<'o>(
        &self,
        subject: &'o Side,
        pairs: Vec<MatchedPair>,
    ) -> Option<Outcome<'o>> {
        let (layers, networks): (Vec<MatchedPair>, Vec<MatchedPair>) =
            pairs.into_iter().partition(|pair| self.sizes.is_layer(pair.subject.row));
        let (pairs, layers) = if networks.is_empty() { (layers, networks) } else { (networks, layers) };
        Outcome::of(subject, pairs, layers)
    }
}
