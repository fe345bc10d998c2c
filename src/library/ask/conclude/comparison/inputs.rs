//! What a comparison is made with: the sides' rows, the fields in which they differ, and what the question asks for besides.

use indexmap::IndexMap;

use crate::ask::conclude::basis::evidence::{RowIds, sources};
use crate::ask::conclude::basis::matched_pairs::{MatchedPair, Pairing, Picked};
use crate::ask::conclude::basis::named_alternatives::NamedAlternatives;
use crate::ask::conclude::basis::sizes::Sizes;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::Question;
use crate::model::{Derived, Field, Metric};
use crate::stores::Stores;

/// What is said of the first side of a comparison: that it is so many times as good as the other, or as bad.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::ask::conclude) struct ClaimedGain {
    /// One or more.
    factor: f64,
    is_worse: bool,
}

/// What becomes of a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::ask::conclude) enum ClaimVerdict {
    Yes,
    /// Yes, by a gain so small that it hardly counts.
    Hardly,
    /// It is so, but not as many times as was said.
    LessThan(f64),
    No,
}

/// A factor that is claimed is reached from this share of it on.
const NEARLY: f64 = 0.95;

/// A gain below this that not three pairs of four show is hardly one.
const HARDLY: f64 = 1.05;

impl ClaimedGain {
    /// The claim of a question that yes or no answers.
    pub fn of(question: &Question) -> Option<Self> {
        let claimed = question.wanted.claimed_factor.filter(|factor| *factor > 0.0).unwrap_or(1.0);
        let is_worse = question.wanted.claims_worse || claimed < 1.0;
        let factor = if claimed < 1.0 { claimed.recip() } else { claimed };
        question.wanted.yes_or_no.then_some(Self { factor, is_worse })
    }

    /// What becomes of it where the first side is so many times as good; `are_most` tells whether three pairs of four agree.
    pub fn verdict(self, gain: f64, are_most: bool) -> ClaimVerdict {
        let gain = if self.is_worse { gain.recip() } else { gain };
        match gain >= 1.0 && gain >= self.factor * NEARLY {
            true if self.factor == 1.0 && gain < HARDLY && !are_most => ClaimVerdict::Hardly,
            true => ClaimVerdict::Yes,
            false if gain >= 1.0 => ClaimVerdict::LessThan(self.factor),
            false => ClaimVerdict::No,
        }
    }
}

/// What a comparison is made with.
pub(in crate::ask::conclude) struct SideComparison<'c> {
    pub stores: &'c Stores,
    pub values: &'c SharedValues,
    pub sizes: Sizes,
    pub names: Names,
    /// The fields in which sides differ.
    pub varied: Vec<Field>,
    /// What stands in the place of the metric that it follows from.
    pub derived: Option<Derived>,
    /// Where the question wants a yes or a no: what the first side is said to be.
    pub whether: Option<ClaimedGain>,
    /// Whether it is asked from which batch on a side is the better one.
    pub asks_batch: bool,
    /// Whether it is asked if the sides can be compared at all.
    pub fair: bool,
    /// Whether the sides are generations of devices, of which only devices of one size say what is gained.
    pub of_generations: bool,
    /// Whether the side that is asked about, the first, is the one that the others are set against.
    pub asked_is_baseline: bool,
    /// What the question names besides the sides.
    pub asked: IndexMap<String, String>,
    /// The words of what else the question asks for.
    pub conditions: Vec<String>,
    /// What it names side by side besides, any of which will do.
    pub alternatives: Vec<NamedAlternatives>,
    pub ids: RowIds,
}

impl<'c> SideComparison<'c> {
    /// A comparison of sides that differ in these fields.
    pub fn new(stores: &'c Stores, values: &'c SharedValues, sizes: Sizes, varied: Vec<Field>) -> Self {
        Self {
            stores,
            values,
            sizes,
            names: Names::default(),
            varied,
            derived: None,
            whether: None,
            asks_batch: false,
            fair: false,
            of_generations: false,
            asked_is_baseline: false,
            asked: IndexMap::new(),
            conditions: Vec::new(),
            alternatives: Vec::new(),
            ids: RowIds::default(),
        }
    }

    /// How rows are paired: repetitions by the one in the middle.
    pub fn pairing(&self) -> Pairing<'_> {
        Pairing { values: self.values, sizes: &self.sizes, varied: &self.varied, picked: Picked::Middle, apart: None }
    }

    /// The matched pairs of two sides; with `one_source` those alone of which one source measured both.
    pub fn pairs(
        &self,
        subject: &HitColumns,
        baseline: &HitColumns,
        metrics: &[Metric],
        one_source: bool,
    ) -> Vec<MatchedPair> {
        let mut pairs = self.pairing().pairs(subject, baseline, metrics);
        if one_source {
            pairs.retain(|pair| sources(self.values, &pair.all).len() == 1);
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_said_to_be_slower_is_so_where_the_other_one_is_faster() {
        let (faster, slower) =
            (ClaimedGain { factor: 1.0, is_worse: false }, ClaimedGain { factor: 1.0, is_worse: true });
        assert_eq!((faster.verdict(1.3, true), slower.verdict(1.3, true)), (ClaimVerdict::Yes, ClaimVerdict::No));
        assert_eq!((faster.verdict(0.5, true), slower.verdict(0.5, true)), (ClaimVerdict::No, ClaimVerdict::Yes));
        assert_eq!(
            (faster.verdict(1.02, false), slower.verdict(0.98, false)),
            (ClaimVerdict::Hardly, ClaimVerdict::Hardly)
        );
        let twice = ClaimedGain { factor: 2.0, is_worse: true };
        assert_eq!(
            (twice.verdict(0.7, true), twice.verdict(0.5, true)),
            (ClaimVerdict::LessThan(2.0), ClaimVerdict::Yes)
        );
    }
}
