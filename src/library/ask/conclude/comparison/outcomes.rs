//! What comes of setting a side against another: the matched pairs, how their ratios are spread, and which side the others are
//! set against.

use std::collections::BTreeMap;

use super::best_batch_pairs::best_batch_pairs;
use super::compared_sides::ComparedSide;
use super::inputs::SideComparison;
use crate::ask::conclude::basis::device_sizes::{SizeOfDevices, of_one_size};
use crate::ask::conclude::basis::matched_pairs::{MatchedPair, Run, Spread};
use crate::ask::conclude::basis::outliers::far_from_others;
use crate::ask::conclude::basis::side::Side;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Field, Metric};
use crate::values::Precision;

/// A side against the baseline.
pub(in crate::ask::conclude) struct Outcome<'o> {
    pub subject: &'o Side,
    pub spread: Spread,
    /// In how many pairs the subject is better.
    pub better: usize,
    pub pairs: Vec<MatchedPair>,
    /// The ratios of pairs that are left out, far from all others.
    pub far: Vec<f64>,
    /// The same of each stage, the one with the most pairs first, where the pairs are of several: a number over training and
    /// inference tells neither.
    pub stages: Vec<Self>,
    /// Pairs that are told apart, where there are others as well.
    pub asides: Vec<(Aside, Vec<MatchedPair>)>,
    /// What each side has its own of besides what is compared, in words.
    pub apart: Option<&'static str>,
    /// Whether the devices of each pair are of one size, where generations of them are compared.
    pub size: Option<SizeOfDevices>,
}

/// Why pairs are told apart from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ask::conclude) enum Aside {
    /// A layer is no network.
    Layers,
    /// The kernels of another library tell two frameworks apart no more than the library does.
    Kernels,
    /// Eight-bit integers without a sign stand for those with one.
    Unsigned,
}

/// A mean nearer to one than this tells of no better side that pairs could deny.
const EVEN: f64 = 1.05;

impl<'o> Outcome<'o> {
    /// Whether the pairs do not bear out their own mean: the side that it makes the better one is better in no more than half of them.
    pub fn is_open(&self) -> bool {
        let worse = self.pairs.iter().filter(|pair| pair.ratio < 1.0).count();
        let (mean, better) = match self.spread.mean >= 1.0 {
            true => (self.spread.mean, self.better),
            false => (self.spread.mean.recip(), worse),
        };
        mean > EVEN && self.pairs.len() > 1 && better * 2 <= self.pairs.len()
    }

    /// What pairs of several stages come to in each, and over all of them, which decides no more than their order.
    fn of_stages(subject: &'o Side, stages: Vec<Vec<MatchedPair>>) -> Option<Self> {
        let mut stages: Vec<Self> = stages.into_iter().filter_map(|pairs| Self::of(subject, pairs)).collect();
        stages.sort_by_key(|stage| std::cmp::Reverse(stage.pairs.len()));
        if stages.len() < 2 {
            return stages.pop();
        }
        let pairs: Vec<MatchedPair> = stages.iter().flat_map(|stage| stage.pairs.iter().cloned()).collect();
        let spread = Spread::of(pairs.iter().map(|pair| pair.ratio))?;
        let better = pairs.iter().filter(|pair| pair.ratio > 1.0).count();
        let far = stages.iter().flat_map(|stage| stage.far.iter().copied()).collect();
        Some(Self { subject, spread, better, pairs, far, stages, asides: Vec::new(), apart: None, size: None })
    }

    /// What some pairs come to, those left out that are far from all others; `None` of none.
    fn of(subject: &'o Side, pairs: Vec<MatchedPair>) -> Option<Self> {
        let ratios: Vec<f64> = pairs.iter().map(|pair| pair.ratio).collect();
        let (far, near): (Vec<_>, Vec<_>) = pairs.into_iter().zip(far_from_others(&ratios)).partition(|(_, far)| *far);
        let pairs: Vec<MatchedPair> = near.into_iter().map(|(pair, _)| pair).collect();
        let far = far.into_iter().map(|(pair, _)| pair.ratio).collect();
        let spread = Spread::of(pairs.iter().map(|pair| pair.ratio))?;
        let better = pairs.iter().filter(|pair| pair.ratio > 1.0).count();
        let (stages, asides) = (Vec::new(), Vec::new());
        Some(Self { subject, spread, better, pairs, far, stages, asides, apart: None, size: None })
    }
}

impl SideComparison<'_> {
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

    /// What some pairs come to, stage by stage, those told apart that say something else.
    pub(in crate::ask::conclude) fn outcome_of<'o>(
        &self,
        subject: &'o Side,
        pairs: Vec<MatchedPair>,
    ) -> Option<Outcome<'o>> {
        let mut asides = Vec::new();
        let mut apart = |pairs: Vec<MatchedPair>, aside: Aside, is_apart: &dyn Fn(&MatchedPair) -> bool| {
            let (other, usual): (Vec<MatchedPair>, Vec<MatchedPair>) = pairs.into_iter().partition(is_apart);
            if usual.is_empty() {
                return other;
            }
            asides.extend((!other.is_empty()).then_some((aside, other)));
            usual
        };
        let pairs = apart(pairs, Aside::Layers, &|pair| self.sizes.is_layer(pair.subject.row));
        let pairs = apart(pairs, Aside::Kernels, &|pair| self.has_unlike_kernels(pair));
        let pairs = apart(pairs, Aside::Unsigned, &|pair| self.is_unsigned(pair));
        let outcome = Outcome::of_stages(subject, self.by_stage(pairs));
        outcome.map(|outcome| Outcome { asides, ..outcome })
    }

    /// Pairs by their stages; together where stages are compared.
    pub(super) fn by_stage(&self, pairs: Vec<MatchedPair>) -> Vec<Vec<MatchedPair>> {
        if self.varied.contains(&Field::Stage) {
            return vec![pairs];
        }
        let mut stages: BTreeMap<u32, Vec<MatchedPair>> = BTreeMap::new();
        for pair in pairs {
            stages.entry(self.stage_of(&pair)).or_default().push(pair);
        }
        stages.into_values().collect()
    }

    /// The number of a pair's stage.
    pub(super) fn stage_of(&self, pair: &MatchedPair) -> u32 {
        self.values.number(Aspect::Field(Field::Stage), &pair.subject.parts)
    }

    /// Whether precisions are compared, and one of a pair ran in eight-bit integers without a sign.
    pub(super) fn is_unsigned(&self, pair: &MatchedPair) -> bool {
        let unsigned = Precision::Uint8.to_string();
        let is_it = |run: &Run| {
            self.values.text(Aspect::Field(Field::Precision), &run.parts).is_some_and(|text| text == unsigned)
        };
        self.varied.contains(&Field::Precision) && (is_it(&pair.subject) || is_it(&pair.baseline))
    }

    /// Whether frameworks are compared, and the two of a pair ran on kernels of different libraries: cuDNN 4 and 5 are one.
    fn has_unlike_kernels(&self, pair: &MatchedPair) -> bool {
        let library = |run: &Run| {
            let text = self.values.text(Aspect::Field(Field::KernelLibrary), &run.parts)?;
            text.split(' ').next().map(str::to_lowercase)
        };
        let (Some(own), Some(other)) = (library(&pair.subject), library(&pair.baseline)) else { return false };
        self.varied.contains(&Field::Framework) && own != other
    }
}
